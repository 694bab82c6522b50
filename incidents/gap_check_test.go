package incidents

import "testing"

// TestAGapIsClosedByACheckThatFires holds that nothing but a check closes a
// monitoring gap, and that one that does not fire any more opens it again.
func TestAGapIsClosedByACheckThatFires(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada()}
	if _, err := s.Do(t.Context(), 1, AddGap{Request: req, Signal: "Offers are missing"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), 1, ChangeGap{Request: req, ID: 1, State: new(GapClosed)}); KindOf(err) != Conflict {
		t.Errorf("closing it by hand: %v", err)
	}
	for _, step := range []struct {
		verdict CheckVerdict
		want    GapState
	}{
		{CheckInconclusive, GapOpen},
		{CheckDoesNotFire, GapOpen},
		{CheckFires, GapClosed},
		{CheckInconclusive, GapClosed},
		{CheckDoesNotFire, GapOpen},
	} {
		result, err := s.Do(t.Context(), 1, CheckedGap{Request: req, ID: 1, Check: GapCheck{Verdict: step.verdict}})
		if err != nil {
			t.Fatal(err)
		}
		gap, _ := result.Incident.Gap(1)
		if gap.State != step.want || gap.ClosedAt.IsZero() == (step.want == GapClosed) {
			t.Errorf("after a check that says %s it is %s, closed at %s", step.verdict, gap.State, gap.ClosedAt)
		}
	}
	if _, err := s.Do(t.Context(), 1, CheckedGap{Request: req, ID: 9}); KindOf(err) != NotFound {
		t.Errorf("an unknown gap: %v", err)
	}
}
