package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // a second connection, to break the database with

	"github.com/houston-sre/houston/bot/webhook/amtest"
	"github.com/houston-sre/houston/incidents/proctest"
)

// stormEnv sets how many alerts TestHeavyRealStorm has: 2,000 when it is empty.
//
//	HOUSTON_TEST_HEAVY=1 HOUSTON_TEST_STORM=10000 go test ./cmd/houston -run '^TestHeavyRealStorm$' -count=1 -v -timeout 30m
const stormEnv = "HOUSTON_TEST_STORM"

const stormGroups = 200

// counting is a relay that counts what Houston answers.
type counting struct {
	http.Handler
	mu     sync.Mutex
	status map[int]int
}

func (c *counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	c.Handler.ServeHTTP(seen, r)
	if r.Context().Err() != nil {
		return // the sender hung up on a busy machine: nobody was answered, and Houston stores it all the same
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status[seen.status]++
}

func (c *counting) failures() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for status, times := range c.status {
		if status >= http.StatusMultipleChoices {
			n += times
		}
	}
	return n
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func stormAlerts(from, to int) []amtest.Alert {
	var alerts []amtest.Alert
	for i := from; i < to; i++ {
		alerts = append(alerts, amtest.Alert{Labels: map[string]string{
			"alertname": fmt.Sprintf("Down%03d", i%stormGroups), "severity": "critical", "instance": fmt.Sprintf("host-%05d", i),
		}})
	}
	return alerts
}

// stored counts the alerts that all incidents have firing.
func (h *house) stored() (alerts, incidents int) {
	h.t.Helper()
	var list struct {
		Incidents []struct {
			AlertsFiring int `json:"alerts_firing"`
		}
	}
	h.api("/incidents?limit=500", &list)
	for _, inc := range list.Incidents {
		alerts += inc.AlertsFiring
	}
	return alerts, len(list.Incidents)
}

// TestHeavyRealStorm has a real HA pair deliver a storm over 200 groups: nothing
// is refused, all is stored, and commands are answered meanwhile.
func TestHeavyRealStorm(t *testing.T) {
	proctest.Heavy(t)
	n := 2000
	if text := os.Getenv(stormEnv); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	relay := newRelay(t)
	counter := &counting{Handler: relay.handler(), status: map[int]int{}}
	pair := amtest.StartPair(t, amtest.Config{
		WebhookURL: newServerFor(t, counter) + "/webhooks/alertmanager", BearerToken: webhookToken,
		GroupWait: time.Second, GroupInterval: 5 * time.Second, PeerTimeout: 2 * time.Second,
	})
	h := newHouse(t, plan{database: durableDatabases(t)["postgres"](t)})
	relay.to(h.url)
	began := time.Now()
	var answers figures
	done := make(chan struct{})
	var posting sync.WaitGroup
	posting.Go(func() {
		defer close(done)
		const chunks = 20
		for i := range chunks {
			for _, am := range pair {
				am.Post(t, stormAlerts(i*n/chunks, (i+1)*n/chunks)...)
			}
		}
	})
	deadline := time.Now().Add(3 * time.Minute)
	alerts, incidents := 0, 0
	for alerts < n && time.Now().Before(deadline) {
		asked := time.Now()
		h.say(anna, announced, "list")
		answers = append(answers, time.Since(asked))
		<-time.After(200 * time.Millisecond)
		alerts, incidents = h.stored()
	}
	posting.Wait()
	<-done
	took := time.Since(began)
	t.Logf("%d alerts over %d groups stored in %s, %d incidents, answers %v, commands %s",
		alerts, stormGroups, took.Round(time.Second), incidents, counter.status, answers)
	if alerts != n {
		t.Errorf("%d alerts stored, want %d", alerts, n)
	}
	if counter.failures() > 0 {
		t.Errorf("answers %v, want all of them 2xx", counter.status)
	}
	if most := 11 * (int(took/time.Minute) + 1); incidents > most {
		t.Errorf("%d incidents, want at most %d", incidents, most)
	}
	if calls := len(h.slack.Calls("chat.update")); calls > incidents*3*(int(took/editEvery)+2) {
		t.Errorf("%d edits of %d incidents in %s", calls, incidents, took)
	}
	for _, d := range answers {
		if d > time.Second {
			t.Errorf("a command was answered after %s, want under a second", d)
		}
	}
	h.stop()
}

// TestHeavyDatabaseFailsInAStorm: what could not be stored is answered with 503 and
// delivered again, also across a restart of Houston.
func TestHeavyDatabaseFailsInAStorm(t *testing.T) {
	proctest.Heavy(t)
	t.Parallel()
	relay := newRelay(t)
	counter := &counting{Handler: relay.handler(), status: map[int]int{}}
	pair := amtest.StartPair(t, amtest.Config{
		WebhookURL: newServerFor(t, counter) + "/webhooks/alertmanager", BearerToken: webhookToken, PeerTimeout: time.Second,
	})
	url := databaseURL(t, "postgres")
	h := newHouse(t, plan{database: url})
	relay.to(h.url)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rename := func(from, to string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
			t.Fatal(err)
		}
	}
	rename("webhook_bodies", "webhook_bodies_gone")
	for _, am := range pair {
		am.Post(t, stormAlerts(0, 2*stormGroups)...)
	}
	h.until("deliveries are refused for now", func() bool {
		counter.mu.Lock()
		defer counter.mu.Unlock()
		return counter.status[http.StatusServiceUnavailable] > 0
	})
	if n := h.incidentCount(); n != 0 {
		t.Errorf("%d incidents of deliveries that were refused", n)
	}
	rename("webhook_bodies_gone", "webhook_bodies")
	h.restart()
	relay.to(h.url)
	h.until("Alertmanager has delivered all of it again", func() bool {
		alerts, _ := h.stored()
		return alerts == 2*stormGroups
	})
	counter.mu.Lock()
	defer counter.mu.Unlock()
	for status := range counter.status {
		if status >= 400 && status < 500 {
			t.Errorf("answers %v, want no 4xx", counter.status)
		}
	}
	if strings.Contains(h.log.String(), "level=ERROR msg=\"webhook not stored\"") == (counter.status[http.StatusServiceUnavailable] == 0) {
		t.Error("what was not stored is not in the log")
	}
}
