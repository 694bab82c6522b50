package webhook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeGrafana reads what Grafana's own alerting sends: Alertmanager's form
// with fields of its own (grafana/alerting, receivers/webhook/v1), and the
// legacy form of Grafana 8 and before. The message's title and state are never
// read: they have been seen to contradict its alerts.
func decodeGrafana(r request) (intake, error) {
	var message struct {
		Alerts json.RawMessage `json:"alerts"`
		RuleID text            `json:"ruleId"`
		State  text            `json:"state"`
	}
	if err := decodeObject(r.body, &message); err != nil {
		return intake{}, err
	}
	if len(message.Alerts) == 0 && message.RuleID != "" && message.State != "" {
		return decodeGrafanaLegacy(r)
	}
	delivery, err := DecodeAlertmanager(r.body, r.source, r.now)
	if err != nil {
		return intake{}, err
	}
	delivery.SentBy = "Grafana"
	var own []grafanaAlert
	if json.Unmarshal(message.Alerts, &own) == nil && len(own) == len(delivery.Alerts) {
		for i, extra := range own {
			extra.describe(&delivery.Alerts[i])
		}
	}
	return intake{alerts: []incidents.Delivery{delivery}}, nil
}

// grafanaAlert is what Grafana says of an alert beyond Alertmanager's form.
type grafanaAlert struct {
	Values       texts `json:"values"`
	ValueString  text  `json:"valueString"`
	DashboardURL text  `json:"dashboardURL"`
	PanelURL     text  `json:"panelURL"`
	SilenceURL   text  `json:"silenceURL"`
	ImageURL     text  `json:"imageURL"`
	RuleUID      text  `json:"ruleUID"`
}

// describe keeps Grafana's fields as annotations, unless the rule's author has
// written one of that name.
func (g grafanaAlert) describe(a *incidents.Alert) {
	if a.Annotations == nil {
		a.Annotations = map[string]string{}
	}
	for name, value := range map[string]string{
		"values": g.values(), "dashboardURL": string(g.DashboardURL), "panelURL": string(g.PanelURL),
		"silenceURL": string(g.SilenceURL), "imageURL": string(g.ImageURL), "ruleUID": string(g.RuleUID),
	} {
		if _, written := a.Annotations[name]; !written && value != "" {
			a.Annotations[name] = value
		}
	}
}

// values gives the measured values as people read them: "A=0.93, B=1".
func (g grafanaAlert) values() string {
	if len(g.Values) == 0 {
		return string(g.ValueString)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(g.Values)) {
		parts = append(parts, name+"="+g.Values[name])
	}
	return strings.Join(parts, ", ")
}

// decodeGrafanaLegacy reads the form of Grafana's alerting before version 9: one
// rule and its state. A rule is an alert of its own.
// https://grafana.com/docs/grafana/v8.5/alerting/old-alerting/notifications/#webhook
func decodeGrafanaLegacy(r request) (intake, error) {
	var m struct {
		RuleID   text  `json:"ruleId"`
		RuleName text  `json:"ruleName"`
		RuleURL  text  `json:"ruleUrl"`
		State    text  `json:"state"`
		Message  text  `json:"message"`
		OrgID    text  `json:"orgId"`
		Tags     texts `json:"tags"`
		ImageURL text  `json:"imageUrl"`
		Matches  []struct {
			Metric text `json:"metric"`
			Value  text `json:"value"`
		} `json:"evalMatches"`
	}
	if err := decodeObject(r.body, &m); err != nil {
		return intake{}, err
	}
	alert := incidents.Alert{
		Fingerprint: "grafana-rule-" + string(m.OrgID) + "-" + string(m.RuleID), URL: string(m.RuleURL),
		Labels: map[string]string{}, Annotations: map[string]string{},
	}
	if len(alert.Fingerprint) > maxFingerprint {
		return intake{}, malformed("ruleId is too long")
	}
	maps.Copy(alert.Labels, m.Tags)
	alert.Labels["alertname"] = string(m.RuleName)
	switch m.State {
	case "alerting":
		alert.Firing = true
	case "no_data":
		alert.Firing = true
		alert.Labels["alertname"], alert.Labels["rulename"] = incidents.NoDataAlert, string(m.RuleName)
	case "ok":
	default: // paused, pending, unknown
		return ignore(fmt.Sprintf("a rule that is %.20s", m.State))
	}
	var values []string
	for _, match := range m.Matches {
		values = append(values, string(match.Metric)+"="+string(match.Value))
	}
	for name, value := range map[string]string{
		"summary": string(m.Message), "values": strings.Join(values, ", "), "imageURL": string(m.ImageURL),
	} {
		if value != "" {
			alert.Annotations[name] = value
		}
	}
	return intake{alerts: []incidents.Delivery{{
		Source: r.source, Receiver: "grafana", SentBy: "Grafana", GroupKey: alert.Fingerprint, Labels: map[string]string{"alertname": string(m.RuleName)},
		Alerts: []incidents.Alert{alert}, ReceivedAt: r.now, Body: r.body,
	}}}, nil
}
