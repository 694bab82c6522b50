package incidents

import (
	"maps"
	"slices"
	"time"
)

const (
	// armedBy is how many beats make a heart.
	armedBy = 3
	// keepDistances is how many distances of beats the interval is learned from.
	keepDistances = 9
	// fewDistances are too few to leave the longest one out.
	fewDistances = 4
	// maxPeers bounds the senders of one heart that are told apart.
	maxPeers = 8
	// pulseGap is how long nobody may have been alive here before a heart is given
	// another interval.
	pulseGap = 15 * time.Second
)

// Heart is the state of a dead man's switch: an alert that always fires, and is
// news when it does not.
type Heart struct {
	Name     string               `json:"name"`
	Beats    int                  `json:"beats"`
	LastAt   time.Time            `json:"last_at"`
	Interval time.Duration        `json:"interval,omitempty"` // as configured; 0: it is learned
	Peers    map[string]time.Time `json:"peers,omitempty"`    // the last beat of each sender of a pair
	Apart    []time.Duration      `json:"apart,omitempty"`    // the latest distances of beats of one sender
	Severity Severity             `json:"severity,omitempty"` // of an incident of its silence
	Blind    time.Time            `json:"blind_at,omitzero"`  // since when it counts as silent; zero while it beats
	Lost     int64                `json:"incident,omitempty"` // the incident of its silence
}

// beat notes a beat. The interval is learned from the beats of one sender, since
// the two of a pair may both deliver the same one.
func (h *Heart) beat(peer string, now time.Time) {
	if last, ok := h.Peers[peer]; ok && h.Blind.IsZero() && now.After(last) {
		h.Apart = append(slices.Clone(h.Apart), now.Sub(last))
		h.Apart = h.Apart[max(len(h.Apart)-keepDistances, 0):]
	}
	h.Peers = maps.Clone(h.Peers)
	if h.Peers == nil || (len(h.Peers) >= maxPeers && h.Peers[peer].IsZero()) {
		h.Peers = map[string]time.Time{}
	}
	h.Peers[peer] = now
	h.Beats++
	h.LastAt = now
}

// every is the distance of its beats; 0 while that is not known. It is the longest of
// the latest but one: senders that nothing tells apart beat in between, and a single
// beat that was late is no rhythm.
func (h *Heart) every() time.Duration {
	switch {
	case h.Beats < armedBy:
		return 0
	case h.Interval > 0:
		return h.Interval
	case len(h.Apart) < armedBy-1:
		return 0
	default:
		sorted := slices.Sorted(slices.Values(h.Apart))
		if len(sorted) < fewDistances {
			return sorted[len(sorted)-1]
		}
		return sorted[len(sorted)-2]
	}
}

// due is when its silence is news; zero while it is not armed, or known to be
// silent. since is how long somebody has been listening.
func (h *Heart) due(since time.Time) time.Time {
	every := h.every()
	if every == 0 || !h.Blind.IsZero() {
		return time.Time{}
	}
	due := h.LastAt.Add(every * 5 / 2)
	if heard := since.Add(every); heard.After(due) {
		return heard
	}
	return due
}

// heart takes a delivery of a dead man's switch.
func (in *ingestion) heart(p part) error {
	h := Heart{}
	if in.group.Heart != nil {
		h = *in.group.Heart
	}
	known := h.Beats > 0
	last := p.alerts[len(p.alerts)-1]
	route := routeFor(in.service.config.Routes, last.Labels)
	h.Name, h.Interval, h.Severity = last.Name(), route.Interval, Sev2
	if route.Severity != nil {
		h.Severity = orElse(route.Severity(last), Sev2)
	}
	in.group.Plan, in.group.Heart = route.Plan, &h
	switch {
	case last.Firing && in.merged.doubted:
		// The report of its end has overtaken it.
	case last.Firing:
		h.beat(p.peer, in.now)
		if !h.Blind.IsZero() {
			if err := in.revive(); err != nil {
				return err
			}
		}
	case known && h.Blind.IsZero() && in.ended(last.Fingerprint):
		if err := in.silence(true); err != nil {
			return err
		}
	}
	in.group.DueAt = h.due(time.Time{})
	return in.tx.SaveGroup(in.group)
}

// ended reports whether the delivery ended an alert that was known to fire.
func (in *ingestion) ended(fingerprint string) bool {
	return slices.ContainsFunc(in.merged.save, func(a Alert) bool {
		return a.Fingerprint == fingerprint && !a.Firing && a.ID != 0
	})
}

