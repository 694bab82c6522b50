package incidents

import (
	"slices"
	"strings"
	"time"
)

// NoticeStatus is what the public is told of an incident.
type NoticeStatus string

// The statuses of a notice, as public status pages name them.
const (
	NoticeInvestigating NoticeStatus = "investigating"
	NoticeIdentified    NoticeStatus = "identified"
	NoticeMonitoring    NoticeStatus = "monitoring"
	NoticeResolved      NoticeStatus = "resolved"
)

// NoticeStatuses lists all of them in order.
func NoticeStatuses() []NoticeStatus {
	return []NoticeStatus{NoticeInvestigating, NoticeIdentified, NoticeMonitoring, NoticeResolved}
}

// ParseNoticeStatus reads the status of a notice.
func ParseNoticeStatus(text string) (NoticeStatus, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, s := range []NoticeStatus{NoticeStatus(word), NoticeStatus(statusInGerman(word))} {
		if slices.Contains(NoticeStatuses(), s) {
			return s, nil
		}
	}
	return "", Errorf(Invalid, "%q is no status of a notice. Write it like: statuspage investigating Some offers are missing; we are looking into it", text)
}

// Notice is what the status page says of an incident. It has its own title:
// the internal one is never shown.
type Notice struct {
	Title   string         `json:"title"`
	Updates []NoticeUpdate `json:"updates"` // oldest first; never empty
}

// NoticeUpdate is one text on the status page.
type NoticeUpdate struct {
	Seq    int64        `json:"seq"` // of the event that published it
	Status NoticeStatus `json:"status"`
	Text   string       `json:"text"`
	At     time.Time    `json:"at"`
}

// Status is that of the last update.
func (n Notice) Status() NoticeStatus { return n.Updates[len(n.Updates)-1].Status }

// DefaultNoticeTitle is the title of a notice nobody named.
const DefaultNoticeTitle = "Service disruption"

// NoticePublished puts a text on the status page.
type NoticePublished struct {
	Title  string       `json:"title"`
	Status NoticeStatus `json:"status"`
	Text   string       `json:"text"`
}

// NoticeWithdrawn takes the text that the event Seq published off the page.
type NoticeWithdrawn struct {
	Seq int64 `json:"seq"`
}

// Type is the name the event is stored under.
func (NoticePublished) Type() string { return "notice_published" }

// Type is the name the event is stored under.
func (NoticeWithdrawn) Type() string { return "notice_withdrawn" }

// Entry of a notice.
func (d NoticePublished) Entry() (EntryKind, string) { return Communication, d.Told().String() }

// Told is the entry of a notice.
func (d NoticePublished) Told() Phrase { return Phrasef("Status page (%s): %s", d.Status, d.Text) }

// Entry of a notice taken back.
func (d NoticeWithdrawn) Entry() (EntryKind, string) { return Communication, d.Told().String() }

// Told is the entry of a notice taken back.
func (NoticeWithdrawn) Told() Phrase { return Phrasef("Took the last text off the status page") }

func (d NoticePublished) apply(inc *Incident, e Event) {
	update := NoticeUpdate{Seq: e.Seq, Status: d.Status, Text: d.Text, At: e.At}
	next := Notice{Title: d.Title, Updates: []NoticeUpdate{update}}
	if inc.Notice != nil {
		next.Updates = append(slices.Clone(inc.Notice.Updates), update)
	}
	inc.Notice = &next
}

func (d NoticeWithdrawn) apply(inc *Incident, _ Event) {
	if inc.Notice == nil {
		return
	}
	next := Notice{Title: inc.Notice.Title, Updates: slices.DeleteFunc(slices.Clone(inc.Notice.Updates), func(u NoticeUpdate) bool { return u.Seq == d.Seq })}
	inc.Notice = &next
	if len(next.Updates) == 0 {
		inc.Notice = nil
	}
}

// PublishNotice puts a text on the status page at once.
type PublishNotice struct {
	Request

	Status NoticeStatus
	Text   string
	Title  string // empty: as before, or a general one
}

func (c PublishNotice) decide(d *decision) error {
	if err := c.publish(d); err != nil {
		return err
	}
	d.tell()
	return nil
}

// Check tells beforehand why the notice would be refused for an incident.
func (c PublishNotice) Check(inc Incident) error {
	return c.publish(newDecision(Config{}, inc, c.Actor, inc.UpdatedAt))
}

// publish is decide without a word in the channel.
func (c PublishNotice) publish(d *decision) error {
	switch {
	case d.inc.Private:
		return Errorf(Conflict, "%s is private; nothing of it goes onto the status page.", d.inc.Key())
	case d.inc.Drill:
		return Errorf(Conflict, "%s is a drill; nothing of it goes onto the status page.", d.inc.Key())
	}
	text, err := requireText(c.Text, "A notice needs a text. Write it like: statuspage investigating Some offers are missing; we are looking into it")
	if err != nil {
		return err
	}
	title := c.Title
	if title == "" && d.inc.Notice != nil {
		title = d.inc.Notice.Title
	}
	if title, err = cleanTitle(orElse(title, DefaultNoticeTitle)); err != nil {
		return err
	}
	d.record(NoticePublished{Title: title, Status: c.Status, Text: text})
	return nil
}

// WithdrawNotice undoes the publication of a text: Seq as in [NoticeUpdate], 0
// for the last one.
type WithdrawNotice struct {
	Request

	Seq int64
}

func (c WithdrawNotice) decide(d *decision) error {
	if d.inc.Notice == nil {
		return Errorf(Conflict, "%s has nothing on the status page.", d.inc.Key())
	}
	last := d.inc.Notice.Updates[len(d.inc.Notice.Updates)-1]
	if c.Seq != 0 && c.Seq != last.Seq {
		return Errorf(Conflict, "Only the last text can be taken back; publish a new one instead.")
	}
	d.record(NoticeWithdrawn{Seq: last.Seq})
	d.tell()
	return nil
}
