package incidents

import (
	"fmt"
	"strings"
)

// Entry of the declaration.
func (d Declared) Entry() (EntryKind, string) {
	text := fmt.Sprintf("Declared as %s: %s", d.Severity, d.Title)
	if d.Status == Triage {
		text = fmt.Sprintf("Opened for triage as %s: %s", d.Severity, d.Title)
	}
	if d.Summary != "" {
		text += "\n" + d.Summary
	}
	if d.Follows != 0 {
		text += "\nFollows " + Key(d.Follows)
	}
	return StateChange, text
}

// Entry of a change of status.
func (d StatusChanged) Entry() (EntryKind, string) {
	text := fmt.Sprintf("Status: %s → %s", d.From, d.To)
	if d.Text != "" {
		text += ". " + d.Text
	}
	return StateChange, text
}

// Entry of a change of severity.
func (d SeverityChanged) Entry() (EntryKind, string) {
	return StateChange, fmt.Sprintf("Severity: %s → %s", d.From, d.To)
}

// Entry of a change of role.
func (d RoleAssigned) Entry() (EntryKind, string) {
	var text string
	switch {
	case d.Person.ID == "":
		text = fmt.Sprintf("%s gave up the role %s", d.Previous.Name, d.Role)
	case d.Previous.ID == "":
		text = fmt.Sprintf("%s took the role %s", d.Person.Name, d.Role)
	default:
		text = fmt.Sprintf("%s took the role %s over from %s", d.Person.Name, d.Role, d.Previous.Name)
	}
	if d.Summary != "" {
		text += ": " + d.Summary
	}
	return StateChange, text
}

// Entry of a key time: only the moments people reach are told.
func (d KeyTimeSet) Entry() (EntryKind, string) {
	if d.Key == MitigatedAt && !d.Instant.At.IsZero() {
		return StateChange, "Mitigated"
	}
	return "", ""
}

// Entry of a new title.
func (d Renamed) Entry() (EntryKind, string) {
	return StateChange, "Renamed to " + d.To
}

// Entry of a note.
func (d Noted) Entry() (EntryKind, string) { return d.Kind, d.Text }

// Entry of a delivery of alerts.
func (d AlertsReceived) Entry() (EntryKind, string) {
	var parts []string
	if d.Fired > 0 {
		parts = append(parts, alertCount(d.Fired)+" fired")
	}
	if d.Resolved > 0 {
		parts = append(parts, alertCount(d.Resolved)+" resolved")
	}
	text := strings.Join(parts, ", ")
	if len(d.Names) > 0 {
		text += " (" + strings.Join(d.Names, ", ") + ")"
	}
	if text == "" {
		return AlertEntry, alertCount(d.Firing) + " firing now"
	}
	return AlertEntry, fmt.Sprintf("%s; %d firing now", text, d.Firing)
}

func alertCount(n int) string {
	if n == 1 {
		return "1 alert"
	}
	return fmt.Sprintf("%d alerts", n)
}

// Entry of a failure outside: it concerns whoever reads the card, not the story.
func (EffectFailed) Entry() (EntryKind, string) { return "", "" }

// Entry of a mended effect: none.
func (EffectMended) Entry() (EntryKind, string) { return "", "" }

// Entry of a repair: none.
func (RepairAsked) Entry() (EntryKind, string) { return "", "" }

// Entry of a channel: none.
func (ChannelOpened) Entry() (EntryKind, string) { return "", "" }

// Entry of a card: none.
func (CardPosted) Entry() (EntryKind, string) { return "", "" }

// Entry of an amendment: it changes another entry.
func (Amended) Entry() (EntryKind, string) { return "", "" }

// Entry of a redaction: it removes another entry.
func (Redacted) Entry() (EntryKind, string) { return "", "" }
