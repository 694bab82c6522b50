package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/webhook/amtest"
)

// TestPrometheusPosts: alerts that Prometheus posts itself, past any Alertmanager,
// fire for as long as it posts them; that they end is seen though nobody says so.
func TestPrometheusPosts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", writeConfig(t, "alerts: {stale_after: 3s}\n")}
		h := newHouse(t, p)
		start := time.Now().Add(-time.Minute).UTC()
		post := func(ends time.Time, names ...string) {
			t.Helper()
			var list []string
			for _, name := range names {
				list = append(list, `{"labels":{"alertname":"`+name+`","severity":"critical","service":"offers"},"annotations":{},"startsAt":"`+
					start.Format(time.RFC3339Nano)+`","endsAt":"`+ends.UTC().Format(time.RFC3339Nano)+`","generatorURL":"http://prometheus:9090/graph"}`)
			}
			if status := h.hook("alertmanager/api/v2/alerts", "["+strings.Join(list, ",")+"]", nil); status != http.StatusOK {
				t.Fatalf("posting was answered %d", status)
			}
		}
		post(time.Now().Add(time.Second), "OffersErrors")
		channel := h.alarmed(1)
		for begun := time.Now(); time.Since(begun) < 5*time.Second; {
			post(time.Now().Add(time.Second), "OffersErrors")
			if n := h.firing(); n != 1 {
				t.Fatalf("%d firing while it is posted again and again, want 1", n)
			}
			h.pause(200 * time.Millisecond)
		}
		if answer := h.say(ben, channel.ID, "silence 1h"); !strings.Contains(answer, "Prometheus posts these alerts of INC-1 to Houston itself") {
			t.Errorf("silencing was answered %q", answer)
		}
		h.until("it is over when it is posted no more", func() bool { return h.firing() == 0 })
		h.finds(channel.ID, "is it?")
		if _, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken}); !strings.Contains(string(raw), "1 alert sent no more, presumed resolved (OffersErrors)") {
			t.Errorf("the timeline does not tell why: %s", raw)
		} else if strings.Contains(string(raw), `"Alertmanager"`) || !strings.Contains(string(raw), `"Prometheus"`) {
			t.Errorf("the timeline says that an Alertmanager did it: %s", raw)
		}
		post(time.Now().Add(time.Second), "OffersErrors")
		if n := h.firing(); n != 1 {
			t.Errorf("%d firing after it was posted again, want 1", n)
		}
		post(time.Now().Add(-time.Second), "OffersErrors")
		if n := h.firing(); n != 0 {
			t.Errorf("%d firing after its end was posted, want none", n)
		}
	})
}

// TestLeftOutWhereJoined: with join_by, the end of an alert that a real Alertmanager
// left out is seen as soon as without.
func TestLeftOutWhereJoined(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		relay := newRelay(t)
		am := amtest.Start(t, amtest.Config{
			WebhookURL: relay.url + "/webhooks/alertmanager?source=berlin", BearerToken: webhookToken, GroupBy: []string{"cluster"}, MaxAlerts: 1,
		})
		p.args = []string{"--config", writeConfig(t, "alerts: {join_by: [service]}\nalertmanagers: {name: berlin, url: '"+am.URL()+"'}\n")}
		h := newHouse(t, p)
		relay.to(h.url)
		alert := func(service string) amtest.Alert {
			return amtest.Alert{StartsAt: time.Now().Add(-time.Minute), Labels: map[string]string{"alertname": "Down", "severity": "critical", "instance": service, "service": service}}
		}
		am.Post(t, alert("a"), alert("b"), alert("c"))
		h.until("those left out have incidents of their own", func() bool { return h.incidentCount() == 3 })
		over := alert("c")
		over.EndsAt = time.Now()
		am.Post(t, over)
		h.until("the end of the one that was left out is seen", func() bool {
			var list struct {
				Incidents []struct {
					Service string
					Firing  int `json:"alerts_firing"`
				}
			}
			h.api("/incidents", &list)
			var firing []string
			for _, inc := range list.Incidents {
				if inc.Firing > 0 {
					firing = append(firing, inc.Service)
				}
			}
			slices.Sort(firing)
			return slices.Equal(firing, []string{"a", "b"})
		})
	})
}
