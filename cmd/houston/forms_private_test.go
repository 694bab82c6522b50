package main

import (
	"strings"
	"testing"
)

// TestAFormOfWhoWasTakenOut: a form that stands open gives nobody a right to a
// private incident that he has lost.
func TestAFormOfWhoWasTakenOut(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Keys leaked --private").ID
		h.slack.Join(ben, channel)
		h.say(ben, channel, "update")
		h.filled(ben, "update", "impact")
		h.submit(ben, map[string]string{"text": "We change the locks"})
		h.posted(channel, "We change the locks")

		h.slack.Join(guest, channel)
		h.say(guest, channel, "timeline")
		h.filled(guest, "timeline_entry", "text")
		h.slack.Leave(guest, channel)
		if reply := h.submit(guest, map[string]string{"text": "I was here"}); reply.ResponseAction != "errors" {
			t.Fatalf("who was taken out is answered %q", reply.ResponseAction)
		}
		if errs := h.slack.Modals(guest)[0].Errors; !strings.Contains(errs["text"], "There is no INC-1") {
			t.Errorf("the errors are %v", errs)
		}
		if answer := h.say(anna, channel, "catchup"); strings.Contains(answer, "I was here") {
			t.Errorf("it stands in the timeline: %s", answer)
		}
	})
}
