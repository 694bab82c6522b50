package incidents

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	silenceFor = 2 * time.Hour // unless somebody says otherwise
	maxSilence = 7 * 24 * time.Hour
	// maxSilences bounds the silences of one command: one for each name of alert
	// in each group.
	maxSilences = 20
	// readForSilence is how many alerts of an incident are read for what they have
	// in common.
	readForSilence = 1000
	// silenceLead is how long before its end a silence is extended at most.
	silenceLead = 10 * time.Minute
)

// Silence keeps alerts of an incident quiet at their Alertmanager for as long as
// the incident is open.
type Silence struct {
	ID       int64             `json:"id"` // Seq of the event that asked for it
	Source   string            `json:"source"`
	Matchers map[string]string `json:"matchers"` // labels that the alerts have
	For      time.Duration     `json:"for"`
	Until    time.Time         `json:"until"`
	By       Person            `json:"by"`
	Ended    bool              `json:"ended,omitempty"`
}

// Covers reports whether the silence keeps an alert of its source quiet.
func (s Silence) Covers(labels map[string]string) bool {
	for name, value := range s.Matchers {
		if labels[name] != value {
			return false
		}
	}
	return !s.Ended
}

// SilenceAsked has a silence created.
type SilenceAsked struct {
	Source   string            `json:"source"`
	Matchers map[string]string `json:"matchers"`
	For      time.Duration     `json:"for"`
	Until    time.Time         `json:"until"`
}

// SilenceExtended moves a silence's end.
type SilenceExtended struct {
	Silence int64     `json:"silence"`
	Until   time.Time `json:"until"`
	// Matchers are the silence's, for reading; nil when Houston did it by itself.
	Matchers map[string]string `json:"matchers,omitempty"`
}

// SilenceEnded has a silence expired.
type SilenceEnded struct {
	Silence  int64             `json:"silence"`
	Matchers map[string]string `json:"matchers"`
	// Elsewhere says that somebody did so at Alertmanager, past Houston.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// Type is the name the event is stored under.
func (SilenceAsked) Type() string { return "silence_asked" }

// Type is the name the event is stored under.
func (SilenceExtended) Type() string { return "silence_extended" }

// Type is the name the event is stored under.
func (SilenceEnded) Type() string { return "silence_ended" }

// Entry of a silence.
func (d SilenceAsked) Entry() (EntryKind, string) { return Action, d.Told().String() }

// Entry of a longer silence; that Houston keeps one is no news.
func (d SilenceExtended) Entry() (EntryKind, string) {
	if d.Matchers == nil {
		return "", ""
	}
	return Action, d.Told().String()
}

// Entry of the end of a silence.
func (d SilenceEnded) Entry() (EntryKind, string) { return Action, d.Told().String() }

// Told is the entry of a silence.
func (d SilenceAsked) Told() Phrase {
	return Phrasef("Silenced %s until %s", matcherText(d.Matchers), clockText(d.Until))
}

// Told is the entry of a longer silence.
func (d SilenceExtended) Told() Phrase {
	return Phrasef("Silenced %s until %s", matcherText(d.Matchers), clockText(d.Until))
}

// Told is the entry of the end of a silence.
func (d SilenceEnded) Told() Phrase {
	if d.Elsewhere {
		return Phrasef("The silence of %s was ended at Alertmanager", matcherText(d.Matchers))
	}
	return Phrasef("The silence of %s ends", matcherText(d.Matchers))
}

func clockText(at time.Time) string { return at.UTC().Format("15:04 MST") }

// matcherText shows matchers as Alertmanager writes them, the alert's name first.
func matcherText(matchers map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(matchers)) {
		part := fmt.Sprintf("%s=%q", name, cut(matchers[name], 60))
		if name == "alertname" {
			parts = append([]string{part}, parts...)
		} else {
			parts = append(parts, part)
		}
	}
	return "{" + cut(strings.Join(parts, ", "), 300) + "}"
}

func (d SilenceAsked) apply(inc *Incident, e Event) {
	inc.Silences = append(slices.Clone(inc.Silences), Silence{
		ID: e.Seq, Source: d.Source, Matchers: d.Matchers, For: d.For, Until: d.Until, By: e.Actor.Person,
	})
}

func (d SilenceExtended) apply(inc *Incident, _ Event) {
	inc.silence(d.Silence, func(s *Silence) { s.Until = d.Until })
}

