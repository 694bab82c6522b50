package slack_test

import (
	"slices"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
)

// TestGuestsChangeNothing has a guest and a person from a connected workspace,
// both in the incident's channel, send every command and press every button there
// is: but for what they write down, the incident stays as it was. A command or a
// button that is added to the tables is tried by itself.
func TestGuestsChangeNothing(t *testing.T) {
	t.Parallel()
	written := []string{"timeline", "action"}
	arguments := map[string]string{
		"status": "monitoring", "severity": "sev1", "update": "All is well", "role": "scribe", "timeline": "I see errors too",
		"action": "Split the pool", "rename": "Another title", "merge": "INC-2", "link": "INC-2", "statuspage": "investigating We look",
		"bridge": "https://meet.example.com/a", "redact": "1", "snooze": "30m", "page": "ops", "silence": "1h", "task": "Look", "export": "md",
		"lead": "me", "resolve": "done", "declare": "New", "drill": "New",
	}
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers are missing", false)
	w.opened(t, "Scoring is slow", false)
	stranger := w.AddUser(sandbox.User{Name: "sam", Stranger: true})
	w.Join(stranger.ID, channel.ID)
	for _, who := range []sandbox.User{w.guest, stranger} {
		for _, verb := range slack.Verbs() {
			before, known := w.incident(t, inc.Number), w.count(t)
			w.say(t, who, channel.ID, verb+" "+arguments[verb])
			after := w.incident(t, inc.Number)
			if changed := after.Seq != before.Seq; changed != slices.Contains(written, verb) {
				t.Errorf("%s sends %s: changed is %t", who.Name, verb, changed)
			}
			if w.count(t) != known {
				t.Errorf("%s opened an incident with %s", who.Name, verb)
			}
		}
		for _, action := range slack.Clicks() {
			card := w.buttons(t, channel.ID, inc.Key(), action)
			before, known := w.incident(t, inc.Number), w.count(t)
			if _, err := w.Click(deadline(t), sandbox.Click{User: who.ID, Channel: channel.ID, MessageTS: card, ActionID: action}); err != nil {
				t.Fatalf("click %s: %v", action, err)
			}
			w.edge.Wait()
			if w.incident(t, inc.Number).Seq != before.Seq || w.count(t) != known {
				t.Errorf("%s changed something by the button %s", who.Name, action)
			}
		}
	}
}
