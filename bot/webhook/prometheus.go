package webhook

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// decodePrometheus reads what Prometheus and vmalert post to an Alertmanager's
// /api/v2/alerts: a bare list of alerts without status and fingerprint, whose
// endsAt lies ahead while they fire. It is repeated every minute or so, and what is
// not repeated has ended: see [incidents.Service.EndLapsed].
// https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
//
// Nothing in it says what belongs together, so the alerts of one name make a
// group.
func decodePrometheus(r request) (intake, error) {
	body := bytes.TrimSpace(bytes.TrimPrefix(r.body, []byte("\xEF\xBB\xBF")))
	if len(body) == 0 {
		return intake{}, malformed("the body is empty")
	}
	if body[0] != '[' || !json.Valid(body) {
		return intake{}, malformed("the body is no JSON list of alerts")
	}
	raws, err := alertList(body)
	if err != nil {
		return intake{}, err
	}
	groups := map[string]*incidents.Delivery{}
	for i, raw := range raws {
		alert, err := decodeAlert(raw, "", r.now)
		if err != nil {
			return intake{}, malformed("alerts[%d]%w", i, err)
		}
		if alert.Firing {
			alert.Until = endOf(raw)
		}
		name := alert.Labels["alertname"]
		if groups[name] == nil {
			groups[name] = &incidents.Delivery{
				Source: r.source, Receiver: "prometheus", SentBy: "Prometheus", GroupKey: "alertname:" + name,
				Labels: map[string]string{"alertname": name}, ReceivedAt: r.now, Body: r.body,
			}
		}
		groups[name].Alerts = append(groups[name].Alerts, alert)
	}
	var in intake
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		in.alerts = append(in.alerts, *groups[name])
	}
	return in, nil
}

// endOf reads the end that a firing alert has ahead of it.
func endOf(alert json.RawMessage) time.Time {
	var a struct {
		EndsAt moment `json:"endsAt"`
	}
	_ = json.Unmarshal(alert, &a) // it was read before
	return a.EndsAt.Time
}
