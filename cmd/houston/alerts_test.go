package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/webhook/amtest"
)

// alert is one alert of a delivery made by hand.
type alert struct {
	name, severity, service string
	resolved                bool
	started                 time.Time
}

// deliver posts a group of alerts as an Alertmanager does and gives the status.
func (h *house) deliver(external, groupKey string, alerts ...alert) int {
	h.t.Helper()
	list := make([]map[string]any, 0, len(alerts))
	for i, a := range alerts {
		labels := map[string]string{"alertname": a.name, "severity": a.severity, "service": a.service}
		one := map[string]any{
			"status": "firing", "labels": labels, "annotations": map[string]string{"summary": a.name + " for " + a.service},
			"startsAt": a.started.Format(time.RFC3339Nano), "endsAt": "0001-01-01T00:00:00Z", "generatorURL": "http://prometheus.example.com/graph",
			"fingerprint": fmt.Sprintf("%016x", i+1),
		}
		if a.resolved {
			one["status"], one["endsAt"] = "resolved", a.started.Add(time.Minute).Format(time.RFC3339Nano)
		}
		list = append(list, one)
	}
	body, err := json.Marshal(map[string]any{
		"receiver": "houston", "status": "resolved", "alerts": list, "groupLabels": map[string]string{"alertname": alerts[0].name},
		"commonLabels": map[string]string{}, "commonAnnotations": map[string]string{}, "externalURL": external,
		"version": "4", "groupKey": groupKey, "truncatedAlerts": 0,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	status, _ := h.call(http.MethodPost, "/webhooks/alertmanager", string(body)+"\n", map[string]string{"Authorization": "Bearer " + webhookToken})
	return status
}

// incidentCount asks the API how many incidents there are.
func (h *house) incidentCount() int {
	h.t.Helper()
	var list struct{ Incidents []struct{ Key string } }
	h.api("/incidents", &list)
	return len(list.Incidents)
}

// firing asks the API how many alerts of the first incident fire.
func (h *house) firing() int {
	h.t.Helper()
	var inc struct {
		Firing int `json:"alerts_firing"`
	}
	h.api("/incidents/INC-1", &inc)
	return inc.Firing
}

func TestAnAlertsLife(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		started := time.Now().Add(-2 * time.Minute).UTC()
		one := alert{"OffersErrors", "critical", "offers", false, started}
		two := alert{"OffersLatency", "critical", "offers", false, started}
		gone := func(a alert) alert { a.resolved = true; return a }
		steps := []struct {
			name   string
			alerts []alert
			firing int
		}{
			{"first", []alert{one}, 1},
			{"repeated", []alert{one}, 1},
			{"grown", []alert{one, two}, 2},
			{"one resolved", []alert{one, gone(two)}, 1},
			{"overtaken delivery", []alert{one, two}, 1},
			{"all resolved", []alert{gone(one), gone(two)}, 0},
			{"all resolved, repeated", []alert{gone(one), gone(two)}, 0},
		}
		for _, step := range steps {
			for _, peer := range []string{"http://am-1:9093", "http://am-2:9093"} { // a pair sends everything twice
				if status := h.deliver(peer, `{}:{alertname="OffersErrors"}`, step.alerts...); status != http.StatusOK {
					t.Fatalf("%s: answered %d", step.name, status)
				}
			}
			if got := h.firing(); got != step.firing {
				t.Errorf("%s: %d alerts firing, want %d", step.name, got, step.firing)
			}
		}
		if n := h.incidentCount(); n != 1 {
			t.Errorf("%d incidents, want 1", n)
		}
		var timeline struct {
			Entries []struct{ Kind, Text string }
		}
		h.api("/incidents/INC-1/timeline", &timeline)
		alerts := 0
		for _, e := range timeline.Entries {
			if e.Kind == "alert" {
				alerts++
			}
		}
		if alerts != 4 {
			t.Errorf("%d alert entries in the timeline, want 4 (fired, grown, one resolved, all resolved): %+v", alerts, timeline.Entries)
		}
		var inc struct{ Status, Detection string }
		h.api("/incidents/INC-1", &inc)
		if inc.Status != "triage" || inc.Detection != "alert" {
			t.Errorf("after all alerts are resolved the incident is %+v, want it to wait in triage", inc)
		}
	})
}

func TestResolvedButUnknownOpensNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	late := alert{"OffersErrors", "critical", "offers", true, time.Now().Add(-time.Minute).UTC()}
	if status := h.deliver("http://am-1:9093", "k", late); status != http.StatusOK {
		t.Fatalf("answered %d", status)
	}
	late.resolved = false // the firing delivery comes after the end
	h.deliver("http://am-1:9093", "k", late)
	if n := h.incidentCount(); n != 0 {
		t.Errorf("%d incidents, want none", n)
	}
}

