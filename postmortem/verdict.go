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
	Gap  incidents.GapKind `json:"gap"`
	Text string            `json:"text"`
}

// verdictOf computes it from who is said to have noticed, the alerts and the
// times. What people say about detection wins over what the times suggest, and
// the text says so when the two disagree.
func (w writer) verdictOf(inc incidents.Incident, times map[incidents.KeyTime]incidents.Instant, events []incidents.Event, alerts []incidents.Alert) Verdict {
	v := Verdict{Detection: inc.Detection}
	first, fired := firstAlert(events, alerts, w.unnamed)
	if fired {
		v.FirstAlertAt, v.FirstAlert = &first.at, first.name
	}
	switch {
	case inc.Detection == "":
		v.First, v.Text = NobodyKnows, w.nobodySaid
	case inc.Detection.ByPerson():
		v.First = PersonFirst
		v.byPerson(w, times, first, fired)
	default:
		v.First = AlertFirst
		v.byAlert(w, events, first, fired)
	}
	return v
}

func (v *Verdict) byPerson(w writer, times map[incidents.KeyTime]incidents.Instant, first firing, fired bool) {
	detection := w.language.Value("detection", string(v.Detection))
	lead := fmt.Sprintf(w.personFirst, detection)
	noticed, ok := known(times, incidents.Detected)
	if !ok {
		noticed, ok = known(times, incidents.DeclaredAt)
	}
	switch {
	case !ok && !fired:
		v.Gap, v.Text = incidents.GapNoAlert, fmt.Sprintf(w.noAlertEver, lead)
		return
	case !ok:
		v.Gap, v.Text = incidents.GapUnknown, fmt.Sprintf(w.whenUnknown, lead, first.name, w.moment(first.instant()))
		return
	case !fired:
		v.Gap, v.Text = incidents.GapNoAlert, fmt.Sprintf(w.noAlertBefore, lead, w.moment(noticed))
		return
	}
	ahead := noticed.At.Sub(first.at)
	seconds := ahead.Seconds()
	v.AheadSeconds = &seconds
	exact := noticed.Precision == incidents.ToSecond
	if ahead > 0 {
		v.Gap = incidents.GapLostInNoise
		v.Text = fmt.Sprintf(w.unheeded, detection, w.moment(noticed), first.name, w.moment(first.instant()), w.spell(ahead, exact))
		return
	}
	v.Gap = incidents.GapTooSlow
	v.Text = fmt.Sprintf(w.lateAlert, lead, w.moment(noticed), first.name, w.moment(first.instant()), w.spell(-ahead, exact))
}

func (v *Verdict) byAlert(w writer, events []incidents.Event, first firing, fired bool) {
	detection := w.language.Value("detection", string(v.Detection))
	if !fired {
		v.Text = fmt.Sprintf(w.alertSaid, detection)
		return
	}
	lead := fmt.Sprintf(w.alertFirstAt, first.name, w.moment(first.instant()))
	person, ok := firstPerson(events)
	if !ok {
		v.Text = fmt.Sprintf(w.nobodyActed, lead)
		return
	}
	ahead := person.Sub(first.at)
	seconds := ahead.Seconds()
	v.AheadSeconds = &seconds
	if ahead < 0 {
		v.Text = fmt.Sprintf(w.alertWasAfter, detection, w.moment(exactly(person)), first.name, w.spell(-ahead, true))
		return
	}
	v.Text = fmt.Sprintf(w.aheadOf, lead, w.spell(ahead, true))
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
func firstAlert(events []incidents.Event, alerts []incidents.Alert, unnamed string) (first firing, found bool) {
	consider := func(at time.Time, name string) {
		if !found || at.Before(first.at) {
			first, found = firing{at, short(name, 200)}, true
		}
	}
	for _, e := range events {
		if data, ok := e.Data.(incidents.AlertsReceived); ok && data.Fired > 0 {
			name := unnamed
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
