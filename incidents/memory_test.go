package incidents

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// memory is as much of a Store as decisions need. It does nothing at once and
// nothing by halves: a decide that fails leaves it as it was.
type memory struct {
	Store // methods it does not have panic

	incidents map[int64]Incident
	events    map[int64][]Event
	effects   map[string]Effect
	jobs      []Job
	alerts    []Alert
	groups    map[string]AlertGroup
	onces     map[string]memoryOnce
	bodies    int
	storm     int64
	settled   []Effect
	nudges    map[int64][]Nudge
	leftOut   []LeftOut

	alive, since time.Time // of the pulse
}

type memoryOnce struct {
	digest string
	number int64
}

func newMemory() *memory {
	return &memory{
		incidents: map[int64]Incident{}, events: map[int64][]Event{}, effects: map[string]Effect{},
		groups: map[string]AlertGroup{}, onces: map[string]memoryOnce{}, nudges: map[int64][]Nudge{},
	}
}

// transact undoes what do did when it fails.
func (m *memory) transact(do func() error) error {
	before := *m
	before.incidents, before.effects = maps.Clone(m.incidents), maps.Clone(m.effects)
	before.groups, before.onces = maps.Clone(m.groups), maps.Clone(m.onces)
	before.events = map[int64][]Event{}
	for n, events := range m.events {
		before.events[n] = slices.Clone(events)
	}
	before.jobs, before.alerts = slices.Clone(m.jobs), slices.Clone(m.alerts)
	err := do()
	if err != nil {
		*m = before
	}
	return err
}

func (m *memory) Declare(_ context.Context, once Once, decide func(int64) (Change, error)) (Result, error) {
	return m.once(once, func() (Change, error) { return decide(int64(len(m.incidents) + 1)) })
}

func (m *memory) Update(ctx context.Context, number int64, once Once, decide func(Incident) (Change, error)) (Result, error) {
	inc, err := m.Incident(ctx, number)
	if err != nil {
		return Result{}, err
	}
	return m.once(once, func() (Change, error) { return decide(inc) })
}

func (m *memory) UpdatePair(ctx context.Context, first, second int64, once Once, decide func(Incident, Incident, []Event) (Pair, error)) (Result, error) {
	one, err := m.Incident(ctx, first)
	if err != nil {
		return Result{}, err
	}
	other, err := m.Incident(ctx, second)
	if err != nil {
		return Result{}, err
	}
	return m.once(once, func() (Change, error) {
		pair, err := decide(one, other, m.events[first])
		if err != nil {
			return Change{}, err
		}
		for id, g := range m.groups {
			if pair.Regroup && g.Incident == first {
				g.Incident = second
				m.groups[id] = g
			}
		}
		return pair.First, m.Save(pair.Second)
	})
}

func (m *memory) once(once Once, decide func() (Change, error)) (Result, error) {
	if before, ok := m.onces[once.Key]; ok && once.Key != "" {
		if before.digest != once.Digest {
			return Result{}, Errorf(Mismatch, "This key was used with another content.")
		}
		return Result{Incident: m.incidents[before.number], Repeated: true}, nil
	}
	var result Result
	err := m.transact(func() error {
		change, err := decide()
		if err != nil {
			return err
		}
		if once.Key != "" {
			m.onces[once.Key] = memoryOnce{once.Digest, change.Incident.Number}
		}
		result.Incident = change.Incident
		return m.Save(change)
	})
	return result, err
}

// Save writes a change.
func (m *memory) Save(change Change) error {
	m.incidents[change.Incident.Number] = change.Incident
	n := change.Incident.Number
	for _, e := range change.Events {
		if e.Incident != n || e.Seq != int64(len(m.events[n])+1) {
			return fmt.Errorf("event %d of %d after %d events", e.Seq, e.Incident, len(m.events[n]))
		}
		m.events[n] = append(m.events[n], e)
	}
	m.settled = append(m.settled, change.Settles...)
	if change.Planned {
		m.nudges[n] = change.Nudges
	}
	return m.Owe(change.Effects, change.Jobs)
}

func (m *memory) Effects(_ context.Context, number int64) ([]Effect, error) {
	var list []Effect
	for _, key := range slices.Sorted(maps.Keys(m.effects)) {
		if m.effects[key].Incident == number {
			list = append(list, m.effects[key])
		}
	}
	return list, nil
}

// Owe inserts or raises effects.
func (m *memory) Owe(effects []Effect, jobs []Job) error {
	for _, e := range effects {
		row, found := m.effects[e.Key]
		switch {
		case !found || e.Generation > row.Generation:
			m.effects[e.Key] = e
		default:
			row.Wanted = max(row.Wanted, e.Wanted)
			m.effects[e.Key] = row
		}
	}
	m.jobs = append(m.jobs, jobs...)
	return nil
}

