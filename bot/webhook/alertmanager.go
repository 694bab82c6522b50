package webhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// maxFingerprint is the longest fingerprint taken as sent; Alertmanager's has
// 16 characters. A longer one is computed anew from the labels.
const maxFingerprint = 128

// DecodeAlertmanager reads what Alertmanager's webhook sends (version "4" and
// what older versions and imitators make of it). The form is described at
// prometheus.io/docs/alerting/latest/configuration/#webhook_config.
//
// The body must be one JSON object whose alerts are a list, not empty, of
// objects; labels, where an alert has any, must be strings. Anything else odd
// is tolerated: fields of other types, missing ones, unknown ones, times that
// are no times. An error is an answer of 400 that says what is wrong.
//
// Each alert's own status says whether it fires. Without one the top-level
// status speaks for it, and without that it fires unless its endsAt has passed.
func DecodeAlertmanager(body []byte, source string, now time.Time) (incidents.Delivery, error) {
	var message amMessage
	if err := decodeObject(body, &message); err != nil {
		return incidents.Delivery{}, err
	}
	raws, err := alertList(message.Alerts)
	if err != nil {
		return incidents.Delivery{}, err
	}
	delivery := incidents.Delivery{
		Source: source, Receiver: string(message.Receiver), Labels: message.GroupLabels,
		Truncated: message.Truncated.count(), ReceivedAt: now, Body: body, Peer: string(message.ExternalURL),
		Alerts: make([]incidents.Alert, 0, len(raws)),
	}
	for i, raw := range raws {
		alert, err := decodeAlert(raw, string(message.Status), now)
		if err != nil {
			return incidents.Delivery{}, malformed("alerts[%d]%w", i, err)
		}
		delivery.Alerts = append(delivery.Alerts, alert)
	}
	delivery.GroupKey = groupKey(message, delivery.Alerts)
	return delivery, nil
}

// alertList reads a list of alerts, which must not be empty.
func alertList(list json.RawMessage) ([]json.RawMessage, error) {
	var raws []json.RawMessage
	switch {
	case len(list) == 0:
		return nil, malformed("alerts is missing")
	case json.Unmarshal(list, &raws) != nil:
		return nil, malformed("alerts is no list")
	case len(raws) == 0:
		return nil, malformed("alerts is empty")
	default:
		return raws, nil
	}
}

// amMessage is the body. Only what is used is named.
type amMessage struct {
	Receiver    text            `json:"receiver"`
	Status      text            `json:"status"`
	Alerts      json.RawMessage `json:"alerts"`
	GroupLabels texts           `json:"groupLabels"`
	GroupKey    text            `json:"groupKey"` // a number until Alertmanager 0.5
	Truncated   text            `json:"truncatedAlerts"`
	ExternalURL text            `json:"externalURL"`
}

// amAlert is one of its alerts.
type amAlert struct {
	Status       text            `json:"status"`
	Labels       json.RawMessage `json:"labels"`
	Annotations  texts           `json:"annotations"`
	StartsAt     moment          `json:"startsAt"`
	EndsAt       moment          `json:"endsAt"`
	GeneratorURL text            `json:"generatorURL"`
	Fingerprint  text            `json:"fingerprint"`
}

func decodeAlert(raw json.RawMessage, groupStatus string, now time.Time) (incidents.Alert, error) {
	var a amAlert
	if !isObject(raw) || json.Unmarshal(raw, &a) != nil {
		return incidents.Alert{}, errors.New(" is no object")
	}
	labels, err := decodeLabels(a.Labels)
	if err != nil {
		return incidents.Alert{}, err
	}
	alert := incidents.Alert{
		Fingerprint: string(a.Fingerprint), Labels: labels, Annotations: a.Annotations,
		StartsAt: a.StartsAt.Time, EndsAt: a.EndsAt.Time, URL: string(a.GeneratorURL),
		Firing: firing(string(a.Status), groupStatus, a.EndsAt.Time, now),
	}
	if len(alert.Fingerprint) > maxFingerprint {
		alert.Fingerprint = ""
	}
	if alert.Firing {
		alert.EndsAt = time.Time{} // older senders give a firing alert an end in the future
	}
	return alert, nil
}

func firing(own, group string, endsAt, now time.Time) bool {
	for _, status := range []string{own, group} {
		switch strings.ToLower(status) {
		case "firing":
			return true
		case "resolved":
			return false
		}
	}
	return endsAt.IsZero() || endsAt.After(now)
}

// decodeLabels reads labels strictly: they are an alert's identity. An alert
// without any is tolerated.
func decodeLabels(raw json.RawMessage) (map[string]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return map[string]string{}, nil
	}
	if !isObject(raw) {
		return nil, errors.New(".labels is no object")
	}
	noString := errors.New(".labels holds something that is no string")
	values := map[string]*string{}
	if json.Unmarshal(raw, &values) != nil {
		return nil, noString
	}
	labels := make(map[string]string, len(values))
	for name, value := range values {
		if value == nil {
			return nil, noString
		}
		labels[clean(name)] = clean(*value)
	}
	return labels, nil
}

// groupKey gives what tells this group from others of the same receiver. Where
// the sender has none (missing, or the number 0 of the oldest senders) it is
// made of the group's labels, and without these of the alerts' name: labels
// that merely happen to be common change when the group grows, and then the
// end of an alert would not find its beginning.
func groupKey(message amMessage, alerts []incidents.Alert) string {
	if message.GroupKey != "" && message.GroupKey != "0" {
		return string(message.GroupKey)
	}
	labels := message.GroupLabels
	if labels == nil {
		name := alerts[0].Labels["alertname"]
		if !slices.ContainsFunc(alerts, func(a incidents.Alert) bool { return a.Labels["alertname"] != name }) {
			labels = texts{"alertname": name}
		}
	}
	raw, err := json.Marshal(labels) // names in order
	if err != nil {
		return "" // strings always marshal
	}
	return "labels:" + string(raw)
}

func malformed(format string, args ...any) *refusal {
	return refuse(http.StatusBadRequest, "Bad delivery: %s.", fmt.Errorf(format, args...))
}

// decodeObject reads one JSON object and nothing after it but white space.
func decodeObject(body []byte, into any) error {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	if len(body) == 0 {
		return malformed("the body is empty")
	}
	if !isObject(body) {
		return malformed("the body is no JSON object")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return malformed("the body is no valid JSON: %w", err)
	}
	return nil
}

func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
