package incidents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// DueNudges lists what is due, the longest due first.
func (m *memory) DueNudges(_ context.Context, now time.Time, limit int) ([]Nudge, error) {
	var due []Nudge
	for _, rows := range m.nudges {
		for _, n := range rows {
			if !n.DueAt.After(now) {
				due = append(due, n)
			}
		}
	}
	slices.SortFunc(due, func(a, b Nudge) int { return a.DueAt.Compare(b.DueAt) })
	return due[:min(limit, len(due))], nil
}

// nudging is a stage on which people are asked, in an incident of a severity
// that has its channel.
func nudging(t *testing.T, severity Severity) *stage {
	t.Helper()
	policy := DefaultNudges()
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	policy.Zone = func(id string) *time.Location {
		if id == "" {
			return time.UTC
		}
		return zurich
	}
	s := newStage(t, Config{Nudges: &policy})
	s.declared()
	s.do(SetSeverity{Severity: severity})
	return s
}

// do has Ada do something.
func (s *stage) do(c Command) {
	s.t.Helper()
	req := Request{Actor: ada(), In: "C1"}
	switch command := c.(type) {
	case SetSeverity:
		command.Request = req
		c = command
	case Assign:
		command.Request = req
		c = command
	case Update:
		command.Request = req
		c = command
	case Snooze:
		command.Request = req
		c = command
	case Resolve:
		command.Request = req
		c = command
	case AddAction:
		command.Request = req
		c = command
	case Export:
		command.Request = req
		c = command
	case Reopen:
		command.Request = req
		c = command
	case StaffPostmortem:
		command.Request = req
		c = command
	case MovePostmortem:
		command.Request = req
		c = command
	case ChangeAction:
		command.Request = req
		c = command
	case MoveAction:
		command.Request = req
		c = command
	default:
		s.t.Fatalf("do does not know %T", c)
	}
	if _, err := s.Do(s.t.Context(), 1, c); err != nil && KindOf(err) != Conflict {
		s.t.Fatal(err)
	}
}

// ask lets time pass minute by minute and gives what was asked meanwhile, with
// the minute: "5 no_commander".
func (s *stage) ask(minutes int) []string {
	s.t.Helper()
	var asked []string
	start := s.clock.Now()
	for range minutes {
		s.clock.forward(time.Minute)
		count := len(s.memory.events[1])
		if err := s.AskDue(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		for _, e := range s.memory.events[1][count:] {
			if data, ok := e.Data.(NudgeAsked); ok {
				line := fmt.Sprintf("%d %s", int(s.clock.Now().Sub(start).Minutes()), data.Nudge)
				if data.Direct {
					line += " " + data.Person.ID
				}
				asked = append(asked, line)
			}
		}
		if diff := cmp.Diff(planned(s.config.Nudges.Plan(s.incident(1), s.clock.Now())), planned(s.memory.nudges[1])); diff != "" {
			s.t.Fatalf("the rows are not what the incident wants (-wanted +rows):\n%s", diff)
		}
	}
	s.checkReplay()
	return asked
}

// planned leaves of rows what does not depend on when they were written.
func planned(rows []Nudge) []Nudge {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].DueAt = time.Time{}
	}
	return rows
}

func (s *stage) asks(minutes int, want ...string) {
	s.t.Helper()
	if got := s.ask(minutes); !slices.Equal(got, want) {
		s.t.Errorf("in %d minutes was asked %q, want %q", minutes, got, want)
	}
}

func TestNudgesOfTheResponse(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev1)
	// One question at a time: the next waits a quarter of an hour, or for the answer.
	s.asks(19, "5 no_commander")
	s.asks(2, "1 no_commander") // 20 minutes: nobody reacted
	s.do(Assign{Role: Commander, Person: ada().Person})
	s.asks(3, "1 no_communications")
	s.do(Assign{Role: Communications, Person: ada().Person})
	s.asks(10, "6 update_due") // 30 minutes
	s.do(Update{Text: "We look"})
	s.asks(31, "30 update_due")
	s.do(Update{Text: "We look on", Next: 10 * time.Minute})
	s.asks(11, "10 update_due")
	s.do(Snooze{Nudge: "update_due", Until: s.clock.Now().Add(40 * time.Minute)})
	s.asks(45, "40 update_due")
	s.do(Snooze{Until: s.clock.Now().Add(3 * time.Hour)})
	s.asks(200, "180 update_due")
	s.do(Assign{Role: Commander, Person: Person{}})
	s.do(Update{Text: "Nobody leads"})
	s.asks(6, "5 no_commander")
	s.do(Resolve{})
	s.asks(60)
}

