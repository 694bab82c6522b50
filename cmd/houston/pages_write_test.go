package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestPagesPostmortem writes a postmortem in a browser: what is saved stands on
// the page to read and in the file, and the API has it.
func TestPagesPostmortem(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are empty --severity sev2")
		h.say(anna, channel.ID, "lead")
		h.say(anna, channel.ID, "resolve The third restart helped")
		s := h.surf(ben)
		s.reads("/postmortems?state=open", "Offers are empty")
		s.reads("/i/1/postmortem", "What went poorly") // the exporter's page in our frame
		status, page := s.get("/i/1/postmortem/edit")
		was := regexp.MustCompile(`name="was.summary" value="([^"]+)"`).FindStringSubmatch(page)
		if status != http.StatusOK || was == nil {
			t.Fatalf("the editor: %d\n%s", status, page)
		}
		status, page = s.send(http.MethodPost, "/i/1/postmortem/edit", url.Values{
			"base": {"0"}, "summary": {"Brokers saw no offers for an hour."}, "was.summary": {was[1]},
		})
		if status != http.StatusOK || !strings.Contains(page, "Saved.") {
			t.Fatalf("saving: %d\n%s", status, page)
		}
		s.reads("/i/1/postmortem", "Brokers saw no offers for an hour.")
		for _, file := range []string{"md", "html", "json"} {
			s.reads("/i/1/postmortem."+file, "Brokers saw no offers for an hour.")
		}
		s.reads("/i/1/postmortem/history", "<ins>")
		if status, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/postmortem.md", "", map[string]string{"Authorization": "Bearer " + apiToken}); status != http.StatusOK || !strings.Contains(string(raw), "Brokers saw no offers for an hour.") {
			t.Errorf("the API's Markdown: %d\n%s", status, raw)
		}
	})
}