func TestOffer(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		warn := alert{"DiskFillsUp", "warning", "db", false, time.Now().Add(-time.Minute).UTC()}
		for range 3 {
			h.deliver("http://am-1:9093", "disk", warn)
		}
		h.until("it is offered", func() bool { return len(h.slack.Messages(announced)) == 1 })
		offer := h.slack.Messages(announced)[0]
		if h.incidentCount() != 0 {
			t.Error("an offer opened an incident by itself")
		}
		click := sandbox.Click{User: ben, Channel: announced, MessageTS: offer.TS, ActionID: "offer_declare"}
		reply, err := h.slack.Click(t.Context(), click)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reply.Redeliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.until("the offer shows what came of it", func() bool {
			m, _ := h.slack.Message(announced, offer.TS)
			return strings.Contains(m.Text, "INC-1") && !strings.Contains(string(m.Blocks), "offer_declare")
		})
		h.until("the incident has its channel", func() bool {
			c, ok := h.slack.Channel("inc-1-diskfillsup-on-db")
			return ok && len(h.slack.Pins(c.ID)) == 1
		})
		if n := h.incidentCount(); n != 1 {
			t.Errorf("%d incidents after two clicks, want 1", n)
		}
		if got := h.firing(); got != 1 {
			t.Errorf("%d alerts firing, want 1", got)
		}
	})
}

func TestNotAnIncident(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{})
	warn := alert{"DiskFillsUp", "warning", "db", false, time.Now().Add(-time.Minute).UTC()}
	h.deliver("http://am-1:9093", "disk", warn)
	h.until("it is offered", func() bool { return len(h.slack.Messages(announced)) == 1 })
	offer := h.slack.Messages(announced)[0]
	if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: announced, MessageTS: offer.TS, ActionID: "offer_dismiss"}); err != nil {
		t.Fatal(err)
	}
	h.until("the offer says so", func() bool {
		m, _ := h.slack.Message(announced, offer.TS)
		return strings.Contains(m.Text, "Not an incident")
	})
	more := alert{"DiskFillsUp", "warning", "db2", false, time.Now().UTC()}
	h.deliver("http://am-1:9093", "disk", warn, more)
	if n := len(h.slack.Messages(announced)); n != 1 || h.incidentCount() != 0 {
		t.Errorf("a dismissed group asks again: %d messages, %d incidents", n, h.incidentCount())
	}
}

func TestRoutesAttachAndIgnore(t *testing.T) {
	t.Parallel()
	config := writeConfig(t, `
alerts:
  routes:
    - matchers: ['severity="info"']
      action: attach
`)
	h := newHouse(t, plan{args: []string{"--config", config}})
	now := time.Now().UTC()
	for _, a := range []alert{
		{"Watchdog", "none", "", false, now},
		{"InfoInhibitor", "none", "", false, now},
		{"Quiet", "none", "x", false, now},
		{"Hint", "info", "offers", false, now}, // nothing to join yet
	} {
		h.deliver("http://am-1:9093", a.name, a)
	}
	if n, m := h.incidentCount(), len(h.slack.Messages(announced)); n != 0 || m != 0 {
		t.Fatalf("%d incidents and %d messages of alerts that are nobody's matter", n, m)
	}
	h.declared("Offers answer 500 --service offers")
	h.deliver("http://am-1:9093", "hint-2", alert{"Hint", "info", "offers", false, now})
	if got := h.firing(); got != 1 {
		t.Errorf("%d alerts firing on the incident of the same service, want 1", got)
	}
	if n := h.incidentCount(); n != 1 {
		t.Errorf("%d incidents, want 1", n)
	}
}

// TestRealAlertmanager has a real Alertmanager group, deliver and resolve.
func TestRealAlertmanager(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		am := amtest.Start(t, amtest.Config{WebhookURL: h.url + "/webhooks/alertmanager", BearerToken: webhookToken})
		labels := map[string]string{"alertname": "OffersErrors", "severity": "critical", "service": "offers"}
		am.Post(t, amtest.Alert{Labels: labels, StartsAt: time.Now().Add(-time.Minute)})
		h.until("the alert has opened an incident", func() bool { return h.incidentCount() == 1 && h.firing() == 1 })
		h.until("it has its channel", func() bool {
			c, ok := h.slack.Channel("inc-1-offerserrors")
			return ok && len(h.slack.Pins(c.ID)) == 1
		})
		am.Post(t, amtest.Alert{Labels: labels, StartsAt: time.Now().Add(-time.Minute), EndsAt: time.Now()})
		h.until("the alert is resolved", func() bool { return h.firing() == 0 })
	})
}
