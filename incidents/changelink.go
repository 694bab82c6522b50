package incidents

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// LinkedChange is a change in the timeline of an incident.
type LinkedChange struct {
	Title string      `json:"title"`
	Seq   int64       `json:"seq"`   // of the entry
	State ChangeState `json:"state"` // as the timeline tells it
}

// ChangeLinked puts a change into the timeline, at the time it began.
type ChangeLinked struct {
	ID        int64       `json:"id"`
	Title     string      `json:"title"`
	Kind      ChangeKind  `json:"kind"`
	Service   string      `json:"service,omitempty"`
	State     ChangeState `json:"state"`
	StartedAt time.Time   `json:"started_at"`
	URL       string      `json:"url,omitempty"`
	By        string      `json:"by,omitempty"` // who made the change
	Reason    Reason      `json:"reason"`
}

// ChangeFinished tells the end of a change that is in the timeline.
type ChangeFinished struct {
	ID    int64       `json:"id"`
	Title string      `json:"title"`
	State ChangeState `json:"state"`
}

// Type is the name the event is stored under.
func (ChangeLinked) Type() string { return "change_linked" }

// Type is the name the event is stored under.
func (ChangeFinished) Type() string { return "change_finished" }

// Entry of a change.
func (d ChangeLinked) Entry() (EntryKind, string) { return ChangeEntry, d.Told().String() }

// Told is the entry of a change: what, of which service, by whom, and why it is
// told here.
func (d ChangeLinked) Told() Phrase {
	what := Phrasef("%s", d.Kind)
	if d.Service != "" && !strings.Contains(strings.ToLower(d.Title), strings.ToLower(d.Service)) {
		what = Phrasef("%s of %s", what, d.Service)
	}
	if d.By != "" {
		what = Phrasef("%s by %s", what, d.By)
	}
	if d.State.over() {
		return Phrasef("%s (%s, %s): %s", d.Title, what, d.State, d.Reason.Told())
	}
	return Phrasef("%s began (%s): %s", d.Title, what, d.Reason.Told())
}

// Entry of the end of a change.
func (d ChangeFinished) Entry() (EntryKind, string) { return ChangeEntry, d.Told().String() }

// Told is the entry of the end of a change.
func (d ChangeFinished) Told() Phrase { return Phrasef("%s ended: %s", d.Title, d.State) }

func (d ChangeLinked) apply(inc *Incident, e Event) {
	if inc.Changes == nil {
		inc.Changes = map[int64]LinkedChange{}
	}
	inc.Changes[d.ID] = LinkedChange{Title: d.Title, Seq: e.Seq, State: d.State}
}

func (d ChangeFinished) apply(inc *Incident, _ Event) {
	if linked, ok := inc.Changes[d.ID]; ok {
		linked.State = d.State
		inc.Changes[d.ID] = linked
	}
}

// LinkChange puts a change into the timeline of an incident because somebody
// says that it belongs there.
type LinkChange struct {
	Request

	Change ChangeEvent // as [Service.Suspects] gave it
	Reason Reason
}

func (c LinkChange) decide(d *decision) error {
	if _, ok := d.inc.Changes[c.Change.ID]; ok {
		return Errorf(Conflict, "%q stands in the timeline of %s already.", cut(c.Change.Title, 100), d.inc.Key())
	}
	d.linkChange(c.Change, c.Reason)
	d.tell()
	return nil
}

// linkChange records a change and, when it is over after some time, its end.
func (d *decision) linkChange(c ChangeEvent, reason Reason) {
	linked := ChangeLinked{
		ID: c.ID, Title: c.Title, Kind: c.Kind, Service: c.Service, State: c.State, StartedAt: c.StartedAt,
		URL: c.URL, By: c.Actor, Reason: reason,
	}
	long := c.Until().Sub(c.StartedAt) >= time.Minute
	if long {
		linked.State = ChangeRunning // its end is an entry of its own
	}
	d.recordAt(linked, Instant{At: c.StartedAt, Precision: ToSecond})
	if long && c.State.over() {
		d.finishChange(c)
	}
}

func (d *decision) finishChange(c ChangeEvent) {
	d.recordAt(ChangeFinished{ID: c.ID, Title: c.Title, State: c.State}, Instant{At: c.Until(), Precision: ToSecond})
}

// maxLinked bounds the changes that come into one timeline by themselves.
const maxLinked = 20

