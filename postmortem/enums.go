package postmortem

import (
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Audience says for whom a document is meant.
type Audience string

// The audiences.
const (
	ForTeam    Audience = "team"
	ForCompany Audience = "company"
	ForPublic  Audience = "public"
)

// Audiences lists all of them.
func Audiences() []Audience { return []Audience{ForTeam, ForCompany, ForPublic} }

// Known answers a question by yes, no, or that nobody knows yet.
type Known string

// The answers.
const (
	Yes     Known = "yes"
	No      Known = "no"
	Unknown Known = "unknown"
)

// Knowns lists all of them.
func Knowns() []Known { return []Known{Yes, No, Unknown} }

// TriggerKind says what set the incident off. It is not its cause.
type TriggerKind string

// TriggerKinds lists all of them.
func TriggerKinds() []TriggerKind {
	return []TriggerKind{
		"binary_push", "config_push", "load", "dependency", "data", "expiry", "hardware", "capacity", "attack", "none_known",
	}
}

// MeasureKind says what a number of the impact counts.
type MeasureKind string

// The kinds that are looked at.
const (
	OfTeamHours MeasureKind = "team_hours"
	OfOther     MeasureKind = "other"
)

// MeasureKinds lists all of them.
func MeasureKinds() []MeasureKind {
	return []MeasureKind{"users", "requests", "revenue", "data", "slo_budget", "support_tickets", OfTeamHours, OfOther}
}

// FactorCategory says in what a contributing factor lies. None of them is a
// person.
type FactorCategory string

// FactorCategories lists all of them.
func FactorCategories() []FactorCategory {
	return []FactorCategory{
		"design", "code", "configuration", "capacity", "dependency", "process", "observability", "communication", "other",
	}
}

// Place is where a message was told.
type Place string

// The places.
const (
	OnStatusPage Place = "status_page"
	InChannel    Place = "channel"
)

// oneOf checks a value of an enumeration; empty is allowed when it may be.
func oneOf[T ~string](what string, value T, all []T, optional bool) error {
	if (value == "" && optional) || slices.Contains(all, value) {
		return nil
	}
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = string(v)
	}
	return incidents.Errorf(incidents.Invalid, "%q is no %s. Use one of %s.", value, what, strings.Join(names, ", "))
}
