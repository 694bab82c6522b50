package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/webhook/amtest"
)

// TestLeftOutAlerts: what a real Alertmanager leaves out of its deliveries
// (max_alerts) is asked for, and the ends of it are seen.
func TestLeftOutAlerts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		relay := newRelay(t)
		am := amtest.Start(t, amtest.Config{
			WebhookURL: relay.url + "/webhooks/alertmanager?source=berlin", BearerToken: webhookToken,
			Receiver: "on call (offers)", GroupBy: []string{"service", "team"}, MaxAlerts: 2,
		})
		p.args = []string{"--config", writeConfig(t, "alertmanagers: {name: berlin, url: '"+am.URL()+"'}\n")}
		h := newHouse(t, p)
		relay.to(h.url)
		start := time.Now().Add(-time.Minute)
		alerts := func(resolved bool, instances ...string) []amtest.Alert {
			var list []amtest.Alert
			for _, instance := range instances {
				a := amtest.Alert{StartsAt: start, Labels: map[string]string{"alertname": "OffersErrors", "severity": "critical", "service": "offers \"new\"", "instance": instance}}
				if resolved {
					a.EndsAt = time.Now()
				}
				list = append(list, a)
			}
			return list
		}
		am.Post(t, alerts(false, "a", "b", "c", "d", "e")...)
		channel := h.alarmed(1)
		h.until("those left out are known", func() bool { return h.firing() == 5 })
		h.finds(channel.ID, "*Alerts:* 5 alerts firing")
		// Another group of the same receiver, whose labels are more: it is no part of this one.
		other := alerts(false, "z")
		other[0].Labels["team"] = "loans"
		am.Post(t, other...)
		h.alarmed(2)
		am.Post(t, alerts(true, "e")...) // the last one, whose end is left out too
		h.until("the end of one that was left out is seen", func() bool { return h.firing() == 4 })
		if card := h.card(channel.ID); strings.Contains(card, "not delivered") {
			t.Errorf("the card counts what Houston knows: %s", card)
		}
		am.Post(t, alerts(true, "a", "b", "c", "d")...)
		h.until("the ends of all are seen", func() bool { return h.firing() == 0 })
		h.finds(channel.ID, "is it?")
	})
}

// TestLeftOutWithoutAPI: where no Alertmanager can be asked, the card says what is
// missing.
func TestLeftOutWithoutAPI(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	body := `{"version":"4","groupKey":"k","receiver":"r","truncatedAlerts":6,"groupLabels":{},"alerts":[
		{"status":"firing","labels":{"alertname":"OffersErrors","severity":"critical"},"startsAt":"2026-01-02T03:04:05Z","fingerprint":"f1"}]}`
	send := func(body string) {
		t.Helper()
		status, raw := h.call(http.MethodPost, "/webhooks/alertmanager", body, map[string]string{"Authorization": "Bearer " + webhookToken})
		if status != http.StatusOK {
			t.Fatalf("answered %d %s", status, raw)
		}
	}
	send(body)
	channel := h.alarmed(1)
	h.shows(channel.ID, "1 alert firing · 6 more alerts not delivered")
	h.finds(channel.ID, "*OffersErrors*", "6 more alerts not delivered")
	// One that the next delivery tells instead is not missing any more.
	send(strings.ReplaceAll(body, `"f1"`, `"f2"`))
	h.shows(channel.ID, "2 alerts firing · 5 more alerts not delivered")
}

// TestOthersAlertsAreNotAlertmanagers: an Alertmanager that knows nothing of an
// alert says nothing of its end when somebody else has sent it.
func TestOthersAlertsAreNotAlertmanagers(t *testing.T) {
	t.Parallel()
	relay := newRelay(t)
	am := amtest.Start(t, amtest.Config{WebhookURL: relay.url})
	h := newHouse(t, plan{args: []string{"--config", writeConfig(t, "alerts: {stale_after: 2s}\nalertmanagers: {url: '"+am.URL()+"'}\n")}})
	send := func(kind, name string) {
		t.Helper()
		status, raw := h.call(http.MethodPost, "/webhooks/"+kind, `{"groupKey":"`+name+`","receiver":"r","groupLabels":{},"alerts":[
			{"status":"firing","labels":{"alertname":"`+name+`","severity":"critical"},"startsAt":"2026-01-02T03:04:05Z","fingerprint":"f1"}]}`,
			map[string]string{"Authorization": "Bearer " + webhookToken})
		if status != http.StatusOK {
			t.Fatalf("%s was answered %d %s", kind, status, raw)
		}
	}
	firing := func() (names []string) {
		var list struct {
			Incidents []struct {
				Title  string
				Firing int `json:"alerts_firing"`
			}
		}
		h.api("/incidents", &list)
		for _, inc := range list.Incidents {
			if inc.Firing > 0 {
				names = append(names, inc.Title)
			}
		}
		return names
	}
	send("grafana", "FromGrafana")
	for _, name := range []string{"FromAlertmanager", "FromItLater"} {
		send("alertmanager", name)
		h.until(name+" is over, which Alertmanager does not know", func() bool { return !slices.Contains(firing(), name) })
	}
	if answer := h.say(ben, h.alarmed(1).ID, "silence 1h"); !strings.Contains(answer, "did not come from an Alertmanager") {
		t.Errorf("silencing Grafana's alert was answered %q", answer)
	}
	if names := firing(); !slices.Equal(names, []string{"FromGrafana"}) {
		t.Errorf("firing are %q, want Grafana's alone: no Alertmanager is asked about it", names)
	}
}
