package incidents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Runbook is a checklist that is attached to incidents by itself.
type Runbook struct {
	Name  string
	Steps []RunbookStep
	// Match says when it is attached; empty parts match all.
	Severities []Severity
	Services   []string
	// Labels must all be on one alert of the incident; with labels it is attached
	// by alerts only.
	Labels map[string]string
}

// RunbookStep is one thing to do, under the heading it stands below.
type RunbookStep struct {
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// AttachedRunbook is a runbook of an incident as it was when it was attached.
type AttachedRunbook struct {
	Name  string       `json:"name"`
	Steps []TickedStep `json:"steps"`
}

// TickedStep is a step and who has ticked it off; By is empty while it is open.
type TickedStep struct {
	RunbookStep

	By Person    `json:"by,omitzero"`
	At time.Time `json:"at,omitzero"`
}

// Ticked reports whether somebody has done the step.
func (s TickedStep) Ticked() bool { return !s.At.IsZero() }

// Attached gives a runbook by its place, from 1; false when there is none.
func (inc Incident) Attached(place int64) (AttachedRunbook, bool) {
	if place < 1 || place > int64(len(inc.Runbooks)) {
		return AttachedRunbook{}, false
	}
	return inc.Runbooks[place-1], true
}

// RunbookAttached gives the incident a checklist.
type RunbookAttached struct {
	Name  string        `json:"name"`
	Steps []RunbookStep `json:"steps"`
}

// RunbookTicked ticks a step off, or takes the tick back. Runbook and Step count
// from 1; Text is the step's, for reading.
type RunbookTicked struct {
	Runbook int64  `json:"runbook"`
	Step    int64  `json:"step"`
	Text    string `json:"text"`
	Done    bool   `json:"done"`
}

// Type is the name the event is stored under.
func (RunbookAttached) Type() string { return "runbook_attached" }

// Type is the name the event is stored under.
func (RunbookTicked) Type() string { return "runbook_ticked" }

// Entry of an attached runbook: none, nothing was done yet.
func (RunbookAttached) Entry() (EntryKind, string) { return "", "" }

// Entry of a step: what was done, or done after all not.
func (d RunbookTicked) Entry() (EntryKind, string) { return Action, d.Told().String() }

// Told is the entry of a step.
func (d RunbookTicked) Told() Phrase {
	if d.Done {
		return Phrasef("Runbook: %s", d.Text)
	}
	return Phrasef("Runbook, taken back: %s", d.Text)
}

func (d RunbookAttached) apply(inc *Incident, _ Event) {
	attached := AttachedRunbook{Name: d.Name}
	for _, step := range d.Steps {
		attached.Steps = append(attached.Steps, TickedStep{RunbookStep: step})
	}
	inc.Runbooks = append(slices.Clone(inc.Runbooks), attached)
}

func (d RunbookTicked) apply(inc *Incident, e Event) {
	inc.Runbooks = slices.Clone(inc.Runbooks)
	steps := slices.Clone(inc.Runbooks[d.Runbook-1].Steps)
	steps[d.Step-1].By, steps[d.Step-1].At = Person{}, time.Time{}
	if d.Done {
		steps[d.Step-1].By, steps[d.Step-1].At = e.Actor.Person, e.RecordedAt
	}
	inc.Runbooks[d.Runbook-1].Steps = steps
}

// matches reports whether a runbook belongs to an incident, of which alerts with
// these labels have come.
func (r Runbook) matches(inc Incident, alerts []map[string]string) bool {
	if len(r.Severities) > 0 && !slices.Contains(r.Severities, inc.Severity) {
		return false
	}
	if len(r.Services) > 0 && !slices.Contains(r.Services, inc.Service) {
		return false
	}
	return len(r.Labels) == 0 || slices.ContainsFunc(alerts, func(labels map[string]string) bool {
		for name, value := range r.Labels {
			if labels[name] != value {
				return false
			}
		}
		return true
	})
}

// named reports whether an alert asks for the runbook by its label "runbook".
func (r Runbook) named(alerts []map[string]string) bool {
	return slices.ContainsFunc(alerts, func(labels map[string]string) bool { return labels["runbook"] == r.Name })
}

// attachRunbooks gives an open incident the runbooks that match by now, each
// once.
func (d *decision) attachRunbooks() {
	if !d.inc.Status.Open() || len(d.events) == 0 {
		return
	}
	for _, r := range d.config.Runbooks {
		known := slices.ContainsFunc(d.inc.Runbooks, func(a AttachedRunbook) bool { return a.Name == r.Name })
		if !known && (r.matches(d.inc, d.labels) || r.named(d.labels)) {
			d.record(RunbookAttached{Name: r.Name, Steps: r.Steps})
			d.showRunbook(int64(len(d.inc.Runbooks)))
		}
	}
	if d.any(isChannel) { // those of before there was this channel
		for i := range d.inc.Runbooks {
			d.showRunbook(int64(i) + 1)
		}
	}
}

// Tick ticks a step of a runbook off, or takes the tick back. Runbook and Step
// count from 1.
type Tick struct {
	Request

	Runbook, Step int64
	Done          bool
}

func (c Tick) decide(d *decision) error {
	runbook, ok := d.inc.Attached(c.Runbook)
	if !ok || c.Step < 1 || c.Step > int64(len(runbook.Steps)) {
		return Errorf(NotFound, "%s has no such step.", d.inc.Key())
	}
	step := runbook.Steps[c.Step-1]
	if step.Ticked() == c.Done {
		return nil // two people clicked
	}
	d.record(RunbookTicked{Runbook: c.Runbook, Step: c.Step, Text: step.Text, Done: c.Done})
	d.showStep(c.Runbook, c.Step)
	return nil
}

// RunbookPage is how many steps of a runbook stand in one message: Slack takes 50
// blocks (https://docs.slack.dev/reference/block-kit/blocks), and each step may
// have a heading of its own.
const RunbookPage = 24

// Pages counts the messages that a runbook takes.
func (r AttachedRunbook) Pages() int64 {
	return max(int64(len(r.Steps)+RunbookPage-1)/RunbookPage, 1)
}

// RunbookTarget is the target of the effect that shows a part of a runbook, both
// from 1.
func RunbookTarget(place, page int64) string {
	if page == 1 {
		return strconv.FormatInt(place, 10)
	}
	return fmt.Sprintf("%d/%d", place, page)
}

// ParseRunbookTarget reads what [RunbookTarget] wrote.
func ParseRunbookTarget(target string) (place, page int64) {
	whole, part, more := strings.Cut(target, "/")
	place, _ = strconv.ParseInt(whole, 10, 64) // ours
	if page = 1; more {
		page, _ = strconv.ParseInt(part, 10, 64)
	}
	return place, page
}

// showRunbook has the messages of a runbook posted.
func (d *decision) showRunbook(place int64) {
	runbook, ok := d.inc.Attached(place)
	if !ok || !d.inc.writable() {
		return
	}
	for page := range runbook.Pages() {
		d.run(MakeRunbook, RunbookTarget(place, page+1), d.inc.Seq)
	}
}

// showStep has the messages brought up to date that show a step: its own, and
// the first one, which counts them. The others are owed in any case, since older
// versions had one message alone.
func (d *decision) showStep(place, step int64) {
	runbook, ok := d.inc.Attached(place)
	if !ok || !d.inc.writable() {
		return
	}
	for page := range runbook.Pages() {
		d.owe(MakeRunbook, RunbookTarget(place, page+1), 1)
	}
	d.run(MakeRunbook, RunbookTarget(place, 1), d.inc.Seq)
	if page := (step-1)/RunbookPage + 1; page > 1 {
		d.run(MakeRunbook, RunbookTarget(place, page), d.inc.Seq)
	}
}

// fired gives the labels of the alerts that fire anew.
func (in *ingestion) fired() []map[string]string {
	var labels []map[string]string
	for _, a := range in.merged.fired {
		labels = append(labels, a.Labels)
	}
	return labels
}
