package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// DocumentMarkdown writes a postmortem as GitHub-flavoured Markdown. Times stand
// in UTC and beside it in zone, as in [Markdown]; an open question to the author
// is a block quote, which no text of anybody's can be.
func DocumentMarkdown(w io.Writer, doc postmortem.Document, zone *time.Location) error {
	if zone == nil {
		zone = time.UTC
	}
	m := &markdown{zone: zone}
	m.documentHeader(doc)
	for _, s := range doc.Sections {
		m.documentSection(s, doc)
		if s.ID == postmortem.Summary { // what everything else refers to
			m.facts(doc.Facts)
			m.roles(doc.Facts.Roles)
			m.times(doc.Facts.Times)
			m.durations(doc.Facts.Durations)
		}
	}
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("write the postmortem of %s as Markdown: %w", doc.Facts.Key, err)
	}
	return nil
}

func (m *markdown) documentHeader(doc postmortem.Document) {
	f := doc.Facts
	m.line("# Postmortem of %s: %s", f.Key, oneLine(f.Title))
	m.line("\nState: %s, made by Houston from the incident's log at %s. Blameless: it asks how and what, never who.",
		inline(string(doc.State)), m.moment(doc.DraftedAt, incidents.ToSecond))
	if f.Private {
		m.line("\n**Private.** This incident is known to the members of its channel only. Do not pass this on.")
	}
	if f.Drill {
		m.line("\n**Drill.** This was an exercise.")
	}
}

func (m *markdown) documentSection(s postmortem.Section, doc postmortem.Document) {
	m.section(inline(s.Title))
	var parts []string
	for _, text := range s.Text {
		parts = append(parts, m.prose(text))
	}
	if len(s.Items) > 0 {
		var items []string
		for _, item := range s.Items {
			items = append(items, "- "+m.prose(item))
		}
		parts = append(parts, strings.Join(items, "\n"))
	}
	if table := m.table(s.ID, doc); table != "" {
		parts = append(parts, table)
	}
	if s.Question != "" {
		parts = append(parts, "> **To the author:** "+inline(s.Question))
	}
	m.line("%s", strings.Join(parts, "\n\n"))
}

// table writes the rows of the sections that have some.
func (m *markdown) table(id postmortem.SectionID, doc postmortem.Document) string {
	t := &markdown{zone: m.zone}
	switch id {
	case postmortem.TimelineSection:
		t.entries(doc.Facts.Timeline)
	case postmortem.MonitoringGaps:
		t.gaps(doc.Gaps)
	case postmortem.ActionItems:
		t.actions(doc.Actions)
	case postmortem.CommunicationSent:
		t.communication(doc.Communication)
	default:
	}
	return strings.TrimSuffix(t.String(), "\n")
}

func (m *markdown) gaps(gaps []postmortem.Gap) {
	if len(gaps) == 0 {
		return
	}
	m.head("Signal", "Gap", "Lost", "Closed by")
	for _, g := range gaps {
		lost, action := "unknown", "no action item yet"
		switch {
		case g.SecondsLost != nil:
			lost = fmt.Sprintf("%.0f min", *g.SecondsLost/60)
		case g.AtMostSeconds != nil:
			lost = fmt.Sprintf("at most %.0f min", *g.AtMostSeconds/60)
		}
		if g.Action != nil {
			action = fmt.Sprintf("action item %d", *g.Action)
		}
		m.row(inline(g.Signal), gapWords(g.Type), lost, action)
	}
}

func gapWords(t postmortem.GapType) string {
	switch t {
	case postmortem.NoAlert:
		return "no alert fired"
	case postmortem.LateAlert:
		return "an alert fired too late"
	case postmortem.Unheeded:
		return "an alert fired and nobody acted on it"
	default:
		return "not known"
	}
}

func (m *markdown) actions(items []postmortem.ActionItem) {
	if len(items) == 0 {
		return
	}
	m.head("No.", "Action item", "Type", "Owner", "Due")
	for _, a := range items {
		text := inline(a.Text)
		if a.Gap {
			text += " **(closes the monitoring gap)**"
		}
		if a.Proposed {
			text += " *(proposed by Houston; nobody has taken it yet)*"
		}
		owner, due := "nobody yet", "not set"
		if a.Owner != nil {
			owner = person(*a.Owner)
		}
		if a.Due != "" {
			due = inline(a.Due)
		}
		m.row(strconv.FormatInt(a.ID, 10), text, inline(string(a.Type)), owner, due)
	}
}

func (m *markdown) communication(messages []postmortem.Message) {
	if len(messages) == 0 {
		return
	}
	m.head(append(m.zones(), "Where", "Text")...)
	for _, c := range messages {
		where := "Channel"
		if c.Where == postmortem.OnStatusPage {
			where = fmt.Sprintf("Status page (%s)", inline(string(c.Status)))
		}
		text := inline(c.Text)
		if c.WithdrawnAt != nil {
			text += fmt.Sprintf(" *(taken back at %s)*", m.moment(*c.WithdrawnAt, incidents.ToSecond))
		}
		m.row(append(m.both(c.At, incidents.ToSecond), where, text)...)
	}
}

// prose writes a text of ours, with people's words in it escaped, so that it can
// stand at the beginning of a line.
func (m *markdown) prose(p postmortem.Prose) string {
	return guardStart(p.Write(within, m.moment))
}

// moment writes a time in UTC and in brackets in the zone; there its date is
// left out when it is the same.
func (m *markdown) moment(at time.Time, precision incidents.Precision) string {
	cells := m.both(at, precision)
	if len(cells) == 1 {
		return cells[0] + " UTC"
	}
	local := strings.TrimPrefix(cells[1], "about ")
	if day := at.UTC().Format(time.DateOnly); precision != incidents.ToDay {
		local = strings.TrimPrefix(local, day+" ")
	}
	return fmt.Sprintf("%s UTC (%s)", cells[0], local)
}
