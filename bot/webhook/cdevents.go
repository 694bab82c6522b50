package webhook

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeCDEvents reads events of cdevents.dev, which travel as the data of
// CloudEvents, one by one or in a batch. Of a batch with an event that can not be
// read nothing is taken. https://github.com/cdevents/spec/blob/main/cloudevents-binding.md
func decodeCDEvents(r request) (intake, error) {
	events, err := decodeCloudEvents(r)
	if err != nil {
		return intake{}, err
	}
	if len(events) == 1 {
		return decodeCDEvent(events[0])
	}
	all := intake{ignored: "an empty batch"}
	for i, event := range events {
		in, err := decodeCDEvent(event)
		if err != nil {
			return intake{}, within(i, err)
		}
		all.changes = append(all.changes, in.changes...)
		all.ignored = in.ignored
	}
	return all, nil
}

// within says at which event of a batch something is wrong.
func within(i int, err error) error {
	if refused, ok := errors.AsType[*refusal](err); ok {
		return refuse(refused.status, "Event %d of the batch: %s", i, refused.text)
	}
	return err
}

// decodeCDEvent reads one event. What its context lacks is read from the
// CloudEvent's attributes, which say the same.
func decodeCDEvent(event cloudEvent) (intake, error) {
	var m cdEvent
	if len(event.Data) == 0 {
		return intake{}, malformed("the event has no data")
	}
	if err := decodeObject(event.Data, &m); err != nil {
		return intake{}, err
	}
	m.Context.ID, m.Context.Source = cmp.Or(m.Context.ID, text(event.ID)), cmp.Or(m.Context.Source, text(event.Source))
	m.Context.Type = cmp.Or(m.Context.Type, text(event.Type))
	if m.Context.Timestamp.IsZero() {
		m.Context.Timestamp.Time = event.Time
	}
	if m.Context.Type == "" {
		return intake{}, malformed("context.type is missing")
	}
	kind, state, why := m.meaning()
	if why != "" {
		return ignore(why)
	}
	if m.Context.ID == "" || m.Subject.ID == "" {
		return intake{}, malformed("context.id or subject.id is missing")
	}
	c := incidents.ChangeEvent{
		Source: "cdevents", Kind: kind, State: state, Service: string(m.Subject.ID), External: "event/" + string(m.Context.ID),
		StartedAt: m.Context.Timestamp.Time, UpdatedAt: m.Context.Timestamp.Time, Actor: string(m.Context.Source),
		Labels: map[string]string{"environment": m.Subject.Content.environment(), "artifact": string(m.Subject.Content.Artifact)},
	}
	c.Title = fmt.Sprintf("%s %s", m.Subject.ID, m.predicate())
	if c.Labels["environment"] != "" {
		c.Title += " in " + c.Labels["environment"]
	}
	if kind == incidents.ChangePipeline {
		c.External = fmt.Sprintf("pipelinerun/%s/%s", m.Subject.Source, m.Subject.ID)
		c.Service, c.Title, c.URL = "", "Pipeline "+string(m.Subject.Content.Pipeline), string(m.Subject.Content.URL)
		if m.Subject.Content.Pipeline == "" {
			c.Title += string(m.Subject.ID)
		}
	}
	dropEmpty(c.Labels)
	return changed(string(m.Context.Source)+"/"+string(m.Context.ID), c)
}

type cdEvent struct {
	Context struct {
		ID        text   `json:"id"`
		Source    text   `json:"source"`
		Type      text   `json:"type"` // dev.cdevents.service.deployed.0.2.0
		Timestamp moment `json:"timestamp"`
	} `json:"context"`
	Subject struct {
		ID      text      `json:"id"`
		Source  text      `json:"source"`
		Content cdContent `json:"content"`
	} `json:"subject"`
}

type cdContent struct {
	Environment json.RawMessage `json:"environment"`
	Artifact    text            `json:"artifactId"`
	Pipeline    text            `json:"pipelineName"`
	Outcome     text            `json:"outcome"`
	URL         text            `json:"url"`
}

// environment is an object with an id, or the id itself in older versions.
func (c cdContent) environment() string {
	var object struct {
		ID text `json:"id"`
	}
	if isObject(c.Environment) && json.Unmarshal(c.Environment, &object) == nil {
		return string(object.ID)
	}
	if len(c.Environment) == 0 {
		return ""
	}
	return textOf(c.Environment)
}

func (m cdEvent) parts() (subject, predicate string) {
	parts := strings.Split(strings.TrimPrefix(string(m.Context.Type), "dev.cdevents."), ".")
	if len(parts) < 2 {
		return parts[0], ""
	}
	return parts[0], parts[1]
}

func (m cdEvent) predicate() string {
	_, predicate := m.parts()
	if predicate == "rolledback" {
		return "rolled back"
	}
	return predicate
}

// meaning says what an event is to us, or why it is nothing.
func (m cdEvent) meaning() (incidents.ChangeKind, incidents.ChangeState, string) {
	subject, predicate := m.parts()
	switch subject + "." + predicate {
	case "service.deployed", "service.rolledback", "service.removed":
		return incidents.ChangeDeployment, incidents.ChangeSucceeded, ""
	case "service.upgraded":
		return incidents.ChangeUpgrade, incidents.ChangeSucceeded, ""
	case "service.published":
		return incidents.ChangeRelease, incidents.ChangeSucceeded, ""
	case "environment.created", "environment.modified", "environment.deleted":
		return incidents.ChangeConfig, incidents.ChangeSucceeded, ""
	case "pipelinerun.started":
		return incidents.ChangePipeline, incidents.ChangeRunning, ""
	case "pipelinerun.finished":
		if outcome := m.Subject.Content.Outcome; outcome != "" && outcome != "success" {
			return incidents.ChangePipeline, incidents.ChangeFailed, ""
		}
		return incidents.ChangePipeline, incidents.ChangeSucceeded, ""
	default:
		return "", "", fmt.Sprintf("an event of type %.80s", m.Context.Type)
	}
}
