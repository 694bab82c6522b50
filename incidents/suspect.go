package incidents

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	// suspectWithin is how long before an incident's start a change is suspected.
	suspectWithin = 24 * time.Hour
	// afterEffect is how long a change that is over still counts as beside an
	// incident that begins: what it broke often shows minutes later.
	afterEffect = 30 * time.Minute
	// slack is how much later than an incident's noted start its cause can have
	// begun: starts are estimates.
	slack = 2 * time.Minute
)

// Suspect is a change that may have to do with an incident, and why.
type Suspect struct {
	Reason

	Change ChangeEvent
	near   bool // shares something that places it, not only an environment
	score  float64
}

// Reason says why a change is suspected.
type Reason struct {
	// Shared lists what both name, such as "cluster prod-1".
	Shared []string `json:"shared,omitempty"`
	// Minutes from the change's start to the incident's; negative when the change
	// began later.
	Minutes int `json:"minutes"`
	// Running says that the change was under way when the incident began.
	Running bool `json:"running,omitempty"`
	// Maintenance is the title of the announced window the change fell into.
	Maintenance string `json:"maintenance,omitempty"`
}

// Told says it in words, the strongest reason first.
func (r Reason) Told() Phrase {
	var when Phrase
	switch {
	case r.Minutes < 0:
		when = Phrasef("began %s after the incident", span(-r.Minutes))
	case r.Running:
		when = Phrasef("was under way when the incident began, since %s", span(r.Minutes))
	default:
		when = Phrasef("began %s before the incident", span(r.Minutes))
	}
	if len(r.Shared) > 0 {
		when = Phrasef("same %s; %s", strings.Join(r.Shared, ", "), when)
	}
	if r.Maintenance != "" {
		when = Phrasef("%s; during the maintenance %q", when, r.Maintenance)
	}
	return when
}

// span says minutes to people of any language.
func span(minutes int) string {
	if minutes < 120 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h", int(math.Round(float64(minutes)/60)))
}

// placing are the labels by which a change and an alert are about the same
// thing, with their weight and the names that mean the same. Those of weight 1
// say too little alone.
func placing() []struct {
	label  string
	names  []string
	weight float64
} {
	return []struct {
		label  string
		names  []string
		weight float64
	}{
		{"service", []string{"service", "sloth_service", "app", "job", "component", "deployment"}, 3},
		{"cluster", []string{"cluster", "k8s_cluster", "kubernetes_cluster"}, 2},
		{"namespace", []string{"namespace", "kubernetes_namespace", "exported_namespace"}, 2},
		{"node", []string{"node", "kubernetes_node", "nodename"}, 2},
		{"environment", []string{"environment", "env", "stage"}, 1},
		{"region", []string{"region"}, 1},
		{"team", []string{"team"}, 1},
	}
}

// traits collects what something is about: by label the values in lower case.
func traits(service string, labels ...map[string]string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	add := func(label, value string) {
		value = strings.ToLower(strings.TrimSpace(value))
		if value == "" {
			return
		}
		if all[label] == nil {
			all[label] = map[string]bool{}
		}
		all[label][value] = true
	}
	add("service", service)
	for _, set := range labels {
		for _, place := range placing() {
			for _, name := range place.names {
				add(place.label, set[name])
			}
		}
	}
	return all
}

// startOf is when an incident began as far as is known.
func startOf(inc Incident) time.Time {
	for _, key := range []KeyTime{ImpactStart, Detected, DeclaredAt} {
		if at, ok := inc.Times[key]; ok {
			return at.At
		}
	}
	return time.Time{}
}

// endOf is when an incident was over; now while it is not.
func endOf(inc Incident, now time.Time) time.Time {
	if at, ok := inc.Times[ResolvedAt]; ok && !inc.Status.Open() {
		return at.At
	}
	return now
}

func reasonAt(start time.Time, c ChangeEvent) Reason {
	return Reason{
		Minutes: int(start.Sub(c.StartedAt).Round(time.Minute).Minutes()), Running: !c.StartedAt.After(start) && c.Until().After(start),
	}
}

// suspects ranks the changes that may have to do with an incident: by what they
// share with it, then by how close before its start they began. labels are those
// of its alerts.
func suspects(inc Incident, labels []map[string]string, changes []ChangeEvent, now time.Time) []Suspect {
	start, end := startOf(inc), endOf(inc, now)
	mine := traits(inc.Service, labels...)
	var list []Suspect
	for _, c := range changes {
		c = c.asOf(now)
		if c.State == ChangeCancelled || c.State == ChangePlanned || c.StartedAt.After(end) || c.Until().Before(start.Add(-suspectWithin)) {
			continue
		}
		s := Suspect{Change: c, Reason: reasonAt(start, c)}
		own := traits(c.Service, c.Labels)
		for _, place := range placing() {
			for value := range own[place.label] {
				if mine[place.label][value] {
					s.Shared = append(s.Shared, place.label+" "+value)
					s.score += place.weight
					s.near = s.near || place.weight > 1
					break
				}
			}
		}
		if c.Kind != ChangeMaintenance {
			s.Maintenance = windowOf(c, own, changes)
		}
		distance := math.Abs(float64(s.Minutes))
		if s.Running {
			distance = 0
		}
		if c.StartedAt.Sub(start) > slack { // it can not be the cause
			s.score -= 3
		}
		s.score += 3 / (1 + distance/30)
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.Change.StartedAt.Compare(a.Change.StartedAt), cmp.Compare(b.Change.ID, a.Change.ID))
	})
	return list
}

// windowOf names the maintenance window a change fell into. A window that is
// about something else is none of its.
func windowOf(c ChangeEvent, own map[string]map[string]bool, changes []ChangeEvent) string {
	for _, w := range changes {
		if w.Kind != ChangeMaintenance || w.State == ChangeCancelled || c.StartedAt.Before(w.StartedAt) || c.StartedAt.After(w.Until()) {
			continue
		}
		if fits(own, traits(w.Service, w.Labels)) {
			return w.Title
		}
	}
	return ""
}

// fits reports whether nothing that both name differs.
func fits(a, b map[string]map[string]bool) bool {
	for label, values := range b {
		if len(a[label]) == 0 {
			continue
		}
		same := false
		for value := range values {
			same = same || a[label][value]
		}
		if !same {
			return false
		}
	}
	return true
}

// beside reports whether a suspect belongs into the timeline by itself: it
// shares what places it, and its window, with what it may have broken shortly
// after, overlaps the incident. Pushes and pipelines change nothing by themselves.
func (s Suspect) beside(inc Incident, now time.Time) bool {
	c := s.Change
	return s.near && c.Kind != ChangePush && c.Kind != ChangePipeline &&
		!c.StartedAt.After(endOf(inc, now)) && c.Until().Add(afterEffect).After(startOf(inc))
}
