package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// patch sends a change to the API with the token and gives status and body.
func (h *house) write(method, path, body string) (int, string) {
	h.t.Helper()
	status, raw := h.call(method, "/api/v1"+path, body, map[string]string{"Authorization": "Bearer " + apiToken, "Content-Type": "application/json"})
	return status, string(raw)
}

// must is write that fails the test unless it is answered 2xx.
func (h *house) must(method, path, body string) string {
	h.t.Helper()
	status, raw := h.write(method, path, body)
	if status/100 != 2 {
		h.t.Fatalf("%s %s: got %d %s", method, path, status, raw)
	}
	return raw
}

// pressed clicks the newest button of an action in a channel, and waits for what
// is told then.
func (h *house) pressed(who, channel, action, told string) {
	h.t.Helper()
	h.until("the button "+action+" is there", func() bool {
		for _, m := range h.slack.Messages(channel) {
			if strings.Contains(string(m.Blocks), `"`+action+`"`) {
				return true
			}
		}
		return false
	})
	var message sandbox.Message
	for _, m := range h.slack.Messages(channel) {
		if strings.Contains(string(m.Blocks), `"`+action+`"`) {
			message = m
		}
	}
	if _, err := h.slack.Click(h.t.Context(), sandbox.Click{User: who, Channel: channel, MessageTS: message.TS, ActionID: action}); err != nil {
		h.t.Fatal(err)
	}
	h.until(told, func() bool { return h.told(channel, told) })
}

