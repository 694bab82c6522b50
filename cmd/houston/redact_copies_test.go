package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestRedactedEverywhere: an entry that a merge has taken along is redacted where
// it came from too, and the other way round, with a record in both incidents; the
// picture of a chart that Houston put into the channel is deleted in Slack.
func TestRedactedEverywhere(t *testing.T) {
	t.Parallel()
	prom := metrics(t)
	onBoth(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", writeConfig(t, "prometheus: {name: berlin, url: '"+prom.URL()+"'}\n")}
		h := newHouse(t, p)
		first := h.declared("Offers are slow --severity sev2").ID
		h.slack.Join(ben, first)
		h.charted(ben, first, h.say(ben, first, "chart p99_seconds"), "The chart is drawn")
		h.until("the picture is in the channel", func() bool { return len(h.pictures(first)) > 0 })
		picture := h.pictures(first)[0].ID
		const secret, other = "the password is hunter2", "the token is tr0ub4dor"
		said, err := h.slack.Post(t.Context(), ben, first, "Note: "+secret, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, emoji := range []string{"pushpin", "white_check_mark"} {
			if _, err := h.slack.React(t.Context(), ben, first, said.TS, emoji); err != nil {
				t.Fatal(err)
			}
		}
		h.say(anna, first, "timeline Also "+other)
		h.until("all of it is in the timeline", func() bool { return len(h.entries("INC-1")) == 3 })
		second := h.declared("Brokers see nothing").ID
		h.slack.Join(ben, second)
		if answer := h.say(anna, first, "merge INC-2"); !strings.Contains(answer, "merged into INC-2") {
			t.Fatalf("merging was answered: %s", answer)
		}
		seq := func(key, text string) int64 {
			t.Helper()
			for _, e := range h.entries(key) {
				if strings.Contains(e.Text, text) {
					return e.Seq
				}
			}
			t.Fatalf("%s has no entry with %q", key, text)
			return 0
		}
		chart, note := seq("INC-2", "Chart of"), seq("INC-2", secret)
		where := func() string {
			var all strings.Builder
			for _, key := range []string{"INC-1", "INC-2"} {
				for _, path := range []string{"/timeline", "/actions", "/postmortem", "/postmortem.md"} {
					_, raw := h.call(http.MethodGet, "/api/v1/incidents/"+key+path, "", map[string]string{"Authorization": "Bearer " + apiToken})
					all.Write(raw)
				}
			}
			return all.String()
		}
		// In the incident that took them along.
		for _, entry := range []int64{chart, note} {
			if answer := h.say(ben, second, fmt.Sprintf("redact %d not for everybody", entry)); !strings.Contains(answer, "redacted") {
				t.Fatalf("redacting was answered: %s", answer)
			}
		}
		// And where it came from.
		if answer := h.say(anna, first, fmt.Sprintf("redact %d not for everybody", seq("INC-1", other))); !strings.Contains(answer, "redacted") {
			t.Fatalf("redacting was answered: %s", answer)
		}
		for _, words := range []string{secret, other, "Chart of"} {
			if strings.Contains(where(), words) {
				t.Errorf("%q can still be read", words)
			}
		}
		for _, key := range []string{"INC-1", "INC-2"} {
			var record struct {
				Redactions []struct {
					By     struct{ ID string }
					Reason string
				}
			}
			h.api("/incidents/"+key+"/timeline", &record)
			if r := record.Redactions; len(r) != 3 || r[0].By.ID != ben || r[2].By.ID != anna || r[0].Reason != "not for everybody" {
				t.Errorf("%s has on record %+v", key, r)
			}
		}
		h.until("the picture is deleted in Slack", func() bool {
			_, there := h.slack.File(picture)
			return !there && !h.told(first, "Chart of p99_seconds")
		})
		if h.restart(); len(h.slack.Calls("files.delete")) != 1 {
			t.Errorf("files.delete was called %d times", len(h.slack.Calls("files.delete")))
		}
	})
}

// TestRedactedFromAPrivateIncident: why something was redacted in a private
// incident is not told in a public one that it was merged from.
func TestRedactedFromAPrivateIncident(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", writeConfig(t, "permissions: {see_private: ["+anna+"]}\n")}
		h := newHouse(t, p)
		public := h.declared("Offers are slow").ID
		h.say(anna, public, "timeline Restarted hunter2")
		h.say(anna, announced, "declare Payroll leaked --private")
		var private sandbox.Channel
		h.until("there is a private channel", func() bool {
			for _, c := range h.slack.Channels() {
				if c.Private && slices.Contains(h.slack.Members(c.ID), anna) {
					private = c
				}
			}
			return private.ID != ""
		})
		if answer := h.say(anna, public, "merge INC-2"); !strings.Contains(answer, "merged into INC-2") {
			t.Fatalf("merging was answered: %s", answer)
		}
		if answer := h.say(anna, private.ID, "redact last payroll was named"); !strings.Contains(answer, "redacted") {
			t.Fatalf("redacting was answered: %s", answer)
		}
		_, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken})
		if text := string(raw); strings.Contains(text, "hunter2") || strings.Contains(text, "payroll") || strings.Count(text, `"by"`) != 1 {
			t.Errorf("the public incident shows %s", text)
		}
	})
}