func TestUnansweredNudgesEase(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2)
	s.do(Assign{Role: Commander, Person: ada().Person})
	s.do(Assign{Role: Communications, Person: ada().Person})
	s.asks(10*60, "60 update_due", "120 update_due", "240 update_due", "480 update_due")
	outcomes := map[NudgeOutcome]int{}
	for _, e := range s.memory.events[1] {
		if data, ok := e.Data.(NudgeClosed); ok {
			outcomes[data.Outcome]++
		}
	}
	if diff := cmp.Diff(map[NudgeOutcome]int{NudgePassed: 3}, outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestStaleIncident(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev4) // declared at 14:00, quiet until 8
	s.do(Assign{Role: Commander, Person: ada().Person})
	s.asks(25*60, "1440 stale")
	s.do(Snooze{Nudge: "stale", Until: s.clock.Now().Add(24 * time.Hour)})
	s.asks(25*60, "1440 stale")
}

func TestNudgesThatWaitForTheDay(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev1)
	s.clock.at = clockAt(21, 59)
	s.do(SetSeverity{Severity: Sev4})
	s.asks(1) // 22:00: quiet
	s.asks(10*60+1, "600 no_commander")
}

func TestDraftAndActionNudges(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2) // on 29 March at 14:00 UTC, 16:00 in Zurich
	s.do(Assign{Role: Commander, Person: Person{ID: "U2", Name: "Ben"}})
	s.do(AddAction{Text: "Alert on it", Owner: Person{ID: "U3", Name: "Cem"}, Due: "2026-04-02"})
	s.do(AddAction{Text: "Nobody's"})
	s.do(Resolve{})
	s.asks(18*60, "1020 draft U2") // 9:00 in Zurich is 7:00 UTC
	s.do(Snooze{Nudge: "draft", Until: s.clock.Now().Add(2 * time.Hour)})
	s.asks(3*60, "120 draft U2")
	s.do(Export{})
	s.clock.at = time.Date(2026, 4, 2, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 writing U2", "1 action_due:1 U3")
	s.clock.at = time.Date(2026, 4, 9, 6, 59, 0, 0, time.UTC)
	s.asks(5, "1 writing U2", "1 action_due:1 U3")
}

func TestPrivateNudgesStayInTheChannel(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2)
	inc := s.incident(1)
	inc.Private, inc.Status, inc.EndedAt = true, Resolved, s.clock.Now()
	for _, n := range s.config.Nudges.Plan(inc, s.clock.Now()) {
		if n.Direct != "" {
			t.Errorf("%s of a private incident goes to %s", n.Name(), n.Direct)
		}
	}
	if len(s.config.Nudges.Plan(inc, s.clock.Now())) == 0 {
		t.Error("a private incident's draft is asked of nobody")
	}
}

func TestSnoozeRefuses(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2)
	for until, want := range map[time.Time]string{
		s.clock.Now():                            "has passed",
		s.clock.Now().Add(15 * 24 * time.Hour):   "14 days",
		s.clock.Now().Add(-1 * 24 * time.Minute): "has passed",
	} {
		_, err := s.Do(t.Context(), 1, Snooze{Request: Request{Actor: ada()}, Until: until})
		if KindOf(err) != Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("until %s: got %v, want %q", until, err, want)
		}
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	night := QuietHours{Start: 22 * time.Hour, End: 8 * time.Hour}
	day := QuietHours{Start: 12 * time.Hour, End: 13 * time.Hour}
	for _, tt := range []struct {
		name     string
		quiet    QuietHours
		at, want string // in Zurich
	}{
		{"none", QuietHours{}, "2026-03-02 03:00", "2026-03-02 03:00"},
		{"before", night, "2026-03-02 21:59", "2026-03-02 21:59"},
		{"as it begins", night, "2026-03-02 22:00", "2026-03-03 08:00"},
		{"after midnight", night, "2026-03-03 03:00", "2026-03-03 08:00"},
		{"as it ends", night, "2026-03-03 08:00", "2026-03-03 08:00"},
		{"over noon", day, "2026-03-03 12:30", "2026-03-03 13:00"},
		{"in the night of a day's quiet", day, "2026-03-03 02:30", "2026-03-03 02:30"},
		{"the night the clock goes ahead", night, "2026-03-29 01:30", "2026-03-29 08:00"},
		{"the night it goes back", night, "2026-10-24 23:00", "2026-10-25 08:00"},
		{"the weekend", QuietHours{Start: 22 * time.Hour, End: 8 * time.Hour, Days: []time.Weekday{time.Saturday, time.Sunday}}, "2026-03-06 23:00", "2026-03-09 08:00"},
		{"days alone", QuietHours{Days: []time.Weekday{time.Sunday}}, "2026-03-08 10:00", "2026-03-09 00:00"},
		{"another zone", QuietHours{Start: 22 * time.Hour, End: 8 * time.Hour, Zone: time.UTC}, "2026-03-03 08:30", "2026-03-03 09:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			at, err := time.ParseInLocation("2006-01-02 15:04", tt.at, zurich)
			if err != nil {
				t.Fatal(err)
			}
			if got := tt.quiet.After(at, zurich).In(zurich).Format("2006-01-02 15:04"); got != tt.want {
				t.Errorf("after %s comes %s, want %s", tt.at, got, tt.want)
			}
		})
	}
}

