package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// file gives the bytes of the first file with an ending in a channel, once there is one.
func (h *house) file(channel, suffix string) string {
	h.t.Helper()
	var data []byte
	h.until("a file "+suffix+" is in the channel", func() bool {
		for _, m := range h.slack.Messages(channel) {
			for _, id := range m.Files {
				info, _ := h.slack.FileInfo(id)
				got, ok := h.slack.File(id)
				if ok && strings.HasSuffix(info.Name, suffix) {
					data = got
					return true
				}
			}
		}
		return false
	})
	return string(data)
}

func TestExportComesIntoTheChannel(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev2").ID
		h.say(anna, channel, "action Give slow requests a pool of their own <@"+ben+"> due 2030-01-31")
		h.until("the action item is told", func() bool {
			return h.told(channel, "Action item 1: Give slow requests a pool of their own") && h.told(channel, "for <@"+ben+"> · due 2030-01-31")
		})
		h.say(anna, channel, "resolve The pool is larger now")
		h.until("the draft is told", func() bool { return h.told(channel, "`/incident export`") })
		reply, err := h.slack.Command(t.Context(), sandbox.Command{User: anna, Channel: channel, Command: "/incident", Text: "export"})
		if err != nil || !strings.Contains(reply.Text, "as a file") {
			t.Fatalf("export was answered %q, %v", reply.Text, err)
		}
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if text := h.file(channel, ".md"); !strings.Contains(text, "Offers answer 500") {
			t.Errorf("the file has no title:\n%s", text)
		}
		h.say(anna, channel, "export json")
		if text := h.file(channel, ".json"); !strings.Contains(text, "Offers answer 500") {
			t.Errorf("the JSON file has no title:\n%s", text)
		}
		files := 0
		for _, m := range h.slack.Messages(channel) {
			files += len(m.Files)
		}
		if files != 2 {
			t.Errorf("%d files after two commands, one delivered twice, want 2", files)
		}
	})
}

// TestExportSurvivesALostAnswer has the answer to the last call lost: the file
// is found again by its name.
func TestExportSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	channel := h.declared("Offers answer 500").ID
	h.slack.Inject(sandbox.Fault{Method: "files.completeUploadExternal", Times: 1, Kind: sandbox.FaultDropAfter{}})
	h.say(anna, channel, "export")
	h.until("the lost file is found", func() bool {
		for line := range strings.SplitSeq(h.log.String(), "\n") {
			if strings.Contains(line, "found the effect of an earlier call") && strings.Contains(line, "/file/") {
				return true
			}
		}
		return false
	})
	if calls := len(h.slack.Calls("files.getUploadURLExternal")); calls != 1 {
		t.Errorf("the file was uploaded %d times, want once", calls)
	}
}