func (m *memory) Incident(_ context.Context, number int64) (Incident, error) {
	inc, ok := m.incidents[number]
	if !ok {
		return Incident{}, NotFoundIncident(number)
	}
	return inc, nil
}

func (m *memory) KeepBody(context.Context, string, time.Time, []byte) error {
	m.bodies++
	return nil
}

func (m *memory) SettleEffect(_ context.Context, e Effect) error {
	m.settled = append(m.settled, e)
	return nil
}

func (m *memory) Ingest(_ context.Context, group AlertGroup, fingerprints []string, decide func(GroupTx) error) error {
	if known, ok := m.groups[group.ID]; ok {
		group = known
	}
	return m.transact(func() error { return decide(&memoryTx{memory: m, group: group, fingerprints: fingerprints}) })
}

// memoryTx is one transaction about a group.
type memoryTx struct {
	*memory

	group        AlertGroup
	fingerprints []string
}

func (tx *memoryTx) Group() AlertGroup { return tx.group }

func (tx *memoryTx) Known() map[string]Alert {
	known := map[string]Alert{}
	for _, a := range tx.alerts { // in the order of their IDs
		if a.Group == tx.group.ID && slices.Contains(tx.fingerprints, a.Fingerprint) && (a.Firing || !known[a.Fingerprint].Firing) {
			known[a.Fingerprint] = a
		}
	}
	return known
}

func (tx *memoryTx) OpenCount() (int, error) {
	n := 0
	for _, a := range tx.alerts {
		if a.Group == tx.group.ID && a.Firing && a.Action.Counts() {
			n++
		}
	}
	return n, nil
}

func (tx *memoryTx) Ripe(route string, from, until time.Time) (n int, next time.Time, err error) {
	for _, a := range tx.alerts {
		switch {
		case a.Group != tx.group.ID || !a.Firing || a.Route != route || a.SeenAt.Before(from):
		case !a.SeenAt.After(until):
			n++
		case next.IsZero() || a.SeenAt.Before(next):
			next = a.SeenAt
		}
	}
	return n, next, nil
}

