package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestWhys writes a tree below a contributing factor over the API: it stands as
// nested lists in the document, and one that can not be is refused in words.
func TestWhys(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		h.declared("Offers are empty")
		write := func(whys string) (int, string) {
			body := `{"factors":[{"text":"A shared pool","category":"design","whys":` + whys + `}]}`
			status, raw := h.call(http.MethodPatch, "/api/v1/incidents/INC-1/postmortem", body, map[string]string{"Authorization": "Bearer " + apiToken})
			return status, string(raw)
		}
		if status, answer := write(`[{"level":1,"text":"a"},{"level":3,"text":"b"}]`); status != http.StatusBadRequest || !strings.Contains(answer, "one level deeper") {
			t.Errorf("a level left out: %d %s", status, answer)
		}
		if status, answer := write(`[{"level":1,"text":"It was simpler"},{"level":2,"text":"Nobody measured <the> wait"},{"level":1,"text":"Load had grown"}]`); status != http.StatusOK {
			t.Fatalf("writing: %d %s", status, answer)
		}
		var doc struct {
			Factors []struct {
				Whys []struct {
					Level int
					Text  string
				}
			} `json:"contributing_factors"`
		}
		h.api("/incidents/INC-1/postmortem", &doc)
		if len(doc.Factors) != 1 || len(doc.Factors[0].Whys) != 3 || doc.Factors[0].Whys[1].Level != 2 {
			t.Errorf("got %+v, want the tree", doc)
		}
		s := h.surf(ben)
		s.reads("/i/1/postmortem.md", "**Why factor 1**\n\n- It was simpler\n  - Nobody measured &lt;the&gt; wait\n- Load had grown\n")
		s.reads("/i/1/postmortem", `<ul><li dir="auto">It was simpler<ul><li dir="auto">Nobody measured &lt;the&gt; wait</li></ul></li>`)
		s.reads("/i/1/postmortem/edit", "- It was simpler\n  - Nobody measured &lt;the&gt; wait\n- Load had grown")
	})
}
