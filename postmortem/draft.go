package postmortem

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// near is how long before the incident a change may have been to be shown as a
// possible trigger.
const near = 24 * time.Hour

// Input is all that a draft is made of.
type Input struct {
	Incident incidents.Incident
	Events   []incidents.Event
	// Alerts are those that belong to the incident, or as many of them as the
	// caller cares to load.
	Alerts   []incidents.Alert
	Now      time.Time
	Zone     *time.Location // of the times beside UTC; nil: none
	Language Language       // empty: English
	Speaker  Speaker        // nil: the sentences that the events hold stay English
	// StatusPage is the address of the page on which notices are published;
	// empty: there is none to lead to.
	StatusPage string
}

// drafting fills the sections of one document.
type drafting struct {
	writer

	inc     incidents.Incident
	events  []incidents.Event
	times   map[incidents.KeyTime]incidents.Instant
	facts   Facts
	verdict Verdict
}

// DraftOf makes the draft of an incident's postmortem: a document that nobody
// has written in. The same input gives the same document.
func DraftOf(in Input) Document {
	if in.Language == "" {
		in.Language = English
	}
	if in.Speaker == nil {
		in.Speaker = inEnglish{}
	}
	d := &drafting{
		writer: newWriter(in.Language, in.Zone), inc: in.Incident, events: in.Events,
		times: cutTimes(in.Incident.Times), facts: factsOf(in.Incident, in.Events, in.Language, in.Speaker),
	}
	d.facts.Timeline = worked(d.facts.Timeline, in.Events)
	d.verdict = d.verdictOf(in.Incident, d.times, in.Events, in.Alerts)
	p := in.Incident.Postmortem
	doc := Document{
		Version: Version, State: p.Stands(), Rev: p.Rev, Language: in.Language, Zone: d.zone.String(),
		DraftedAt: incidents.Micros(in.Now), Audience: ForCompany, Services: servicesOf(in.Incident), Tags: []Tag{},
		Authors: []incidents.Person{}, Reviewers: append([]incidents.Person{}, p.Reviewers...),
		Facts: d.facts, Verdict: d.verdict, Sections: []Section{},
		Impact:  Impact{Measures: []Measure{}, DataLoss: Unknown, Objective: Unknown, Regions: []string{}},
		Factors: []Factor{}, Glossary: []Term{}, Lessons: []Lesson{},
		Gaps: d.gaps(), Actions: d.actions(in.Speaker), Communication: messagesOf(in.Events, d.facts.Timeline),
		Evidence: d.evidence(), People: hoursOf(in.Events), Links: d.links(in.StatusPage, in.Alerts),
	}
	d.workflow(&doc)
	if m, ok := d.teamTime(doc.People); ok {
		doc.Impact.Measures = append(doc.Impact.Measures, m)
	}
	for _, id := range SectionIDs() {
		s := Section{ID: id, Title: d.titles[id]}
		if d.fill(&s, doc) {
			s.Question = d.questions[id]
		}
		doc.Sections = append(doc.Sections, s)
	}
	return doc
}

// workflow tells of the people and the meeting.
func (d *drafting) workflow(doc *Document) {
	p := d.inc.Postmortem
	if owner, ok := d.inc.PostmortemOwner(); ok {
		doc.Owner = &owner
	}
	if p.Approver != (incidents.Person{}) {
		doc.Approver = &p.Approver
	}
	if p.State == incidents.PostmortemWaived {
		doc.Waived = &Waiver{Reason: p.Reason, By: p.WaivedBy}
	}
	if !p.Meeting.At.IsZero() {
		doc.Meeting = &Meeting{At: p.Meeting.At.Truncate(time.Minute), Minutes: p.Meeting.Minutes}
	}
}

// actions are the action items, with what Houston proposes in the document's
// language.
func (d *drafting) actions(speaker Speaker) []ActionItem {
	rows := ActionsOf(d.inc)
	for i, item := range d.inc.Actions {
		if p, ok := d.inc.Told(item); ok {
			rows[i].Text = speaker.Say(d.language, p)
		}
	}
	return rows
}

func servicesOf(inc incidents.Incident) []string {
	if inc.Service == "" {
		return []string{}
	}
	return []string{inc.Service}
}

// fill writes what the facts know of a section and reports whether its author
// is still asked.
func (d *drafting) fill(s *Section, doc Document) (ask bool) {
	switch s.ID {
	case Summary:
		s.Text = d.summary()
		return false
	case ImpactSection:
		s.Text = d.impact()
		return true // how many is known to people alone
	case DetectionSection:
		s.Text = d.verdict.Text
		_, traced := known(d.times, incidents.FirstEvidence)
		return !traced && d.verdict.First != AlertFirst
	case Trigger:
		s.Text = d.candidates(d.changesBefore, func(e Entry) bool { return e.Kind == incidents.ChangeEntry && d.shortlyBefore(e.At) })
	case ContributingFactors:
		s.Text = d.candidates(d.hypotheses, func(e Entry) bool { return e.Kind == incidents.Hypothesis })
	case Response:
		s.Text = d.candidates(d.actionsTaken, func(e Entry) bool { return e.Kind == incidents.Action })
	case WentWell:
		if d.verdict.First == AlertFirst && d.verdict.FirstAlertAt != nil {
			s.Text = d.wellAlert
		}
	case WentPoorly:
		if d.verdict.First == PersonFirst {
			s.Text = d.poorlyPerson
		}
	case Lucky:
		if d.inc.Detection == incidents.ByChance {
			s.Text = d.luckyChance
		}
	case TimelineSection:
		return len(d.facts.Timeline) == 0
	case MonitoringGaps:
		return len(doc.Gaps) == 0 && d.verdict.First != AlertFirst
	case ActionItems:
		return len(doc.Actions) == 0
	case CommunicationSent:
		return len(doc.Communication) == 0
	case InternalMessage:
		s.Text = fmt.Sprintf(d.internalDraft, d.span())
		return false
	case EvidenceSection:
		return len(doc.Evidence) == 0
	case PublicMessage, Background, OpenQuestions, Lessons, ReviewSection:
	}
	return true
}