func (d SilenceEnded) apply(inc *Incident, _ Event) {
	inc.silence(d.Silence, func(s *Silence) { s.Ended = true })
}

// silence changes one of the incident's silences.
func (inc *Incident) silence(id int64, change func(*Silence)) {
	inc.Silences = slices.Clone(inc.Silences)
	for i := range inc.Silences {
		if inc.Silences[i].ID == id {
			change(&inc.Silences[i])
		}
	}
}

// silenceTarget is what one silence is to cover.
type silenceTarget struct {
	source   string
	matchers map[string]string
}

// SilenceAlerts keeps the firing alerts of an incident quiet at their
// Alertmanager for a time (zero: two hours), or one of them, by its fingerprint.
// The silences are extended while the incident is open, and end with it.
func (s *Service) SilenceAlerts(ctx context.Context, number int64, req Request, fingerprint string, length time.Duration) (Result, error) {
	if _, err := s.Incident(ctx, number, req); err != nil && req.Actor.Standing != Unproven {
		return Result{}, err
	}
	alerts, err := s.store.Alerts(ctx, number, readForSilence)
	if err != nil {
		return Result{}, err
	}
	groups, _, err := s.store.GroupsOf(ctx, number, readForSilence)
	if err != nil {
		return Result{}, err
	}
	targets, elsewhere := silenceTargets(alerts, groups, fingerprint)
	if len(targets) == 0 && slices.ContainsFunc(alerts, func(a Alert) bool { return a.Firing && !a.Until.IsZero() }) {
		return Result{}, Errorf(Conflict, "Prometheus posts these alerts of %s to Houston itself, and it knows no silences. Have an Alertmanager send them to be able to silence them.", Key(number))
	}
	if len(targets) == 0 && elsewhere {
		return Result{}, Errorf(Conflict, "These alerts of %s did not come from an Alertmanager, so Houston can silence nothing. Silence them where they came from.", Key(number))
	}
	for _, t := range targets {
		if err := s.hasAlertmanager(t.source); err != nil {
			return Result{}, err
		}
	}
	if length == 0 {
		length = silenceFor
	}
	return s.Do(ctx, number, silenceAlerts{Request: req, length: length, targets: targets})
}

// knowsAlertmanager reports whether somebody can be asked about the alerts of a
// source: an Alertmanager of that name, or the only one.
func (s *Service) knowsAlertmanager(source string) bool {
	known := s.config.Alertmanagers
	return len(known) == 1 || slices.Contains(known, source)
}

// hasAlertmanager says when nobody can silence the alerts of a source.
func (s *Service) hasAlertmanager(source string) error {
	switch {
	case s.knowsAlertmanager(source):
		return nil
	case len(s.config.Alertmanagers) == 0:
		return Errorf(Invalid, "No Alertmanager is configured, so nothing can be silenced. Whoever runs Houston writes it under `alertmanagers`.")
	default:
		return Errorf(Invalid, "Houston does not know the Alertmanager that the alerts of %s came from. Whoever runs Houston gives one of `alertmanagers` this name.", source)
	}
}

// silenceTargets finds what the firing alerts of one name in one group have in
// common: that is what is silenced. Of a single alert it is all its labels.
// elsewhere says that alerts are left out which came from no Alertmanager: one that
// does not know them would take a silence that keeps nothing quiet.
func silenceTargets(alerts []Alert, groups []AlertGroup, fingerprint string) (targets []silenceTarget, elsewhere bool) {
	of := map[string]AlertGroup{}
	for _, g := range groups {
		of[g.ID] = g
	}
	at := map[[2]string]int{}
	for _, a := range alerts {
		if !a.Firing || (fingerprint != "" && a.Fingerprint != fingerprint) {
			continue
		}
		group := of[a.Group]
		if !group.Alertmanager {
			elsewhere = true
			continue
		}
		key := [2]string{a.Group, a.Labels["alertname"]}
		i, found := at[key]
		if !found {
			at[key] = len(targets)
			targets = append(targets, silenceTarget{group.Source, maps.Clone(a.Labels)})
			continue
		}
		maps.DeleteFunc(targets[i].matchers, func(name, value string) bool { return a.Labels[name] != value })
	}
	return slices.DeleteFunc(targets, func(t silenceTarget) bool { return len(t.matchers) == 0 }), elsewhere
}

