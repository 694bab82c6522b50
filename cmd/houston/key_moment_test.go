package main

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKeyMoments says of entries how long they took and that they count: by the
// command, the form, the page and the API; the exports show both times and the
// mark in words, in their order, and what is redacted is gone with them.
func TestKeyMoments(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		zone, err := time.LoadLocation("Europe/Zurich")
		if err != nil {
			t.Fatal(err)
		}
		p.clock = clockAt(time.Date(2030, 1, 30, 14, 0, 0, 0, zone))
		h := newHouse(t, p)
		channel := h.declared("Offers are empty").ID
		if answer := h.say(anna, channel, "timeline Restarted scoring at 13:05 until 13:20 --key"); !strings.Contains(answer, "from 2030-01-30 13:05 CET until 2030-01-30 13:20 CET") {
			t.Errorf("the command was answered %q", answer)
		}
		if answer := h.say(anna, channel, "timeline Waited at 13:05 until 13:01"); !strings.Contains(answer, "in the future") {
			t.Errorf("until tomorrow was answered %q", answer)
		}
		h.say(ben, channel, "timeline")
		h.filled(ben, "timeline_entry", "until")
		if reply := h.submit(ben, map[string]string{"text": "Load had grown", "until": "12:30"}); reply.ResponseAction != "errors" {
			t.Errorf("an end alone was answered %q", reply.ResponseAction)
		}
		if reply := h.submit(ben, map[string]string{"text": "Load had grown", "at": "2030-01-30 12:00", "until": "2030-01-30 11:00"}); reply.ResponseAction != "errors" {
			t.Errorf("an end before the beginning was answered %q", reply.ResponseAction)
		}
		h.submit(ben, map[string]string{"text": "Load had grown", "at": "12:00", "until": "12:30", "kind": "hypothesis", "significant": "significant"})
		h.say(ben, channel, "timeline A secret at 13:30 until 13:40 --key")
		type entry struct {
			Seq         int64
			Text, At    string
			Until       *string
			Significant bool
		}
		read := func() map[string]entry {
			var timeline struct{ Entries []entry }
			if status := h.api("/incidents/INC-1/timeline", &timeline); status != http.StatusOK {
				t.Fatalf("got %d", status)
			}
			byText := map[string]entry{}
			for i, e := range timeline.Entries {
				byText[e.Text] = e
				if i > 0 && e.At < timeline.Entries[i-1].At {
					t.Errorf("%+v stands behind %+v", e, timeline.Entries[i-1])
				}
			}
			return byText
		}
		entries := read()
		for text, until := range map[string]string{"Restarted scoring": "2030-01-30T12:20:00Z", "Load had grown": "2030-01-30T11:30:00Z"} {
			if e := entries[text]; e.Until == nil || *e.Until != until || !e.Significant {
				t.Errorf("%s is %+v, want a key moment until %s", text, e, until)
			}
		}
		h.say(ben, channel, "redact "+strconv.FormatInt(entries["A secret"].Seq, 10))

		s := h.surf(ben)
		path := "/i/1/entries/" + strconv.FormatInt(entries["Load had grown"].Seq, 10)
		_, page := s.get(path)
		form := map[string][]string{"until": {"2030-01-30T12:45"}}
		for _, name := range []string{"until", "significant"} { // the box is not ticked any more
			was := regexp.MustCompile(`name="was.` + name + `" value="([^"]+)"`).FindStringSubmatch(page)
			if was == nil {
				t.Fatalf("the form has no %s:\n%s", name, page)
			}
			form["was."+name] = was[1:]
		}
		if status, page := s.send(http.MethodPost, path, form); status != http.StatusOK || !strings.Contains(page, "Saved.") || !strings.Contains(page, "★ Key moment") {
			t.Fatalf("saving: %d\n%s", status, page)
		}
		if e := read()["Load had grown"]; e.Until == nil || *e.Until != "2030-01-30T11:45:00Z" || e.Significant {
			t.Errorf("got %+v, want no key moment until 12:45", e)
		}
		s.reads("/i/1/postmortem.md", "| 2030-01-30 12:05 – 12:20 | 2030-01-30 13:05 – 13:20 +01:00 CET | action | anna | **Key moment:** Restarted scoring |")
		s.reads("/i/1/postmortem.md", "| 2030-01-30 11:00 – 11:45 | 2030-01-30 12:00 – 12:45 +01:00 CET | hypothesis | ben | Load had grown |")
		s.reads("/i/1/postmortem", "<strong>Key moment:</strong> Restarted scoring")
		if _, page := s.get("/i/1/postmortem.json"); !strings.Contains(page, `"until_precision": "minute"`) || strings.Contains(page, "A secret") {
			t.Errorf("the document is %s", page)
		}

		// Who joins late reads of it, however much was noted since.
		for _, text := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"} {
			h.say(ben, channel, "timeline Looked at graph "+text)
		}
		if answer := h.say(ben, channel, "catchup"); !strings.Contains(answer, "★ Key moment: Restarted scoring") || !strings.Contains(answer, "13:05–13:20") || strings.Contains(answer, "Load had grown") {
			t.Errorf("catchup was answered %q", answer)
		}

		// An incident that is merged brings what it knows.
		h.declared("Brokers see nothing")
		if answer := h.say(anna, channel, "merge INC-2"); !strings.Contains(answer, "INC-2") {
			t.Errorf("merge was answered %q", answer)
		}
		h.until("the key moment came along", func() bool {
			var timeline struct{ Entries []entry }
			h.api("/incidents/INC-2/timeline", &timeline)
			for _, e := range timeline.Entries {
				if strings.Contains(e.Text, "Restarted scoring") && e.Significant && e.Until != nil {
					return true
				}
			}
			return false
		})
	})
}
