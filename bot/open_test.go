package bot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

// TestUsableIsToldOnce has the card and the invitation made at once, late or
// never, and looks how long the channel is said to have taken.
func TestUsableIsToldOnce(t *testing.T) {
	t.Parallel()
	hiccup := refused(Failure{Reason: "hiccup"})
	never := refused(Failure{Reason: "a guest", Terminal: true})
	tests := []struct {
		name         string
		card, invite func(func()) error // what happens to the first call; nil: it is answered
		reporter     string
		generation   int64
		want         []time.Duration
	}{
		{"both at once", nil, nil, "U1", 1, []time.Duration{0}},
		{"nobody to invite", nil, nil, "", 1, []time.Duration{0}},
		{"card late", hiccup, nil, "U1", 1, []time.Duration{maxBackoff}},
		{"invitation late", nil, hiccup, "U1", 1, []time.Duration{maxBackoff}},
		{"both late", hiccup, hiccup, "U1", 1, []time.Duration{maxBackoff}},
		{"reporter can not come", nil, never, "U1", 1, nil},
		{"made anew by a repair", nil, nil, "U1", 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, rows, _, clock := bench(t)
			rows.inc.Reporter.ID = tt.reporter
			rows.inc.Times = map[incidents.KeyTime]incidents.Instant{incidents.DeclaredAt: {At: clock.Now()}}
			var told []time.Duration
			r.config.Usable = func(took time.Duration) { told = append(told, took) }
			first := map[incidents.EffectKind]func(func()) error{incidents.MakeCard: tt.card, incidents.MakeInvite: tt.invite}
			for _, kind := range []incidents.EffectKind{incidents.MakeChannel, incidents.MakeCard, incidents.MakeInvite, incidents.MakePin} {
				target := ""
				if kind == incidents.MakeInvite {
					if target = tt.reporter; target == "" {
						continue
					}
				}
				key := incidents.EffectKey(1, kind, target)
				rows.effects[key] = incidents.Effect{Key: key, Kind: kind, Incident: 1, Target: target, Wanted: 1, Generation: tt.generation}
				out := &outside{}
				if first[kind] != nil {
					out.next = append(out.next, first[kind])
				}
				r.config.Makers[kind] = out
			}
			if err := r.OpenChannel(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			clock.move(maxBackoff)
			for key, effect := range rows.effects {
				if effect.State() != incidents.Owed {
					continue
				}
				if err := r.RunEffect(t.Context(), incidents.RunEffect{Effect: key}); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.OpenChannel(t.Context(), 1); err != nil { // a repeat tells nothing
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, told); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}
