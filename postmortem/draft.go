package postmortem

import (
	"fmt"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// near is how long before the incident a change may have been to be shown as a
// possible trigger.
const near = 24 * time.Hour

// drafting fills the sections of one document.
type drafting struct {
	inc     incidents.Incident
	events  []incidents.Event
	facts   Facts
	verdict Verdict
}

// fill writes what the facts know of a section and reports whether its author
// is still asked.
func (d *drafting) fill(s *Section, doc Document) (ask bool) {
	switch s.ID {
	case Summary:
		s.Text = d.summary()
		return false
	case Impact:
		s.Text = d.impact()
		return true // how many is known to people alone
	case DetectionSection:
		s.Text = []Prose{d.verdict.Text}
		_, traced := known(d.inc.Times, incidents.FirstEvidence)
		return !traced && d.verdict.First != AlertFirst
	case Trigger:
		s.Items = d.entries(func(e Entry) bool { return e.Kind == incidents.ChangeEntry && d.before(e.At) })
		s.candidates("Changes in the day before; each may be the trigger, or not:")
		return true
	case ContributingFactors:
		s.Items = d.entries(func(e Entry) bool { return e.Kind == incidents.Hypothesis })
		s.candidates("Hypotheses noted during the incident; keep what proved true:")
		return true
	case Response:
		s.Items = d.entries(func(e Entry) bool { return e.Kind == incidents.Action })
		s.candidates("Actions noted during the incident:")
		return true
	case WentWell:
		if d.verdict.First == AlertFirst && d.verdict.FirstAlertAt != nil {
			s.Text = []Prose{say("An alert noticed it first.")}
		}
		return true
	case WentPoorly:
		if d.verdict.First == PersonFirst {
			s.Text = []Prose{say("Monitoring told nobody: a person had to notice and report it.")}
		}
		return true
	case Lucky:
		if d.inc.Detection == incidents.ByChance {
			s.Text = []Prose{say("It was noticed by chance.")}
		}
		return true
	case TimelineSection:
		return len(d.facts.Timeline) == 0
	case MonitoringGaps:
		return len(doc.Gaps) == 0
	case ActionItems:
		return len(doc.Actions) == 0
	case CommunicationSent:
		return len(doc.Communication) == 0
	default:
		return true
	}
}

func (s *Section) candidates(lead string) {
	if len(s.Items) > 0 {
		s.Text = []Prose{say(lead)}
	}
}

// entries lists timeline entries, each with its moment. No names: sections
// about causes have none.
func (d *drafting) entries(which func(Entry) bool) []Prose {
	items := []Prose{}
	for _, e := range d.facts.Timeline {
		if which(e) {
			items = append(items, say(instantOf(e), ": "+e.Text))
		}
	}
	return items
}

func instantOf(e Entry) incidents.Instant {
	return incidents.Instant{At: e.At, Precision: e.Precision}
}

// before reports whether a moment lies shortly before the incident.
func (d *drafting) before(at time.Time) bool {
	for _, key := range []incidents.KeyTime{incidents.ImpactStart, incidents.FirstEvidence, incidents.Detected, incidents.DeclaredAt} {
		if begin, ok := known(d.inc.Times, key); ok {
			return !at.After(begin.At) && at.After(begin.At.Add(-near))
		}
	}
	return false
}

// summary says what users saw, how it was noticed and what ended it.
func (d *drafting) summary() []Prose {
	lines := []Prose{say(sentence(d.inc.Title))}
	if d.inc.Summary != "" {
		lines = append(lines, say(d.inc.Summary))
	}
	return append(lines, d.span(), say(d.noticed()), d.end())
}

// span says since when and how long users were affected.
func (d *drafting) span() Prose {
	what := "It affected users"
	if d.inc.Service != "" {
		what = "It affected users of " + d.inc.Service
	}
	begin, ok := known(d.inc.Times, incidents.ImpactStart)
	if !ok {
		return say(what, "; since when is not known yet.")
	}
	for _, name := range []string{"time_to_mitigate", "time_to_resolve"} {
		for _, duration := range d.facts.Durations {
			if duration.Name == name && duration.Seconds != nil && duration.Finding == "" {
				end := begin
				end.At = begin.At.Add(time.Duration(*duration.Seconds * float64(time.Second)))
				end.Precision = d.precision(name)
				return say(what, " from ", begin, " until ", end, " ("+duration.Text+").")
			}
		}
	}
	return say(what, " from ", begin, "; until when is not known yet.")
}

// precision of the key time that a duration ends with.
func (d *drafting) precision(duration string) incidents.Precision {
	for _, def := range definitions() {
		if def.name == duration {
			return d.inc.Times[def.end].Precision
		}
	}
	return incidents.Unknown
}

func (d *drafting) noticed() string {
	switch d.verdict.First {
	case PersonFirst:
		return fmt.Sprintf("A person noticed it before any alert did (%s).", d.inc.Detection)
	case AlertFirst:
		return fmt.Sprintf("An alert noticed it first (%s).", d.inc.Detection)
	default:
		return "How it was noticed is not known yet."
	}
}

// end says when it was over and which action stood last before that. That it
// was this action which helped is for the author to say.
func (d *drafting) end() Prose {
	for _, step := range []struct {
		key  incidents.KeyTime
		verb string
	}{{incidents.MitigatedAt, "mitigated"}, {incidents.ResolvedAt, "resolved"}} {
		at, ok := known(d.inc.Times, step.key)
		if !ok {
			continue
		}
		last := ""
		for _, e := range d.facts.Timeline {
			if e.Kind == incidents.Action && !e.At.After(at.At) {
				last = e.Text
			}
		}
		if last == "" {
			return say("It was "+step.verb+" at ", at, ".")
		}
		return say("It was "+step.verb+" at ", at, "; the last action noted before that: ", quote(last), ".")
	}
	return say("It is not mitigated yet.")
}

func (d *drafting) impact() []Prose {
	lines := []Prose{d.span()}
	for _, duration := range d.facts.Durations {
		if duration.Finding != "" {
			lines = append(lines, say("The times contradict each other: ", duration.Finding, "."))
		}
	}
	return lines
}

// gaps follows from the verdict: when a person noticed first, monitoring was
// blind in one of three ways.
func (d *drafting) gaps() []Gap {
	if d.verdict.Gap == "" || d.inc.Drill {
		return []Gap{}
	}
	gap := Gap{Signal: d.inc.Title, Type: d.verdict.Gap}
	for _, duration := range d.facts.Durations {
		if duration.Finding != "" {
			continue // times that contradict each other measure nothing
		}
		switch duration.Name {
		case "avoidable_detection_lag":
			gap.SecondsLost = duration.Seconds
		case "time_to_detect":
			gap.AtMostSeconds = duration.Seconds
		default:
		}
	}
	for _, item := range d.inc.Actions {
		if item.Gap {
			id := item.ID
			gap.Action = &id
		}
	}
	return []Gap{gap}
}

// sentence ends a text with a full stop unless it ends with a sign already.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}
