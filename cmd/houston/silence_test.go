package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/webhook/amtest"
)

// silenceAt is a silence as Alertmanager's API shows it.
type silenceAt struct {
	ID        string
	CreatedBy string
	Comment   string
	EndsAt    time.Time
	Matchers  []struct{ Name, Value string }
	Status    struct{ State string }
}

func silencesAt(t *testing.T, am *amtest.Server) (active, expired []silenceAt) {
	t.Helper()
	res, err := http.Get(am.URL() + "/api/v2/silences") //nolint:noctx // a test's own server
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var all []silenceAt
	if err := json.NewDecoder(res.Body).Decode(&all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if s.Status.State == "active" {
			active = append(active, s)
		} else {
			expired = append(expired, s)
		}
	}
	return active, expired
}

// silencingHouse is a house with its own Alertmanager, which both need to know of.
func silencingHouse(t *testing.T, p plan, more string) (*house, *amtest.Server) {
	t.Helper()
	relay := newRelay(t)
	am := amtest.Start(t, amtest.Config{WebhookURL: relay.url + "/webhooks/alertmanager?source=berlin", BearerToken: webhookToken})
	p.args = []string{"--config", writeConfig(t, "alertmanagers: {name: berlin, url: '"+am.URL()+"'}\n"+more)}
	h := newHouse(t, p)
	relay.to(h.url)
	return h, am
}

// TestSilences plays silencing against a real Alertmanager: by command and by
// button, once, ended with the incident; and what others silence is told.
func TestSilences(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h, am := silencingHouse(t, p, "alerts: {stale_after: 8s}\n")
		labels := func(name string) map[string]string {
			return map[string]string{"alertname": name, "severity": "critical", "service": "offers"}
		}
		am.Post(t, amtest.Alert{Labels: labels("OffersErrors")})
		channel := h.alarmed(1)
		list := h.finds(channel.ID, "*OffersErrors*", "silence_alert")
		var fingerprint string
		for part := range strings.SplitSeq(string(list.Blocks), `"`) {
			if rest, ok := strings.CutPrefix(part, "INC-1 "); ok {
				fingerprint = rest
			}
		}
		click := sandbox.Click{User: ben, Channel: channel.ID, MessageTS: list.TS, ActionID: "silence_alert", Value: "INC-1 " + fingerprint}
		if _, err := h.slack.Click(t.Context(), click); err != nil {
			t.Fatal(err)
		}
		var active []silenceAt
		h.until("Alertmanager has the silence", func() bool {
			active, _ = silencesAt(t, am)
			return len(active) == 1
		})
		s := active[0]
		if s.CreatedBy != "ben (Houston)" || !strings.HasPrefix(s.Comment, "INC-1 ") || len(s.Matchers) != 3 || time.Until(s.EndsAt) < 100*time.Minute {
			t.Errorf("got silence %+v", s)
		}
		h.finds(channel.ID, ":no_bell: *OffersErrors*")
		if answer := h.say(ben, channel.ID, "silence 3h"); !strings.Contains(answer, "silenced") {
			t.Errorf("silence was answered %q", answer)
		}
		h.until("the one silence lasts longer", func() bool {
			active, _ = silencesAt(t, am)
			return len(active) == 1 && time.Until(active[0].EndsAt) > 170*time.Minute
		})
		h.surf(anna).reads("/i/1", "<code>alertname=OffersErrors</code> <code>service=offers</code>")
		theirs := fmt.Sprintf(`{"createdBy":"bob","comment":"upgrade","startsAt":%q,"endsAt":%q,"matchers":[{"name":"service","value":"offers","isRegex":false,"isEqual":true}]}`,
			time.Now().UTC().Format(time.RFC3339), time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
		res, err := http.Post(am.URL()+"/api/v2/silences", "application/json", strings.NewReader(theirs)) //nolint:noctx // a test's own server
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("create another silence: %v, %v", res, err)
		}
		_ = res.Body.Close()
		h.until("the timeline tells of the other silence", func() bool {
			_, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken})
			return strings.Contains(string(raw), "by bob: upgrade")
		})
		h.say(ben, channel.ID, "resolve")
		h.until("ours is expired, the other one is not", func() bool {
			active, expired := silencesAt(t, am)
			return len(active) == 1 && active[0].CreatedBy == "bob" && len(expired) >= 1
		})
	})
}

