package incidents

import (
	"testing"
	"time"
)

func TestChangeNews(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }
	begun := ChangeEvent{Title: "Deploy", State: ChangeRunning, StartedAt: at(-10), UpdatedAt: at(-10), Labels: map[string]string{"cluster": "a"}}
	over := ChangeEvent{Title: "Deploy", State: ChangeSucceeded, StartedAt: at(-10), UpdatedAt: at(-2), EndedAt: at(-2), Service: "offers"}
	for _, tt := range []struct {
		name        string
		known, news ChangeEvent
		state       ChangeState
		ended       time.Time
		service     string
	}{
		{"the end", begun, over, ChangeSucceeded, at(-2), "offers"},
		{"the end told without its time", begun, ChangeEvent{Title: "Deploy", State: ChangeFailed, StartedAt: at(-10), UpdatedAt: at(-1)}, ChangeFailed, at(-1), ""},
		{"overtaken", over, begun, ChangeSucceeded, at(-2), "offers"},
		{"told again", over, over, ChangeSucceeded, at(-2), "offers"},
		{"at the same moment the end wins", ChangeEvent{Title: "D", State: ChangeRunning, StartedAt: at(-3), UpdatedAt: at(-2)}, over, ChangeSucceeded, at(-2), "offers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next, _ := tt.known.merge(tt.news)
			if next.State != tt.state || !next.EndedAt.Equal(tt.ended) || next.Service != tt.service {
				t.Errorf("got %+v, want %s until %s of %q", next, tt.state, tt.ended, tt.service)
			}
			if again, changed := next.merge(tt.news); changed {
				t.Errorf("the same news changes it again: %+v", again)
			}
		})
	}
}

func TestSuspectsAreRanked(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }
	inc := Incident{Number: 1, Service: "offers", Status: Investigating, Times: map[KeyTime]Instant{ImpactStart: {At: at(0)}}}
	labels := []map[string]string{{"cluster": "prod-1", "namespace": "lending"}}
	change := func(id int64, title, service string, began, ended int, labels map[string]string) ChangeEvent {
		return ChangeEvent{ID: id, Title: title, Service: service, Kind: ChangeDeployment, State: ChangeSucceeded, StartedAt: at(began), EndedAt: at(ended), Labels: labels}
	}
	window := change(6, "Night work", "", -60, 60, map[string]string{"cluster": "prod-1"})
	window.Kind = ChangeMaintenance
	changes := []ChangeEvent{
		change(1, "another service, a minute before", "billing", -1, -1, nil),
		change(2, "the service, an hour before", "Offers", -60, -58, map[string]string{"environment": "prod"}),
		change(3, "the cluster, under way", "", -20, 20, map[string]string{"cluster": "prod-1"}),
		change(4, "the service, later", "offers", 20, 21, nil),
		change(5, "two days before", "offers", -2880, -2879, nil),
		window,
	}
	var titles []string
	got := suspects(inc, labels, changes, at(30))
	for _, s := range got {
		titles = append(titles, s.Change.Title)
	}
	want := []string{"Night work", "the cluster, under way", "the service, an hour before", "another service, a minute before", "the service, later"}
	if len(titles) != len(want) {
		t.Fatalf("got %q, want %q", titles, want)
	}
	beside := map[string]bool{}
	for i, s := range got {
		beside[s.Change.Title] = s.beside(inc, at(30))
		if s.Change.ID == 3 && s.Told().String() != `same cluster prod-1; was under way when the incident began, since 20 min; during the maintenance "Night work"` {
			t.Errorf("got the reason %q", s.Told())
		}
		if titles[i] != want[i] && i > 1 { // the first two share the same and are both under way
			t.Errorf("got %q at %d, want %q", titles[i], i, want[i])
		}
	}
	for title, in := range map[string]bool{"the cluster, under way": true, "the service, later": true, "the service, an hour before": false, "another service, a minute before": false} {
		if beside[title] != in {
			t.Errorf("%q in the timeline by itself: got %v, want %v", title, beside[title], in)
		}
	}
}

// TestAnnouncedWindow: a maintenance window that was announced begins and ends without
// anybody saying so; a deployment that was only planned has not happened.
func TestAnnouncedWindow(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 29, 0, 30, 0, 0, time.UTC) // in Berlin the night has an hour less
	berlin := time.FixedZone("CET", 3600)
	window, err := ChangeEvent{
		ID: 1, Kind: ChangeMaintenance, Title: "Upgrade night", Labels: map[string]string{"cluster": "prod-1"},
		StartedAt: time.Date(2026, 3, 28, 23, 0, 0, 0, berlin), EndedAt: time.Date(2026, 3, 29, 5, 0, 0, 0, time.FixedZone("CEST", 7200)),
	}.checked(now.Add(-24 * time.Hour))
	if err != nil || window.State != ChangePlanned {
		t.Fatalf("got %+v, %v, want it planned", window, err)
	}
	deploy := ChangeEvent{ID: 2, Kind: ChangeDeployment, Title: "Deploy", State: ChangePlanned, StartedAt: now, Labels: window.Labels}
	rollout := ChangeEvent{ID: 3, Kind: ChangeRollout, Title: "Rollout", State: ChangeSucceeded, StartedAt: now, Labels: window.Labels}
	inc := Incident{Number: 1, Status: Investigating, Times: map[KeyTime]Instant{ImpactStart: {At: now.Add(10 * time.Minute)}}}
	for _, tt := range []struct {
		at    time.Time
		state ChangeState
	}{{now.Add(time.Hour), ChangeRunning}, {time.Date(2026, 3, 29, 3, 0, 0, 0, time.UTC), ChangeSucceeded}} {
		got := map[int64]Suspect{}
		for _, s := range suspects(inc, []map[string]string{{"cluster": "prod-1"}}, []ChangeEvent{window, deploy, rollout}, tt.at) {
			got[s.Change.ID] = s
		}
		if len(got) != 2 || got[1].Change.State != tt.state || got[3].Maintenance != "Upgrade night" {
			t.Errorf("at %s: got %+v, want the window %s and the rollout in it", tt.at, got, tt.state)
		}
	}
	if got := suspects(inc, nil, []ChangeEvent{window}, now.Add(-12*time.Hour)); len(got) != 0 {
		t.Errorf("got %+v before it began", got)
	}
}
