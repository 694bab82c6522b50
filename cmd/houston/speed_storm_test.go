package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

const (
	stormSize    = 5000
	stormGrows   = 10 * time.Second // after the first delivery
	stormGrowsBy = 7                // alerts with each further delivery
	// editEvery is what lies between two edits of one message.
	editEvery = 3 * time.Second
)

// TestHeavyStorm delivers 5,000 alerts in one webhook, as a real Alertmanager
// sent them, lets them grow, and prints how long the answer took and what Slack
// was made to show.
func TestHeavyStorm(t *testing.T) {
	proctest.Heavy(t)
	t.Log(machine())
	databases := durableDatabases(t)
	tests := []struct {
		name, severity string
		incidents      int
		messages       int // at most
	}{
		{"declared", "critical", 1, 5},
		{"offered", "warning", 0, 1},
	}
	for _, database := range []string{"sqlite", "postgres"} {
		for _, tt := range tests {
			t.Run(database+"/"+tt.name, func(t *testing.T) {
				rounds(t, func(t *testing.T) []string {
					t.Helper()
					h := newHouse(t, plan{database: databases[database](t)})
					s := readStorm(t, tt.severity)
					answered := figures{s.deliver(h)}
					h.checkStorm(s, tt.incidents)
					for began := time.Now(); time.Since(began) < stormGrows; {
						s.grow(stormGrowsBy)
						answered = append(answered, s.deliver(h))
						<-time.After(100 * time.Millisecond)
					}
					h.until("Slack shows how many alerts fire", func() bool { return h.shown(len(s.alerts), tt.incidents > 0) })
					posts, edits := len(h.slack.Calls("chat.postMessage")), len(h.slack.Calls("chat.update"))
					t.Logf("%d alerts answered in %s; %d deliveries with a few more each: %s; %d messages, %d edits",
						stormSize, answered[0].Round(time.Millisecond), len(answered)-1, answered[1:], posts, edits)
					h.checkStorm(s, tt.incidents)
					if posts > tt.messages {
						t.Errorf("%d messages were posted, want at most %d", posts, tt.messages)
					}
					checkEdits(t, h.slack, stormGrows)
					h.stop()
					return answered.within("answer to a storm", 1, 2*time.Second)
				})
			})
		}
	}
}

// checkStorm looks whether what was answered is stored.
func (h *house) checkStorm(s *storm, incidents int) {
	h.t.Helper()
	var list struct {
		Incidents []struct {
			AlertsFiring int `json:"alerts_firing"`
		}
	}
	h.api("/incidents", &list)
	if len(list.Incidents) != incidents {
		h.t.Fatalf("the storm made %d incidents, want %d", len(list.Incidents), incidents)
	}
	for _, inc := range list.Incidents {
		if inc.AlertsFiring != len(s.alerts) {
			h.t.Errorf("%d alerts are firing, want %d", inc.AlertsFiring, len(s.alerts))
		}
	}
}

// shown reports whether the card, or the offer, shows so many alerts.
func (h *house) shown(firing int, carded bool) bool {
	place := announced
	if carded {
		channels := h.slack.Channels()
		place = channels[len(channels)-1].ID
	}
	return slices.ContainsFunc(h.slack.Messages(place), func(m sandbox.Message) bool {
		return strings.Contains(string(m.Blocks), fmt.Sprintf("%d alerts firing", firing))
	})
}

// checkEdits looks whether the edits of each message keep their distance, and
// whether there are any.
func checkEdits(t *testing.T, w *sandbox.Workspace, during time.Duration) {
	t.Helper()
	last := map[string]time.Time{}
	edits := 0
	for _, call := range w.Calls("chat.update") {
		message := call.Args["channel"] + " " + call.Args["ts"]
		if before, ok := last[message]; ok && call.Start.Sub(before) < editEvery {
			t.Errorf("two edits of a message %s apart, want at least %s", call.Start.Sub(before), editEvery)
		}
		last[message] = call.Start
		edits++
	}
	if edits == 0 || (len(last) == 1 && edits > int(during/editEvery)+2) {
		t.Errorf("%d edits in %s of changes", edits, during)
	}
}

