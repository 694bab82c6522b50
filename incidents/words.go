package incidents

// The names that people read are in the catalogues, under these keys.

// Word names the severity in the catalogues.
func (s Severity) Word() string { return "severity_" + string(s) }

// Word names the status in the catalogues.
func (s Status) Word() string { return "status_" + string(s) }

// Word names the status of a notice in the catalogues.
func (s NoticeStatus) Word() string { return "notice_" + string(s) }

// Word names the detection in the catalogues.
func (d Detection) Word() string { return "detection_" + string(d) }

// Word names the role in the catalogues.
func (r Role) Word() string { return "role_" + string(r) }

// Word names the timeline kind in the catalogues.
func (k EntryKind) Word() string { return "entry_" + string(k) }

// Word names the kind of effect in the catalogues.
func (k EffectKind) Word() string { return "effect_" + string(k) }

// The words that people type in German beside the English ones.

func statusInGerman(word string) Status {
	switch word {
	case "untersuchung", "untersuchen", "untersucht", "in untersuchung":
		return Investigating
	case "erkannt", "identifiziert", "ursache":
		return Identified
	case "beobachtung", "beobachten", "beobachtet", "überwachung", "in beobachtung":
		return Monitoring
	case "behoben", "gelöst":
		return Resolved
	case "abgeschlossen", "geschlossen":
		return Closed
	case "verworfen", "abgelehnt":
		return Declined
	case "zusammengeführt":
		return Merged
	default:
		return ""
	}
}

func detectionInGerman(word string) Detection {
	switch word {
	case "alarm":
		return ByAlert
	case "synthetisch":
		return BySynthetic
	case "mitarbeiter", "mitarbeiterin", "kollege", "kollegin", "intern":
		return ByEmployee
	case "kunde", "kundin", "kunden", "kundschaft":
		return ByCustomer
	case "partnerin":
		return ByPartner
	case "anbieter", "lieferant", "hersteller":
		return ByVendor
	case "zufall":
		return ByChance
	default:
		return ""
	}
}

func roleInGerman(word string) Role {
	switch word {
	case "einsatzleitung", "leitung", "einsatzleiter", "einsatzleiterin":
		return Commander
	case "kommunikation":
		return Communications
	case "technik", "betrieb":
		return Operations
	case "protokoll":
		return Scribe
	default:
		return ""
	}
}

func entryKindInGerman(word string) EntryKind {
	switch word {
	case "beobachtung":
		return Observation
	case "hypothese", "vermutung":
		return Hypothesis
	case "entscheidung":
		return DecisionMade
	case "aktion", "handlung", "eingriff":
		return Action
	case "kommunikation":
		return Communication
	case "status", "zustand":
		return StateChange
	case "beleg", "nachweis":
		return Evidence
	case "alarm":
		return AlertEntry
	case "änderung":
		return ChangeEntry
	default:
		return ""
	}
}

// Word names what an action item is for.
func (t ActionType) Word() string { return "purpose_" + string(t) }

// Word names a priority.
func (p Priority) Word() string { return "priority_" + string(p) }

// Word names the state of a postmortem in the catalogues.
func (s PostmortemState) Word() string { return "postmortem_" + string(s) }

// Word names the state of an action item in the catalogues.
func (s ActionState) Word() string { return "action_" + string(s) }

// Word names the state of a monitoring gap in the catalogues.
func (s GapState) Word() string { return "gap_" + string(s) }