// TestSilenceEndedAtAlertmanager: who ends a silence of Houston's there wants to hear
// the alerts. It is told, and the silence does not come back.
func TestSilenceEndedAtAlertmanager(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h, am := silencingHouse(t, p, "alerts: {stale_after: 8s}\n")
		am.Post(t, amtest.Alert{Labels: map[string]string{"alertname": "OffersErrors", "severity": "critical", "service": "offers"}})
		channel := h.alarmed(1)
		for round, command := range []string{"silence 1h", "silence 2h", "silence 3h"} {
			h.say(ben, channel.ID, command)
			var active []silenceAt
			h.until("it is silenced", func() bool {
				active, _ = silencesAt(t, am)
				return len(active) == 1 && time.Until(active[0].EndsAt) > time.Duration(round)*time.Hour+50*time.Minute
			})
			if round == 0 {
				continue // the next one makes it longer
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, am.URL()+"/api/v2/silence/"+active[0].ID, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("end the silence: %v, %v", res, err)
			}
			_ = res.Body.Close()
			h.until("the channel is told", func() bool {
				told := 0
				for _, m := range h.slack.Messages(channel.ID) {
					told += strings.Count(m.Text, "was ended at Alertmanager")
				}
				return told == round
			})
			if answer := h.say(ben, channel.ID, "silence off"); !strings.Contains(answer, "has silenced nothing") {
				t.Errorf("silence off was answered %q", answer)
			}
			if active, _ := silencesAt(t, am); len(active) != 0 {
				t.Errorf("still silenced: %+v", active)
			}
		}
	})
}

// TestStaleAlerts: Alertmanager never tells the end of what was silenced while it
// fired; Houston finds out.
func TestStaleAlerts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h, am := silencingHouse(t, p, "alerts: {stale_after: 2s}\n")
		labels := map[string]string{"alertname": "OffersErrors", "severity": "critical", "service": "offers"}
		am.Post(t, amtest.Alert{Labels: labels})
		channel := h.alarmed(1)
		h.say(ben, channel.ID, "silence 1h")
		h.until("it is silenced", func() bool {
			active, _ := silencesAt(t, am)
			return len(active) == 1
		})
		am.Post(t, amtest.Alert{Labels: labels, StartsAt: time.Now().Add(-time.Minute), EndsAt: time.Now()})
		h.until("it is presumed resolved", func() bool { return h.firing() == 0 })
		h.finds(channel.ID, "is it?")
		_, raw := h.call(http.MethodGet, "/api/v1/incidents/INC-1/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken})
		if !strings.Contains(string(raw), "no longer at Alertmanager, presumed resolved") {
			t.Errorf("the timeline does not tell why: %s", raw)
		}
	})
}

// TestAlertmanagerIsDown: the incident says in words what could not be done.
func TestAlertmanagerIsDown(t *testing.T) {
	t.Parallel()
	h, am := silencingHouse(t, plan{}, "")
	am.Post(t, amtest.Alert{Labels: map[string]string{"alertname": "OffersErrors", "severity": "critical"}})
	channel := h.alarmed(1)
	am.Stop(t)
	h.say(ben, channel.ID, "silence 1h")
	h.shows(channel.ID, "Alertmanager berlin does not answer")
}

// relay passes requests on to a house whose address is not known yet.
type relay struct {
	url string

	mu     sync.Mutex
	target string
}

func newRelay(t *testing.T) *relay {
	t.Helper()
	r := &relay{}
	r.url = newServerFor(t, r.handler())
	return r
}

func (r *relay) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		target := r.target
		r.mu.Unlock()
		out, err := http.NewRequestWithContext(req.Context(), req.Method, target+req.URL.RequestURI(), req.Body)
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		out.Header, out.ContentLength = req.Header, req.ContentLength
		res, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		defer func() { _ = res.Body.Close() }()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	})
}

// to says where the house is, again after it has moved.
func (r *relay) to(url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target = url
}

func newServerFor(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}
