package slack

import "context"

// doing carries a command out and gives the answer. An error is told as
// [Edge.explain] does. Of a command about an incident o.number is its number and
// o.rest what follows the key, if one was named.
type doing func(e *Edge, ctx context.Context, o order) (reply, error)

// part is what somebody wants to do at three in the morning: help is ordered by it.
type part string

// The parts of help.
const (
	partBegin part = "begin"
	partWork  part = "work"
	partTell  part = "tell"
	partEnd   part = "end"
	partAfter part = "after"
	partMend  part = "mend"
)

// parts lists them in the order of help.
func parts() []part { return []part{partBegin, partWork, partTell, partEnd, partAfter, partMend} }

// verbSpec says what one command is. The catalogue has three texts for each:
// usage_<verb>, its form; about_<verb>, what it does; and example_<verb>.
type verbSpec struct {
	verb verb
	part part
	// anywhere: it is about no incident that stands already. The others are done
	// to the incident of the channel, or to the one that is named first.
	anywhere bool
	do       doing
}

// verbs is the table of all commands, in the order of help: one entry and one
// file make a new one. A command of the domain is done by [changes] of its reader.
func verbs() []verbSpec {
	return []verbSpec{
		{verb: verbDeclare, part: partBegin, anywhere: true, do: (*Edge).declare},
		{verb: verbDrill, part: partBegin, anywhere: true, do: (*Edge).declare},
		{verb: verbCatchup, part: partBegin, do: (*Edge).catchup},
		{verb: verbList, part: partBegin, anywhere: true, do: (*Edge).list},
		{verb: verbWeb, part: partBegin, anywhere: true, do: (*Edge).web},

		{verb: verbLead, part: partWork, do: changes((*Edge).readLead)},
		{verb: verbRole, part: partWork, do: changes((*Edge).readRole)},
		{verb: verbPage, part: partWork, do: (*Edge).page},
		{verb: verbTask, part: partWork, do: changes((*Edge).readTask)},
		{verb: verbTimeline, part: partWork, do: changes((*Edge).readNote)},
		{verb: verbChanges, part: partWork, do: (*Edge).suspects},
		{verb: verbChart, part: partWork, do: (*Edge).chart},
		{verb: verbSilence, part: partWork, do: (*Edge).silence},
		{verb: verbBridge, part: partWork, do: (*Edge).bridge},

		{verb: verbStatus, part: partTell, do: changes((*Edge).readStatus)},
		{verb: verbSeverity, part: partTell, do: changes((*Edge).readSeverity)},
		{verb: verbUpdate, part: partTell, do: changes((*Edge).readUpdate)},
		{verb: verbStatuspage, part: partTell, do: (*Edge).statuspage},
		{verb: verbSnooze, part: partTell, do: changes((*Edge).readSnooze)},

		{verb: verbMitigated, part: partEnd, do: changes((*Edge).readMitigated)},
		{verb: verbResolve, part: partEnd, do: changes((*Edge).readResolve)},
		{verb: verbReopen, part: partEnd, do: changes((*Edge).readReopen)},
		{verb: verbDecline, part: partEnd, do: changes((*Edge).readDecline)},
		{verb: "merge", part: partEnd, do: (*Edge).merge},
		{verb: "link", part: partEnd, do: (*Edge).link},

		{verb: "close", part: partAfter, do: changes((*Edge).readClose)},
		{verb: verbAction, part: partAfter, do: (*Edge).actionItem},
		{verb: "postmortem", part: partAfter, do: (*Edge).postmortem},
		{verb: "gaps", part: partAfter, do: (*Edge).gaps},
		{verb: verbExport, part: partAfter, do: changes((*Edge).readExport)},

		{verb: verbRename, part: partMend, do: changes((*Edge).readRename)},
		{verb: "private", part: partMend, do: changes((*Edge).readPrivate)},
		{verb: verbRedact, part: partMend, do: (*Edge).redact},
		{verb: verbRepair, part: partMend, do: changes((*Edge).readRepair)},
		{verb: verbHelp, part: partMend, anywhere: true, do: (*Edge).help},
	}
}

// find gives the command of a verb.
func find(v verb) (verbSpec, bool) {
	for _, c := range verbs() {
		if c.verb == v {
			return c, true
		}
	}
	return verbSpec{}, false
}
