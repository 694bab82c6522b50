package web

import (
	"cmp"
	"slices"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// incidentView is an incident as the API shows it.
type incidentView struct {
	Key          string                                  `json:"key"`
	Number       int64                                   `json:"number"`
	Title        string                                  `json:"title"`
	Status       incidents.Status                        `json:"status"`
	Severity     incidents.Severity                      `json:"severity"`
	Detection    incidents.Detection                     `json:"detection"`
	Private      bool                                    `json:"private"`
	Drill        bool                                    `json:"drill"`
	Service      string                                  `json:"service"`
	Summary      string                                  `json:"summary"`
	Impact       string                                  `json:"impact"`
	UpdateDue    *time.Time                              `json:"next_update_due"` // null: nobody promised one
	MergedInto   *string                                 `json:"merged_into"`     // key; null unless merged
	Links        []string                                `json:"links"`           // keys
	Channel      *channelView                            `json:"channel"`
	BridgeURL    string                                  `json:"bridge_url"`
	StatusPage   statusPageView                          `json:"status_page"`
	Commander    *incidents.Person                       `json:"commander"`
	Times        map[incidents.KeyTime]incidents.Instant `json:"times"` // what is unknown is absent
	AlertsFiring int                                     `json:"alerts_firing"`
	Owed         []string                                `json:"owed"`
}

// channelView is the chat channel of an incident.
type channelView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type statusPageView struct {
	State string `json:"state"` // none, draft, published, resolved
	URL   string `json:"url"`
}

// statusPageOf says what the public is told of an incident on the page at url.
func statusPageOf(inc incidents.Incident, url string) statusPageView {
	switch {
	case inc.Notice == nil || url == "":
		return statusPageView{State: "none"}
	case inc.Notice.Status() == incidents.NoticeResolved:
		return statusPageView{State: "resolved", URL: url}
	default:
		return statusPageView{State: "published", URL: url}
	}
}

func viewOf(inc incidents.Incident, effects []incidents.Effect) incidentView {
	view := incidentView{
		Key: inc.Key(), Number: inc.Number, Title: inc.Title, Status: inc.Status, Severity: inc.Severity,
		Detection: inc.Detection, Private: inc.Private, Drill: inc.Drill, Service: inc.Service, Summary: inc.Summary,
		Impact: inc.Impact, UpdateDue: known(inc.UpdateDue), Links: linksOf(inc),
		BridgeURL: inc.BridgeURL, StatusPage: statusPageView{State: "none"},
		Times: inc.Times, AlertsFiring: inc.AlertsFiring(), Owed: owedOf(effects),
	}
	if view.Times == nil {
		view.Times = map[incidents.KeyTime]incidents.Instant{}
	}
	if inc.Channel != nil {
		view.Channel = &channelView{ID: inc.Channel.ID, Name: inc.Channel.Name}
	}
	if inc.MergedInto != 0 {
		view.MergedInto = new(incidents.Key(inc.MergedInto))
	}
	if person, ok := inc.Commander(); ok {
		view.Commander = &person
	}
	return view
}

// linksOf lists the keys of the incidents that have to do with one.
func linksOf(inc incidents.Incident) []string {
	numbers := slices.Concat(inc.Links, inc.Absorbed)
	slices.Sort(numbers)
	keys := []string{}
	for _, n := range slices.Compact(numbers) {
		keys = append(keys, incidents.Key(n))
	}
	return keys
}

// unseen is what is left of an incident that the asker made and may not see any
// more: enough to know that it was made.
func (v incidentView) unseen() incidentView {
	return viewOf(incidents.Incident{Number: v.Number, Private: v.Private, Status: v.Status, Severity: v.Severity, Detection: v.Detection}, nil)
}

// owedOf says in words what is not there yet or fails. What exists and only
// waits for its next edit is no news.
func owedOf(effects []incidents.Effect) []string {
	effects = slices.SortedFunc(slices.Values(effects), func(a, b incidents.Effect) int { return cmp.Compare(a.Key, b.Key) })
	owed := []string{}
	for _, e := range effects {
		switch {
		case e.Failed:
			owed = append(owed, named(e)+": failed"+because(e.Reason))
		case e.State() == incidents.Owed && e.Reason != "":
			owed = append(owed, named(e)+": failing, retrying"+because(e.Reason))
		case !e.Made() && (e.Kind != incidents.MakeArchive || e.Attempts > 0): // that one is due in days
			owed = append(owed, named(e)+": under way")
		}
	}
	return owed
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

func named(e incidents.Effect) string {
	switch e.Kind {
	case incidents.MakeInvite:
		return "invitation of " + e.Target
	case incidents.MakeAnnounce:
		return "announcement"
	case incidents.MakePage:
		return "page of " + e.Target
	case incidents.MakePost:
		return "message about event " + e.Target
	case incidents.MakeTell:
		return "direct message to " + e.Target
	case incidents.MakeBookmark:
		return e.Target + " bookmark"
	default:
		return string(e.Kind)
	}
}

// entryView is one line of the timeline.
type entryView struct {
	Seq        int64               `json:"seq"`
	At         time.Time           `json:"at"`
	RecordedAt time.Time           `json:"recorded_at"`
	Precision  incidents.Precision `json:"precision"`
	Kind       incidents.EntryKind `json:"kind"`
	Actor      incidents.Person    `json:"actor"`
	Text       string              `json:"text"`
	Permalink  string              `json:"permalink"`
	Edited     bool                `json:"edited"`   // its words were changed since
	Deleted    bool                `json:"deleted"`  // where it was written; the text says when
	Internal   bool                `json:"internal"` // never for the public
	Files      []fileView          `json:"files"`
	Until      *time.Time          `json:"until"` // null: it is a moment
	// UntilPrecision is how exactly that is known; empty for a moment.
	UntilPrecision incidents.Precision `json:"until_precision"`
	Significant    bool                `json:"significant"` // a key moment, people say
}

func entryOf(key string, e incidents.Entry) entryView {
	return entryView{
		Seq: e.Seq, At: e.At, RecordedAt: e.RecordedAt, Precision: e.Precision,
		Kind: e.Kind, Actor: e.Actor, Text: e.Text, Permalink: e.Permalink,
		Edited: e.Edited, Deleted: e.Deleted, Internal: e.Internal, Files: filesOf(key, e.Files),
		Until: known(e.Until.At), UntilPrecision: e.Until.Precision, Significant: e.Significant,
	}
}

// redactionView is the record of an entry whose words were hidden.
type redactionView struct {
	Seq    int64            `json:"seq"`
	At     time.Time        `json:"at"`
	By     incidents.Person `json:"by"`
	Reason string           `json:"reason"`
}

func redactionsOf(events []incidents.Event) []redactionView {
	views := []redactionView{}
	for _, r := range incidents.Redactions(events) {
		views = append(views, redactionView{Seq: r.Seq, At: r.At, By: r.By, Reason: r.Reason})
	}
	return views
}

// alertView is one alert of an incident. Unknown times are null.
type alertView struct {
	Fingerprint string            `json:"fingerprint"`
	Name        string            `json:"name"`
	Status      string            `json:"status"` // firing or resolved
	StartsAt    *time.Time        `json:"starts_at"`
	EndsAt      *time.Time        `json:"ends_at"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	URL         string            `json:"url"` // as the sender gave it; not to be trusted as a link
}

func alertOf(a incidents.Alert) alertView {
	view := alertView{
		Fingerprint: a.Fingerprint, Name: a.Name(), Status: "resolved", StartsAt: known(a.StartsAt), EndsAt: known(a.EndsAt),
		Labels: orEmpty(a.Labels), Annotations: orEmpty(a.Annotations), URL: a.URL,
	}
	if a.Firing {
		view.Status = "firing"
	}
	return view
}

func known(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}
