package incidents

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// describe keeps what an incident of this group would be called.
func (in *ingestion) describe() {
	worst := Sev4
	var lead Route
	services := map[string]bool{}
	for _, a := range in.merged.fired {
		route := routeFor(in.service.config.Routes, a.Labels)
		if sev := severityOf(route, a); sev.WorseThan(worst) {
			worst = sev
		}
		if route.Action.rank() > lead.Action.rank() {
			lead = route
		}
		if name := serviceOf(route, a); name != "" {
			services[name] = true
		}
	}
	if in.group.Severity == "" || worst.WorseThan(in.group.Severity) || in.group.Firing == len(in.merged.fired) {
		in.group.Severity = worst
	}
	if in.group.Firing == len(in.merged.fired) || lead.Action == RouteDeclare {
		follows := in.group.Plan.Follows
		in.group.Plan = lead.Plan
		in.group.Plan.Follows = follows
	}
	if len(services) == 1 {
		in.group.Service = slices.Collect(maps.Keys(services))[0]
	} else {
		in.group.Service = ""
	}
	in.group.Detection = orElse(in.detection, detectionOf(in.merged.fired))
	in.group.Title = titleOf(in.merged.fired, in.group.Service)
	if in.group.Firing == len(in.merged.fired) {
		in.group.FiringSince, in.group.Summary = in.now, ""
	}
	for _, a := range in.merged.fired {
		if plausible(a.StartsAt, in.now) && a.StartsAt.Before(in.group.FiringSince) {
			in.group.FiringSince = a.StartsAt
		}
		if in.group.Summary == "" {
			in.group.Summary = cut(orElse(a.Annotations["summary"], a.Annotations["description"]), MaxText)
		}
	}
	if said := readings(in.merged.fired, 3); len(said) > 0 && in.group.Firing == len(in.merged.fired) {
		in.group.Summary = cut(strings.TrimSpace(strings.Join(said, "\n")+"\n"+in.group.Summary), MaxText)
	}
}

// plausible reports whether an alert's start can be believed: senders have been
// seen to send 1970 and the future.
func plausible(at, now time.Time) bool {
	return at.After(now.AddDate(-1, 0, 0)) && !at.After(now)
}

// titleOf names a group of alerts as people would: the alert and its service.
func titleOf(fired []Alert, service string) string {
	names := alertNames(fired, 3)
	title := strings.Join(names, ", ")
	if more := distinctNames(fired) - len(names); more > 0 {
		title = fmt.Sprintf("%s and %d more", title, more)
	}
	if service != "" && !strings.Contains(strings.ToLower(title), strings.ToLower(service)) {
		title += " on " + service
	}
	clean, err := cleanTitle(cut(title, MaxTitle))
	if err != nil {
		return "Alerts firing"
	}
	return clean
}

// alertNames gives up to most distinct names, the commonest first.
func alertNames(alerts []Alert, most int) []string {
	count := map[string]int{}
	for _, a := range alerts {
		count[a.Name()]++
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	names = names[:min(most, len(names))]
	for i := range names {
		names[i] = cut(names[i], 60)
	}
	return names
}

func distinctNames(alerts []Alert) int {
	names := map[string]bool{}
	for _, a := range alerts {
		names[a.Name()] = true
	}
	return len(names)
}

// cut shortens text to at most n characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
