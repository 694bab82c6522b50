package export

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Markdown writes facts as GitHub-flavoured Markdown. Times stand in UTC and
// beside it in zone, with the offset of that day; a nil zone or UTC leaves the
// second column out.
func Markdown(w io.Writer, facts postmortem.Facts, zone *time.Location) error {
	if zone == nil {
		zone = time.UTC
	}
	m := &markdown{zone: zone}
	m.header(facts)
	m.facts(facts)
	m.times(facts.Times)
	m.durations(facts.Durations)
	m.roles(facts.Roles)
	m.timeline(facts.Timeline)
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("write %s as Markdown: %w", facts.Key, err)
	}
	return nil
}

// markdown builds a document; cells given to row are escaped already.
type markdown struct {
	strings.Builder

	zone *time.Location
}

func (m *markdown) line(format string, args ...any) { _, _ = fmt.Fprintf(m, format+"\n", args...) }

func (m *markdown) section(title string) { m.line("\n## %s\n", title) }

func (m *markdown) head(names ...string) {
	m.row(names...)
	m.row(strings.Split(strings.Repeat("---,", len(names)-1)+"---", ",")...)
}

func (m *markdown) row(cells ...string) { m.line("| %s |", strings.Join(cells, " | ")) }

func (m *markdown) header(f postmortem.Facts) {
	m.line("# %s: %s", f.Key, oneLine(f.Title))
	if f.Private {
		m.line("\n**Private.** This incident is known to the members of its channel only. Do not pass this on.")
	}
	if f.Drill {
		m.line("\n**Drill.** This was an exercise.")
	}
	if f.Summary != "" {
		m.line("\n%s", paragraph(f.Summary))
	}
}

func (m *markdown) facts(f postmortem.Facts) {
	m.section("Facts")
	m.head("Fact", "Value")
	m.row("Status", inline(string(f.Status)))
	m.row("Severity", severity(f))
	m.row("Service", inline(orUnknown(f.Service)))
	m.row("Noticed by", inline(orUnknown(string(f.Detection))))
	m.row("Reported by", fmt.Sprintf("%s (%s)", person(f.Reporter.Person), inline(orUnknown(string(f.Reporter.Via)))))
	if f.Channel != nil {
		m.row("Channel", inline("#"+f.Channel.Name))
	}
	if f.BridgeURL != "" {
		m.row("Bridge", link(f.BridgeURL, f.BridgeURL))
	}
	if f.Follows != "" {
		m.row("Follows", f.Follows)
	}
}

// severity tells the present one and how it came to it.
func severity(f postmortem.Facts) string {
	if len(f.Severities) < 2 {
		return inline(string(f.Severity))
	}
	var steps []string
	for _, s := range f.Severities {
		steps = append(steps, fmt.Sprintf("%s since %s UTC", inline(string(s.Severity)), s.Since.UTC().Format("2006-01-02 15:04:05")))
	}
	return fmt.Sprintf("%s (%s)", inline(string(f.Severity)), strings.Join(steps, ", "))
}

func (m *markdown) times(moments []postmortem.Moment) {
	m.section("Key times")
	m.head(append(append([]string{"Moment"}, m.zones()...), "Precision", "Source")...)
	for _, moment := range moments {
		cells := []string{inline(string(moment.Key))}
		if moment.At == nil {
			cells = append(cells, "unknown")
			if m.zone != time.UTC {
				cells = append(cells, "unknown")
			}
			m.row(append(cells, "", "")...)
			continue
		}
		cells = append(cells, m.both(*moment.At, moment.Precision)...)
		m.row(append(cells, inline(string(moment.Precision)), inline(string(moment.Source)))...)
	}
}

func (m *markdown) durations(durations []postmortem.Duration) {
	m.section("Durations")
	m.line("Computed from the key times above, never typed.\n")
	m.head("Duration", "Value", "Definition")
	for _, d := range durations {
		value := inline(d.Text)
		if d.Finding != "" {
			value += ". **Finding:** " + inline(d.Finding)
		}
		m.row(inline(d.Label), value, inline(d.Definition))
	}
}

func (m *markdown) roles(holders []postmortem.Holder) {
	m.section("Roles")
	if len(holders) == 0 {
		m.line("Nobody took a role.")
		return
	}
	m.head("Role", "Person")
	for _, h := range holders {
		m.row(inline(string(h.Role)), person(h.Person))
	}
}

func (m *markdown) timeline(entries []postmortem.Entry) {
	m.section("Timeline")
	if len(entries) == 0 {
		m.line("There are no entries.")
		return
	}
	m.entries(entries)
}

func (m *markdown) entries(entries []postmortem.Entry) {
	if len(entries) == 0 {
		return
	}
	m.head(append(m.zones(), "Kind", "Who", "What")...)
	for _, e := range entries {
		text := inline(e.Text)
		if e.Permalink != "" {
			text += " (" + link("message", e.Permalink) + ")"
		}
		m.row(append(m.both(e.At, e.Precision), inline(string(e.Kind)), person(e.Actor), text)...)
	}
}

func person(p incidents.Person) string {
	if p.Name != "" {
		return inline(p.Name)
	}
	return inline(orUnknown(p.ID))
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

// zones names the columns of times.
func (m *markdown) zones() []string {
	if m.zone == time.UTC {
		return []string{"UTC"}
	}
	return []string{"UTC", inline(m.zone.String())}
}

// both writes a time in UTC and in the zone, no more exactly than it is known.
func (m *markdown) both(at time.Time, precision incidents.Precision) []string {
	cells := []string{postmortem.Clock(at.UTC(), precision)}
	if m.zone == time.UTC {
		return cells
	}
	local := at.In(m.zone)
	text := postmortem.Clock(local, precision)
	if precision != incidents.ToDay {
		text += " " + offset(local)
	}
	return append(cells, text)
}

// offset writes "+02:00 CEST"; in the night when clocks go back only this tells
// the two hours apart.
func offset(local time.Time) string {
	name := local.Format("MST")
	if strings.ContainsAny(name, "+-0123456789") {
		return local.Format("-07:00") // zones without a name of their own
	}
	return local.Format("-07:00 MST")
}
