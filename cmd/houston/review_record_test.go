package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestReviewRecord writes the record of a review over the API: it stands in every
// form of the document, a new draft keeps it, and a bad one is refused in words.
func TestReviewRecord(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Offers are empty").ID
		write := func(body string) (int, string) {
			status, raw := h.call(http.MethodPatch, "/api/v1/incidents/INC-1/postmortem", body, map[string]string{"Authorization": "Bearer " + apiToken})
			return status, string(raw)
		}
		if status, answer := write(`{"survey":[{"question":"learned","yes":"-2"}]}`); status != http.StatusBadRequest || !strings.Contains(answer, "does not count answers") {
			t.Errorf("-2 answers: %d %s", status, answer)
		}
		status, answer := write(`{"facilitator":"Eva Outside","participants":[{"name":"Ben Responder","as":"operations"}],` +
			`"decisions":[{"text":"Split the pool | first"}],"survey":[{"question":"learned","yes":"5","no":"0"},{"question":"come_again","yes":"4","unsure":"1"}]}`)
		if status != http.StatusOK {
			t.Fatalf("writing: %d %s", status, answer)
		}
		h.say(ben, channel, "timeline Restarted scoring") // a new draft
		var doc struct {
			Review struct {
				Facilitator  string
				Participants []struct{ Name, As string }
				Decisions    []struct{ Text string }
				Survey       []struct{ Question, Yes, No, Unsure string }
			}
		}
		if status := h.api("/incidents/INC-1/postmortem", &doc); status != http.StatusOK {
			t.Fatalf("got %d", status)
		}
		if r := doc.Review; r.Facilitator != "Eva Outside" || len(r.Participants) != 1 || r.Participants[0].As != "operations" ||
			len(r.Decisions) != 1 || len(r.Survey) != 2 || r.Survey[1].Unsure != "1" || r.Survey[0].No != "0" {
			t.Errorf("got %+v, want what was written", r)
		}
		s := h.surf(ben)
		for path, texts := range map[string][]string{
			"/i/1/postmortem":      {"Eva Outside", "Split the pool | first", "Would you come again?"},
			"/i/1/postmortem/edit": {`value="Eva Outside"`, `name="survey.1.unsure" value="1"`},
			"/i/1/postmortem.md":   {"| Facilitator | Eva Outside |", "| Ben Responder | operations |", `| 1 | Split the pool \| first |`, "| Did you learn something? | 5 | 0 |  |"},
		} {
			for _, text := range texts {
				s.reads(path, text)
			}
		}
	})
}
