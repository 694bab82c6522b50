package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// pagers is a stand-in for a pager that keeps what it is told.
type pagers struct {
	mu    sync.Mutex
	calls []map[string]any
	fails int // so many calls are taken and then answered 503
	acked bool
	slow  chan struct{} // what is written waits here for its answer; nil: nothing waits
}

// answerSlowly has what is written from now on wait for its answer.
func (p *pagers) answerSlowly() (letGo func()) {
	slow := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slow = slow
	return sync.OnceFunc(func() { close(slow) })
}

// wait keeps a call until it may be answered.
func (p *pagers) wait(r *http.Request) {
	p.mu.Lock()
	slow := p.slow
	p.mu.Unlock()
	if slow == nil || r.Method == http.MethodGet {
		return
	}
	select {
	case <-slow:
	case <-r.Context().Done():
	}
}

func (p *pagers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	defer p.wait(r) // after the call is kept and the lock is free
	p.mu.Lock()
	defer p.mu.Unlock()
	call := map[string]any{"path": r.URL.Path}
	_ = json.Unmarshal(raw, &call)
	switch {
	case r.Method == http.MethodGet:
		acked, _ := json.Marshal(p.acked)
		_, _ = io.WriteString(w, `{"data":{"id":"1","status":"open","acknowledged":`+string(acked)+`,"report":{"acknowledgedBy":"Lea"}}}`)
		return
	case strings.HasSuffix(r.URL.Path, "/incoming"):
		_, _ = io.WriteString(w, `{"AlertID":42}`)
	case p.fails > 0:
		p.fails--
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
	p.calls = append(p.calls, call)
}

// of lists the calls that have a value, and the distinct keys they carry.
func (p *pagers) of(field, value string) (n int, keys map[any]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	keys = map[any]bool{}
	for _, c := range p.calls {
		if text, _ := c[field].(string); strings.HasSuffix(text, value) {
			n++
			for _, key := range []string{"dedup_key", "alias", "dedup"} {
				if c[key] != nil {
					keys[c[key]] = true
				}
			}
		}
	}
	return n, keys
}

func (p *pagers) key(field, value string) string {
	_, keys := p.of(field, value)
	for key := range keys {
		return key.(string)
	}
	return ""
}

func TestPaging(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		stand := &pagers{fails: 1}
		server := httptest.NewServer(stand)
		defer server.Close()
		p.args = []string{"--config", writeConfig(t, `
pager:
  provider: pagerduty
  pagerduty: {url: "`+server.URL+`", routing_key: RK, targets: {lending: RL}}
permissions: {page: [`+ben+`]}
alerts:
  routes:
    - matchers: ['team="lending"']
      action: declare
      page: [lending]
`)}
		h := newHouse(t, p)

		// A route pages by itself; the answer to the first try is lost, and there is one key all the same.
		started := time.Now().Add(-time.Minute).UTC()
		body := `{"receiver":"r","groupKey":"k","alerts":[{"status":"firing","labels":{"alertname":"OffersDown","team":"lending"},"startsAt":"` + started.Format(time.RFC3339) + `","fingerprint":"1"}]}`
		if status := h.hook("alertmanager", body, nil); status != http.StatusOK {
			t.Fatalf("alertmanager: %d", status)
		}
		var inc struct {
			Times map[string]struct{ At time.Time } `json:"times"`
		}
		h.until("somebody is paged", func() bool {
			h.api("/incidents/INC-1", &inc)
			return !inc.Times["paged"].At.IsZero()
		})
		if n, keys := stand.of("event_action", "trigger"); n != 2 || len(keys) != 1 {
			t.Errorf("%d triggers with %d keys, want 2 with one key", n, len(keys))
		}
		h.until("it has its channel", func() bool {
			c, ok := h.slack.Channel("inc-1-offersdown")
			return ok && len(h.slack.Pins(c.ID)) == 1
		})
		channel, _ := h.slack.Channel("inc-1-offersdown")
		if text := h.say(ben, channel.ID, "page lending"); !strings.Contains(text, "nobody has acknowledged") {
			t.Errorf("the second page is answered: %s", text)
		}
		if text := h.say(ben, channel.ID, "page nobody"); !strings.Contains(text, "default, lending") {
			t.Errorf("an unknown target is answered: %s", text)
		}
		if text := h.say(anna, channel.ID, "page"); !strings.Contains(text, "permissions.page") {
			t.Errorf("who may not page is answered: %s", text)
		}

		// PagerDuty tells that it was acknowledged, twice; our own page opens no incident.
		hook := func(kind string) {
			h.hook("pagerduty", `{"event":{"id":"`+kind+`","event_type":"incident.`+kind+`","agent":{"summary":"Lea"},"data":{"id":"PX","incident_key":"`+stand.key("event_action", "trigger")+`","title":"INC-1"}}}`, nil)
		}
		hook("triggered")
		hook("acknowledged")
		hook("acknowledged")
		h.until("the timeline tells who", func() bool {
			var timeline struct{ Entries []struct{ Text string } }
			h.api("/incidents/INC-1/timeline", &timeline)
			n := 0
			for _, e := range timeline.Entries {
				if e.Text == "Lea acknowledged the page of lending" {
					n++
				}
			}
			return n == 1
		})
		if h.api("/incidents/INC-1", &inc); inc.Times["acknowledged"].At.IsZero() || h.incidentCount() != 1 {
			t.Errorf("acknowledged is %v, and there are %d incidents", inc.Times, h.incidentCount())
		}

		// PagerDuty tells that it is resolved there; then they can be woken again.
		hook("resolved")
		h.say(ben, channel.ID, "page lending")
		h.until("a second page has another key", func() bool { n, keys := stand.of("event_action", "trigger"); return n == 3 && len(keys) == 2 })

		h.say(anna, channel.ID, "resolve Pool was too small")
		h.until("the page that is not over is resolved", func() bool { n, keys := stand.of("event_action", "resolve"); return n == 1 && len(keys) == 1 })
		if text := h.say(ben, channel.ID, "page lending"); !strings.Contains(text, "resolved") {
			t.Errorf("a page for an incident that is over is answered: %s", text)
		}

		// Nobody is paged in a drill.
		h.say(anna, announced, "drill Burning house")
		if text := h.say(ben, announced, "page INC-2 default"); !strings.Contains(text, "drill") {
			t.Errorf("a page in a drill is answered: %s", text)
		}
		if n, keys := stand.of("event_action", "trigger"); n != 3 || len(keys) != 2 {
			t.Errorf("%d triggers with %d keys in all, want 3 with two keys", n, len(keys))
		}
	})
}