// listen looks whether a heart has stopped beating. since is how long somebody
// has been listening.
func (in *ingestion) listen(since time.Time) error {
	h := *in.group.Heart
	in.group.Heart = &h
	if due := h.due(since); !due.IsZero() && !due.After(in.now) {
		if err := in.silence(false); err != nil {
			return err
		}
	}
	in.group.DueAt = h.due(since)
	return in.tx.SaveGroup(in.group)
}

// silence opens an incident for a heart that does not beat any more, or tells it
// in the one that is open for the same source.
func (in *ingestion) silence(resolved bool) error {
	h := in.group.Heart
	lost := HeartbeatLost{
		Group: in.group.ID, Name: h.Name, Source: in.group.Source, Last: h.LastAt, Interval: h.every(), Resolved: resolved,
	}
	h.Blind = in.now
	inc, found, err := in.tx.BlindIncident(in.group.Source)
	if err != nil {
		return err
	}
	if found {
		d := newDecision(in.service.config, inc, in.group.actor(), in.now)
		d.record(lost)
		d.tell()
		h.Lost, in.group.Incident = inc.Number, inc.Number
		return in.tx.Save(d.change())
	}
	number, err := in.tx.NextNumber()
	if err != nil {
		return err
	}
	g := in.group
	g.Title, g.Summary = cut("Monitoring is blind: "+h.Name+" of "+g.Source+" is silent", MaxTitle), lost.Told().String()
	g.Severity, g.FiringSince, g.Plan.Follows = h.Severity, h.LastAt, h.Lost
	d := in.service.openForGroup(number, g, in.group.actor(), in.now, false)
	d.record(lost)
	h.Lost, in.group.Incident = number, number
	return in.tx.Save(d.change())
}

// revive tells that a heart beats again.
func (in *ingestion) revive() error {
	h := in.group.Heart
	back := HeartbeatBack{Group: in.group.ID, Name: h.Name, Source: in.group.Source, Silent: in.now.Sub(h.Blind)}
	h.Blind = time.Time{}
	if h.Lost == 0 {
		return nil
	}
	inc, err := in.tx.Incident(h.Lost)
	if err != nil {
		return err
	}
	d := newDecision(in.service.config, inc, in.group.actor(), in.now)
	d.record(back)
	d.tell()
	if err := d.allClear(in.group.Plan.Resolve, in.service.flapWindow(in.group)); err != nil {
		return err
	}
	return in.tx.Save(d.change())
}

// HeartbeatLost says that a dead man's switch is silent: whatever it watched over
// may fail without anybody being told.
type HeartbeatLost struct {
	Group    string        `json:"group"`
	Name     string        `json:"name"`
	Source   string        `json:"source"`
	Last     time.Time     `json:"last"`     // its last beat
	Interval time.Duration `json:"interval"` // of its beats; 0: not known
	Resolved bool          `json:"resolved"` // its sender says so; otherwise nothing came
}

// HeartbeatBack says that it beats again.
type HeartbeatBack struct {
	Group  string        `json:"group"`
	Name   string        `json:"name"`
	Source string        `json:"source"`
	Silent time.Duration `json:"silent"` // since it was noticed
}

// Type is the name the event is stored under.
func (HeartbeatLost) Type() string { return "heartbeat_lost" }

// Type is the name the event is stored under.
func (HeartbeatBack) Type() string { return "heartbeat_back" }

// Entry of a silent heart.
func (d HeartbeatLost) Entry() (EntryKind, string) { return AlertEntry, d.Told().String() }

// Entry of one that beats again.
func (d HeartbeatBack) Entry() (EntryKind, string) { return AlertEntry, d.Told().String() }

// Told is the entry of a silent heart.
func (d HeartbeatLost) Told() Phrase {
	last := d.Last.UTC().Format("15:04:05 MST")
	if d.Resolved {
		return Phrasef("Monitoring is blind: %s of %s, which always fires, was reported resolved; its last beat came at %s", d.Name, d.Source, last)
	}
	return Phrasef("Monitoring is blind: %s of %s comes every %s, and nothing has come since %s", d.Name, d.Source, rounded(d.Interval), last)
}

// Told is the entry of a heart that beats again.
func (d HeartbeatBack) Told() Phrase {
	return Phrasef("Monitoring sees again: %s of %s beats again after %s", d.Name, d.Source, rounded(d.Silent))
}

// rounded is a duration for reading.
func rounded(d time.Duration) string {
	if d > time.Minute {
		return d.Round(time.Minute).String()
	}
	return d.Round(time.Second).String()
}

func (d HeartbeatLost) apply(inc *Incident, _ Event) { inc.Firing = counted(inc.Firing, d.Group, 1) }

func (d HeartbeatBack) apply(inc *Incident, _ Event) { inc.Firing = counted(inc.Firing, d.Group, 0) }
