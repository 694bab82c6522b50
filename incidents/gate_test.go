package incidents

import (
	"strings"
	"testing"
)

// TestGapChangesAreChecked: bad states can not be stored, whoever sends them.
func TestGapChangesAreChecked(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	req := Request{Actor: ada()}
	if _, err := s.Do(t.Context(), 1, AddGap{Request: req, Signal: "p99 of the offers"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change ChangeGap
		field  string
	}{
		{"a state that is none", ChangeGap{State: new(GapState("magic"))}, "state"},
		{"accepted without a reason", ChangeGap{State: new(GapAccepted)}, "reason"},
		{"a reason without end", ChangeGap{Reason: new(strings.Repeat("x", MaxText+1))}, "reason"},
	} {
		tt.change.Request, tt.change.ID = req, 1
		_, err := s.Do(t.Context(), 1, tt.change)
		if e, ok := err.(*Error); !ok || e.Kind != Invalid || e.Field != tt.field { //nolint:errorlint // it is not wrapped
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := s.Do(t.Context(), 1, ChangeGap{Request: req, ID: 1, State: new(GapAccepted), Reason: new("rare")}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), 1, ChangeGap{Request: req, ID: 1, Reason: new(" ")}); KindOf(err) != Invalid {
		t.Errorf("an accepted gap lost its reason: %v", err)
	}
}
