package incidents

import (
	"strings"
	"testing"
)

func TestReading(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		labels map[string]string
		want   string
	}{
		{
			"sloth pages",
			map[string]string{"alertname": "MyServiceHighErrorRate", "sloth_slo": "requests-availability", "sloth_service": "myservice", "sloth_severity": "page"},
			"SLO requests-availability of myservice burns its error budget at least 6 times too fast (windows 30m and 6h)",
		},
		{
			"sloth opens a ticket",
			map[string]string{"sloth_slo": "latency", "sloth_severity": "ticket"},
			"SLO latency burns its error budget faster than it lasts (windows 6h and 3d)",
		},
		{"sloth without severity", map[string]string{"sloth_slo": "latency"}, "SLO latency burns its error budget too fast"},
		{
			"pyrra, 4 weeks, fastest",
			map[string]string{"alertname": "ErrorBudgetBurn", "slo": "prometheus-api-query", "short": "5m", "long": "1h", "exhaustion": "2d"},
			"SLO prometheus-api-query burns its error budget at least 14 times too fast (windows 5m and 1h)",
		},
		{"pyrra, second pair", map[string]string{"slo": "q", "short": "30m", "long": "6h", "exhaustion": "4d"}, "SLO q burns its error budget at least 7 times too fast (windows 30m and 6h)"},
		{"pyrra, third pair", map[string]string{"slo": "q", "short": "2h", "long": "1d", "exhaustion": "2w"}, "SLO q burns its error budget at least 2 times too fast (windows 2h and 1d)"},
		{"pyrra, slowest", map[string]string{"slo": "q", "short": "6h", "long": "4d", "exhaustion": "4w"}, "SLO q burns its error budget faster than it lasts (windows 6h and 4d)"},
		{"pyrra, 1 week", map[string]string{"slo": "q", "short": "1m", "long": "15m", "exhaustion": "12h"}, "SLO q burns its error budget at least 14 times too fast (windows 1m and 15m)"},
		{"windows nobody uses", map[string]string{"slo": "q", "short": "1m", "long": "15m", "exhaustion": "never"}, "SLO q burns its error budget too fast (windows 1m and 15m)"},
		{"a label that only sounds like it", map[string]string{"slo": "gold"}, ""},
		{"kubenurse to a neighbour", map[string]string{"alertname": "KubenursePathErrors", "node": "node-a", "type": "path_node-b"}, "kubenurse: node-a to node-b"},
		{"kubenurse by its job", map[string]string{"alertname": "Slow", "job": "monitoring/kubenurse", "instance": "10.0.0.1:8080", "type": "api_server_dns"}, "kubenurse: 10.0.0.1:8080 to the API server by its DNS name"},
		{"kubenurse without its node", map[string]string{"alertname": "KubenurseErrors", "type": "path_node-b"}, "kubenurse: to node-b"},
		{"another job with a type", map[string]string{"alertname": "Slow", "type": "path_node-b", "node": "a"}, ""},
		{"grafana without data", map[string]string{"alertname": NoDataAlert, "rulename": "Queue"}, "The rule Queue finds no data: whether it would fire is unknown"},
		{"grafana that can not evaluate", map[string]string{"alertname": RuleErrorAlert, "rulename": "Queue"}, "The rule Queue can not be evaluated: whether it would fire is unknown"},
		{"any other", map[string]string{"alertname": "OffersErrors"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (Alert{Labels: tt.labels}).Reading(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzReading(f *testing.F) {
	f.Add("q", "5m", "1h", "2d")
	f.Add("q", "", "99999999w", "9999999999999999d")
	f.Fuzz(func(t *testing.T, name, short, long, exhaustion string) {
		text := Alert{Labels: map[string]string{"slo": name, "short": short, "long": long, "exhaustion": exhaustion}}.Reading()
		if text != "" && !strings.Contains(text, name) {
			t.Errorf("got %q, want it to name %q", text, name)
		}
	})
}
