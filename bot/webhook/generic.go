package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/tidwall/gjson"

	"github.com/houston-sre/houston/incidents"
)

// Mapping says what a body of /webhooks/generic?source=NAME means. Each value is
// a path of gjson (github.com/tidwall/gjson, SYNTAX.md), such as
// "host.name" or "items.0.id", or, when it holds "{{", a template of
// text/template over the item.
type Mapping struct {
	// Kind is "alert" or "change".
	Kind string
	// List is the path of the list of items; empty: the body is the item.
	List string
	// Fields of an alert: name (required), id, status, severity, summary, url,
	// starts_at, ends_at. Of a change: title (required), id, kind, state,
	// service, url, actor, started_at, ended_at.
	Fields map[string]string
	// Labels by their names.
	Labels map[string]string
}

// Check says what is wrong with a mapping.
func (m Mapping) Check() error {
	required, known := "name", alertFields()
	switch m.Kind {
	case "alert":
	case "change":
		required, known = "title", changeFields()
	default:
		return fmt.Errorf(`kind is %q; write "alert" or "change"`, m.Kind)
	}
	if m.Fields[required] == "" {
		return fmt.Errorf("fields.%s is missing", required)
	}
	for name, value := range m.Fields {
		if !known[name] {
			return fmt.Errorf("there is no field %q of %s", name, m.Kind)
		}
		if _, err := compile(value); err != nil {
			return fmt.Errorf("fields.%s: %w", name, err)
		}
	}
	for name, value := range m.Labels {
		if _, err := compile(value); err != nil {
			return fmt.Errorf("labels.%s: %w", name, err)
		}
	}
	return nil
}

func alertFields() map[string]bool {
	return map[string]bool{
		"name": true, "id": true, "status": true, "severity": true, "summary": true, "url": true, "starts_at": true, "ends_at": true,
	}
}

func changeFields() map[string]bool {
	return map[string]bool{
		"title": true, "id": true, "kind": true, "state": true, "service": true, "url": true, "actor": true, "started_at": true, "ended_at": true,
	}
}

// kubernetes is the mapping that source=kubernetes has unless another is
// configured. It reads a core/v1 Event about a Deployment, as an event exporter
// posts it or
//
//	kubectl get events --field-selector involvedObject.kind=Deployment,reason=ScalingReplicaSet -o json
//
// prints it: a new replica set that is scaled up is a rollout.
func kubernetes() Mapping {
	return Mapping{
		Kind: "change", List: "items",
		Fields: map[string]string{
			"title": "Rollout of {{.involvedObject.name}}: {{.message}}", "id": "metadata.uid", "kind": "{{if eq .reason \"ScalingReplicaSet\"}}rollout{{else}}other{{end}}",
			"service": "involvedObject.name", "started_at": "{{or .lastTimestamp .eventTime .metadata.creationTimestamp}}",
		},
		Labels: map[string]string{"namespace": "involvedObject.namespace", "cluster": "clusterName"},
	}
}

// value gives the text that a mapping's value has of an item.
type value func(item gjson.Result) string

func compile(text string) (value, error) {
	if !strings.Contains(text, "{{") {
		return func(item gjson.Result) string { return clean(item.Get(text).String()) }, nil
	}
	t, err := template.New("").Option("missingkey=zero").Parse(text)
	if err != nil {
		return nil, errors.New("the template can not be read: " + strings.TrimPrefix(err.Error(), "template: "))
	}
	return func(item gjson.Result) string {
		var data map[string]any
		var b strings.Builder
		if json.Unmarshal([]byte(item.Raw), &data) != nil || t.Execute(&b, data) != nil {
			return ""
		}
		return clean(strings.ReplaceAll(b.String(), "<no value>", ""))
	}, nil
}

// decodeGeneric reads bodies by the mapping of their source. Without a mapping
// of that name a body is taken that says itself what it is: alerts in
// Alertmanager's form, or a change as the API takes it.
func decodeGeneric(mappings map[string]Mapping) func(request) (intake, error) {
	return func(r request) (intake, error) {
		mapping, ok := mappings[r.source]
		if !ok && r.source == "kubernetes" {
			mapping, ok = kubernetes(), true
		}
		if !ok {
			return decodeSelfDescribed(r)
		}
		if !gjson.ValidBytes(r.body) {
			return intake{}, malformed("the body is no valid JSON")
		}
		items := []gjson.Result{gjson.ParseBytes(r.body)}
		if list := items[0].Get(mapping.List); mapping.List != "" && list.IsArray() {
			items = list.Array()
		} else if items[0].IsArray() {
			items = items[0].Array()
		}
		var in intake
		for i, item := range items {
			if !item.IsObject() {
				return intake{}, malformed("item %d is no object", i)
			}
			if err := mapping.take(r, item, &in); err != nil {
				return intake{}, malformed("item %d%w", i, err)
			}
		}
		if len(items) == 0 {
			return ignore("an empty list")
		}
		return in, nil
	}
}

