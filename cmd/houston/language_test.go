package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// dora reads German.
const dora = "U0DORA"

// TestEachReadsHisLanguage has a German and an English member work on the same
// incident: answers, forms and direct messages come in each one's language,
// whatever words they type; the channel reads the configured one.
func TestEachReadsHisLanguage(t *testing.T) {
	t.Parallel()
	for _, configured := range []string{"de", "en"} {
		for _, socket := range []bool{false, true} {
			name := configured + "/http"
			if socket {
				name = configured + "/socket"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				database := map[string]string{"de": "postgres", "en": "sqlite"}[configured]
				w, api := newSlack(t)
				w.AddUser(sandbox.User{ID: dora, Name: "dora", RealName: "Dora Deutsch", TZ: "Europe/Berlin", Locale: "de-DE"})
				h := newHouse(t, plan{
					database: databaseURL(t, database), socket: socket, slack: w, api: api,
					env: map[string]string{"HOUSTON_LANGUAGE": configured},
				})
				h.speakBoth(configured)
			})
		}
	}
}

func (h *house) speakBoth(configured string) {
	h.t.Helper()
	answered := func(user, channel, text, want string) {
		h.t.Helper()
		if got := h.say(user, channel, text); !strings.Contains(got, want) {
			h.t.Errorf("%s of %s was answered %q, want %q in it", text, user, got, want)
		}
	}
	channel := h.declared("Offers answer 500").ID
	h.say(dora, channel, "catchup") // until Houston knows her
	answered(dora, channel, "status erkannt Der Pool ist voll", "INC-1 ist jetzt *erkannt*.")
	answered(anna, channel, "status erkannt", "INC-1 is identified already.")
	answered(dora, channel, "status identified", "INC-1 ist schon erkannt.")
	answered(dora, channel, "role protokoll", "hat in INC-1 die Rolle Protokoll")
	answered(anna, channel, "role scribe", "has the role scribe")
	answered(dora, channel, "severity sev9", "ist kein Schweregrad")
	answered(anna, channel, "catchup", "Status: investigating → identified. Der Pool ist voll")
	answered(dora, channel, "catchup", "Status: in Untersuchung → erkannt. Der Pool ist voll")
	answered(dora, announced, "list", "Offene Vorfälle: 1")

	shown := map[string]string{"de": "*Einsatzleitung:* noch niemand", "en": "*Commander:* nobody yet"}
	h.shows(channel, shown[configured])
	told := map[string]string{"de": "Status: in Untersuchung → erkannt", "en": "Status: investigating → identified"}
	h.until("the channel is told in the configured language", func() bool { return h.told(channel, told[configured]) })
	topic := map[string]string{"de": "INC-1 · sev3 · erkannt", "en": "INC-1 · sev3 · identified"}
	h.until("the topic is in the configured language", func() bool {
		c, _ := h.slack.Channel(channel)
		return strings.HasPrefix(c.Topic, topic[configured])
	})

	h.say(dora, announced, "Alles kaputt hier")
	h.say(anna, announced, "All is broken here")
	for user, title := range map[string]string{dora: "Vorfall melden", anna: "Declare an incident"} {
		if got := h.form(user).Title; got != title {
			h.t.Errorf("the form of %s is called %q, want %q", user, got, title)
		}
	}

	h.slack.Inject(sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultError{Code: "restricted_action"}})
	for user, want := range map[string]string{
		dora: "ließ sich kein Kanal einrichten: die Einstellungen des Workspace erlauben es nicht",
		anna: "could not get a channel: the workspace's settings do not allow it",
	} {
		h.say(user, announced, "declare Secret --private")
		h.until("who declared is told directly: "+want, func() bool { return h.direct(user, want) })
	}
}

// direct reports whether a person got a direct message with a text.
func (h *house) direct(user, text string) bool {
	c, ok := h.slack.Direct(user)
	return ok && h.told(c.ID, text)
}