// TestBrokersStory plays the lending platform's story from the first message to
// the published postmortem with a closed action item.
func TestBrokersStory(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("A broker misses his list of offers --severity sev2 --service offers").ID
		for _, text := range []string{
			"lead", "timeline p99 of offers-api is above 60 s in Prometheus", "statuspage investigating Some brokers see no offers",
			"timeline Restarted scoring", "timeline Restarted pricing", "timeline Restarted offers-api", "mitigated",
			"timeline Fast requests shared a connection pool with slow ones",
			"action Give slow requests a connection pool of their own <@" + anna + "> due 2030-01-31", "resolve The third restart helped",
		} {
			h.say(ben, channel, text)
		}
		h.until("the draft is told with buttons", func() bool { return h.told(channel, "draft is ready") })
		reply := h.say(ben, channel, "postmortem")
		for _, want := range []string{"is *draft*", "<@" + ben + ">", "Write the summary"} {
			if !strings.Contains(reply, want) {
				t.Errorf("postmortem was answered %q, want %q in it", reply, want)
			}
		}
		if reply := h.say(ben, channel, "postmortem review"); !strings.Contains(reply, "Before that, this is to do") || !strings.Contains(reply, "impact in at least one number") {
			t.Errorf("an early review was answered %q, want what is missing", reply)
		}
		if reply := h.say(ben, channel, "gaps"); !strings.Contains(reply, "A broker misses his list of offers (open) · action item 2 (open)") {
			t.Errorf("gaps was answered %q, want the proposed one with its item", reply)
		}

		const pm = "/incidents/INC-1/postmortem"
		h.must("PATCH", "/incidents/INC-1", `{"impact_start":"`+time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)+`"}`)
		h.must("PATCH", pm, `{"summary":"Brokers saw no offers for an hour. The third restart ended it.","lucky":"It was noon; few brokers work then.",`+
			`"measures":[{"what":"brokers without offers","value":"120","of_total":"900","unit":"brokers","kind":"users","how_measured":"access log"}],`+
			`"factors":[{"text":"Fast and slow requests shared a connection pool","category":"design"},{"text":"No alert watched the waiting time for a connection","category":"observability"}],`+
			`"lesson_items":[{"text":"Monitoring was blind for the pool","answers":"gap:1"}]}`)
		h.must("PATCH", "/incidents/INC-1/gaps/1", `{"expr":"max(pool_wait_seconds) > 1","for":"5m"}`)
		h.must("PATCH", "/incidents/INC-1/actions/1", `{"priority":"p1","done_when":"slow requests no longer raise the p99 of fast ones in a load test"}`)
		for _, text := range []string{"action 2 owner <@" + ben + ">", "action 2 due 2030-01-15", "action 2 priority p1", "action 2 when the alert fires on the recorded metrics"} {
			if reply := h.say(anna, channel, text); !strings.Contains(reply, "is changed") {
				t.Fatalf("%s was answered %q", text, reply)
			}
		}
		if reply := h.say(ben, channel, "postmortem meeting 2031-02-03 14:00"); !strings.Contains(reply, "review of INC-1 is proposed") {
			t.Errorf("the meeting was answered %q", reply)
		}
		h.until("the meeting is in the channel, for calendars too", func() bool {
			return h.told(channel, "to review the postmortem of INC-1 at") && strings.Contains(h.anyFile(channel), "DTSTART:20310203T130000Z")
		})
		h.pressed(ben, channel, "postmortem_review", "sent the postmortem of INC-1 to review")
		if reply := h.say(ben, channel, "postmortem approve"); !strings.Contains(reply, "other than the owner") {
			t.Errorf("the owner's approval was answered %q, want it refused", reply)
		}
		h.pressed(anna, channel, "postmortem_approve", "approved the postmortem of INC-1")
		h.pressed(anna, channel, "postmortem_publish", "published the postmortem of INC-1")

		var inc struct{ Status string }
		if h.api("/incidents/INC-1", &inc); inc.Status != "closed" {
			t.Errorf("got status %q, want it closed by the publication", inc.Status)
		}
		edition := h.must("GET", pm+"/editions/1", "")
		if status, raw := h.write("PATCH", pm, `{"lucky":"x"}`); status != 409 || !strings.Contains(raw, "Reopen it") {
			t.Errorf("a change of what is published: got %d %s", status, raw)
		}
		markdown := h.must("GET", pm+".md", "")
		for _, want := range []string{"| State | published |", "120", "Fast and slow requests shared a connection pool", "max(pool\\_wait\\_seconds)", "| Approved by | "} {
			if !strings.Contains(markdown, want) {
				t.Errorf("the published document does not say %q", want)
			}
		}
		if strings.Contains(markdown, "To the author") {
			t.Error("the published document still asks its author")
		}
		public := h.must("GET", pm+".md?version=public", "")
		for _, not := range []string{"Ben", "Anna", "ben |", "anna", "meet.jit.si"} {
			if strings.Contains(public, not) {
				t.Errorf("the public version says %q", not)
			}
		}
		if !strings.Contains(public, "commander") {
			t.Error("the public version has no roles")
		}

		if reply := h.say(ben, channel, "action 2 done"); !strings.Contains(reply, "Say how that was met") {
			t.Errorf("done without an answer was answered %q", reply)
		}
		h.say(ben, channel, "action 2 done It fired in the replay of the day")
		if reply := h.say(ben, channel, "action 2 verified"); !strings.Contains(reply, "other than the one who did it") {
			t.Errorf("his own verification was answered %q", reply)
		}
		h.say(anna, channel, "action 2 verified I saw it fire")
		h.until("the verification is told", func() bool { return h.told(channel, "is verified") })
		var actions struct {
			Actions []struct{ Incident, State string }
		}
		if h.api("/actions?unfinished=true", &actions); len(actions.Actions) != 1 || actions.Actions[0].State != "open" {
			t.Errorf("got unfinished actions %+v, want the other one alone", actions.Actions)
		}
		if again := h.must("GET", pm+"/editions/1", ""); again != edition {
			t.Error("the frozen edition has changed")
		}
		h.say(ben, channel, "export html")
		h.until("the page is in the channel", func() bool { return strings.Contains(h.anyFile(channel), "<!DOCTYPE html>") })
	})
}

// anyFile gives all files of a channel together.
func (h *house) anyFile(channel string) string {
	var all strings.Builder
	for _, m := range h.slack.Messages(channel) {
		for _, id := range m.Files {
			if data, ok := h.slack.File(id); ok {
				all.Write(data)
			}
		}
	}
	return all.String()
}