// storm is a webhook's body that grows.
type storm struct {
	body   map[string]json.RawMessage
	alerts []stormAlert
}

type stormAlert struct {
	Status       string            `json:"status"`
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	StartsAt     string            `json:"startsAt"`
	EndsAt       string            `json:"endsAt"`
	GeneratorURL string            `json:"generatorURL"`
	Fingerprint  string            `json:"fingerprint"`
}

// readStorm reads the recorded storm, or makes one like it where there is none,
// and gives its alerts a severity.
func readStorm(t *testing.T, severity string) *storm {
	t.Helper()
	s := &storm{}
	file, err := os.Open(proctest.SharedPath("payloads", "captured", "am035-storm-5000.json.gz"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.make()
	case err != nil:
		t.Fatal(err)
	default:
		defer file.Close() //nolint:errcheck // it was only read
		unzip, err := gzip.NewReader(file)
		if err == nil {
			err = json.NewDecoder(unzip).Decode(&s.body)
		}
		if err == nil {
			err = json.Unmarshal(s.body["alerts"], &s.alerts)
		}
		if err != nil {
			t.Fatalf("read the recorded storm: %v", err)
		}
	}
	if len(s.alerts) != stormSize {
		t.Fatalf("the storm has %d alerts, want %d", len(s.alerts), stormSize)
	}
	for _, a := range s.alerts {
		a.Labels["severity"] = severity
	}
	return s
}

// make makes a storm of alerts the size of kube-prometheus's.
func (s *storm) make() {
	s.body = map[string]json.RawMessage{
		"version": []byte(`"4"`), "receiver": []byte(`"default"`), "status": []byte(`"firing"`),
		"groupKey":    []byte(`"{}:{alertname=\"KubePodNotReady\", cluster=\"prod-zrh-1\"}"`),
		"groupLabels": []byte(`{"alertname":"KubePodNotReady","cluster":"prod-zrh-1"}`),
	}
	s.grow(stormSize)
}

// grow adds alerts that begin to fire.
func (s *storm) grow(n int) {
	for range n {
		i := len(s.alerts)
		severity := ""
		if i > 0 {
			severity = s.alerts[0].Labels["severity"]
		}
		pod := fmt.Sprintf("api-gateway-7c9d8b6f5d-x%05d", i)
		s.alerts = append(s.alerts, stormAlert{
			Status: "firing", StartsAt: time.Now().UTC().Format(time.RFC3339Nano), EndsAt: "0001-01-01T00:00:00Z",
			Labels: map[string]string{
				"alertname": "KubePodNotReady", "cluster": "prod-zrh-1", "instance": "10.42.0.0:8080", "job": "kube-state-metrics",
				"namespace": fmt.Sprintf("payments-%02d", i%40), "pod": pod, "prometheus": "monitoring/k8s", "severity": severity,
			},
			Annotations: map[string]string{
				"description": "Pod " + pod + " has been in a non-ready state for longer than 15 minutes on cluster prod-zrh-1.",
				"runbook_url": "https://runbooks.prometheus-operator.dev/runbooks/kubernetes/kubepodnotready",
				"summary":     "Pod has been in a non-ready state for more than 15 minutes.",
			},
			GeneratorURL: "https://prometheus.example.org/graph?g0.expr=kube_pod_status_phase&g0.tab=1",
			Fingerprint:  fmt.Sprintf("f0000000%08x", i),
		})
	}
}

// deliver posts the storm to a house and gives the time until it was answered.
func (s *storm) deliver(h *house) time.Duration {
	h.t.Helper()
	alerts, err := json.Marshal(s.alerts)
	if err != nil {
		h.t.Fatal(err)
	}
	s.body["alerts"] = alerts
	body, err := json.Marshal(s.body)
	if err != nil {
		h.t.Fatal(err)
	}
	began := time.Now()
	status, answer := h.call(http.MethodPost, "/webhooks/alertmanager", string(body), map[string]string{"Authorization": "Bearer " + webhookToken})
	took := time.Since(began)
	if status != http.StatusOK {
		h.t.Fatalf("the storm was answered %d: %s", status, answer)
	}
	return took
}