// take adds what an item means.
func (m Mapping) take(r request, item gjson.Result, in *intake) error {
	get := func(text string) string {
		if text == "" {
			return ""
		}
		v, err := compile(text)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(v(item))
	}
	labels := map[string]string{}
	for name, text := range m.Labels {
		if v := get(text); v != "" {
			labels[name] = v
		}
	}
	fields := map[string]string{}
	for name, text := range m.Fields {
		fields[name] = get(text)
	}
	if m.Kind == "change" {
		return takeGenericChange(r, fields, labels, in)
	}
	return takeGenericAlert(r, fields, labels, in)
}

func takeGenericAlert(r request, fields, labels map[string]string, in *intake) error {
	if fields["name"] == "" {
		return errors.New(" has no name")
	}
	labels["alertname"] = fields["name"]
	if fields["severity"] != "" {
		labels["severity"] = strings.ToLower(fields["severity"])
	}
	identity := fields["id"]
	if identity == "" {
		identity = incidents.FingerprintOf(labels)
	}
	a := incidents.Alert{
		Fingerprint: incidents.FingerprintOf(map[string]string{"generic": identity}), Labels: labels, URL: fields["url"],
		StartsAt: parseMoment(fields["starts_at"]), EndsAt: parseMoment(fields["ends_at"]), Annotations: map[string]string{},
	}
	if fields["summary"] != "" {
		a.Annotations["summary"] = fields["summary"]
	}
	a.Firing = genericFiring(fields["status"])
	if a.Firing {
		a.EndsAt = parseMoment("")
	}
	in.alerts = append(in.alerts, incidents.Delivery{
		Source: r.source, Receiver: "generic", SentBy: named(r.source), GroupKey: identity, Labels: map[string]string{"alertname": fields["name"]},
		Alerts: []incidents.Alert{a}, ReceivedAt: r.now, Body: r.body,
	})
	return nil
}

// named is what people call a source; the default one has no name.
func named(source string) string {
	if source == "default" {
		return ""
	}
	return source
}

// genericFiring reads the words that monitoring systems have for "it is over";
// everything else fires.
func genericFiring(status string) bool {
	switch strings.ToLower(status) {
	case "ok", "up", "resolved", "recovery", "recovered", "closed", "cleared", "normal", "inactive", "success", "healthy", "0", "false", "green":
		return false
	default:
		return true
	}
}

func takeGenericChange(r request, fields, labels map[string]string, in *intake) error {
	kind, err := incidents.ParseChangeKind(fields["kind"])
	if err != nil {
		kind = incidents.ChangeOther
	}
	c := incidents.ChangeEvent{
		Source: r.source, External: fields["id"], Kind: kind, Title: fields["title"], Service: fields["service"], Labels: labels,
		State: genericState(fields["state"]), URL: fields["url"], Actor: fields["actor"],
		StartedAt: parseMoment(fields["started_at"]), EndedAt: parseMoment(fields["ended_at"]),
	}
	if c.Title == "" {
		return errors.New(" has no title")
	}
	if c.External == "" {
		c.External = incidents.FingerprintOf(map[string]string{"title": c.Title, "service": c.Service, "at": fields["started_at"]})
	}
	in.changes = append(in.changes, c)
	return nil
}

// genericState reads the words that deployment tools have; empty: by the times.
func genericState(state string) incidents.ChangeState {
	switch strings.ToLower(state) {
	case "planned", "scheduled", "queued":
		return incidents.ChangePlanned
	case "running", "started", "in_progress", "progressing", "pending":
		return incidents.ChangeRunning
	case "succeeded", "success", "successful", "completed", "complete", "finished", "done", "deployed":
		return incidents.ChangeSucceeded
	case "failed", "failure", "error":
		return incidents.ChangeFailed
	case "cancelled", "canceled", "aborted", "skipped":
		return incidents.ChangeCancelled
	default:
		return ""
	}
}

// decodeSelfDescribed reads a body without a mapping.
func decodeSelfDescribed(r request) (intake, error) {
	var shape struct {
		Alerts json.RawMessage `json:"alerts"`
		Title  text            `json:"title"`
	}
	if err := decodeObject(r.body, &shape); err != nil {
		return intake{}, err
	}
	if shape.Title == "" || len(shape.Alerts) > 0 {
		delivery, err := DecodeAlertmanager(r.body, r.source, r.now)
		delivery.SentBy = named(r.source)
		return intake{alerts: []incidents.Delivery{delivery}}, err
	}
	var in intake
	item := gjson.ParseBytes(r.body)
	labels := map[string]string{}
	item.Get("labels").ForEach(func(name, v gjson.Result) bool {
		if len(labels) < 50 {
			labels[clean(name.String())] = clean(v.String())
		}
		return true
	})
	fields := map[string]string{}
	for name := range changeFields() {
		fields[name] = clean(item.Get(name).String())
	}
	if err := takeGenericChange(r, fields, labels, &in); err != nil {
		return intake{}, malformed("the body%w", err)
	}
	return in, nil
}
