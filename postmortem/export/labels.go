package export

import "github.com/houston-sre/houston/postmortem"

// labels are the words on a page that are neither the document's nor people's.
type labels struct {
	heading, blameless, private, privateNote, drill, drillNote, toAuthor, contents, footer string

	document, state, revision, edition, drafted, audience, services, tags, owner string
	authors, reviewers, approver, meeting, waived                                string
	facts, fact, value, status, severity, since, service, noticedBy, reportedBy  string
	channel, bridge, follows, reported                                           string
	roles, role, personLabel, nobody                                             string
	keyTimes, moment, precision, source, unknown                                 string
	durations, duration, definition, finding                                     string
	people, minutes, firstSeen, lastSeen                                         string
	what, unit, of, kind, how, estimated, yes, no                                string
	question, answer, noNumber, dataLoss, objective, regions, triggerKind        string
	term, meaning                                                                string
	who, message, internal                                                       string
	number, factor, category, evidence, latentSince, lesson, answeredBy          string
	signal, gap, lost, atMost, stateLabel, closedBy, noAction, actionItem        string
	gapNumber, expression, hold, labelsLabel, proposedGap                        string
	actionTitle, typeLabel, priority, ownerLabel, due, doneWhen, answers         string
	result, verifiedBy, tracker, closesGap, proposed, nobodyYet, notSet          string
	where, textLabel, takenBack, link                                            string

	facilitator, as, decision, survey, unsure string
	keyMoment, whyFactor                      string

	monitoringGap, theFactor, theLesson                               string
	fileElsewhere, fileGone, fileTooLarge, filesTooLarge, notInBundle string
}

func labelsOf(l postmortem.Language) *labels {
	if l == postmortem.German {
		return germanLabels()
	}
	return englishLabels()
}

func englishLabels() *labels {
	return &labels{
		heading: "Postmortem of", blameless: "Blameless: it asks how and what, never who.",
		private: "Private.", privateNote: "This incident is known to the members of its channel only. Do not pass this on.",
		drill: "Drill.", drillNote: "This was an exercise.", toAuthor: "To the author:", contents: "Sections", footer: "Made with Houston.",
		document: "Document", state: "State", revision: "Revision", edition: "Edition", drafted: "Drafted at (UTC)", audience: "Audience",
		services: "Services", tags: "Tags", owner: "Owner", authors: "Authors", reviewers: "Reviewers", approver: "Approved by",
		meeting: "Review meeting", waived: "Waived",
		facts: "Facts", fact: "Fact", value: "Value", status: "Status", severity: "Severity", since: "since", service: "Service",
		noticedBy: "Noticed by", reportedBy: "Reported by", channel: "Channel", bridge: "Bridge", follows: "Follows", reported: "Reported",
		roles: "Roles", role: "Role", personLabel: "Person", nobody: "Nobody took a role.",
		keyTimes: "Key times", moment: "Moment", precision: "Precision", source: "Source", unknown: "unknown",
		durations: "Durations", duration: "Duration", definition: "Definition", finding: "Finding:",
		people: "Time spent", minutes: "Minutes", firstSeen: "First seen (UTC)", lastSeen: "Last seen (UTC)",
		what: "What", unit: "Unit", of: "Of", kind: "Kind", how: "How measured", estimated: "Estimated", yes: "yes", no: "no",
		question: "Question", answer: "Answer", noNumber: "Why there is no number", dataLoss: "Was data lost?", objective: "Was an objective breached?",
		regions: "Which regions?", triggerKind: "What set it off?",
		term: "Term", meaning: "Meaning", who: "Who", message: "message", internal: "(internal)",
		number: "No.", factor: "Factor", category: "Category", evidence: "Evidence", latentSince: "Latent since", lesson: "Lesson", answeredBy: "Answered by",
		signal: "Signal", gap: "Gap", lost: "Lost", atMost: "at most", stateLabel: "State", closedBy: "Closed by", noAction: "no action item yet",
		actionItem: "action item", gapNumber: "Gap No.", expression: "Proposed expression", hold: "For", labelsLabel: "Labels",
		proposedGap: "(proposed by Houston)",
		actionTitle: "Action item", typeLabel: "Type", priority: "Priority", ownerLabel: "Owner", due: "Due", doneWhen: "Done when", answers: "Answers",
		result: "Result", verifiedBy: "Verified by", tracker: "Tracker", closesGap: "(closes the monitoring gap)",
		proposed: "(proposed by Houston; nobody has taken it yet)", nobodyYet: "nobody yet", notSet: "not set",
		where: "Where", textLabel: "Text", takenBack: "(taken back at %s UTC)", link: "Link",
		keyMoment: "Key moment:", whyFactor: "Why factor", facilitator: "Facilitator", as: "As", decision: "Decision", survey: "Asked afterwards", unsure: "not sure",
		monitoringGap: "monitoring gap", theFactor: "factor", theLesson: "lesson",
		fileElsewhere: "Not shown here: it is in the zip file of this postmortem, and on the incident's page.",
		fileGone:      "Not shown here: Houston does not have it where this was written.",
		fileTooLarge:  "Not shown here: it is larger than %d MB. It is in the zip file of this postmortem, and on the incident's page.",
		filesTooLarge: "Not shown here: the images of this page come to more than %d MB. It is in the zip file of this postmortem, and on the incident's page.",
		notInBundle:   "These files of the postmortem are not in here: Houston does not have them where this was written, or they were too large.",
	}
}

