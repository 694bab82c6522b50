package incidents

import (
	"strconv"
	"time"
)

// AllClear is where the question stands whether an incident is over whose alerts
// are all resolved. That they are does not say so: Alertmanager tells the same of
// alerts whose Prometheus died.
type AllClear struct {
	Round int64     `json:"round"` // each is a message of its own
	At    time.Time `json:"at"`    // when it was asked
	// Answered is who said that it is still going on; zero for nobody.
	Answered Person `json:"answered,omitzero"`
}

// AlertsCleared asks whether the incident is over.
type AlertsCleared struct {
	Round int64 `json:"round"`
}

// StillGoingOn answers that it is not.
type StillGoingOn struct{}

// Type is the name the event is stored under.
func (AlertsCleared) Type() string { return "alerts_cleared" }

// Type is the name the event is stored under.
func (StillGoingOn) Type() string { return "still_going_on" }

// Entry of the question: none, the end of the last alert is told already.
func (AlertsCleared) Entry() (EntryKind, string) { return "", "" }

// Entry of the answer.
func (d StillGoingOn) Entry() (EntryKind, string) { return StateChange, d.Told().String() }

// Told is the entry of the answer.
func (StillGoingOn) Told() Phrase {
	return Phrasef("All alerts are resolved, but it is still going on")
}

func (d AlertsCleared) apply(inc *Incident, e Event) {
	inc.Clear = &AllClear{Round: d.Round, At: e.RecordedAt}
}

func (StillGoingOn) apply(inc *Incident, e Event) {
	if inc.Clear == nil {
		return
	}
	c := *inc.Clear
	c.Answered = e.Actor.Person
	inc.Clear = &c
}

// Quiet reports whether all alerts are known to be resolved.
func (inc Incident) Quiet() bool { return inc.AlertsFiring() == 0 && len(inc.Unseen) == 0 }

// allClear asks whether an open incident is over whose last alert was resolved,
// or resolves it. It is asked once: while alerts flap, the one question is
// brought up to date.
func (d *decision) allClear(resolve bool, flapWindow time.Duration) error {
	if !d.inc.Status.Open() || !d.inc.Quiet() {
		return nil
	}
	if resolve {
		return Resolve{Request: Request{Actor: d.actor}, Text: "All its alerts are resolved"}.decide(d)
	}
	round := int64(1)
	if c := d.inc.Clear; c != nil {
		if c.Answered == (Person{}) && d.now.Sub(c.At) < flapWindow {
			return nil
		}
		round = c.Round + 1
	}
	d.record(AlertsCleared{Round: round})
	return nil
}

// keepClear has the question, and the one before it, show what is true now.
func (d *decision) keepClear() {
	if !d.inc.writable() || d.inc.Clear == nil || !d.any(inQuestion) {
		return
	}
	round := d.inc.Clear.Round
	d.run(MakeClear, strconv.FormatInt(round, 10), d.inc.Seq)
	if round > 1 {
		d.run(MakeClear, strconv.FormatInt(round-1, 10), d.inc.Seq)
	}
}

// inQuestion reports whether the question shows something of an event.
func inQuestion(data Data) bool {
	switch data.(type) {
	case AlertsReceived, HeartbeatLost, HeartbeatBack, AlertsCleared, StillGoingOn, StatusChanged, MergedInto, ChannelOpened:
		return true
	default:
		return false
	}
}

// GoOn answers the question whether an incident is over with no.
type GoOn struct{ Request }

func (c GoOn) decide(d *decision) error {
	switch {
	case !d.inc.Status.Open():
		return Errorf(Conflict, "%s is %s. `reopen` it first.", d.inc.Key(), d.inc.Status)
	case d.inc.Clear == nil || !d.inc.Quiet():
		return Errorf(Conflict, "Alerts of %s are firing; nobody asks whether it is over.", d.inc.Key())
	case d.inc.Clear.Answered != Person{}:
		return Errorf(Conflict, "%s has said so already.", d.inc.Clear.Answered.Name)
	}
	d.record(StillGoingOn{})
	return nil
}
