package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// hook posts a body to a webhook with the general token, and headers.
func (h *house) hook(path, body string, headers map[string]string) int {
	h.t.Helper()
	if headers == nil {
		headers = map[string]string{"Authorization": "Bearer " + webhookToken}
	}
	status, answer := h.call(http.MethodPost, "/webhooks/"+path, body, headers)
	if status >= 300 {
		h.t.Logf("%s answered %d: %s", path, status, answer)
	}
	return status
}

func hmacOf(secret string, parts ...string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join(parts, "")))
	return mac.Sum(nil)
}

// incident is what a test looks at of an incident in the API.
type incident struct {
	Key, Title, Status, Severity, Detection, Summary, Service string

	Firing int `json:"alerts_firing"`
}

func (h *house) incident(key string) incident {
	h.t.Helper()
	var inc incident
	if status := h.api("/incidents/"+key, &inc); status != http.StatusOK {
		h.t.Fatalf("the API answers %d for %s", status, key)
	}
	return inc
}

func TestAlertsFromEverywhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{
			"HOUSTON_WEBHOOK_GRAFANA_SECRET": "g-secret", "HOUSTON_WEBHOOK_PAGERDUTY_SECRET": "p-secret", "HOUSTON_WEBHOOK_ZENDESK_SECRET": "z-secret",
		}
		h := newHouse(t, p)

		// An SLO's burn rate by Alertmanager says what burns, and how fast.
		sloth := `{"receiver":"r","groupKey":"slo","alerts":[{"status":"firing","labels":{"alertname":"APIServerErrors","sloth_slo":"requests","sloth_service":"apiserver","sloth_severity":"page","severity":"page"},"annotations":{"summary":"High burn"},"fingerprint":"1"}]}`
		if status := h.hook("alertmanager", sloth, nil); status != http.StatusOK {
			t.Fatalf("alertmanager: %d", status)
		}
		if inc := h.incident("INC-1"); inc.Detection != "slo" || inc.Service != "apiserver" || !strings.Contains(inc.Summary, "SLO requests of apiserver burns its error budget at least 6 times too fast (windows 30m and 6h)") {
			t.Errorf("the incident of a burning SLO is %+v", inc)
		}
		h.until("the card shows the SLO", func() bool {
			c, ok := h.slack.Channel("inc-1-apiservererrors")
			return ok && strings.Contains(h.card(c.ID), "SLO requests of apiserver") && strings.Contains(h.card(c.ID), "at least 6 times too fast")
		})

		// Grafana signs; a stranger's body is refused.
		grafana := `{"receiver":"r","groupKey":"{}/{}:{alertname=\"Offers\"}","alerts":[{"status":"firing","labels":{"alertname":"OffersPool","severity":"critical","service":"offers"},"values":{"A":0.93},"dashboardURL":"https://grafana.example/d/1","fingerprint":"g1"}]}`
		if status := h.hook("grafana", grafana, map[string]string{"X-Grafana-Alerting-Signature": hex.EncodeToString(hmacOf("other", grafana))}); status != http.StatusUnauthorized {
			t.Errorf("a wrong signature was answered %d", status)
		}
		if status := h.hook("grafana", grafana, map[string]string{"X-Grafana-Alerting-Signature": hex.EncodeToString(hmacOf("g-secret", grafana))}); status != http.StatusOK {
			t.Fatalf("grafana: %d", status)
		}
		if inc := h.incident("INC-2"); inc.Title != "OffersPool" || inc.Detection != "alert" {
			t.Errorf("the incident of Grafana's alert is %+v", inc)
		}
		var alerts struct {
			Alerts []struct{ Annotations map[string]string }
		}
		h.api("/incidents/INC-2/alerts", &alerts)
		if len(alerts.Alerts) != 1 || alerts.Alerts[0].Annotations["values"] != "A=0.93" || alerts.Alerts[0].Annotations["dashboardURL"] == "" {
			t.Errorf("the alerts of Grafana are %+v", alerts)
		}

		// PagerDuty: delivered three times it acts once, and so does the end.
		event := func(id, kind string) string {
			return `{"event":{"id":"` + id + `","event_type":"incident.` + kind + `","occurred_at":"` + time.Now().UTC().Format(time.RFC3339) + `","data":{"id":"PX1","title":"Payments down","created_at":"` + time.Now().Add(-time.Minute).UTC().Format(time.RFC3339) + `","urgency":"high","priority":{"summary":"P1"},"service":{"summary":"payments"}}}}`
		}
		begin, end := event("E1", "triggered"), event("E2", "resolved")
		for _, body := range []string{begin, begin, event("E9", "annotated"), end, begin} {
			if status := h.hook("pagerduty", body, map[string]string{"X-PagerDuty-Signature": "v1=" + hex.EncodeToString(hmacOf("p-secret", body))}); status != http.StatusOK {
				t.Fatalf("pagerduty: %d", status)
			}
		}
		if inc := h.incident("INC-3"); inc.Title != "Payments down" || inc.Firing != 0 {
			t.Errorf("the incident of PagerDuty's is %+v, want nothing to fire", inc)
		}

		// A customer's ticket is offered, and an incident of it was detected by a customer.
		ticket := `{"ticket":{"id":4711,"title":"Broker sees no offers","status":"new","priority":"urgent","url":"acme.zendesk.com/agent/tickets/4711"}}`
		stamp := time.Now().UTC().Format(time.RFC3339)
		signed := map[string]string{
			"X-Zendesk-Webhook-Signature": base64.StdEncoding.EncodeToString(hmacOf("z-secret", stamp, ticket)), "X-Zendesk-Webhook-Signature-Timestamp": stamp,
			"X-Zendesk-Webhook-Invocation-Id": "01ZD",
		}
		for range 2 {
			if status := h.hook("zendesk", ticket, signed); status != http.StatusOK {
				t.Fatalf("zendesk: %d", status)
			}
		}
		var offer sandbox.Message
		h.until("the ticket is offered", func() bool {
			for _, m := range h.slack.Messages(announced) {
				if strings.Contains(m.Text, "Broker sees no offers") {
					offer = m
				}
			}
			return offer.TS != ""
		})
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: announced, MessageTS: offer.TS, ActionID: "offer_declare"}); err != nil {
			t.Fatal(err)
		}
		h.until("it is declared", func() bool { return h.incidentCount() == 4 })
		if inc := h.incident("INC-4"); inc.Detection != "customer" || !strings.Contains(inc.Summary, "https://acme.zendesk.com/agent/tickets/4711") {
			t.Errorf("the incident of a ticket is %+v", inc)
		}

		// Prometheus and vmalert may post here as to an Alertmanager.
		bare := `[{"labels":{"alertname":"VMDown","severity":"critical","alertgroup":"vm"},"startsAt":"` + stamp + `","endsAt":"` + time.Now().Add(4*time.Minute).UTC().Format(time.RFC3339) + `","generatorURL":"http://vmalert:8880/vmalert/alert?group_id=1&alert_id=2"}]`
		for range 2 {
			if status := h.hook("alertmanager/api/v2/alerts", bare, nil); status != http.StatusOK {
				t.Fatalf("a bare list: %d", status)
			}
		}
		if inc := h.incident("INC-5"); inc.Title != "VMDown" || inc.Firing != 1 || h.incidentCount() != 5 {
			t.Errorf("the incident of a bare list is %+v, of %d", inc, h.incidentCount())
		}
	})
}
