package postmortem

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Duration is a time computed from two key times. Definition is printed in
// every export, since the field does not agree on these words.
type Duration struct {
	Name       string `json:"name"`       // "time_to_detect"
	Label      string `json:"label"`      // "Time to detect (TTD)"
	Definition string `json:"definition"` // "detected − start of impact"
	// Seconds is nil when one of the two times is unknown. It may be negative.
	Seconds *float64 `json:"seconds"`
	// Text says it for people: "1 h 4 min", "about 4 min", "n/a (mitigated unknown)".
	Text string `json:"text"`
	// Finding is set when the two times contradict each other.
	Finding string `json:"finding,omitempty"`
}

// definition of a duration: End − Begin.
type definition struct {
	name       string
	end, begin incidents.KeyTime
}

func definitions() []definition {
	return []definition{
		{"time_to_detect", incidents.Detected, incidents.ImpactStart},
		{"time_to_acknowledge", incidents.Acknowledged, incidents.Paged},
		{"time_to_declare", incidents.DeclaredAt, incidents.Detected},
		{"time_to_mitigate", incidents.MitigatedAt, incidents.ImpactStart},
		{"time_to_resolve", incidents.ResolvedAt, incidents.ImpactStart},
		{"response_time", incidents.MitigatedAt, incidents.Detected},
		{"avoidable_detection_lag", incidents.Detected, incidents.FirstEvidence},
	}
}

func durations(times map[incidents.KeyTime]incidents.Instant, l Language) []Duration {
	var all []Duration
	for _, d := range definitions() {
		all = append(all, d.compute(times, l))
	}
	return all
}

func (d definition) compute(times map[incidents.KeyTime]incidents.Instant, l Language) Duration {
	w := l.words()
	result := Duration{Name: d.name, Label: w.durations[d.name], Definition: fmt.Sprintf("%s − %s", w.keyTimes[d.end], w.keyTimes[d.begin])}
	var unknown []string
	begin, ok := known(times, d.begin)
	if !ok {
		unknown = append(unknown, w.keyTimes[d.begin])
	}
	end, ok := known(times, d.end)
	if !ok {
		unknown = append(unknown, w.keyTimes[d.end])
	}
	if len(unknown) > 0 {
		result.Text = fmt.Sprintf(w.notAvailable, strings.Join(unknown, w.and))
		return result
	}
	took := end.At.Sub(begin.At)
	seconds := took.Seconds()
	result.Seconds = &seconds
	result.Text = w.spell(took, begin.Precision == incidents.ToSecond && end.Precision == incidents.ToSecond)
	if took < 0 {
		result.Finding = fmt.Sprintf(w.before, w.keyTimes[d.end], w.keyTimes[d.begin])
	}
	return result
}

// spell writes a duration: to the second when it is exact, else to the minute.
func (w *words) spell(d time.Duration, exact bool) string {
	unit, prefix := time.Second, ""
	if !exact {
		unit, prefix = time.Minute, w.about+" "
	}
	sign := ""
	if d < 0 {
		sign, d = "−", -d
	}
	d = d.Round(unit)
	var parts []string
	for _, u := range []struct {
		name string
		size time.Duration
	}{{w.day, 24 * time.Hour}, {w.hour, time.Hour}, {w.minute, time.Minute}, {w.second, time.Second}} {
		if n := d / u.size; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			d -= n * u.size
		}
	}
	switch {
	case len(parts) > 0:
		return prefix + sign + strings.Join(parts, " ")
	case exact:
		return "0 " + w.second
	default:
		return w.lessThanMinute
	}
}

// SecondsOf reads a duration as [Duration] and [SeverityDuration] spell it; nil
// for one that is not known.
func (l Language) SecondsOf(text string) *float64 {
	w := l.words()
	text, about := strings.CutPrefix(text, w.about+" ")
	text, negative := strings.CutPrefix(text, "−")
	units := map[string]time.Duration{w.day: 24 * time.Hour, w.hour: time.Hour, w.minute: time.Minute, w.second: time.Second}
	fields, took := strings.Fields(text), time.Duration(0)
	if text == w.lessThanMinute && !about {
		return new(float64)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		n, err := strconv.Atoi(fields[i])
		unit, ok := units[fields[i+1]]
		if err != nil || !ok {
			return nil
		}
		took += time.Duration(n) * unit
	}
	if len(fields) == 0 || len(fields)%2 != 0 {
		return nil
	}
	if negative {
		took = -took
	}
	seconds := took.Seconds()
	return &seconds
}
