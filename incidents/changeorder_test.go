package incidents

import (
	"fmt"
	"testing"
	"time"
)

// TestChangesInAnyOrder: the news of one change come in every order, some twice; what
// is stored in the end is the same.
func TestChangesInAnyOrder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }
	news := func(state ChangeState, starts, updated int) ChangeEvent {
		return ChangeEvent{Title: "Deploy", State: state, StartedAt: at(starts), UpdatedAt: at(updated)}
	}
	for _, tt := range []struct {
		name string
		news []ChangeEvent // those that were announced come first
		want string        // state, start and end in minutes
	}{
		{"each with the time of its state, as GitLab", []ChangeEvent{
			news(ChangeRunning, -30, -30), news(ChangeRunning, -20, -20), news(ChangeSucceeded, -10, -10), news(ChangeSucceeded, -10, -10),
		}, "succeeded -30 -10"},
		{"each with the start, as GitHub", []ChangeEvent{
			news(ChangeRunning, -30, -30), news(ChangeRunning, -30, -20), news(ChangeFailed, -30, -10),
		}, "failed -30 -10"},
		{"announced, begun later, and over", []ChangeEvent{
			news(ChangePlanned, -40, -60), news(ChangeRunning, -30, -30), news(ChangeRunning, -30, -20),
		}, "running -30 -"},
		{"announced and over", []ChangeEvent{news(ChangePlanned, -40, -60), news(ChangeSucceeded, -10, -10)}, "succeeded -40 -10"},
		{"announced and cancelled", []ChangeEvent{news(ChangePlanned, 40, -60), news(ChangeCancelled, -10, -10)}, "cancelled 40 -"},
		{"failed, tried again, succeeded", []ChangeEvent{
			news(ChangeRunning, -30, -30), news(ChangeFailed, -20, -20), news(ChangeRunning, -15, -15), news(ChangeSucceeded, -10, -10),
		}, "succeeded -30 -10"},
		{"over only", []ChangeEvent{news(ChangeSucceeded, -10, -10), news(ChangeSucceeded, -10, -10)}, "succeeded -10 -"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			permute(len(tt.news), func(order []int) {
				if tt.news[0].State == ChangePlanned && order[0] != 0 {
					return
				}
				var c ChangeEvent
				for i, n := range order {
					next, err := tt.news[n].checked(now)
					if err != nil {
						t.Fatal(err)
					}
					if i > 0 {
						next, _ = c.merge(next)
					}
					c = next
				}
				ended := "-"
				if !c.EndedAt.IsZero() {
					ended = fmt.Sprint(c.EndedAt.Sub(now).Minutes())
				}
				if got := fmt.Sprint(c.State, " ", c.StartedAt.Sub(now).Minutes(), " ", ended); got != tt.want {
					t.Errorf("in the order %v: got %q, want %q", order, got, tt.want)
				}
			})
		})
	}
}
