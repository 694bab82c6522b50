package postmortem

import (
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// Noticer says who or what knew of the incident first.
type Noticer string

// The noticers.
const (
	PersonFirst Noticer = "person"
	AlertFirst  Noticer = "alert"
	NobodyKnows Noticer = "unknown"
)

// Verdict is the judgement on detection: the one number that shows monitoring
// gaps closing, over many incidents, is the share that alerts noticed first.
type Verdict struct {
	First     Noticer             `json:"first"`
	Detection incidents.Detection `json:"detection"`
	// FirstAlertAt is when the first alert of the incident fired, by its sender's
	// clock, or else when it was received; nil when there was none.
	FirstAlertAt *time.Time `json:"first_alert_at"`
	FirstAlert   string     `json:"first_alert"` // its name
	// AheadSeconds is how long the alert fired before a person noticed or acted;
	// negative when it came after. Nil when one of the two is unknown.
	AheadSeconds *float64 `json:"ahead_seconds"`
	// Gap is how monitoring was blind, empty when an alert was first.
	Gap  GapType `json:"gap"`
	Text Prose   `json:"text"`
}

// verdictOf computes it from who is said to have noticed, the alerts and the
// times. What people say about detection wins over what the times suggest, and
// the text says so when the two disagree.
func verdictOf(inc incidents.Incident, events []incidents.Event, alerts []incidents.Alert) Verdict {
	v := Verdict{Detection: inc.Detection}
	first, fired := firstAlert(events, alerts)
	if fired {
		v.FirstAlertAt, v.FirstAlert = &first.at, first.name
	}
	switch {
	case inc.Detection == "":
		v.First, v.Text = NobodyKnows, say("Nobody has said who or what noticed this first.")
	case inc.Detection.ByPerson():
		v.First = PersonFirst
		v.byPerson(inc, first, fired)
	default:
		v.First = AlertFirst
		v.byAlert(events, first, fired)
	}
	return v
}

func (v *Verdict) byPerson(inc incidents.Incident, first firing, fired bool) {
	lead := fmt.Sprintf("A person noticed this before any alert did (%s).", inc.Detection)
	noticed, ok := known(inc.Times, incidents.Detected)
	if !ok {
		noticed, ok = known(inc.Times, incidents.DeclaredAt)
	}
	switch {
	case !ok && !fired:
		v.Gap, v.Text = NoAlert, say(lead, " No alert fired; monitoring would not have told.")
		return
	case !ok:
		v.Gap, v.Text = UnknownGap, say(lead, " When is not known; the first alert (", first.name, ") fired at ", first.instant(), ".")
		return
	case !fired:
		v.Gap, v.Text = NoAlert, say(lead, " No alert fired before ", noticed, "; monitoring would not have told.")
		return
	}
	ahead := noticed.At.Sub(first.at)
	seconds := ahead.Seconds()
	v.AheadSeconds = &seconds
	if ahead > 0 {
		v.Gap = Unheeded
		v.Text = say(fmt.Sprintf("A person reported this first (%s), at ", inc.Detection), noticed, ". An alert (", first.name, ") had been firing since ",
			first.instant(), ", ", spell(ahead, noticed.Precision == incidents.ToSecond), " before: monitoring knew, and nobody acted on it.")
		return
	}
	v.Gap = LateAlert
	v.Text = say(lead, " No alert fired before ", noticed, "; the first (", first.name, ") fired at ", first.instant(), ", ",
		spell(-ahead, noticed.Precision == incidents.ToSecond), " later. Monitoring would have told, but late.")
}

func (v *Verdict) byAlert(events []incidents.Event, first firing, fired bool) {
	if !fired {
		v.Text = say(fmt.Sprintf("An alert noticed it first, it is said (%s). ", v.Detection), "Houston received no alert of it.")
		return
	}
	lead := say("An alert noticed it first (", first.name, "), at ", first.instant())
	person, ok := firstPerson(events)
	if !ok {
		v.Text = say(lead, ". No person has acted on it in Houston yet.")
		return
	}
	ahead := person.Sub(first.at)
	seconds := ahead.Seconds()
	v.AheadSeconds = &seconds
	if ahead < 0 {
		v.Text = say("An alert is said to have noticed it first (", string(v.Detection), "), but a person acted at ",
			exactly(person), " and the first alert (", first.name, ") fired ", spell(-ahead, true), " later.")
		return
	}
	v.Text = say(lead, ", ", spell(ahead, true), " before a person first acted on it.")
}

// firing is the beginning of an alert.
type firing struct {
	at   time.Time
	name string
}

func (f firing) instant() incidents.Instant { return exactly(f.at) }

func exactly(at time.Time) incidents.Instant {
	return incidents.Instant{At: at, Precision: incidents.ToSecond}
}

// firstAlert finds the first alert that fired. The sender's startsAt counts
// unless it lies after the delivery or more than a day before it: senders have
// been seen to send 1970, the future, and alerts that were firing for weeks.
func firstAlert(events []incidents.Event, alerts []incidents.Alert) (first firing, found bool) {
	consider := func(at time.Time, name string) {
		if !found || at.Before(first.at) {
			first, found = firing{at, name}, true
		}
	}
	for _, e := range events {
		if data, ok := e.Data.(incidents.AlertsReceived); ok && data.Fired > 0 {
			name := "unnamed"
			if len(data.Names) > 0 {
				name = data.Names[0]
			}
			consider(e.At, name)
		}
	}
	if !found {
		for _, a := range alerts {
			if !a.StartsAt.IsZero() && !a.StartsAt.After(a.ReceivedAt) {
				consider(a.StartsAt, a.Name())
			}
		}
		return first, found
	}
	received := first.at
	for _, a := range alerts {
		if !a.StartsAt.After(received) && a.StartsAt.After(received.AddDate(0, 0, -1)) {
			consider(a.StartsAt, a.Name())
		}
	}
	return first, found
}

// firstPerson finds when a person first did something, in Slack or by the API.
func firstPerson(events []incidents.Event) (time.Time, bool) {
	for _, e := range events {
		if e.Actor.Via == incidents.FromSlack || e.Actor.Via == incidents.FromAPI {
			return e.RecordedAt, true
		}
	}
	return time.Time{}, false
}