// TestReviewAndFollowUpNudges: a reviewer is asked for approval, an item's owner
// two days before its date, the lead a week after it, and the owner of the
// postmortem to verify what another has done.
func TestReviewAndFollowUpNudges(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2) // on 29 March at 14:00 UTC
	s.config.Nudges.Lead = func(string) Person { return Person{ID: "U9", Name: "Lea"} }
	s.do(Assign{Role: Commander, Person: Person{ID: "U2", Name: "Ben"}})
	s.do(AddAction{Text: "Alert on it", Type: Detect, Owner: Person{ID: "U3", Name: "Cem"}, Due: "2026-04-20"})
	s.do(Resolve{})
	reviewers := []Person{{ID: "U2", Name: "Ben"}, {ID: "U4", Name: "Dana"}}
	s.do(StaffPostmortem{Reviewers: &reviewers})
	s.do(MovePostmortem{To: PostmortemInReview})
	s.clock.at = time.Date(2026, 3, 30, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 review U4")
	s.do(MovePostmortem{To: PostmortemApproved})
	s.clock.at = time.Date(2026, 4, 18, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_soon:1 U3")
	s.clock.at = time.Date(2026, 4, 27, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_due:1 U3", "1 action_overdue:1 U9")
	when := "it fires"
	s.do(ChangeAction{ID: 1, DoneWhen: &when})
	s.do(MoveAction{ID: 1, To: ActionDone, Note: "it did"})
	s.clock.at = time.Date(2026, 4, 28, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_verify:1 U2")
}

// TestRemindersStayInTheMorning: what is asked again after days comes at nine by
// the person's clock, also when that was changed between, and when the last one
// came late.
func TestRemindersStayInTheMorning(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev4) // on 29 March, the day the clocks go forward in Zurich
	s.config.Nudges.Lead = func(string) Person { return Person{ID: "U9", Name: "Lea"} }
	s.do(AddAction{Text: "Alert on it", Type: Detect, Owner: Person{ID: "U3", Name: "Cem"}, Due: "2026-10-21"})
	s.do(Resolve{})
	s.do(MovePostmortem{To: PostmortemWaived, Reason: "A test"})
	s.clock.at = time.Date(2026, 10, 19, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_soon:1 U3")
	s.clock.at = time.Date(2026, 10, 21, 6, 59, 0, 0, time.UTC) // summer time
	s.asks(2, "1 action_due:1 U3")
	s.clock.at = time.Date(2026, 10, 28, 6, 59, 0, 0, time.UTC) // eight o'clock in winter time
	s.asks(2)
	s.clock.at = time.Date(2026, 10, 28, 7, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_due:1 U3", "1 action_overdue:1 U9")
	s.clock.at = time.Date(2026, 11, 4, 13, 0, 0, 0, time.UTC) // Houston was down that morning
	s.asks(1, "1 action_due:1 U3", "1 action_overdue:1 U9")
	s.clock.at = time.Date(2026, 11, 11, 7, 59, 0, 0, time.UTC)
	s.asks(2, "1 action_due:1 U3", "1 action_overdue:1 U9")
}
