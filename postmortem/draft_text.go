package postmortem

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// summary says what users saw, how it was noticed and what ended it.
func (d *drafting) summary() string {
	lines := []string{sentence(d.inc.Title)}
	if d.inc.Summary != "" {
		lines = append(lines, sentence(short(d.inc.Summary, 500)))
	}
	return strings.Join(append(lines, d.span(), d.noticed(), d.end()), "\n\n")
}

// span says since when and how long users were affected.
func (d *drafting) span() string {
	what := d.affected
	if d.inc.Service != "" {
		what = fmt.Sprintf(d.affectedOf, short(d.inc.Service, 200))
	}
	begin, ok := known(d.times, incidents.ImpactStart)
	if !ok {
		return fmt.Sprintf(d.sinceUnknown, what)
	}
	for _, def := range definitions() {
		if def.name != "time_to_mitigate" && def.name != "time_to_resolve" {
			continue
		}
		duration := def.compute(d.times, d.language)
		if end, ok := known(d.times, def.end); ok && duration.Finding == "" {
			return fmt.Sprintf(d.fromUntil, what, d.moment(begin), d.moment(end), duration.Text)
		}
	}
	return fmt.Sprintf(d.untilUnknown, what, d.moment(begin))
}

func (d *drafting) noticed() string {
	detection := d.language.Value("detection", string(d.inc.Detection))
	switch d.verdict.First {
	case PersonFirst:
		return fmt.Sprintf(d.personNoticed, detection)
	case AlertFirst:
		return fmt.Sprintf(d.alertNoticed, detection)
	default:
		return d.noticeUnknown
	}
}

// end says when it was over and which action stood last before that. That it
// was this action which helped is for the author to say.
func (d *drafting) end() string {
	for _, step := range []struct {
		key    incidents.KeyTime
		format string
	}{{incidents.MitigatedAt, d.mitigatedAt}, {incidents.ResolvedAt, d.resolvedAt}} {
		at, ok := known(d.times, step.key)
		if !ok {
			continue
		}
		last := ""
		for _, e := range d.facts.Timeline {
			if e.Kind == incidents.Action && !cut(e.At, at.Precision).After(at.At) { // in the minute that it was, where only that is known
				last = e.Text
			}
		}
		text := fmt.Sprintf(step.format, d.moment(at))
		if last == "" {
			return text + "."
		}
		return fmt.Sprintf(d.lastAction, text, d.quote(last))
	}
	return d.notMitigated
}

func (d *drafting) impact() string {
	lines := []string{d.span()}
	for _, duration := range d.facts.Durations {
		if duration.Finding != "" {
			lines = append(lines, fmt.Sprintf(d.contradiction, duration.Finding))
		}
	}
	return strings.Join(lines, "\n\n")
}

// How a person's time is counted: what lies at most pause apart is one stretch,
// and each stretch counts a little more than its ends are apart.
const (
	pause = 15 * time.Minute
	each  = 5 * time.Minute
)

// hoursOf counts how long each person was busy, by what they did and wrote. It
// is an estimate that leans to too little: reading leaves no trace.
func hoursOf(events []incidents.Event) []Hours {
	index, list, last := map[string]int{}, []Hours{}, map[string]time.Time{}
	busy := map[string]time.Duration{}
	for _, e := range events {
		who, at := e.Actor.Person, e.RecordedAt
		if noted, ok := e.Data.(incidents.Noted); ok && noted.Message != nil {
			who, at = noted.Author, e.At
		}
		if who.ID == "" || afterwards(e.Data) {
			continue
		}
		i, ok := index[who.ID]
		if !ok {
			i = len(list)
			index[who.ID] = i
			list = append(list, Hours{Person: who, First: at, Last: at})
		}
		if gap := at.Sub(last[who.ID]); ok && gap <= pause && gap >= -pause {
			busy[who.ID] += max(gap, 0)
		} else {
			busy[who.ID] += each
		}
		last[who.ID] = at
		if at.Before(list[i].First) {
			list[i].First = at
		}
		if at.After(list[i].Last) {
			list[i].Last = at
		}
	}
	for i := range list {
		list[i].Minutes = int(busy[list[i].Person.ID].Round(time.Minute) / time.Minute)
		list[i].First, list[i].Last = cut(list[i].First, incidents.ToMinute), cut(list[i].Last, incidents.ToMinute)
	}
	return list
}

// afterwards reports events of the work on the postmortem: they say nothing of
// the time that the incident took.
func afterwards(data incidents.Data) bool {
	switch data.(type) {
	case incidents.PostmortemWritten, incidents.PostmortemMoved, incidents.PostmortemStaffed, incidents.ReviewPlanned,
		incidents.ActionChanged, incidents.GapChanged, incidents.GapAdded, incidents.ExportAsked:
		return true
	default:
		return false
	}
}

// teamTime is the measure that Houston can put forward by itself.
func (d *drafting) teamTime(people []Hours) (Measure, bool) {
	minutes := 0
	for _, h := range people {
		minutes += h.Minutes
	}
	if minutes == 0 {
		return Measure{}, false
	}
	return Measure{
		What: d.teamHours, Value: strconv.FormatFloat(float64(minutes)/60, 'f', 1, 64), Unit: d.hour, Kind: OfTeamHours,
		How: d.teamHoursHow, Estimated: true,
	}, true
}
