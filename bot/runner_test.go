package bot

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

const announce = "INC-1/announce"

func owed() incidents.Effect {
	return incidents.Effect{Key: announce, Kind: incidents.MakeAnnounce, Wanted: 1}
}

func run(ctx context.Context, t *testing.T, r *Runner) {
	t.Helper()
	if err := r.Run(ctx, announce); err != nil {
		t.Fatalf("Run: %v", err)
	}
}

func TestRunMakesOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		next      []func(func()) error
		tries     int // runs, each after the wait it was told
		wantMade  []string
		wantID    string
		wantState incidents.EffectState
	}{
		{"answered", nil, 2, []string{"INC-1/announce#1"}, "made", incidents.Done},
		{"carried out, answer lost", []func(func()) error{lost}, 2, []string{"INC-1/announce#1"}, "found", incidents.Done},
		{"never arrived", []func(func()) error{neverArrived}, 2, []string{"INC-1/announce#1"}, "made", incidents.Done},
		{"never arrived, then answer lost", []func(func()) error{neverArrived, lost}, 3, []string{"INC-1/announce#1"}, "found", incidents.Done},
		{"refused once", []func(func()) error{refused(Failure{Reason: "hiccup"})}, 2, []string{"INC-1/announce#1"}, "made", incidents.Done},
		{"rate limited", []func(func()) error{refused(Failure{Reason: "wait", After: 5 * time.Second})}, 2, []string{"INC-1/announce#1"}, "made", incidents.Done},
		{"refused for good", []func(func()) error{refused(Failure{Reason: "archived", Terminal: true})}, 3, nil, "", incidents.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, rows, out, clock := bench(t, owed())
			out.next = tt.next
			for range tt.tries {
				run(t.Context(), t, r)
				if wait := rows.effects[announce].NextAt.Sub(clock.Now()); wait > 0 {
					clock.move(wait)
				}
			}
			e := rows.effects[announce]
			if diff := cmp.Diff(tt.wantMade, out.made); diff != "" {
				t.Errorf("made outside (-want +got):\n%s", diff)
			}
			if e.ID != tt.wantID || e.State() != tt.wantState {
				t.Errorf("effect is %s with id %q, want %s with %q", e.State(), e.ID, tt.wantState, tt.wantID)
			}
		})
	}
}

func TestRunWaitsUntilTheEarlierCallHasLanded(t *testing.T) {
	t.Parallel()
	effect := owed()
	r, rows, out, clock := bench(t, effect)
	// A process took the effect, began its call and was killed.
	if _, taken, err := rows.TakeEffect(t.Context(), announce, clock.Now(), lease); err != nil || !taken {
		t.Fatalf("TakeEffect = %v, %v", taken, err)
	}
	crashed := rows.effects[announce]
	if err := rows.BeginAttempt(t.Context(), crashed, clock.Now()); err != nil {
		t.Fatal(err)
	}
	run(t.Context(), t, r) // the lease is still held
	if out.calls != 0 {
		t.Fatal("called while another worker held the lease")
	}
	clock.move(lease)
	out.made = append(out.made, "INC-1/announce#1") // the call lands late
	run(t.Context(), t, r)
	if got := rows.effects[announce]; got.ID != "found" || len(out.made) != 1 || out.calls != 0 {
		t.Errorf("after the lease ran out: id %q, made %v, %d calls; want it found and no call", got.ID, out.made, out.calls)
	}
	if err := rows.SettleEffect(t.Context(), crashed); err == nil {
		t.Error("the crashed worker could still write: its fence must be stale")
	}
}

// maker is a Maker that is nothing else.
type maker struct{ out *outside }

func (m maker) Make(ctx context.Context, work Work) (Made, error) { return m.out.Make(ctx, work) }

// current is a Maker whose effect is kept current, and that needs no look.
type current struct{ maker }

func (c current) Refresh(ctx context.Context, work Work) (Made, error) { return c.Make(ctx, work) }

func TestWaitAfterALostAnswer(t *testing.T) {
	t.Parallel()
	made := incidents.Effect{Key: announce, Kind: incidents.MakeAnnounce, Wanted: 2, ID: "made", Place: "C1", Shown: 1}
	tests := []struct {
		name   string
		effect incidents.Effect
		maker  func(*outside) Maker
		want   time.Duration
	}{
		{"made twice it would be two", owed(), func(o *outside) Maker { return o }, settle},
		{"an old version could land late", owed(), func(o *outside) Maker { return current{maker{o}} }, settle},
		{"edits do not wait, see below", made, func(o *outside) Maker { return o }, time.Second},
		{"making it twice does nothing", owed(), func(o *outside) Maker { return maker{o} }, time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, rows, out, clock := bench(t, tt.effect)
			r.config.Makers[incidents.MakeAnnounce] = tt.maker(out)
			out.next = []func(func()) error{lost}
			run(t.Context(), t, r)
			if got := rows.effects[announce].NextAt.Sub(clock.Now()); got != tt.want {
				t.Errorf("tried again after %s, want %s", got, tt.want)
			}
		})
	}
}