// TestAPIServerStory plays the bank's story: an alert noticed it, beside an
// upgrade; the postmortem is conflict-safe, waived and taken up again.
func TestAPIServerStory(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		status, raw := h.write("POST", "/incidents", `{"title":"ErrorBudgetBurn on the API server","severity":"sev1","detection":"slo","service":"kube-apiserver"}`)
		if status != 201 {
			t.Fatalf("got %d %s", status, raw)
		}
		h.must("POST", "/incidents/INC-1/timeline", `{"text":"Upgrade of the API server to 1.34 begins","kind":"change","at":"`+time.Now().Add(-10*time.Minute).UTC().Format(time.RFC3339)+`"}`)
		h.must("PATCH", "/incidents/INC-1", `{"status":"resolved"}`)
		const pm = "/incidents/INC-1/postmortem"
		var sheet struct {
			Document struct {
				Rev      int
				Verdict  struct{ First string }
				Gaps     []any `json:"monitoring_gaps"`
				Sections []struct{ ID, Text string }
			}
		}
		if err := json.Unmarshal([]byte(h.must("GET", pm+"/sheet", "")), &sheet); err != nil {
			t.Fatal(err)
		}
		if sheet.Document.Verdict.First != "alert" || len(sheet.Document.Gaps) != 0 {
			t.Errorf("got %+v, want an alert first and no gap", sheet.Document)
		}
		for _, s := range sheet.Document.Sections {
			if s.ID == "trigger" && !strings.Contains(s.Text, "Upgrade of the API server to 1.34 begins") {
				t.Errorf("the trigger's candidates are %q, want the upgrade", s.Text)
			}
		}
		h.must("PATCH", pm, `{"summary":"A handful of 502s per million requests."}`)
		call := func(rev, body string) (int, string) {
			t.Helper()
			status, raw := h.call("PATCH", "/api/v1"+pm, body, map[string]string{"Authorization": "Bearer " + apiToken, "If-Match": rev})
			return status, string(raw)
		}
		if status, raw := call(`"0"`, `{"summary":"Users saw errors."}`); status != 409 || !strings.Contains(raw, "A handful of 502s") || !strings.Contains(raw, "Users saw errors.") {
			t.Errorf("the same field upon an old revision: got %d %s, want both texts", status, raw)
		}
		if status, raw := call(`"0"`, `{"lucky":"It was a weekend."}`); status != 200 || !strings.Contains(raw, "A handful of 502s") {
			t.Errorf("another field upon an old revision: got %d %s, want both kept", status, raw)
		}
		if status, raw := h.write("POST", pm+"/state", `{"to":"in_review"}`); status != 409 || !strings.Contains(raw, `"findings":[{`) {
			t.Errorf("got %d %s, want what is missing, for programs too", status, raw)
		}
		if status, _ := h.write("POST", pm+"/state", `{"to":"waived"}`); status != 400 {
			t.Errorf("a waiver without a reason: got %d, want 400", status)
		}
		h.must("POST", pm+"/state", `{"to":"waived","reason":"Written in another system"}`)
		h.must("POST", pm+"/state", `{"to":"draft","reason":"It is not"}`)
		var owed struct {
			Postmortems []struct{ Incident, State string }
		}
		if h.api("/postmortems?open=true", &owed); len(owed.Postmortems) != 1 || owed.Postmortems[0].State != "draft" {
			t.Errorf("got owed postmortems %+v", owed)
		}
		if status, raw := h.write("POST", "/incidents/INC-1/gaps", `{"kind":"threshold","signal":"502s of the API server","expr":"rate(x[5m]) > 0","for":"soon"}`); status != 400 {
			t.Errorf("a gap with a bad duration: got %d %s", status, raw)
		}
		h.must("POST", "/incidents/INC-1/gaps", `{"kind":"threshold","signal":"502s of the API server","expr":"rate(x[5m]) > 0","for":"5m"}`)
		if status, raw := h.write("PATCH", "/incidents/INC-1/gaps/1", `{"state":"closed"}`); status != 409 || !strings.Contains(raw, "check that fires") {
			t.Errorf("closing by hand: got %d %s", status, raw)
		}
		h.must("PATCH", "/incidents/INC-1/gaps/1", `{"state":"accepted","reason":"SLO covers it"}`)
	})
}
