package incidents

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func silencing(names ...string) Config {
	return Config{Alertmanagers: names, FlapWindow: 30 * time.Minute}
}

func (s *stage) silenced(fingerprint string, length time.Duration) error {
	_, err := s.SilenceAlerts(s.t.Context(), 1, asker(), fingerprint, length)
	return err
}

// TestSilence: what the alerts of one name have in common is silenced, kept while
// the incident is open, and ended with it.
func TestSilence(t *testing.T) {
	t.Parallel()
	s := newStage(t, silencing("default"))
	s.alarmed()
	s.deliver("g", s.firing(critical), s.firing(critical+" i=2"), s.firing("alertname=Other severity=page i=3"))
	if err := s.silenced("", 0); err != nil {
		t.Fatal(err)
	}
	inc := s.incident(1)
	var got []string
	for _, silence := range inc.Silences {
		got = append(got, matcherText(silence.Matchers)+" "+silence.Source)
	}
	want := []string{`{alertname="Burn", service="checkout", severity="critical"} default`, `{alertname="Other", i="3", severity="page"} default`}
	slices.Sort(got)
	if !slices.Equal(got, want) || len(s.owed(MakeSilence)) != 2 || !inc.Silences[0].Until.Equal(s.clock.at.Add(2*time.Hour)) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if err := s.silenced("", time.Hour); err != nil || len(s.incident(1).Silences) != 2 {
		t.Errorf("got %v and %d silences for the second time, want the same ones", err, len(s.incident(1).Silences))
	}
	var kept KeepSilence
	for _, job := range s.memory.jobs {
		if later, ok := job.(Scheduled); ok {
			if k, ok := later.Job.(KeepSilence); ok {
				kept, s.clock.at = k, later.At
			}
		}
	}
	if err := s.KeepSilence(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	extended := slices.ContainsFunc(s.incident(1).Silences, func(x Silence) bool {
		return x.ID == kept.Silence && x.Until.Equal(s.clock.at.Add(2*time.Hour))
	})
	if !extended {
		t.Errorf("got %+v, want it extended shortly before its end", s.incident(1).Silences)
	}
	if _, err := s.Do(t.Context(), 1, Resolve{Request: asker()}); err != nil {
		t.Fatal(err)
	}
	inc = s.incident(1)
	for _, silence := range inc.Silences {
		e := s.memory.effects[EffectKey(1, MakeSilence, strconv.FormatInt(silence.ID, 10))]
		if !silence.Ended || e.Wanted <= silence.ID {
			t.Errorf("got %+v, wanted %d after the end, want it expired", silence, e.Wanted)
		}
	}
	seq := inc.Seq
	if err := s.KeepSilence(t.Context(), kept); err != nil || s.incident(1).Seq != seq {
		t.Errorf("got %v and event %d, want a silence that has ended left alone", err, s.incident(1).Seq)
	}
}

func TestWhatIsNotSilenced(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		config Config
		do     func(s *stage) error
		want   ErrorKind
	}{
		{"no Alertmanager", silencing(), func(s *stage) error { return s.silenced("", 0) }, Invalid},
		{"none of this source", silencing("a", "b"), func(s *stage) error { return s.silenced("", 0) }, Invalid},
		{"too short", silencing("a"), func(s *stage) error { return s.silenced("", time.Second) }, Invalid},
		{"too long", silencing("a"), func(s *stage) error { return s.silenced("", 30*24*time.Hour) }, Invalid},
		{"an alert that is over", silencing("a"), func(s *stage) error { return s.silenced("nope", 0) }, Conflict},
		{"nothing to end", silencing("a"), func(s *stage) error {
			_, err := s.Do(s.t.Context(), 1, Unsilence{asker()})
			return err
		}, Conflict},
		{"without the permission", Config{Alertmanagers: []string{"a"}, Permissions: Permissions{Silence: []string{"S1"}}}, func(s *stage) error {
			return s.silenced("", 0)
		}, Forbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, tt.config)
			s.alarmed()
			if err := tt.do(s); KindOf(err) != tt.want || len(s.incident(1).Silences) != 0 {
				t.Errorf("got %v, want kind %s and no silence", err, tt.want)
			}
		})
	}
}

func TestForeignSilencesAreToldOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, silencing("a"))
	s.alarmed()
	f := ForeignSilence{Silence: "id", Source: "a", By: "bob", Comment: "upgrade", Until: clockAt(15, 0), Alert: "Burn"}
	for range 2 {
		if err := s.NoteSilences(t.Context(), 1, []ForeignSilence{f}); err != nil {
			t.Fatal(err)
		}
	}
	var texts []string
	for _, e := range Timeline(s.memory.events[1]) {
		texts = append(texts, e.Text)
	}
	want := "Burn was silenced at Alertmanager until 15:00 UTC by bob: upgrade"
	if n := len(texts); texts[n-1] != want || texts[n-2] == want {
		t.Errorf("got %q, want it once at the end: %q", texts, want)
	}
}

// TestPresume: an alert that its Alertmanager forgot is over, and people read why.
func TestPresume(t *testing.T) {
	t.Parallel()
	s := newStage(t, silencing("a"))
	s.alarmed()
	group := s.memory.alerts[0].Group
	for range 2 { // by two replicas
		if err := s.Presume(t.Context(), group, []string{s.memory.alerts[0].Fingerprint}, s.clock.at.Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	entries := Timeline(s.memory.events[1])
	if got, want := entries[len(entries)-1].Text, "1 alert no longer at Alertmanager, presumed resolved (Burn); 0 firing now"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if inc := s.incident(1); inc.AlertsFiring() != 0 || inc.Clear == nil {
		t.Errorf("got %d firing, asked %v, want people asked whether it is over", inc.AlertsFiring(), inc.Clear)
	}
}
