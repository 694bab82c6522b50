package incidents

import "testing"

// TestPageAcknowledgedBeforeTheAnswer: the pager tells that somebody has
// acknowledged before it has answered that it took the page.
func TestPageAcknowledgedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{PageTargets: []string{"ops"}})
	s.declared()
	if _, err := s.Page(t.Context(), 1, PageOut{Request: Request{Actor: ada()}, Target: "ops"}); err != nil {
		t.Fatal(err)
	}
	if err := s.TakePage(t.Context(), PageSignal{Key: s.incident(1).Pages["ops"].Key, State: PageAcknowledged, By: "Lea"}); err != nil {
		t.Fatal(err)
	}
	if err := s.PageMade(t.Context(), s.memory.effects["INC-1/page/ops"], "P1", PageSent, 1); err != nil {
		t.Fatal(err)
	}
	inc := s.incident(1)
	if p := inc.Pages["ops"]; p.ID != "P1" || p.State != PageAcknowledged || p.By != "Lea" {
		t.Errorf("got %+v, want it known by the pager's id and acknowledged", p)
	}
	if paged, acked := inc.Times[Paged], inc.Times[Acknowledged]; paged.At.IsZero() || paged.At.After(acked.At) {
		t.Errorf("paged at %v, acknowledged at %v", paged.At, acked.At)
	}
}
