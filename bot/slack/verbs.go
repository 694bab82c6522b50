package slack

import "context"

// doing carries a command out and gives the answer. An error is told as
// [Edge.explain] does. Of a command about an incident o.number is its number and
// o.rest what follows the key, if one was named.
type doing func(e *Edge, ctx context.Context, o order) (reply, error)

// verbSpec says what one command is.
type verbSpec struct {
	verb verb
	// anywhere: it is about no incident that stands already. The others are done
	// to the incident of the channel, or to the one that is named first.
	anywhere bool
	do       doing // nil: it belongs to the surface, but is not built in this release
}

// verbs is the table of all commands: one entry and one file make a new one. A
// command of the domain is done by [changes] of its reader.
func verbs() []verbSpec {
	return []verbSpec{
		{verb: verbDeclare, anywhere: true, do: (*Edge).declare},
		{verb: verbDrill, anywhere: true, do: (*Edge).declare},
		{verb: verbList, anywhere: true, do: (*Edge).list},
		{verb: verbHelp, anywhere: true, do: (*Edge).help},

		{verb: verbStatus, do: changes((*Edge).readStatus)},
		{verb: verbSeverity, do: changes((*Edge).readSeverity)},
		{verb: verbUpdate, do: changes((*Edge).readUpdate)},
		{verb: verbLead, do: changes((*Edge).readLead)},
		{verb: verbRole, do: changes((*Edge).readRole)},
		{verb: verbTimeline, do: changes((*Edge).readNote)},
		{verb: verbMitigated, do: changes((*Edge).readMitigated)},
		{verb: verbResolve, do: changes((*Edge).readResolve)},
		{verb: verbReopen, do: changes((*Edge).readReopen)},
		{verb: verbDecline, do: changes((*Edge).readDecline)},
		{verb: verbRename, do: changes((*Edge).readRename)},
		{verb: verbRepair, do: changes((*Edge).readRepair)},
		{verb: verbAction, do: changes((*Edge).readAction)},
		{verb: verbExport, do: changes((*Edge).readExport)},
		{verb: verbStatuspage, do: (*Edge).statuspage},
		{verb: verbCatchup, do: (*Edge).catchup},
		{verb: verbChanges, do: (*Edge).suspects},

		{verb: "task"},
		{verb: "close"},
		{verb: "merge"},
		{verb: "link"},
		{verb: "private"},
		{verb: "redact"},
		{verb: "silence"},
		{verb: "page"},
		{verb: "bridge"},
		{verb: "snooze"},
		{verb: "gaps"},
		{verb: "chart"},
		{verb: "postmortem"},
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
