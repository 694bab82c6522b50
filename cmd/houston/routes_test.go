package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

const routesConfig = `
alerts:
  flap_window: 15m
  routes:
    - matchers: ['service=~"offers|kredit.*"', 'severity="page"']
      name: lending
      action: declare
      severity: '{{ .Labels.tier }}'
      severity_map: {gold: sev1}
      service: 'lending-{{ .Labels.service }}'
      invite: [U0BEN]
      runbook: https://runbooks.example/offers
      delay: 2s
      resolve: true
    - matchers: ['team="slow"']
      action: declare
      threshold: 3
      threshold_within: 10m
`

// ask runs a command that needs no server.
func ask(args ...string) (string, string, int) {
	var out, errs bytes.Buffer
	code := run(context.Background(), cli{args: args, stdout: &out, stderr: &errs, env: func(string) (string, bool) { return "", false }})
	return out.String(), errs.String(), code
}

func TestRoutesTest(t *testing.T) {
	t.Parallel()
	config := writeConfig(t, routesConfig)
	for _, tt := range []struct {
		name string
		args []string
		want []string
		code int
	}{
		{"wins", []string{"service=offers", "severity=page", "tier=gold"}, []string{
			"1. lending → declare: matches", "opens an incident in triage", "severity: sev1", "service: lending-offers", "invites: U0BEN",
			"only if still firing after: 2s", "resolves by itself: yes", "takes later alerts for: 15m", "https://runbooks.example/offers",
		}, 0},
		{"why not", []string{"service=cards", "severity=page"}, []string{
			`1. lending → declare: service=~"offers|kredit.*" does not hold (it is "cards")`, `team="slow" does not hold (there is no such label)`,
			`7. severity=~"critical|page" → declare: matches`, "severity: sev2",
		}, 0},
		{"threshold", []string{`team="slow"`}, []string{"only from so many alerts on: 3 within 10m"}, 0},
		{"heartbeat", []string{"alertname=Watchdog"}, []string{"dead man's switch"}, 0},
		{"no label", []string{"offers"}, []string{`"offers" is no label`}, 1},
		{"nothing", nil, []string{"requires at least 1 arg"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, errs, code := ask(append([]string{"--config", config, "routes", "test"}, tt.args...)...)
			for _, want := range tt.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("want %q in:\n%s%s", want, out, errs)
				}
			}
			if code != tt.code {
				t.Errorf("ended with status %d, want %d", code, tt.code)
			}
		})
	}
	out, _, _ := ask("--config", config, "routes", "test", "--json", "service=offers", "severity=page")
	var got explained
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Route != "lending" || got.Action != "declare" || got.Delay != "2s" || !got.Tried[0].Wins {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestDoctorExplainsARoute as routes test does, and nothing else.
func TestDoctorExplainsARoute(t *testing.T) {
	t.Parallel()
	config := writeConfig(t, routesConfig)
	for _, more := range [][]string{nil, {"--json"}} {
		labels := append([]string{"service=cards", "severity=page"}, more...)
		want, _, _ := ask(append([]string{"--config", config, "routes", "test"}, labels...)...)
		got, errs, code := ask(append([]string{"--config", config, "doctor"}, labels...)...)
		if got != want || want == "" || code != 0 {
			t.Errorf("%v: doctor ended with %d and said\n%s%s\nwant\n%s", more, code, got, errs, want)
		}
	}
	for _, tt := range []struct{ args, want string }{{"offers", `"offers" is no label`}, {"service=offers --live", "write one or the other"}} {
		_, errs, code := ask(append([]string{"--config", config, "doctor"}, strings.Fields(tt.args)...)...)
		if code != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("doctor %s ended with %d: %s, want 1 and %q", tt.args, code, errs, tt.want)
		}
	}
}

// TestRoutedAlerts plays a route's whole plan: it waits, across a restart, opens, invites, and
// resolves by itself.
func TestRoutedAlerts(t *testing.T) {
	t.Parallel()
	config := writeConfig(t, routesConfig)
	onBoth(t, func(t *testing.T, p plan) {
		p.args = []string{"--config", config}
		h := newHouse(t, p)
		short := alert{"OffersErrors", "page", "offers", false, time.Now().Add(-time.Minute).UTC()}
		h.deliver("http://am-1:9093", "short", short)
		short.resolved = true
		h.deliver("http://am-1:9093", "short", short) // before its delay is over
		long := alert{"OffersLatency", "page", "offers", false, time.Now().Add(-time.Minute).UTC()}
		h.deliver("http://am-1:9093", "long", long)
		if n := h.incidentCount(); n != 0 {
			t.Errorf("%d incidents before the delay, want none", n)
		}
		h.restart() // what waits is kept
		h.until("the delay is over", func() bool { return h.incidentCount() == 1 })
		var inc struct{ Status, Severity, Service string }
		h.api("/incidents/INC-1", &inc)
		if inc.Service != "lending-offers" || inc.Status != "triage" {
			t.Errorf("got %+v", inc)
		}
		var channel sandbox.Channel
		h.until("the channel stands and Ben is in it", func() bool {
			for _, c := range h.slack.Channels() {
				if strings.HasPrefix(c.Name, "inc-1-") {
					channel = c
				}
			}
			return strings.Contains(strings.Join(channel.Members, " "), ben)
		})
		long.resolved = true
		h.deliver("http://am-1:9093", "long", long)
		h.api("/incidents/INC-1", &inc)
		if inc.Status != "resolved" {
			t.Errorf("it is %s after all its alerts, want it resolved by itself", inc.Status)
		}
		if n := h.incidentCount(); n != 1 {
			t.Errorf("%d incidents, want 1: the other alert was over before its time", n)
		}
	})
}

// TestAllClearIsAsked: all alerts resolved is not fixed; the bot asks.
func TestAllClearIsAsked(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		a := alert{"OffersErrors", "critical", "offers", false, time.Now().Add(-time.Minute).UTC()}
		h.deliver("http://am-1:9093", "k", a)
		var channel sandbox.Channel
		h.until("the channel stands", func() bool {
			var ok bool
			channel, ok = h.slack.Channel("inc-1-offerserrors")
			return ok && len(h.slack.Pins(channel.ID)) == 1
		})
		a.resolved = true
		h.deliver("http://am-1:9093", "k", a)
		question := func(text string) (found sandbox.Message) {
			h.until("the channel reads "+text, func() bool {
				for _, m := range h.slack.Messages(channel.ID) {
					if strings.Contains(m.Text, text) {
						found = m
						return true
					}
				}
				return false
			})
			return found
		}
		asked := question("is it?")
		click := sandbox.Click{User: ben, Channel: channel.ID, MessageTS: asked.TS, ActionID: "still_going_on"}
		if _, err := h.slack.Click(t.Context(), click); err != nil {
			t.Fatal(err)
		}
		if m := question("it is still going on"); m.TS != asked.TS || strings.Contains(string(m.Blocks), "still_going_on") {
			t.Errorf("the answer stands in %s with %s, want the question edited", m.TS, m.Blocks)
		}
		a.resolved, a.started = false, time.Now().UTC()
		h.deliver("http://am-1:9093", "k", a)
		a.resolved = true
		h.deliver("http://am-1:9093", "k", a)
		again := question("is it?")
		if again.TS == asked.TS {
			t.Error("the second question is an edit of the first, which notifies nobody")
		}
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: channel.ID, MessageTS: again.TS, ActionID: "resolve"}); err != nil {
			t.Fatal(err)
		}
		question("and it is *resolved*")
	})
}