// silenceAlerts is the command of [Service.SilenceAlerts].
type silenceAlerts struct {
	Request

	length  time.Duration
	targets []silenceTarget
}

func (silenceAlerts) permission() Permission { return ToSilence }

func (c silenceAlerts) decide(d *decision) error {
	switch {
	case !d.inc.Status.Open():
		return Errorf(Conflict, "%s is %s. `reopen` it first.", d.inc.Key(), d.inc.Status)
	case len(c.targets) == 0:
		return Errorf(Conflict, "No alert of %s fires now: there is nothing to silence.", d.inc.Key())
	case len(c.targets) > maxSilences:
		return Errorf(Invalid, "That would be %d silences; at most %d are made at once. Use the button of an alert, or Alertmanager itself.", len(c.targets), maxSilences)
	case c.length < time.Minute || c.length > maxSilence:
		return Errorf(Invalid, "A silence lasts between a minute and 7 days. Write it like: silence 2h")
	}
	until := d.now.Add(c.length)
	for _, t := range c.targets {
		i := slices.IndexFunc(d.inc.Silences, func(s Silence) bool {
			return !s.Ended && s.Source == t.source && maps.Equal(s.Matchers, t.matchers)
		})
		if i >= 0 {
			d.record(SilenceExtended{Silence: d.inc.Silences[i].ID, Until: until, Matchers: t.matchers})
			d.runSilence(d.inc.Silences[i].ID)
			continue
		}
		d.record(SilenceAsked{Source: t.source, Matchers: t.matchers, For: c.length, Until: until})
		d.tell()
		d.runSilence(d.inc.Seq)
	}
	return nil
}

// SilenceKey names the effect that keeps a silence of an incident.
func SilenceKey(number, silence int64) string {
	return EffectKey(number, MakeSilence, strconv.FormatInt(silence, 10))
}

// runSilence has a silence made or brought up to date, and looked at again before
// it ends.
func (d *decision) runSilence(id int64) {
	d.run(MakeSilence, strconv.FormatInt(id, 10), d.inc.Seq)
	for _, s := range d.inc.Silences {
		if s.ID == id && !s.Ended {
			lead := min(s.For/4, silenceLead)
			d.jobs = append(d.jobs, Scheduled{Job: KeepSilence{Incident: d.inc.Number, Silence: id, Version: d.inc.Seq}, At: s.Until.Add(-lead)})
		}
	}
}

// KeepSilence looks at a silence shortly before its end.
type KeepSilence struct {
	Incident int64 `json:"incident"`
	Silence  int64 `json:"silence"`
	Version  int64 `json:"version"`
}

// Kind names the job in the queue.
func (KeepSilence) Kind() string { return "keep_silence" }

// KeepSilence extends a silence that is about to end while its incident is open.
func (s *Service) KeepSilence(ctx context.Context, job KeepSilence) error {
	_, err := s.store.Update(ctx, job.Incident, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, Houston(), s.now())
		for _, silence := range inc.Silences {
			lead := min(silence.For/4, silenceLead)
			if silence.ID == job.Silence && !silence.Ended && inc.Status.Open() && !silence.Until.Add(-lead).After(d.now) {
				d.record(SilenceExtended{Silence: silence.ID, Until: d.now.Add(silence.For)})
				d.runSilence(silence.ID)
			}
		}
		return d.change(), nil
	})
	if KindOf(err) == NotFound {
		return nil
	}
	return err
}

// Unsilence ends the silences that Houston made for an incident.
type Unsilence struct{ Request }

func (Unsilence) permission() Permission { return ToSilence }

func (c Unsilence) decide(d *decision) error {
	if !d.endSilences() {
		return Errorf(Conflict, "Houston has silenced nothing for %s.", d.inc.Key())
	}
	return nil
}

// keepSilences ends the silences of an incident that is over.
func (d *decision) keepSilences() {
	if !d.inc.Status.Open() {
		d.endSilences()
	}
}

func (d *decision) endSilences() bool {
	ended := false
	for _, s := range d.inc.Silences {
		if !s.Ended {
			d.record(SilenceEnded{Silence: s.ID, Matchers: s.Matchers})
			d.runSilence(s.ID)
			ended = true
		}
	}
	return ended
}
