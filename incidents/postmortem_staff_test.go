package incidents

import (
	"testing"
	"time"
)

// TestAskedApprover is asked before the reviewers, and nobody else approves.
func TestAskedApprover(t *testing.T) {
	t.Parallel()
	s := nudging(t, Sev2) // on 29 March at 14:00 UTC
	s.do(Assign{Role: Commander, Person: Person{ID: "U2", Name: "Ben"}})
	s.do(Resolve{})
	reviewers, approver := []Person{{ID: "U4", Name: "Dana"}}, Person{ID: "U5", Name: "Eda"}
	s.do(StaffPostmortem{Reviewers: &reviewers, Approver: &approver})
	s.do(MovePostmortem{To: PostmortemInReview})
	s.clock.at = time.Date(2026, 3, 30, 6, 59, 0, 0, time.UTC)
	s.asks(2, "1 review U5")

	as := func(id string) Request { return Request{Actor: Actor{Person: Person{ID: id}, Standing: Member}} }
	try := func(c Command) ErrorKind {
		_, err := s.Do(t.Context(), 1, c)
		return KindOf(err)
	}
	if kind := try(MovePostmortem{Request: as("U4"), To: PostmortemApproved}); kind != Forbidden {
		t.Errorf("a reviewer's approval: got %q, want it forbidden", kind)
	}
	owner := Person{ID: "U2", Name: "Ben"}
	if kind := try(StaffPostmortem{Request: as("U4"), Approver: &owner}); kind != Invalid {
		t.Errorf("the commander, who owns it, as approver: got %q, want it refused", kind)
	}
	if kind := try(StaffPostmortem{Request: as("U4"), Owner: &approver}); kind != Invalid {
		t.Errorf("the approver as owner: got %q, want it refused", kind)
	}
	if kind := try(MovePostmortem{Request: as("U5"), To: PostmortemApproved}); kind != "" {
		t.Errorf("the approver's approval: got %q", kind)
	}
}
