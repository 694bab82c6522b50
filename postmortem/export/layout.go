package export

import (
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// page is a document laid out: what every format writes in its own way.
type page struct {
	language postmortem.Language
	key      string
	title    string
	notes    []cell // below the title
	sections []section
}

// heading names the document.
func (p page) heading() string { return labelsOf(p.language).heading + " " + p.key + ": " + p.title }

// section is a heading and what stands below it.
type section struct {
	id       string
	title    string
	blocks   []postmortem.Block
	tables   []table
	outlines []outline
	question string
}

func (s section) empty() bool {
	return len(s.blocks) == 0 && len(s.tables) == 0 && len(s.outlines) == 0 && s.question == ""
}

// table is a table with a head; each row has as many cells.
type table struct {
	head []string
	rows [][]cell
}

// cell is a line of text in parts.
type cell []span

// span is some text in one manner.
type span struct {
	text  string
	style style
	url   string    // of a link
	file  *attached // a file that is shown instead of the text, where it can be
}

type style int

const (
	plain style = iota
	strong
	emphasis
	linked
)

func say(text string) cell { return cell{{text: text}} }

func (c cell) text() string {
	var b strings.Builder
	for _, s := range c {
		b.WriteString(s.text)
	}
	return b.String()
}

// laying lays one document out.
type laying struct {
	*labels

	doc      postmortem.Document
	language postmortem.Language
	zone     *time.Location
	files    map[string]attached // by digest
	offsets  map[offset]string   // as they are written; there are one or two in a document
}

// offset is how far a zone is from UTC, and what it is called then.
type offset struct {
	name    string
	seconds int
}

func (l *laying) offset(local time.Time) string {
	name, seconds := local.Zone()
	key := offset{name, seconds}
	text, ok := l.offsets[key]
	if !ok {
		text = " " + postmortem.Offset(local)
		l.offsets[key] = text
	}
	return text
}

func lay(doc postmortem.Document) page {
	l := &laying{labels: labelsOf(doc.Language), doc: doc, language: doc.Language, zone: zoneOf(doc.Zone), files: attachedTo(doc), offsets: map[offset]string{}}
	p := page{language: doc.Language, key: doc.Facts.Key, title: doc.Facts.Title, notes: l.notes()}
	p.sections = append(p.sections, section{id: "document", title: l.document, tables: l.header()})
	for _, id := range postmortem.SectionIDs() {
		s := doc.Section(id)
		laid := section{
			id: string(id), title: doc.Language.Title(id), blocks: postmortem.BlocksOf(s.Text), tables: l.tables(id), question: s.Question,
		}
		if id == postmortem.ContributingFactors {
			laid.outlines = l.whys()
		}
		p.sections = append(p.sections, laid)
		if id == postmortem.Summary { // what everything else refers to
			p.sections = append(p.sections,
				section{id: "facts", title: l.facts, tables: l.factsTable()},
				section{id: "roles", title: l.roles, tables: l.rolesTable()},
				section{id: "times", title: l.keyTimes, tables: l.timesTable()},
				section{id: "durations", title: l.durations, tables: l.durationsTable()})
		}
	}
	p.sections = append(p.sections, section{id: "people", title: l.people, tables: l.peopleTable()})
	return p
}

// zoneOf loads a document's zone; one that this machine does not know is UTC.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return time.UTC
	}
	return zone
}

func (l *laying) notes() []cell {
	notes := []cell{say(l.blameless)}
	if l.doc.Facts.Private {
		notes = append(notes, cell{{text: l.private, style: strong}, {text: " " + l.privateNote}})
	}
	if l.doc.Facts.Drill {
		notes = append(notes, cell{{text: l.drill, style: strong}, {text: " " + l.drillNote}})
	}
	return notes
}

// tables of the sections that have some.
func (l *laying) tables(id postmortem.SectionID) []table {
	switch id {
	case postmortem.ImpactSection:
		return l.impactTables()
	case postmortem.Background:
		return l.glossaryTable()
	case postmortem.TimelineSection:
		return l.timelineTable()
	case postmortem.Trigger:
		if l.doc.Trigger == "" {
			return nil
		}
		return []table{{head: []string{l.question, l.answer}, rows: [][]cell{{say(l.triggerKind), say(l.language.Value("trigger", string(l.doc.Trigger)))}}}}
	case postmortem.ContributingFactors:
		return l.factorsTable()
	case postmortem.MonitoringGaps:
		return l.gapsTables()
	case postmortem.ActionItems:
		return l.actionsTable()
	case postmortem.Lessons:
		return l.lessonsTable()
	case postmortem.CommunicationSent:
		return l.communicationTable()
	case postmortem.EvidenceSection:
		return l.evidenceTable()
	case postmortem.ReviewSection:
		return l.reviewTables()
	default:
		return nil
	}
}

// zones names the columns of times.
func (l *laying) zones() []string {
	if l.zone == time.UTC {
		return []string{"UTC"}
	}
	return []string{"UTC", l.zone.String()}
}

// both writes a time in UTC and in the zone, no more exactly than it is known.
func (l *laying) both(at time.Time, precision incidents.Precision) []cell {
	cells := []cell{say(postmortem.Clock(at.UTC(), precision, l.language))}
	if l.zone == time.UTC {
		return cells
	}
	local := at.In(l.zone)
	text := postmortem.Clock(local, precision, l.language)
	if precision == incidents.ToDay {
		text = postmortem.Clock(at.UTC(), precision, l.language) // a day has no zone
	} else {
		text += l.offset(local)
	}
	return append(cells, say(text))
}

// withZones is a row's cells behind those of a time.
func (l *laying) withZones(at time.Time, precision incidents.Precision, cells ...cell) []cell {
	return append(l.both(at, precision), cells...)
}

// person names somebody by name, or by id where no name is known.
func (l *laying) person(p incidents.Person) string {
	if name := oneLine(p.Name); name != "" {
		return name
	}
	if id := oneLine(p.ID); id != "" {
		return id
	}
	return l.unknown
}

func (l *laying) persons(list []incidents.Person) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = l.person(p)
	}
	return strings.Join(names, ", ")
}

func (l *laying) orUnknown(text string) string {
	if strings.TrimSpace(text) == "" {
		return l.unknown
	}
	return text
}

// oneLine is a text without line breaks and with single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
