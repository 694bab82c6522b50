package main

import (
	"net/http"
	"testing"
	"time"
)

// TestTimeInEachSeverity follows a severity that is raised: its time stands on the
// incident's page and in the document, open at first, to the second in JSON when
// the impact has ended.
func TestTimeInEachSeverity(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.clock = &movedClock{}
		h := newHouse(t, p)
		channel := h.declared("Offers are empty --severity sev3").ID
		type row struct {
			Severity, Text, Definition string
			Seconds                    *float64
		}
		durations := func() []row {
			var doc struct {
				Facts struct {
					Durations []row `json:"severity_durations"`
				}
			}
			if status := h.api("/incidents/INC-1/postmortem", &doc); status != http.StatusOK {
				t.Fatalf("got %d", status)
			}
			return doc.Facts.Durations
		}
		if got := durations(); len(got) != 1 || got[0].Severity != "sev3" || got[0].Seconds != nil || got[0].Text != "n/a (not over yet)" {
			t.Errorf("at first: got %+v, want sev3, not over yet", got)
		}
		p.clock.move(10 * time.Minute)
		h.say(ben, channel, "severity sev1")
		p.clock.move(25 * time.Minute)
		h.say(ben, channel, "mitigated")
		got := durations()
		if len(got) != 2 || got[0].Seconds == nil || got[1].Seconds == nil {
			t.Fatalf("got %+v, want two that are known", got)
		}
		for i, least := range []float64{600, 1500} { // and the seconds that the test takes
			if s := *got[i].Seconds; s < least || s > least+60 {
				t.Errorf("%s took %v seconds, want about %v", got[i].Severity, s, least)
			}
		}
		s := h.surf(ben)
		for _, page := range []string{"/i/1", "/i/1/postmortem", "/i/1/postmortem.md"} {
			s.reads(page, got[1].Text)
			s.reads(page, "while it had this severity, from declared until mitigated")
		}
	})
}
