package amtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

// Alert is one alert as Prometheus posts it.
type Alert struct {
	Labels       map[string]string
	Annotations  map[string]string
	StartsAt     time.Time // zero: when it is posted
	EndsAt       time.Time // zero: it fires; not later than now: it is resolved
	GeneratorURL string
}

// MarshalJSON writes the form of API v2, which takes an absent time where the
// zero time would be the year 1.
// https://github.com/prometheus/alertmanager/blob/v0.25.0/api/v2/openapi.yaml
func (a Alert) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Labels       map[string]string `json:"labels"`
		Annotations  map[string]string `json:"annotations,omitempty"`
		StartsAt     time.Time         `json:"startsAt,omitzero"`
		EndsAt       time.Time         `json:"endsAt,omitzero"`
		GeneratorURL string            `json:"generatorURL,omitempty"`
	}(a))
}

// Post hands the alerts to the Alertmanager, as Prometheus would.
func (s *Server) Post(t testing.TB, alerts ...Alert) {
	t.Helper()
	body, err := json.Marshal(alerts)
	if err != nil {
		t.Fatal(err)
	}
	if err := call(t.Context(), http.MethodPost, s.url+"/api/v2/alerts", bytes.NewReader(body), nil); err != nil {
		t.Fatalf("post %d alerts to Alertmanager: %v", len(alerts), err)
	}
}
