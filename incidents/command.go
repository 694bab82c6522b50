package incidents

import (
	"strconv"
	"strings"
	"time"
)

// Command is something a person (or Houston) does to one incident; see
// [Service.Do]. The set is closed.
type Command interface {
	request() Request
	decide(d *decision) error
}

func (r Request) request() Request { return r }

// SetStatus moves an incident to another status of its life.
type SetStatus struct {
	Request

	Status Status
	Text   string
}

func (c SetStatus) decide(d *decision) error {
	from := d.inc.Status
	switch c.Status {
	case from:
		return Errorf(Conflict, "%s is %s already.", d.inc.Key(), from)
	case Resolved:
		return Resolve{Request: c.Request, Text: c.Text}.decide(d)
	case Declined:
		return Decline{Request: c.Request, Text: c.Text}.decide(d)
	case Closed:
		return Close{Request: c.Request, Text: c.Text}.decide(d)
	default:
	}
	if err := mayMove(d.inc, c.Status); err != nil {
		return err
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	d.record(StatusChanged{From: from, To: c.Status, Text: text})
	d.tell()
	return nil
}

// mayMove says whether an incident's status can be set to one of its open life.
func mayMove(inc Incident, to Status) error {
	switch {
	case to == Closed || to == Merged || to == Triage:
		return Errorf(Invalid, "An incident can not be set to %s like this. Use one of investigating, identified, monitoring, resolved.", to)
	case !inc.Status.Open():
		return Errorf(Conflict, "%s is %s. `reopen` it first.", inc.Key(), inc.Status)
	default:
		return nil
	}
}

// Resolve ends an incident for its users; the postmortem comes afterwards.
type Resolve struct {
	Request

	Text string
	At   time.Time // since when; zero: now
}

func (c Resolve) decide(d *decision) error {
	if !d.inc.Status.Open() {
		return Errorf(Conflict, "%s is %s already.", d.inc.Key(), d.inc.Status)
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	at, err := d.moment(c.At, c.Actor.Via)
	if err != nil {
		return err
	}
	d.recordAt(StatusChanged{From: d.inc.Status, To: Resolved, Text: text}, at)
	d.tell()
	d.record(KeyTimeSet{Key: ResolvedAt, Instant: at})
	if !d.inc.Drill {
		d.proposeGap()
		d.record(DraftReady{})
		d.tell()
	}
	return nil
}

// Mitigate notes that users do not suffer any more, and moves the incident to
// monitoring unless it is later already.
type Mitigate struct {
	Request

	At time.Time // zero: now
}

func (c Mitigate) decide(d *decision) error {
	if !d.inc.Status.Open() && d.inc.Status != Resolved {
		return Errorf(Conflict, "%s is %s.", d.inc.Key(), d.inc.Status)
	}
	if d.inc.Status == Resolved && c.At.IsZero() {
		return Errorf(Conflict, "%s is resolved. Say when it was mitigated: `mitigated 15m ago`.", d.inc.Key())
	}
	at, err := d.moment(c.At, c.Actor.Via)
	if err != nil {
		return err
	}
	if known, ok := d.inc.Times[MitigatedAt]; ok && c.At.IsZero() {
		return Errorf(Conflict, "%s was mitigated at %s. To correct that, say when: `mitigated 5m ago`.", d.inc.Key(), known.At.Format("15:04 MST"))
	}
	d.recordAt(KeyTimeSet{Key: MitigatedAt, Instant: at}, at)
	d.tell()
	if d.inc.Status.before(Monitoring) {
		d.recordAt(StatusChanged{From: d.inc.Status, To: Monitoring}, at)
	}
	return nil
}

// Reopen takes an ended incident up again.
type Reopen struct {
	Request

	Text string
}

func (c Reopen) decide(d *decision) error {
	if d.inc.Status.Open() {
		return Errorf(Conflict, "%s is open already (%s).", d.inc.Key(), d.inc.Status)
	}
	text, err := cleanText(c.Text)
	if err != nil {
		return err
	}
	d.record(StatusChanged{From: d.inc.Status, To: Investigating, Text: text})
	if d.inc.Channel != nil && d.inc.Channel.Archived {
		d.reopenChannel()
	}
	d.tell()
	for _, key := range []KeyTime{MitigatedAt, ResolvedAt, ClosedAt} {
		if _, ok := d.inc.Times[key]; ok {
			d.record(KeyTimeSet{Key: key})
		}
	}
	return nil
}

// SetSeverity re-rates an incident.
type SetSeverity struct {
	Request

	Severity Severity
}

func (c SetSeverity) decide(d *decision) error {
	if c.Severity == d.inc.Severity {
		return Errorf(Conflict, "%s is %s already.", d.inc.Key(), c.Severity)
	}
	d.record(SeverityChanged{From: d.inc.Severity, To: c.Severity})
	d.tell()
	return nil
}

// Assign gives a role to a person, who is invited to the channel. An empty
// person frees the role.
type Assign struct {
	Request

	Role   Role
	Person Person
	// Summary is what the person has to know who takes over; may be empty.
	Summary string
}

func (c Assign) decide(d *decision) error {
	previous := d.inc.Roles[c.Role]
	if previous.ID == c.Person.ID {
		return Errorf(Conflict, "%s has the role %s already.", orElse(c.Person.Name, "nobody"), c.Role)
	}
	d.record(RoleAssigned{Role: c.Role, Person: c.Person, Previous: previous, Summary: c.Summary})
	d.tell()
	if c.Person.ID != "" && d.inc.writable() && (c.Person.ID != c.Actor.ID || c.In != d.inc.Channel.ID) {
		d.run(MakeInvite, c.Person.ID, d.inc.Seq) // again if need be: he may have left since
	}
	if _, ok := d.inc.Times[Acknowledged]; !ok && c.Role == Commander && c.Person.ID != "" {
		d.record(KeyTimeSet{Key: Acknowledged, Instant: Instant{At: d.now, Precision: ToSecond, Source: c.Actor.Via}})
	}
	if d.inc.Status == Triage && c.Role == Commander && c.Person.ID != "" {
		d.record(StatusChanged{From: Triage, To: Investigating})
	}
	return nil
}

// Note puts a line into the timeline.
type Note struct {
	Request

	Text      string
	Kind      EntryKind // empty: observation
	At        time.Time // zero: now
	Until     time.Time // when it was over; zero: it is a moment
	Permalink string
	// Significant says that it is a key moment.
	Significant bool
}

func (c Note) decide(d *decision) error {
	text, err := requireText(c.Text, "A timeline entry needs a text. Write it like: timeline Restarted the offers service at 14:05")
	if err != nil {
		return err
	}
	at, err := d.moment(c.At, c.Actor.Via)
	if err != nil {
		return err
	}
	noted := Noted{Kind: orElse(c.Kind, Observation), Text: text, Permalink: c.Permalink, Significant: c.Significant}
	if !c.Until.IsZero() {
		if noted.Until, err = d.moment(c.Until, c.Actor.Via); err != nil {
			return err
		}
		if err := spans(noted.Kind, at.At, noted.Until); err != nil {
			return err
		}
	}
	d.recordAt(noted, at)
	return nil
}

// Rename gives an incident another title.
type Rename struct {
	Request

	Title string
}

func (c Rename) decide(d *decision) error {
	title, err := cleanTitle(c.Title)
	if err != nil {
		return err
	}
	if title == d.inc.Title {
		return Errorf(Conflict, "%s has this title already.", d.inc.Key())
	}
	d.record(Renamed{From: d.inc.Title, To: title})
	return nil
}

// Repair has everything outside looked at and re-creates what is missing.
type Repair struct{ Request }

func (c Repair) decide(d *decision) error {
	d.record(RepairAsked{})
	d.jobs = append(d.jobs, RepairIncident{Incident: d.inc.Number, Version: d.inc.Seq})
	return nil
}

// tell has the last event told in the incident's channel. Before there is one only
// what the card alone would not make plain waits for it.
func (d *decision) tell() {
	if d.inc.writable() || d.inc.Channel == nil && keeps(d.events[len(d.events)-1].Data) {
		d.run(MakePost, strconv.FormatInt(d.inc.Seq, 10), 1)
	}
}

// keeps reports whether an event is told however long the channel takes.
func keeps(data Data) bool {
	switch data.(type) {
	case StatusChanged, MergedInto, UpdatePosted, DraftReady:
		return true
	default:
		return false
	}
}

// moment turns a time somebody gave, or now, into an instant.
func (d *decision) moment(at time.Time, source Source) (Instant, error) {
	if at.IsZero() {
		return Instant{At: d.now, Precision: ToSecond, Source: source}, nil
	}
	if at.After(d.now.Add(time.Minute)) {
		return Instant{}, Errorf(Invalid, "%s is in the future. Give a time that has passed.", at.UTC().Format("2006-01-02 15:04 MST"))
	}
	return Instant{At: Micros(at), Precision: ToMinute, Source: source}, nil
}

func cleanText(text string) (string, error) {
	text = strings.TrimSpace(text)
	if n := len([]rune(text)); n > MaxText {
		return "", Errorf(Invalid, "The text has %d characters; at most %d fit. Put the rest into the channel.", n, MaxText)
	}
	return text, nil
}

func requireText(text, form string) (string, error) {
	text, err := cleanText(text)
	if err == nil && text == "" {
		return "", Errorf(Invalid, "%s", Phrase{Format: form})
	}
	return text, err
}
