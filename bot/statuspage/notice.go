package statuspage

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// notice is what the public sees of one incident.
type notice struct {
	id      string
	title   string
	updates []update // newest first
}

type update struct {
	id     string
	status incidents.NoticeStatus
	text   string
	at     time.Time
}

func (n notice) status() incidents.NoticeStatus { return n.updates[0].status }
func (n notice) resolved() bool                 { return n.status() == incidents.NoticeResolved }
func (n notice) began() time.Time               { return n.updates[len(n.updates)-1].at }
func (n notice) updated() time.Time             { return n.updates[0].at }

// since is when the notice last came to a status, false when it is not in it or
// past it.
func (n notice) since(status incidents.NoticeStatus) (time.Time, bool) {
	for _, u := range n.updates {
		if u.status == status {
			return u.at, true
		}
	}
	return time.Time{}, false
}

// public makes notices of incidents, the newest first. The store has left out
// what the public must not see; it is looked at once more, since a mistake there
// could not be taken back.
func public(list []incidents.Incident) []notice {
	var notices []notice
	for _, inc := range list {
		if inc.Private || inc.Drill || inc.Notice == nil || len(inc.Notice.Updates) == 0 {
			continue
		}
		secret := secretOf(inc)
		n := notice{id: name(secret, 0), title: inc.Notice.Title}
		for _, u := range slices.Backward(inc.Notice.Updates) {
			n.updates = append(n.updates, update{id: name(secret, u.Seq), status: u.Status, text: u.Text, at: u.At.UTC()})
		}
		notices = append(notices, n)
	}
	slices.SortStableFunc(notices, func(a, b notice) int {
		return cmp.Or(b.began().Compare(a.began()), cmp.Compare(a.id, b.id))
	})
	return notices
}

// secretOf is what a notice's public names are made of. It has to be the same
// for the notice's whole life and nobody outside can know all of it: who
// reported the incident, and the microseconds of the report and of the first
// text, of which only seconds are served.
func secretOf(inc incidents.Incident) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "notice\x00%d\x00%s\x00%d\x00%d", inc.Number, inc.Reporter.ID,
		inc.Times[incidents.DeclaredAt].At.UnixMicro(), inc.Notice.Updates[0].At.UnixMicro()))
}

// name is the public name of a notice (seq 0) or of one of its texts.
func name(secret [32]byte, seq int64) string {
	sum := sha256.Sum256(fmt.Appendf(secret[:], "\x00%d", seq))
	return "n" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:15]) // a letter first, as an HTML id
}

// word says a status to people.
func word(text *templates.Catalogue, status incidents.NoticeStatus) string {
	switch status {
	case incidents.NoticeInvestigating:
		return text.Text("status_investigating")
	case incidents.NoticeIdentified:
		return text.Text("status_identified")
	case incidents.NoticeMonitoring:
		return text.Text("status_monitoring")
	case incidents.NoticeResolved:
		return text.Text("status_resolved")
	default:
		return text.Text("status_update")
	}
}

// standing says how things are on the whole: Statuspage's indicator, and words.
// Every disruption is "minor", since more would tell the severity.
func standing(text *templates.Catalogue, notices []notice) (indicator, description string) {
	watched := false
	for _, n := range notices {
		switch n.status() {
		case incidents.NoticeResolved:
		case incidents.NoticeMonitoring:
			watched = true
		default:
			return "minor", text.Text("status_disruption")
		}
	}
	if watched {
		return "minor", text.Text("status_watched")
	}
	return "none", text.Text("status_none")
}