// A lost edit may land on top of the one that was tried after it.
func TestEditsOnceMoreWhenALostEditHasLanded(t *testing.T) {
	t.Parallel()
	r, rows, out, clock := bench(t, incidents.Effect{
		Key: announce, Kind: incidents.MakeAnnounce, Wanted: 3, ID: "made", Place: "C1", Shown: 1,
	})
	began := clock.Now()
	out.next = []func(func()) error{neverArrived}
	var at []time.Duration
	for range 5 {
		before := out.calls
		run(t.Context(), t, r)
		if out.calls > before {
			at = append(at, clock.Now().Sub(began))
		}
		e := rows.effects[announce]
		if owed := Owed([]incidents.Effect{e}, nil); len(at) == 2 && len(owed) > 0 {
			t.Errorf("it is current and said to be owed: %q", owed)
		}
		if wait := e.NextAt.Sub(clock.Now()); wait > 0 {
			clock.move(wait)
		}
	}
	if diff := cmp.Diff([]time.Duration{0, time.Second, settle}, at); diff != "" {
		t.Errorf("edited after (-want +got):\n%s", diff)
	}
	if e := rows.effects[announce]; e.State() != incidents.Done {
		t.Errorf("still %s: %+v", e.State(), e)
	}
}

func TestFailingIsSaidOnceAndMended(t *testing.T) {
	t.Parallel()
	r, rows, out, clock := bench(t, owed())
	hiccup := refused(Failure{Reason: "hiccup"})
	out.next = []func(func()) error{hiccup, hiccup, hiccup}
	seq := rows.inc.Seq
	var said []int64
	for range 4 {
		run(t.Context(), t, r)
		said = append(said, rows.inc.Seq-seq)
		clock.move(maxBackoff)
	}
	if diff := cmp.Diff([]int64{0, 1, 1, 2}, said); diff != "" {
		t.Errorf("events after each try (-want +got): failing is told at the second, mended at the end\n%s", diff)
	}
	if e := rows.effects[announce]; e.State() != incidents.Done || e.Reason != "" {
		t.Errorf("effect is %s (%q), want done", e.State(), e.Reason)
	}
}

func TestEditsKeepADistance(t *testing.T) {
	t.Parallel()
	r, rows, out, clock := bench(t, owed())
	run(t.Context(), t, r)
	for i := range 100 {
		e := rows.effects[announce]
		e.Wanted = int64(i + 2)
		rows.effects[announce] = e
		rows.inc.Seq = e.Wanted
		run(t.Context(), t, r)
		clock.move(100 * time.Millisecond)
	}
	// 10 s of changes at an edit each 3 s, after the first post.
	if out.calls < 4 || out.calls > 5 {
		t.Errorf("%d calls in 10 s of changes, want 4 or 5", out.calls)
	}
	clock.move(editEvery)
	run(t.Context(), t, r)
	if e := rows.effects[announce]; e.Shown != rows.inc.Seq {
		t.Errorf("shows version %d in the end, want %d", e.Shown, rows.inc.Seq)
	}
}

func TestRepairMakesAnewWhatFailed(t *testing.T) {
	t.Parallel()
	failed := owed()
	failed.Failed, failed.Reason, failed.Generation = true, "archived", 3
	r, rows, _, _ := bench(t, failed)
	if err := r.Repair(t.Context(), 1); err != nil {
		t.Fatalf("Repair: %v", err)
	}
	e := rows.effects[announce]
	if e.State() != incidents.Owed || e.Generation != 4 || e.Reason != "" {
		t.Errorf("after repair the effect is %s, generation %d, reason %q; want owed, 4, none", e.State(), e.Generation, e.Reason)
	}
	if len(rows.jobs) == 0 {
		t.Error("repair enqueued no job")
	}
}

func TestOwedInWords(t *testing.T) {
	t.Parallel()
	effects := []incidents.Effect{
		{Key: "INC-1/pin", Kind: incidents.MakePin, Wanted: 1, ID: "1", Shown: 1},
		{Key: "INC-1/announce", Kind: incidents.MakeAnnounce, Wanted: 1, Attempts: 3, Reason: "Slack answered ratelimited"},
		{Key: "INC-1/invite/U7", Kind: incidents.MakeInvite, Target: "U7", Failed: true, Reason: "deactivated or not to be invited"},
		{Key: "INC-1/topic", Kind: incidents.MakeTopic, Wanted: 1},
	}
	for language, want := range map[string][]string{
		"en": {
			"announcement: failing, retrying (Slack answered ratelimited)",
			"invitation of u7: failed (deactivated or not to be invited)",
		},
		"de": {
			"Bekanntgabe: scheitert, wird weiter versucht (Slack hat mit ratelimited geantwortet)",
			"Einladung von u7: gescheitert (stillgelegt oder nicht einzuladen)",
		},
	} {
		texts, err := templates.Load(language)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, what := range Owed(effects, strings.ToLower) {
			got = append(got, texts.Say(what))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Owed in %s (-want +got):\n%s", language, diff)
		}
	}
}
