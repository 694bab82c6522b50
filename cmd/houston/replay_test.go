package main

import (
	"encoding/hex"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// TestReplayedDelivery: a delivery that was signed with its time and is repeated while
// the signature is still good, after a restart too, brings back no alert that has
// ended meanwhile.
func TestReplayedDelivery(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.clock = clockAt(time.Now())
		p.env = map[string]string{"HOUSTON_WEBHOOK_GRAFANA_SECRET": "g-secret"}
		h := newHouse(t, p)
		starts := h.clock.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
		body := func(status string) string {
			return `{"receiver":"r","groupKey":"k","alerts":[{"status":"` + status + `","labels":{"alertname":"OffersPool","severity":"critical"},"startsAt":"` + starts + `","fingerprint":"g1"}]}`
		}
		signed := func(body string) map[string]string {
			stamp := strconv.FormatInt(h.clock.Now().Unix(), 10)
			return map[string]string{
				"X-Grafana-Alerting-Timestamp": stamp, "X-Grafana-Alerting-Signature": hex.EncodeToString(hmacOf("g-secret", stamp+":", body)),
			}
		}
		begun, ended := body("firing"), body("resolved")
		proof := signed(begun)
		if status := h.hook("grafana", begun, proof); status != http.StatusOK || h.firing() != 1 {
			t.Fatalf("answered %d, and %d fire", status, h.firing())
		}
		if status := h.hook("grafana", ended, signed(ended)); status != http.StatusOK || h.firing() != 0 {
			t.Fatalf("the end was answered %d, and %d fire", status, h.firing())
		}
		h.clock.move(2 * time.Minute)
		h.restart()
		if status := h.hook("grafana", begun, proof); status != http.StatusOK || h.firing() != 0 {
			t.Errorf("the replay was answered %d, and %d fire", status, h.firing())
		}
		if status := h.hook("grafana", begun, signed(begun)); status != http.StatusOK || h.firing() != 1 {
			t.Errorf("Grafana itself was answered %d, and %d fire, want it believed", status, h.firing())
		}
		h.clock.move(10 * time.Minute)
		if status := h.hook("grafana", begun, proof); status != http.StatusUnauthorized {
			t.Errorf("an old signature was answered %d", status)
		}
	})
}
