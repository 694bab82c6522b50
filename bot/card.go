package bot

import (
	"cmp"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// Card is what an incident's card says, for any chat.
type Card struct {
	Key       string
	Title     string
	Severity  incidents.Severity
	Status    incidents.Status
	Private   bool
	Drill     bool
	Commander incidents.Person // zero: nobody yet
	Service   string
	Impact    string    // what users notice, or else the summary
	Update    string    // the last update's text
	UpdateDue time.Time // when the next update was promised; zero: nobody said
	BridgeURL string
	Firing    int
	Unseen    int                    // alerts that their sender left out
	Tasks     int                    // still to be done
	Notice    incidents.NoticeStatus // what the status page says; empty: nothing
	Owed      []incidents.Phrase     // in words, see [Owed]
	Open      bool
	Seq       int64 // the version it shows
}

// CardOf says what the card of an incident has to show now.
func CardOf(inc incidents.Incident, effects []incidents.Effect, name func(id string) string) Card {
	commander, _ := inc.Commander()
	var notice incidents.NoticeStatus
	if inc.Notice != nil {
		notice = inc.Notice.Status()
	}
	return Card{
		Key: inc.Key(), Title: inc.Title, Severity: inc.Severity, Status: inc.Status,
		Private: inc.Private, Drill: inc.Drill, Commander: commander, Service: inc.Service,
		Impact: cmp.Or(inc.Impact, inc.Summary), Update: inc.LastUpdate, UpdateDue: inc.UpdateDue, BridgeURL: inc.BridgeURL,
		Firing: inc.AlertsFiring(), Unseen: inc.AlertsUnseen(), Tasks: len(inc.OpenTasks()), Notice: notice, Owed: Owed(effects, name), Open: inc.Status.Open(), Seq: inc.Seq,
	}
}

// Owed says in words what could not be made outside: failing for now, or for
// good. What is merely on its way is not told. name gives a person's name.
func Owed(effects []incidents.Effect, name func(id string) string) []incidents.Phrase {
	var lines []incidents.Phrase
	sorted := slices.SortedFunc(slices.Values(effects), func(a, b incidents.Effect) int { return cmp.Compare(a.Key, b.Key) })
	for _, e := range sorted {
		switch {
		case e.Failed:
			lines = append(lines, incidents.Phrasef("%s: failed (%s)", what(e, name), templates.Reason(e.Reason)))
		case e.State() == incidents.Owed && e.Attempts > 1 && e.Reason != "":
			lines = append(lines, incidents.Phrasef("%s: failing, retrying (%s)", what(e, name), templates.Reason(e.Reason)))
		}
	}
	return lines
}

func what(e incidents.Effect, name func(id string) string) incidents.Phrase {
	switch e.Kind {
	case incidents.MakeInvite:
		if name != nil {
			return incidents.Phrasef("invitation of %s", name(e.Target))
		}
		return incidents.Phrasef("invitation of %s", e.Target)
	case incidents.MakePage:
		return incidents.Phrasef("page of %s", e.Target)
	case incidents.MakePost:
		return incidents.Phrasef("message in the channel")
	case incidents.MakeRunbook:
		return incidents.Phrasef("message about a runbook")
	case incidents.MakeTask:
		return incidents.Phrasef("message about a task")
	case incidents.MakeNudge:
		return incidents.Phrasef("a question to people")
	case incidents.MakeReply:
		return incidents.Phrasef("the reply to the report")
	case incidents.MakeChart:
		return incidents.Phrasef("the upload of a chart")
	case incidents.MakeErase:
		return incidents.Phrasef("the deletion of a file")
	case incidents.MakeFetch:
		return incidents.Phrasef("a captured file")
	case incidents.MakeTell:
		return incidents.Phrasef("direct message to the reporter")
	case incidents.MakeBookmark:
		return incidents.Phrasef("%s bookmark", e.Target)
	default:
		return incidents.Phrasef("%s", e.Kind)
	}
}