func germanLabels() *labels {
	return &labels{
		heading: "Postmortem zu", blameless: "Ohne Schuldzuweisung: Es fragt nach dem Wie und Was, nie nach dem Wer.",
		private: "Privat.", privateNote: "Diesen Vorfall kennen nur die Mitglieder seines Kanals. Gib ihn nicht weiter.",
		drill: "Übung.", drillNote: "Dies war eine Übung.", toAuthor: "An die Verfasser:", contents: "Abschnitte", footer: "Mit Houston erstellt.",
		document: "Dokument", state: "Stand", revision: "Fassung", edition: "Ausgabe", drafted: "Entworfen am (UTC)", audience: "Leserkreis",
		services: "Dienste", tags: "Merkmale", owner: "Verantwortlich", authors: "Verfasst von", reviewers: "Geprüft von", approver: "Freigegeben von",
		meeting: "Review-Termin", waived: "Entfällt",
		facts: "Fakten", fact: "Fakt", value: "Wert", status: "Status", severity: "Schweregrad", since: "seit", service: "Dienst",
		noticedBy: "Bemerkt durch", reportedBy: "Gemeldet von", channel: "Kanal", bridge: "Videoanruf", follows: "Folgt auf", reported: "Gemeldet",
		roles: "Rollen", role: "Rolle", personLabel: "Person", nobody: "Niemand übernahm eine Rolle.",
		keyTimes: "Zeitpunkte", moment: "Zeitpunkt", precision: "Genauigkeit", source: "Quelle", unknown: "unbekannt",
		durations: "Dauern", duration: "Dauer", definition: "Definition", finding: "Befund:",
		people: "Aufgewandte Zeit", minutes: "Minuten", firstSeen: "Zuerst (UTC)", lastSeen: "Zuletzt (UTC)",
		what: "Was", unit: "Einheit", of: "Von", kind: "Art", how: "Wie gemessen", estimated: "Geschätzt", yes: "ja", no: "nein",
		question: "Frage", answer: "Antwort", noNumber: "Warum es keine Zahl gibt", dataLoss: "Gingen Daten verloren?", objective: "Wurde ein Ziel verfehlt?",
		regions: "Welche Regionen?", triggerKind: "Was löste es aus?",
		term: "Begriff", meaning: "Bedeutung", who: "Wer", message: "Nachricht", internal: "(intern)",
		number: "Nr.", factor: "Faktor", category: "Bereich", evidence: "Beleg", latentSince: "Verborgen seit", lesson: "Erkenntnis", answeredBy: "Beantwortet durch",
		signal: "Signal", gap: "Lücke", lost: "Verloren", atMost: "höchstens", stateLabel: "Stand", closedBy: "Geschlossen durch", noAction: "noch keine Maßnahme",
		actionItem: "Maßnahme", gapNumber: "Lücke Nr.", expression: "Vorgeschlagener Ausdruck", hold: "Für", labelsLabel: "Labels",
		proposedGap: "(von Houston vorgeschlagen)",
		actionTitle: "Maßnahme", typeLabel: "Typ", priority: "Priorität", ownerLabel: "Verantwortlich", due: "Termin", doneWhen: "Erledigt, wenn", answers: "Beantwortet",
		result: "Ergebnis", verifiedBy: "Geprüft von", tracker: "Ticket", closesGap: "(schließt die Monitoring-Lücke)",
		proposed: "(von Houston vorgeschlagen; noch hat sie niemand übernommen)", nobodyYet: "noch niemand", notSet: "nicht gesetzt",
		where: "Wo", textLabel: "Text", takenBack: "(zurückgenommen um %s UTC)", link: "Link",
		keyMoment: "Schlüsselmoment:", whyFactor: "Warum Faktor", facilitator: "Moderation", as: "Als", decision: "Entscheidung", survey: "Danach gefragt", unsure: "nicht sicher",
		monitoringGap: "Monitoring-Lücke", theFactor: "Faktor", theLesson: "Erkenntnis",
		fileElsewhere: "Hier nicht zu sehen: Sie liegt in der ZIP-Datei dieses Postmortems und auf der Seite des Vorfalls.",
		fileGone:      "Hier nicht zu sehen: Houston hat sie dort nicht, wo dies geschrieben wurde.",
		fileTooLarge:  "Hier nicht zu sehen: Sie ist größer als %d MB. Sie liegt in der ZIP-Datei dieses Postmortems und auf der Seite des Vorfalls.",
		filesTooLarge: "Hier nicht zu sehen: Die Bilder dieser Seite kommen auf mehr als %d MB. Sie liegt in der ZIP-Datei dieses Postmortems und auf der Seite des Vorfalls.",
		notInBundle:   "Diese Dateien des Postmortems fehlen hier: Houston hat sie dort nicht, wo dies geschrieben wurde, oder sie waren zu groß.",
	}
}
