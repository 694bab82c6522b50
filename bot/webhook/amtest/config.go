package amtest

import (
	"encoding/json"
	"strconv"
	"time"
)

// Config says how an Alertmanager groups alerts and whom it tells.
type Config struct {
	WebhookURL  string
	BearerToken string   // sent as Authorization: Bearer; empty sends none
	Receiver    string   // its name in the payload; "houston" when empty
	GroupBy     []string // label names, or "..." for every label; "alertname" when nil
	MaxAlerts   int      // alerts per notification; 0 is all of them

	// The timers of the route. Alertmanager's own defaults are 30 s, 5 min
	// and 4 h; zero here is 200 ms, 1 s and 1 h, fit for tests. How long a
	// delivery is retried is at least 10 s, whatever GroupInterval says.
	GroupWait      time.Duration
	GroupInterval  time.Duration
	RepeatInterval time.Duration

	// PeerTimeout is how long the second of a pair waits for the first to
	// deliver before it does so itself; zero is Alertmanager's own 15 s.
	PeerTimeout time.Duration
}

// file is the configuration file. JSON is YAML too.
// https://prometheus.io/docs/alerting/0.25/configuration/
func (c Config) file() ([]byte, error) {
	type m = map[string]any
	http := m{"follow_redirects": false}
	if c.BearerToken != "" {
		http["authorization"] = m{"type": "Bearer", "credentials": c.BearerToken}
	}
	receiver := c.Receiver
	if receiver == "" {
		receiver = "houston"
	}
	groupBy := c.GroupBy
	if groupBy == nil {
		groupBy = []string{"alertname"}
	}
	return json.Marshal(m{
		"route": m{
			"receiver":        receiver,
			"group_by":        groupBy,
			"group_wait":      duration(c.GroupWait, 200*time.Millisecond),
			"group_interval":  duration(c.GroupInterval, time.Second),
			"repeat_interval": duration(c.RepeatInterval, time.Hour),
		},
		"receivers": []m{{
			"name": receiver,
			"webhook_configs": []m{{
				"url": c.WebhookURL, "send_resolved": true,
				"max_alerts": c.MaxAlerts, "http_config": http,
			}},
		}},
	})
}

// duration writes d in Prometheus' form, which knows no fractions.
func duration(d, otherwise time.Duration) string {
	if d == 0 {
		d = otherwise
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
}