func (tx *memoryTx) OpenRoutes() ([]string, error) {
	names := map[string]bool{}
	for _, a := range tx.alerts {
		if a.Group == tx.group.ID && a.Firing && a.Action.Counts() {
			names[a.Route] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

func (m *memory) DueGroups(_ context.Context, now time.Time, _ int) ([]string, error) {
	var ids []string
	for id, g := range m.groups {
		if !g.DueAt.IsZero() && !g.DueAt.After(now) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (tx *memoryTx) SaveAlerts(alerts []Alert) error {
	for _, a := range alerts {
		if a.ID == 0 {
			a.ID = int64(len(tx.alerts) + 1)
			tx.alerts = append(tx.alerts, a)
		} else {
			tx.alerts[a.ID-1] = a
		}
	}
	open := map[string]bool{}
	for _, a := range tx.alerts {
		if key := a.Group + a.Fingerprint; a.Firing && open[key] {
			return fmt.Errorf("two open rows of %s", a.Fingerprint)
		} else if a.Firing {
			open[key] = true
		}
	}
	return nil
}

func (tx *memoryTx) SaveGroup(g AlertGroup) error {
	tx.groups[g.ID] = g
	return nil
}

func (tx *memoryTx) Incident(number int64) (Incident, error) {
	return tx.memory.Incident(context.Background(), number)
}

func (tx *memoryTx) OpenIncident(service string) (Incident, bool, error) {
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(tx.incidents))) {
		inc := tx.incidents[n]
		if inc.Status.Open() && !inc.Private && !inc.Drill &&
			((service != "" && inc.Service == service) || (service == "" && inc.Reporter.Via == FromAlert)) {
			return inc, true, nil
		}
	}
	return Incident{}, false, nil
}

func (tx *memoryTx) DeclaredSince(since time.Time) (int, error) {
	n := 0
	for _, inc := range tx.incidents {
		if inc.Reporter.Via == FromAlert && !inc.Times[DeclaredAt].At.Before(since) {
			n++
		}
	}
	return n, nil
}

func (tx *memoryTx) BlindIncident(source string) (Incident, bool, error) {
	for _, g := range tx.groups {
		if inc := tx.incidents[g.Incident]; g.Heart != nil && g.Source == source && inc.Status.Open() {
			return inc, true, nil
		}
	}
	return Incident{}, false, nil
}

func (m *memory) Pulse(_ context.Context, now time.Time, gap time.Duration) (time.Time, error) {
	if now.Sub(m.alive) > gap {
		m.since = now
	}
	m.alive = now
	return m.since, nil
}

func (m *memory) Alerts(_ context.Context, number int64, _ int) ([]Alert, error) {
	var list []Alert
	for _, a := range m.alerts {
		if g := m.groups[a.Group]; g.Incident == number && a.Action.Counts() {
			list = append(list, a)
		}
	}
	return list, nil
}

func (m *memory) GroupAlerts(_ context.Context, id string, _ int) ([]Alert, error) {
	return m.open(func(a Alert) bool { return a.Group == id }), nil
}

func (m *memory) SenderAlerts(_ context.Context, sender string, _ int) ([]Alert, error) {
	return m.open(func(a Alert) bool { return a.Sender == sender }), nil
}

func (m *memory) NoteLeftOut(_ context.Context, left LeftOut, _ ...Job) error {
	m.leftOut = append(m.leftOut, left)
	return nil
}

func (m *memory) ForgetLeftOut(context.Context, string, time.Time) error {
	m.leftOut = nil
	return nil
}

func (m *memory) OpenOf(_ context.Context, sender string, own bool) (open []GroupAlerts, err error) {
	for _, a := range m.open(func(a Alert) bool { return a.Sender == Shortened(sender) || own && a.Group == sender }) {
		open = append(open, GroupAlerts{a.Group, []string{a.Fingerprint}})
	}
	return open, nil
}

func (m *memory) Lapsed(_ context.Context, now, since time.Time, _ int) (lapsed []GroupAlerts, err error) {
	for _, a := range m.open(func(a Alert) bool { return !a.Until.IsZero() && !a.Until.After(now) }) {
		if !a.ReceivedAt.Before(since) || now.Sub(since) >= a.Until.Sub(a.ReceivedAt) {
			lapsed = append(lapsed, GroupAlerts{a.Group, []string{a.Fingerprint}})
		}
	}
	return lapsed, nil
}

func (m *memory) open(which func(Alert) bool) (open []Alert) {
	for _, a := range m.alerts {
		if a.Firing && which(a) {
			open = append(open, a)
		}
	}
	return open
}

func (m *memory) GroupsOf(_ context.Context, number int64, _ int) ([]AlertGroup, int, error) {
	var list []AlertGroup
	for _, id := range slices.Sorted(maps.Keys(m.groups)) {
		if m.groups[id].Incident == number {
			list = append(list, m.groups[id])
		}
	}
	return list, len(list), nil
}

func (tx *memoryTx) Storm() (int64, error) { return tx.storm, nil }

func (tx *memoryTx) SaveStorm(number int64) error {
	tx.storm = number
	return nil
}

func (tx *memoryTx) NextNumber() (int64, error) { return int64(len(tx.incidents) + 1), nil }

// hand is a clock that tests move.
type hand struct{ at time.Time }

func (h *hand) Now() time.Time { return h.at }

func (h *hand) forward(d time.Duration) { h.at = h.at.Add(d) }

// stage is a service over a memory, with a clock.
type stage struct {
	*Service

	t      *testing.T
	memory *memory
	clock  *hand
}

func newStage(t *testing.T, config Config) *stage {
	t.Helper()
	s := &stage{t: t, memory: newMemory(), clock: &hand{time.Date(2026, 3, 29, 14, 0, 0, 0, time.UTC)}}
	config.Store, config.Clock = s.memory, s.clock
	s.Service = NewService(config)
	t.Cleanup(s.checkReplay)
	return s
}

// checkReplay holds each row to its events.
func (s *stage) checkReplay() {
	for n, inc := range s.memory.incidents {
		replayed, err := Replay(s.memory.events[n])
		if err != nil {
			s.t.Errorf("replay %d: %v", n, err)
		}
		sameIncident(s.t, inc, replayed)
	}
}

func ada() Actor {
	return Actor{Person: Person{ID: "U1", Name: "Ada"}, Via: FromSlack, Standing: Member}
}

// declared opens incident 1 in a channel C1.
func (s *stage) declared() {
	s.t.Helper()
	if _, err := s.Declare(s.t.Context(), Declare{Request: Request{Actor: ada(), In: "C0"}, Title: "Checkout answers 500"}); err != nil {
		s.t.Fatal(err)
	}
	e := s.memory.effects[EffectKey(1, MakeChannel, "")]
	if _, err := s.ChannelMade(s.t.Context(), e, Channel{ID: "C1", Name: "inc-1"}); err != nil {
		s.t.Fatal(err)
	}
	s.memory.jobs = nil
}

func (s *stage) incident(number int64) Incident {
	s.t.Helper()
	inc, err := s.memory.Incident(s.t.Context(), number)
	if err != nil {
		s.t.Fatal(err)
	}
	return inc
}

// newest gives the kinds of the events of an incident after the first n.
func (s *stage) newest(number int64, n int) []string {
	var types []string
	for _, e := range s.memory.events[number][n:] {
		types = append(types, e.Data.Type())
	}
	return types
}

func (s *stage) owed(kind EffectKind) []string {
	var targets []string
	for _, key := range slices.Sorted(maps.Keys(s.memory.effects)) {
		if e := s.memory.effects[key]; e.Kind == kind {
			targets = append(targets, cmp.Or(e.Target, e.Key))
		}
	}
	return targets
}
