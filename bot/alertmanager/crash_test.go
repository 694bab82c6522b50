package alertmanager_test

import (
	"testing"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/alertmanager"
	"github.com/houston-sre/houston/bot/webhook/amtest"
	"github.com/houston-sre/houston/incidents"
)

// hand is a clock that tests move.
type hand struct{ at time.Time }

func (h *hand) Now() time.Time { return h.at }

// TestSilenceThroughCrashes: a real Alertmanager gives a silence another id with each
// extension, and forgets them all where its disk is not kept. Whatever Houston could
// not note of that, one silence is kept, and none is left when the incident is over.
func TestSilenceThroughCrashes(t *testing.T) {
	t.Parallel()
	am := amtest.Start(t, amtest.Config{WebhookURL: "http://127.0.0.1:9"})
	client, err := alertmanager.New(alertmanager.Config{Name: "berlin", URL: am.URL()})
	if err != nil {
		t.Fatal(err)
	}
	clock := &hand{at: time.Now()}
	set := alertmanager.NewSet(clock, client)
	maker := set.Maker()
	work := bot.Work{
		Effect: incidents.Effect{Key: "INC-7/silence/3", Target: "3", Incident: 7, Generation: 1},
		Incident: incidents.Incident{Number: 7, Silences: []incidents.Silence{{
			ID: 3, Source: "berlin", Matchers: map[string]string{"alertname": "PoolExhausted"}, Until: time.Now().Add(time.Hour),
		}}},
	}
	active := func() (ends []time.Time) {
		all, err := client.Silences(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if !s.Expired {
				ends = append(ends, s.EndsAt)
			}
		}
		return ends
	}
	made, err := maker.Make(t.Context(), work)
	if err != nil {
		t.Fatal(err)
	}
	work.Effect.ID = made.ID
	refresher := maker.(bot.Refresher)
	refresh := func(left int) bot.Made {
		t.Helper()
		made, err := refresher.Refresh(t.Context(), work)
		if err != nil {
			t.Fatal(err)
		}
		if ends := active(); len(ends) != left {
			t.Errorf("%d silences are active, want %d", len(ends), left)
		}
		return made
	}
	for hours := range 3 { // each time the answer is lost in a crash
		clock.at = clock.at.Add(-10 * time.Second) // the start that a new one would have
		work.Incident.Silences[0].Until = time.Now().Add(time.Duration(hours+2) * time.Hour)
		refresh(1)
	}
	work.Effect.ID = "3a1d1c0e-0000-4000-8000-000000000000" // it has lost its disk, and this with it
	work.Effect.ID = refresh(1).ID
	work.Incident.Silences[0].Ended = true
	refresh(0)
	refresh(0)
}
