package incidents

import "strings"

// Entry of the declaration.
func (d Declared) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the declaration's entry.
func (d Declared) Told() Phrase {
	text := Phrasef("Declared as %s: %s", d.Severity, d.Title)
	if d.Status == Triage {
		text = Phrasef("Opened for triage as %s: %s", d.Severity, d.Title)
	}
	if d.Summary != "" {
		text = Phrasef("%s\n%s", text, d.Summary)
	}
	if d.Follows != 0 {
		text = Phrasef("%s\nFollows %s", text, Key(d.Follows))
	}
	return text
}

// Entry of a change of status.
func (d StatusChanged) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a change of status.
func (d StatusChanged) Told() Phrase {
	text := Phrasef("Status: %s → %s", d.From, d.To)
	if d.Text != "" {
		return Phrasef("%s. %s", text, d.Text)
	}
	return text
}

// Entry of a change of severity.
func (d SeverityChanged) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a change of severity.
func (d SeverityChanged) Told() Phrase { return Phrasef("Severity: %s → %s", d.From, d.To) }

// Entry of a change of role.
func (d RoleAssigned) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a change of role.
func (d RoleAssigned) Told() Phrase {
	var text Phrase
	switch {
	case d.Person.ID == "":
		text = Phrasef("%s gave up the role %s", d.Previous.Name, d.Role)
	case d.Previous.ID == "":
		text = Phrasef("%s took the role %s", d.Person.Name, d.Role)
	default:
		text = Phrasef("%s took the role %s over from %s", d.Person.Name, d.Role, d.Previous.Name)
	}
	if d.Summary != "" {
		return Phrasef("%s: %s", text, d.Summary)
	}
	return text
}

// Entry of a key time: only the moments people reach are told.
func (d KeyTimeSet) Entry() (EntryKind, string) {
	if d.Key == MitigatedAt && !d.Instant.At.IsZero() {
		return StateChange, d.Told().String()
	}
	return "", ""
}

// Told is the entry of the one key time that has one.
func (d KeyTimeSet) Told() Phrase { return Phrasef("Mitigated") }

// Entry of a new title.
func (d Renamed) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of a new title.
func (d Renamed) Told() Phrase { return Phrasef("Renamed to %s", d.To) }

// Entry of a note.
func (d Noted) Entry() (EntryKind, string) { return d.Kind, d.Text }

// Entry of a delivery of alerts.
func (d AlertsReceived) Entry() (EntryKind, string) { return AlertEntry, d.Told().String() }

// Told is the entry of a delivery of alerts.
func (d AlertsReceived) Told() Phrase {
	names := ""
	if len(d.Names) > 0 {
		names = " (" + strings.Join(d.Names, ", ") + ")"
	}
	if d.Presumed {
		return Phrasef("%s no longer at Alertmanager, presumed resolved%s; %d firing now", alertCount(d.Resolved), names, d.Firing)
	}
	if d.Elsewhere {
		return Phrasef("%s counted elsewhere from now on%s; %d firing here now", alertCount(d.Resolved), names, d.Firing)
	}
	if d.Lapsed {
		return Phrasef("%s sent no more, presumed resolved%s; %d firing now", alertCount(d.Resolved), names, d.Firing)
	}
	if d.Unseen > 0 {
		return d.toldUnseen(names)
	}
	switch {
	case d.Fired > 0 && d.Resolved > 0:
		return Phrasef("%s fired, %s resolved%s; %d firing now", alertCount(d.Fired), alertCount(d.Resolved), names, d.Firing)
	case d.Fired > 0:
		return Phrasef("%s fired%s; %d firing now", alertCount(d.Fired), names, d.Firing)
	case d.Resolved > 0:
		return Phrasef("%s resolved%s; %d firing now", alertCount(d.Resolved), names, d.Firing)
	default:
		return Phrasef("%s firing now%s", alertCount(d.Firing), names)
	}
}

// toldUnseen is the entry of a delivery from which the sender left alerts out.
func (d AlertsReceived) toldUnseen(names string) Phrase {
	return Phrasef("%s fired, %s resolved%s; %d firing now, and %d more that the sender left out",
		alertCount(d.Fired), alertCount(d.Resolved), names, d.Firing, d.Unseen)
}

func alertCount(n int) Phrase {
	if n == 1 {
		return Phrasef("1 alert")
	}
	return Phrasef("%d alerts", n)
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
