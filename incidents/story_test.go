package incidents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ben() Actor {
	return Actor{Person: Person{ID: "U2", Name: "Ben"}, Via: FromSlack, Standing: Member}
}

func TestNotice(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada(), In: "C1"}
	for _, text := range []string{"We look into it", "We know why"} {
		if _, err := s.Do(t.Context(), 1, PublishNotice{Request: req, Status: NoticeIdentified, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.incident(1).Notice; n == nil || n.Title != "Service disruption" || len(n.Updates) != 2 {
		t.Fatalf("got notice %+v, want two updates under a title of its own", n)
	}
	for want := 1; want >= 0; want-- {
		if _, err := s.Do(t.Context(), 1, WithdrawNotice{Request: req}); err != nil {
			t.Fatal(err)
		}
		left := 0
		if n := s.incident(1).Notice; n != nil {
			left = len(n.Updates)
		}
		if left != want {
			t.Errorf("%d updates left, want %d", left, want)
		}
	}
	if _, err := s.Do(t.Context(), 1, WithdrawNotice{Request: req}); KindOf(err) != Conflict {
		t.Errorf("got %v, want that nothing is left to take back", err)
	}
}

func TestNothingPrivateOnTheStatusPage(t *testing.T) {
	t.Parallel()
	for name, declare := range map[string]Declare{"private": {Private: true}, "drill": {Drill: true}} {
		s := newStage(t, Config{})
		declare.Title, declare.Request = "A", Request{Actor: ada()}
		if _, err := s.Declare(t.Context(), declare); err != nil {
			t.Fatal(err)
		}
		_, err := s.Do(t.Context(), 1, PublishNotice{Request: Request{Actor: ada()}, Status: NoticeIdentified, Text: "t"})
		if KindOf(err) != Conflict || s.incident(1).Notice != nil {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}

func TestResolveProposesTheGapOnlyWhereAPersonWasFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		detection Detection
		want      int
	}{{ByEmployee, 1}, {ByPartner, 1}, {ByChance, 1}, {ByAlert, 0}, {BySLO, 0}, {BySynthetic, 0}} {
		s := newStage(t, Config{})
		if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: ada()}, Title: "Offers missing", Detection: tt.detection}); err != nil {
			t.Fatal(err)
		}
		req := Request{Actor: ada()}
		for _, command := range []Command{Resolve{Request: req}, Reopen{Request: req}, Resolve{Request: req}} {
			if _, err := s.Do(t.Context(), 1, command); err != nil {
				t.Fatal(err)
			}
		}
		gaps := 0
		for _, item := range s.incident(1).Actions {
			if item.Gap && item.Proposed {
				gaps++
			}
		}
		if gaps != tt.want {
			t.Errorf("%s: %d gaps proposed after two ends, want %d", tt.detection, gaps, tt.want)
		}
	}
}

func TestActionItems(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada(), In: "C1"}
	for _, due := range []string{"", "2030-01-31"} {
		if _, err := s.Do(t.Context(), 1, AddAction{Request: req, Text: "Give slow requests a pool of their own", Owner: ben().Person, Due: due}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Do(t.Context(), 1, AddAction{Request: req, Text: "x", Due: "soon"}); KindOf(err) != Invalid {
		t.Errorf("got %v, want the right form of a date", err)
	}
	want := []ActionItem{
		{ID: 1, Text: "Give slow requests a pool of their own", Type: Prevent, Owner: ben().Person},
		{ID: 2, Text: "Give slow requests a pool of their own", Type: Prevent, Owner: ben().Person, Due: "2030-01-31"},
	}
	if diff := cmp.Diff(want, s.incident(1).Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}
