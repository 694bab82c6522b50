package incidents

import (
	"slices"
	"strings"
)

// Severity of an incident, sev1 (worst) to sev4.
type Severity string

// The severities. Sev3 is the default and means "not sure".
const (
	Sev1 Severity = "sev1"
	Sev2 Severity = "sev2"
	Sev3 Severity = "sev3"
	Sev4 Severity = "sev4"
)

// Severities lists all of them, the worst first.
func Severities() []Severity { return []Severity{Sev1, Sev2, Sev3, Sev4} }

// ParseSeverity reads what people type: "sev2", "SEV-2", "s2" or "2".
func ParseSeverity(text string) (Severity, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	t = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(t, "sev"), "s"), "-")
	if s := Severity("sev" + t); slices.Contains(Severities(), s) {
		return s, nil
	}
	return "", Errorf(Invalid, "%q is no severity. Use one of sev1 (worst), sev2, sev3, sev4.", text)
}

// WorseThan reports whether s is more severe than other.
func (s Severity) WorseThan(other Severity) bool { return s < other }

// Status of an incident.
type Status string

// The statuses in the order of an incident's life, then the two side exits.
const (
	Triage        Status = "triage"
	Investigating Status = "investigating"
	Identified    Status = "identified"
	Monitoring    Status = "monitoring"
	Resolved      Status = "resolved"
	Closed        Status = "closed"
	Declined      Status = "declined"
	Merged        Status = "merged"
)

// Statuses lists all of them in order.
func Statuses() []Status {
	return []Status{Triage, Investigating, Identified, Monitoring, Resolved, Closed, Declined, Merged}
}

// ParseStatus reads a status as people type it.
func ParseStatus(text string) (Status, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, s := range []Status{Status(word), statusInGerman(word)} {
		if slices.Contains(Statuses(), s) {
			return s, nil
		}
	}
	return "", Errorf(Invalid, "%q is no status. Use one of investigating, identified, monitoring, resolved.", text)
}

// Open reports whether people are still working on an incident of this status.
func (s Status) Open() bool {
	switch s {
	case Triage, Investigating, Identified, Monitoring:
		return true
	default:
		return false
	}
}

// before reports whether s comes earlier than other in an incident's life.
func (s Status) before(other Status) bool {
	return slices.Index(Statuses(), s) < slices.Index(Statuses(), other)
}

// Detection says who or what noticed the incident first.
type Detection string

// The detections.
const (
	ByAlert     Detection = "alert"
	BySLO       Detection = "slo"
	BySynthetic Detection = "synthetic"
	ByEmployee  Detection = "employee"
	ByCustomer  Detection = "customer"
	ByPartner   Detection = "partner"
	ByVendor    Detection = "vendor"
	ByChance    Detection = "chance"
)

// Detections lists all of them.
func Detections() []Detection {
	return []Detection{ByAlert, BySLO, BySynthetic, ByEmployee, ByCustomer, ByPartner, ByVendor, ByChance}
}

// ParseDetection reads a detection.
func ParseDetection(text string) (Detection, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, d := range []Detection{Detection(word), detectionInGerman(word)} {
		if slices.Contains(Detections(), d) {
			return d, nil
		}
	}
	return "", Errorf(Invalid, "%q is no detection. Use one of alert, slo, synthetic, employee, customer, partner, vendor, chance.", text)
}

// Role a person has in an incident.
type Role string

// The roles.
const (
	Commander      Role = "commander"
	Communications Role = "communications"
	Operations     Role = "operations"
	Scribe         Role = "scribe"
)

// Roles lists all of them.
func Roles() []Role { return []Role{Commander, Communications, Operations, Scribe} }

// ParseRole reads a role as people type it: "comms", "ops", "lead", "protokoll".
func ParseRole(text string) (Role, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	role := Role(word)
	switch word {
	case "comms", "communication":
		role = Communications
	case "ops", "operation":
		role = Operations
	case "ic", "lead":
		role = Commander
	default:
	}
	for _, r := range []Role{role, roleInGerman(word)} {
		if slices.Contains(Roles(), r) {
			return r, nil
		}
	}
	return "", Errorf(Invalid, "%q is no role. Use one of commander, communications, operations, scribe, like: role scribe @anna", text)
}

// EntryKind is the kind of a timeline entry.
type EntryKind string

// The kinds of timeline entries.
const (
	Observation   EntryKind = "observation"
	Hypothesis    EntryKind = "hypothesis"
	DecisionMade  EntryKind = "decision"
	Action        EntryKind = "action"
	Communication EntryKind = "communication"
	StateChange   EntryKind = "state"
	Evidence      EntryKind = "evidence"
	AlertEntry    EntryKind = "alert"
	ChangeEntry   EntryKind = "change"
)

// EntryKinds lists all of them.
func EntryKinds() []EntryKind {
	return []EntryKind{Observation, Hypothesis, DecisionMade, Action, Communication, StateChange, Evidence, AlertEntry, ChangeEntry}
}

// ParseEntryKind reads a timeline kind; empty means observation.
func ParseEntryKind(text string) (EntryKind, error) {
	if strings.TrimSpace(text) == "" {
		return Observation, nil
	}
	word := strings.ToLower(strings.TrimSpace(text))
	for _, k := range []EntryKind{EntryKind(word), entryKindInGerman(word)} {
		if slices.Contains(EntryKinds(), k) {
			return k, nil
		}
	}
	return "", Errorf(Invalid, "%q is no timeline kind. Use one of observation, hypothesis, decision, action, communication, state, evidence, alert, change.", text)
}
