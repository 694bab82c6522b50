package sandbox_test

import (
	"net/http"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestWholeWay plays what an app does from a command to a pinned message.
func TestWholeWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, func(rw http.ResponseWriter, r request) {
		if r.path == "/commands" {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = rw.Write([]byte(`{"text":"on it"}`))
		}
	})
	reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/incident", Text: "it burns"})
	if err != nil || reply.Status != http.StatusOK || reply.Text != "on it" {
		t.Fatalf("command: %+v, %v", reply, err)
	}
	if got := w.Ephemerals("ops", w.ann.ID); len(got) != 1 || got[0].Text != "on it" {
		t.Errorf("ephemerals: %+v", got)
	}
	id := w.create("inc-1", false)
	ts := w.post(id, slack.MsgOptionText("a card & more", false), slack.MsgOptionBlocks(
		slack.NewHeaderBlock(slack.NewTextBlockObject(slack.PlainTextType, "It burns", false, false)),
		slack.NewActionBlock("", slack.NewButtonBlockElement("take", "v", slack.NewTextBlockObject(slack.PlainTextType, "Take", false, false))),
	))
	if _, err := w.api.InviteUsersToConversationContext(t.Context(), id, w.ann.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.api.AddPinContext(t.Context(), id, slack.NewRefToMessage(id, ts)); err != nil {
		t.Fatal(err)
	}
	pins, err := w.WaitPins(soon(t), "inc-1", 1)
	if err != nil || pins[0].Text != "a card &amp; more" {
		t.Errorf("pins: %+v, %v", pins, err)
	}
	if _, err := w.WaitMessage(soon(t), "inc-1", "It burns"); err != nil {
		t.Error(err)
	}
	if _, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "take"}); err != nil {
		t.Error(err)
	}
	got := a.next(t, "/interactivity").payload(t)
	if got["type"] != "block_actions" {
		t.Errorf("payload: %v", got)
	}
	if err := w.WaitQuiet(soon(t)); err != nil {
		t.Error(err)
	}
}