// candidates lists entries of the timeline, each with its moment. No names:
// sections about causes have none.
func (d *drafting) candidates(lead string, which func(Entry) bool) string {
	const most = 30 // the timeline has all of them
	items := []string{}
	for _, e := range d.facts.Timeline {
		if which(e) && len(items) < most {
			items = append(items, d.moment(instantOf(e))+": "+short(e.Text, 500))
		}
	}
	if len(items) == 0 {
		return ""
	}
	return lead + "\n\n- " + strings.Join(items, "\n- ")
}

func instantOf(e Entry) incidents.Instant {
	return incidents.Instant{At: e.At, Precision: e.Precision}
}

// shortlyBefore reports whether a moment lies shortly before the incident.
func (d *drafting) shortlyBefore(at time.Time) bool {
	for _, key := range []incidents.KeyTime{incidents.ImpactStart, incidents.FirstEvidence, incidents.Detected, incidents.DeclaredAt} {
		if begin, ok := known(d.times, key); ok {
			return !at.After(begin.At) && at.After(begin.At.Add(-near))
		}
	}
	return false
}

// gaps tells of the gaps, with what the times say was lost by each. What is
// proposed follows the verdict until a person takes it.
func (d *drafting) gaps() []Gap {
	list := []Gap{}
	lost, atMost := d.lost()
	for _, g := range d.inc.Gaps {
		row := Gap{
			ID: g.ID, Signal: g.Signal, Type: g.Kind, SecondsLost: lost, AtMostSeconds: atMost, Expr: g.Expr, For: g.For,
			Labels: []Tag{}, State: g.State, Reason: g.Reason, Proposed: g.Proposed, Checks: append([]incidents.GapCheck{}, g.Checks...),
		}
		for _, name := range slices.Sorted(maps.Keys(g.Labels)) {
			row.Labels = append(row.Labels, Tag{name, g.Labels[name]})
		}
		if g.Proposed && d.verdict.Gap != "" {
			row.Type = d.verdict.Gap
		}
		if item, ok := d.inc.ClosedBy(g); ok {
			row.Action = &item.ID
		}
		list = append(list, row)
	}
	if len(list) == 0 && d.verdict.Gap != "" && !d.inc.Drill && d.inc.Status.Open() {
		// It is put forward as an object of its own when the incident is resolved.
		list = append(list, Gap{
			Signal: d.inc.Title, Type: d.verdict.Gap, SecondsLost: lost, AtMostSeconds: atMost, Labels: []Tag{},
			State: incidents.GapOpen, Proposed: true, Checks: []incidents.GapCheck{},
		})
	}
	return list
}

// lost gives the avoidable detection lag and its bound; times that contradict
// each other measure nothing.
func (d *drafting) lost() (lost, atMost *float64) {
	for _, duration := range d.facts.Durations {
		switch {
		case duration.Finding != "":
		case duration.Name == "avoidable_detection_lag":
			lost = duration.Seconds
		case duration.Name == "time_to_detect":
			atMost = duration.Seconds
		}
	}
	return lost, atMost
}

// messagesOf collects what was told: the status page's texts, those taken back
// too, since people may have read them, and the updates in the channel.
func messagesOf(events []incidents.Event, timeline []Entry) []Message {
	told := map[int64]string{}
	for _, e := range timeline {
		told[e.Seq] = e.Text
	}
	messages, index := []Message{}, map[int64]int{}
	for _, e := range events {
		text, shown := told[e.Seq]
		at := cut(e.At, incidents.ToSecond)
		switch data := e.Data.(type) {
		case incidents.NoticePublished:
			if shown {
				index[e.Seq] = len(messages)
				messages = append(messages, Message{Where: OnStatusPage, Status: data.Status, Text: data.Text, At: at})
			}
		case incidents.NoticeWithdrawn:
			if i, ok := index[data.Seq]; ok {
				messages[i].WithdrawnAt = &at
			}
		case incidents.UpdatePosted:
			if shown {
				messages = append(messages, Message{Where: InChannel, Text: text, At: at})
			}
		}
	}
	return messages
}

// evidence lists the entries of the timeline that people marked as evidence, and
// those that came with files, with a line for each file.
func (d *drafting) evidence() []Evidence {
	list := []Evidence{}
	for _, e := range d.facts.Timeline {
		if e.Kind != incidents.Evidence && len(e.Files) == 0 {
			continue
		}
		at := e.At
		line := Evidence{Text: e.Text, URL: e.Permalink, At: &at}
		if len(e.Files) == 0 {
			list = append(list, line)
		}
		for _, f := range e.Files {
			line.File = &File{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size, Digest: f.Digest, Failed: f.Failed}
			list = append(list, line)
		}
	}
	return list
}
