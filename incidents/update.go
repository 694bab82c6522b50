package incidents

import "time"

// maxNext bounds how far ahead the next update may be promised.
const maxNext = 7 * 24 * time.Hour

// UpdatePosted is a message to everybody who follows the incident.
type UpdatePosted struct {
	Text string `json:"text"`
	// Status is the one that the update came with, empty when it stayed.
	Status Status `json:"status,omitempty"`
	// Next is when the next update is due, zero when nobody said.
	Next time.Time `json:"next,omitzero"`
}

// Type is the name the event is stored under.
func (UpdatePosted) Type() string { return "update_posted" }

// Entry of an update.
func (d UpdatePosted) Entry() (EntryKind, string) { return Communication, d.Text }

func (d UpdatePosted) apply(inc *Incident, e Event) {
	inc.LastUpdate, inc.UpdateDue, inc.ToldAt = d.Text, d.Next, e.RecordedAt
}

// Update tells everybody who follows the incident how it stands, and changes
// with it what people change in one go.
type Update struct {
	Request

	Text   string
	Status Status  // empty: as it is
	Impact *string // nil: as it is
	// Next is in how long the next update is due; 0: nobody says.
	Next time.Duration
	// Publish puts the text onto the status page as well.
	Publish bool
}

func (c Update) decide(d *decision) error {
	moves := c.Status != "" && c.Status != d.inc.Status
	impact, err := changed(c.Impact, d.inc.Impact)
	if err != nil {
		return err
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	if text == "" && (c.Publish || (!moves && impact == nil)) {
		return Errorf(Invalid, "An update needs a text. Write it like: update We found the cause and are restarting the broker service")
	}
	if c.Next < 0 || c.Next > maxNext {
		return Errorf(Invalid, "The next update can be promised for the next seven days at most.")
	}
	if impact != nil {
		d.record(FactsChanged{Impact: impact})
		if text == "" && !moves {
			d.tell()
		}
	}
	switch {
	case moves && text != "" && c.Status != Resolved && d.inc.Status.Open():
		if err := mayMove(d.inc, c.Status); err != nil {
			return err
		}
		d.record(StatusChanged{From: d.inc.Status, To: c.Status})
	case moves:
		if err := (SetStatus{Request: c.Request, Status: c.Status, Text: text}).decide(d); err != nil {
			return err
		}
	}
	if text != "" && (!moves || d.inc.Status.Open()) {
		c.post(d, text, moves)
	}
	if c.Publish {
		if err := d.config.Permissions.may(c.Actor, ToPublish); err != nil {
			return err
		}
		return PublishNotice{Request: c.Request, Status: noticeFor(d.inc.Status), Text: text}.publish(d)
	}
	return nil
}

func (c Update) post(d *decision, text string, moved bool) {
	posted := UpdatePosted{Text: text}
	if moved {
		posted.Status = c.Status
	}
	if c.Next > 0 && d.inc.Status.Open() {
		posted.Next = d.now.Add(c.Next)
	}
	d.record(posted)
	d.tell()
	if _, ok := d.inc.Times[FirstUpdate]; !ok {
		d.record(KeyTimeSet{Key: FirstUpdate, Instant: Instant{At: d.now, Precision: ToSecond, Source: c.Actor.Via}})
	}
}

// noticeFor says as what a status stands on a status page.
func noticeFor(s Status) NoticeStatus {
	switch s {
	case Identified:
		return NoticeIdentified
	case Monitoring:
		return NoticeMonitoring
	case Resolved, Closed:
		return NoticeResolved
	default:
		return NoticeInvestigating
	}
}
