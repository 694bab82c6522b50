package postmortem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func TestWhysOf(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		typed string
		want  []postmortem.Why
	}{
		"nothing":          {" \n\n", nil},
		"a line":           {"It was simpler", []postmortem.Why{{1, "It was simpler"}}},
		"a branch":         {"- a\n  - b\n  - c\n    - d\n- e", []postmortem.Why{{1, "a"}, {2, "b"}, {2, "c"}, {3, "d"}, {1, "e"}}},
		"tabs and stars":   {"* a\n\t* b\n\n\t\t• c", []postmortem.Why{{1, "a"}, {2, "b"}, {3, "c"}}},
		"any indentation":  {"   a\n        b\n     c\n   d", []postmortem.Why{{1, "a"}, {2, "b"}, {2, "c"}, {1, "d"}}},
		"indented at once": {"      - a\n- b", []postmortem.Why{{1, "a"}, {1, "b"}}},
	} {
		got := postmortem.WhysOf(tt.typed)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(got, postmortem.WhysOf(postmortem.OutlineOf(got))); diff != "" {
			t.Errorf("%s, written and read again (-before +after):\n%s", name, diff)
		}
	}
}

func TestWhysAreChecked(t *testing.T) {
	t.Parallel()
	factor := func(whys string) error {
		_, _, err := postmortem.Written{}.With(postmortem.Written{"factors": json.RawMessage(`[{"text":"A shared pool","whys":` + whys + `}]`)})
		return err
	}
	for whys, says := range map[string]string{
		`[{"level":2,"text":"a"}]`:                        "one level deeper",
		`[{"level":0,"text":"a"}]`:                        "one level deeper",
		`[{"level":1,"text":"a"},{"level":3,"text":"b"}]`: "one level deeper",
		`[{"level":1,"text":" "}]`:                        "needs a text",
		"[" + strings.Repeat(`{"level":1,"text":"a"},`, 100) + `{"level":1,"text":"a"}]`: "at most 100 fit",
	} {
		if err := factor(whys); incidents.KindOf(err) != incidents.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: got %v, want a refusal that says %q", whys, err, says)
		}
	}
	deep := make([]postmortem.Why, 11)
	for i := range deep {
		deep[i] = postmortem.Why{Level: i + 1, Text: "why"}
	}
	raw, err := json.Marshal(deep)
	if err != nil {
		t.Fatal(err)
	}
	if err := factor(string(raw)); err == nil || !strings.Contains(err.Error(), "more than 10 levels") {
		t.Errorf("eleven levels: got %v", err)
	}
	if err := factor(`[{"level":1,"text":"a"},{"level":2,"text":"b\nc"},{"level":1,"text":"d"}]`); err != nil {
		t.Errorf("a tree: %v", err)
	}
}
