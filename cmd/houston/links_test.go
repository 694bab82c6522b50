package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestHeaderLinks: a customer's ticket becomes an incident whose document leads to
// the ticket, the channel, the call and the status page; a person adds the
// recording in the editor, and a new draft keeps it.
func TestHeaderLinks(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_PUBLIC_URL": "https://houston.example"}
		h := newHouse(t, p)
		if status := h.hook("zendesk", `{"ticket":{"id":4711,"title":"Broker sees no offers","status":"new","priority":"urgent","url":"acme.zendesk.com/agent/tickets/4711"}}`, nil); status != http.StatusOK {
			t.Fatalf("zendesk: %d", status)
		}
		h.until("the ticket is offered", func() bool {
			for _, m := range h.slack.Messages(announced) {
				if strings.Contains(m.Text, "Broker sees no offers") {
					_, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: announced, MessageTS: m.TS, ActionID: "offer_declare"})
					return err == nil
				}
			}
			return false
		})
		var channel string
		h.until("its channel is pinned", func() bool {
			for _, c := range h.slack.Channels() {
				if strings.HasPrefix(c.Name, "inc-1-") && len(h.slack.Pins(c.ID)) == 1 {
					channel = c.ID
				}
			}
			return channel != ""
		})
		h.say(ben, channel, "statuspage investigating Some offers are missing")
		type link struct {
			Kind, Text, URL string
			Drafted         bool
		}
		links := func() map[string]link {
			var doc struct{ Links []link }
			if status := h.api("/incidents/INC-1/postmortem", &doc); status != http.StatusOK {
				t.Fatalf("got %d", status)
			}
			byKind := map[string]link{}
			for _, l := range doc.Links {
				byKind[l.Kind] = l
			}
			return byKind
		}
		got := links()
		for kind, address := range map[string]string{
			"ticket": "https://acme.zendesk.com/agent/tickets/4711", "channel": "https://slack.com/app_redirect?channel=" + channel,
			"call": "https://meet.jit.si/", "status_page": "https://houston.example/status",
		} {
			if l := got[kind]; !strings.HasPrefix(l.URL, address) || !l.Drafted {
				t.Errorf("got %+v as %s, want %s by itself", l, kind, address)
			}
		}
		s := h.surf(ben)
		_, page := s.get("/i/1/postmortem/edit")
		was := regexp.MustCompile(`name="was.link_items" value="([^"]+)"`).FindStringSubmatch(page)
		if was == nil {
			t.Fatalf("the editor has no links:\n%s", page)
		}
		form := func(address string) url.Values {
			return url.Values{"base": {"0"}, "was.link_items": {was[1]}, "link_items.0.kind": {"recording"}, "link_items.0.text": {"The call"}, "link_items.0.url": {address}}
		}
		if status, page := s.send(http.MethodPost, "/i/1/postmortem/edit", form("ftp://video")); status != http.StatusUnprocessableEntity || !strings.Contains(page, "is no address of a page") || !strings.Contains(page, `value="ftp://video"`) {
			t.Errorf("an address that is none: %d\n%s", status, page)
		}
		if status, page := s.send(http.MethodPost, "/i/1/postmortem/edit", form("https://video.example/1")); status != http.StatusOK || !strings.Contains(page, "Saved.") {
			t.Fatalf("saving: %d\n%s", status, page)
		}
		h.say(ben, channel, "timeline Restarted scoring")
		if got := links(); len(got) != 5 || got["recording"].URL != "https://video.example/1" || got["recording"].Drafted {
			t.Errorf("got %+v, want the recording besides", got)
		}
		s.reads("/i/1/postmortem", "https://video.example/1")
		s.reads("/i/1/postmortem.md", "| recording | The call | [https://video.example/1](https://video.example/1) |")
	})
}
