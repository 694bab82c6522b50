package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestOwedIsMeasured: what is owed shows in the metrics while Slack takes no
// message, and is 0 again when it does. All metrics have names by Prometheus'
// rules.
func TestOwedIsMeasured(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		down := h.slack.Inject(sandbox.Fault{Method: "chat.postMessage", Kind: sandbox.FaultStatus{}})
		h.say(anna, announced, "declare Offers fail")
		shows := func(line string) func() bool {
			return func() bool {
				_, raw := h.call(http.MethodGet, "/metrics", "", nil)
				return strings.Contains("\n"+string(raw), "\n"+line+"\n")
			}
		}
		h.until("a card is owed", shows(`houston_effects_owed{kind="card"} 1`))
		h.until("the channel is not", shows(`houston_effects_owed{kind="channel"} 0`))
		down.Remove()
		h.until("nothing is owed", shows(`houston_effects_owed{kind="card"} 0`))
		_, raw := h.call(http.MethodGet, "/metrics", "", nil)
		problems, err := promlint.New(strings.NewReader(string(raw))).Lint()
		for _, problem := range problems {
			t.Errorf("%s breaks Prometheus' rules for names: %s", problem.Metric, problem.Text)
		}
		if err != nil {
			t.Error(err)
		}
	})
}