// linkFor is how long after its end an incident's timeline still takes changes.
const linkFor = time.Hour

// LinkChanges puts the changes that happened beside the incidents of now into
// their timelines. It looks at what is stored and so can be run again and again:
// a change or an incident that came late is found by the next run.
func (s *Service) LinkChanges(ctx context.Context) error {
	now := s.now()
	recent, err := s.store.Changes(ctx, ChangeQuery{Since: now.Add(-2 * suspectWithin), Until: now, Limit: 500})
	if err != nil || len(recent) == 0 {
		return err
	}
	open, err := s.store.Incidents(ctx, Query{
		Statuses: []Status{Triage, Investigating, Identified, Monitoring, Resolved}, Private: true, Limit: 200,
	})
	if err != nil {
		return err
	}
	for _, inc := range open {
		if now.Sub(endOf(inc, now)) > linkFor {
			continue
		}
		if err := s.linkChanges(ctx, inc, recent, now); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) linkChanges(ctx context.Context, inc Incident, recent []ChangeEvent, now time.Time) error {
	labels, err := s.alertLabels(ctx, inc.Number)
	if err != nil {
		return err
	}
	var link []Suspect
	for _, suspect := range suspects(inc, labels, recent, now) {
		linked, known := inc.Changes[suspect.Change.ID]
		if !known && suspect.beside(inc, now) || known && !linked.State.over() && suspect.Change.State.over() {
			link = append(link, suspect)
		}
	}
	if len(link) == 0 {
		return nil
	}
	_, err = s.store.Update(ctx, inc.Number, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, Houston(), now)
		for _, suspect := range link {
			linked, known := d.inc.Changes[suspect.Change.ID]
			switch {
			case !known && len(d.inc.Changes) < maxLinked:
				d.linkChange(suspect.Change, suspect.Reason)
				if len(d.inc.Changes) <= 3 { // more would be noise
					d.tellChange(suspect.Change.ID)
				}
			case known && !linked.State.over() && suspect.Change.State.over():
				d.finishChange(suspect.Change)
			}
		}
		return d.change(), nil
	})
	return err
}

// tellChange has the entry of a change told in the channel.
func (d *decision) tellChange(id int64) {
	if d.inc.Channel != nil {
		d.run(MakePost, strconv.FormatInt(d.inc.Changes[id].Seq, 10), 1)
	}
}

// alertLabels gives the labels of an incident's alerts.
func (s *Service) alertLabels(ctx context.Context, number int64) ([]map[string]string, error) {
	alerts, err := s.store.Alerts(ctx, number, 200)
	if err != nil {
		return nil, err
	}
	labels := make([]map[string]string, 0, len(alerts))
	for _, a := range alerts {
		labels = append(labels, a.Labels)
	}
	return labels, nil
}

// Suspects ranks the changes that may have to do with an incident, at most so
// many, the likeliest first.
func (s *Service) Suspects(ctx context.Context, inc Incident, most int) ([]Suspect, error) {
	start, now := startOf(inc), s.now()
	changes, err := s.store.Changes(ctx, ChangeQuery{Since: start.Add(-suspectWithin), Until: start.Add(slack), Limit: 500})
	if err != nil {
		return nil, err
	}
	// Those that came later must not crowd out the ones that can be the cause.
	later, err := s.store.Changes(ctx, ChangeQuery{Since: start.Add(slack), Until: endOf(inc, now), Limit: 100})
	if err != nil {
		return nil, err
	}
	for _, c := range later {
		if c.StartedAt.After(start.Add(slack)) {
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	labels, err := s.alertLabels(ctx, inc.Number)
	if err != nil {
		return nil, err
	}
	list := suspects(inc, labels, changes, now)
	return list[:min(most, len(list))], nil
}

// Suspect gives one change with why it may have to do with an incident.
func (s *Service) Suspect(ctx context.Context, inc Incident, id int64) (Suspect, error) {
	change, err := s.store.Change(ctx, id)
	if err != nil {
		return Suspect{}, err
	}
	labels, err := s.alertLabels(ctx, inc.Number)
	if err != nil {
		return Suspect{}, err
	}
	for _, suspect := range suspects(inc, labels, []ChangeEvent{change}, s.now()) {
		return suspect, nil
	}
	return Suspect{Change: change, Reason: reasonAt(startOf(inc), change)}, nil
}
