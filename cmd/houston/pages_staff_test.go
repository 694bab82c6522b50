package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// was reads the marks of a page's forms, which say what they were typed upon.
func was(page string) url.Values {
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(was\.[a-z_]+)" value="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// TestPagesStaff names the people of a postmortem and its review in a browser
// without a script: Slack has the meeting, and only who was named approves.
func TestPagesStaff(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are empty --severity sev2").ID
		h.say(ben, channel, "lead")
		h.say(ben, channel, "resolve The third restart helped")
		s := h.surf(ben)
		s.reads("/incidents/INC-1/postmortem", "What went poorly") // the address that Slack's messages have

		_, page := s.get("/i/1/postmortem")
		form := was(page)
		form.Set("owner", "Ben Responder")
		form.Set("approver", "@nobody-here")
		form.Set("reviewers", "Gil Guest")
		status, page := s.send(http.MethodPost, "/i/1/postmortem/people", form)
		if status != http.StatusUnprocessableEntity || !strings.Contains(page, "I know nobody called") || !strings.Contains(page, "Gil Guest") {
			t.Fatalf("a name nobody has: %d\n%s", status, page)
		}
		form.Set("approver", "@anna")
		if status, page := s.send(http.MethodPost, "/i/1/postmortem/people", form); status != http.StatusOK || !strings.Contains(page, "<dd>anna</dd>") {
			t.Fatalf("naming people: %d\n%s", status, page)
		}
		if _, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/postmortem", "", map[string]string{"Authorization": "Bearer " + apiToken}); !strings.Contains(string(raw), `"gil"`) {
			t.Errorf("the API knows no reviewers: %s", raw)
		}

		at := time.Now().Add(72 * time.Hour).Truncate(time.Minute)
		zone, err := time.LoadLocation("Europe/Zurich")
		if err != nil {
			t.Fatal(err)
		}
		_, page = s.get("/i/1/postmortem")
		form = was(page)
		form.Set("at", at.In(zone).Format("2006-01-02T15:04"))
		form.Set("minutes", "45")
		if status, page := s.send(http.MethodPost, "/i/1/postmortem/meeting", form); status != http.StatusOK || !strings.Contains(page, "45 min") {
			t.Fatalf("planning the review: %d\n%s", status, page)
		}
		begins := "DTSTART:" + at.UTC().Format("20060102T150405Z")
		if status, file := s.get("/i/1/postmortem/review.ics"); status != http.StatusOK || !strings.Contains(file, begins) {
			t.Errorf("the file for calendars: %d\n%s", status, file)
		}
		h.until("the meeting is in the channel, for calendars too", func() bool {
			return h.told(channel, "to review the postmortem of INC-1 at") && strings.Contains(h.anyFile(channel), begins)
		})

		if reply := h.say(ben, channel, "postmortem approver @anna"); !strings.Contains(reply, "asked of <@"+anna+">") {
			t.Errorf("approver was answered %q", reply)
		}
		if reply := h.say(anna, channel, "postmortem approver <@"+ben+"|ben>"); !strings.Contains(reply, "Name somebody else") {
			t.Errorf("the owner as approver was answered %q", reply)
		}
	})
}