// TestPageUnderWay: an incident ends while the pager has not answered yet, and
// is taken up again while it has not answered that either.
func TestPageUnderWay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		stand := &pagers{}
		server := httptest.NewServer(stand)
		defer server.Close()
		p.args = []string{"--config", writeConfig(t, `
pager:
  provider: pagerduty
  pagerduty: {url: "`+server.URL+`", routing_key: RK}
`)}
		h := newHouse(t, p)
		channel := h.declared("Offers fail")
		told := func(action string, times int) func() bool {
			return func() bool { n, _ := stand.of("event_action", action); return n == times }
		}

		answerTrigger := stand.answerSlowly()
		defer answerTrigger()
		h.say(anna, channel.ID, "page")
		h.until("somebody is being paged", told("trigger", 1))
		h.say(anna, channel.ID, "resolve Pool was too small")
		answerResolve := stand.answerSlowly()
		defer answerResolve()
		answerTrigger()

		h.until("the page that was under way is being resolved", told("resolve", 1))
		h.say(anna, channel.ID, "reopen")
		answerResolve()
		h.until("somebody can be paged again", func() bool {
			return strings.Contains(h.say(anna, channel.ID, "page"), "paging now")
		})
		h.until("somebody is paged again", func() bool { n, keys := stand.of("event_action", "trigger"); return n == 2 && len(keys) == 2 })

		var timeline struct{ Entries []struct{ Text string } }
		h.until("the timeline tells of both", func() bool {
			h.api("/incidents/INC-1/timeline", &timeline)
			n := 0
			for _, e := range timeline.Entries {
				if e.Text == "Paged default" {
					n++
				}
			}
			return n == 2
		})
	})
}

// TestOtherPagers: Opsgenie is asked how a page stands, GoAlert tells.
func TestOtherPagers(t *testing.T) {
	t.Parallel()
	for provider, settings := range map[string]string{
		"opsgenie": `opsgenie: {url: "URL", api_key: K}`,
		"goalert":  `goalert: {url: "URL", token: T}`,
	} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			stand := &pagers{acked: true}
			server := httptest.NewServer(stand)
			defer server.Close()
			h := newHouse(t, plan{args: []string{"--config", writeConfig(t, "pager:\n  provider: "+provider+"\n  "+strings.ReplaceAll(settings, "URL", server.URL)+"\n")}})
			channel := h.declared("Offers fail")
			if text := h.say(anna, channel.ID, "page"); !strings.Contains(text, "paging now") {
				t.Fatalf("page is answered: %s", text)
			}
			h.until("the pager has it", func() bool { n, _ := stand.of("path", ""); return n == 1 })
			said := func(part string) func() bool {
				return func() bool {
					for _, m := range h.slack.Messages(channel.ID) {
						if strings.Contains(m.Text, part) {
							return true
						}
					}
					return false
				}
			}
			h.until("the channel is told", said("Paged default"))
			if provider == "goalert" {
				h.hook("goalert", `{"AppName":"GoAlert","Type":"AlertStatus","AlertID":42,"LogEntry":"Acknowledged by Lea via web"}`, nil)
			}
			h.until("it is acknowledged", said("Lea acknowledged the page of default"))
			h.say(anna, channel.ID, "resolve")
			h.until("the page is closed", func() bool { n, _ := stand.of("path", ""); return n == 2 })
		})
	}
}
