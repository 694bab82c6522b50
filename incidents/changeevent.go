package incidents

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// ChangeKind says what was changed.
type ChangeKind string

// The kinds of changes. Maintenance is a window announced beforehand.
const (
	ChangeDeployment  ChangeKind = "deployment"
	ChangeRelease     ChangeKind = "release"
	ChangeRollout     ChangeKind = "rollout"
	ChangeUpgrade     ChangeKind = "upgrade"
	ChangeConfig      ChangeKind = "config"
	ChangeFlag        ChangeKind = "flag"
	ChangePipeline    ChangeKind = "pipeline"
	ChangePush        ChangeKind = "push"
	ChangeMaintenance ChangeKind = "maintenance"
	ChangeOther       ChangeKind = "other"
)

// ChangeKinds lists all of them.
func ChangeKinds() []ChangeKind {
	return []ChangeKind{
		ChangeDeployment, ChangeRelease, ChangeRollout, ChangeUpgrade, ChangeConfig, ChangeFlag,
		ChangePipeline, ChangePush, ChangeMaintenance, ChangeOther,
	}
}

// ParseChangeKind reads a kind; empty is other.
func ParseChangeKind(text string) (ChangeKind, error) {
	k := ChangeKind(orElse(strings.ToLower(strings.TrimSpace(text)), string(ChangeOther)))
	if slices.Contains(ChangeKinds(), k) {
		return k, nil
	}
	return "", Errorf(Invalid, "%q is no kind of change. Use one of deployment, release, rollout, upgrade, config, flag, pipeline, push, maintenance, other.", text)
}

// ChangeState says how far a change is.
type ChangeState string

// The states of a change.
const (
	ChangePlanned   ChangeState = "planned"
	ChangeRunning   ChangeState = "running"
	ChangeSucceeded ChangeState = "succeeded"
	ChangeFailed    ChangeState = "failed"
	ChangeCancelled ChangeState = "cancelled"
)

// ChangeStates lists all of them.
func ChangeStates() []ChangeState {
	return []ChangeState{ChangePlanned, ChangeRunning, ChangeSucceeded, ChangeFailed, ChangeCancelled}
}

// asOf gives a change as it stands at a time: a maintenance window that was announced
// begins and ends by itself.
func (c ChangeEvent) asOf(now time.Time) ChangeEvent {
	if c.Kind == ChangeMaintenance && (c.State == ChangePlanned || c.State == ChangeRunning) {
		c.State = stateAt(c, now)
	}
	return c
}

// ParseChangeState reads a state; empty stays empty.
func ParseChangeState(text string) (ChangeState, error) {
	s := ChangeState(strings.ToLower(strings.TrimSpace(text)))
	if s == "" || slices.Contains(ChangeStates(), s) {
		return s, nil
	}
	return "", Errorf(Invalid, "%q is no state of a change. Use one of planned, running, succeeded, failed, cancelled.", text)
}

// over reports whether nothing more happens in this state.
func (s ChangeState) over() bool {
	return s == ChangeSucceeded || s == ChangeFailed || s == ChangeCancelled
}

// ChangeEvent is one change of a system: a deployment, an upgrade, a maintenance
// window. It belongs to no incident.
type ChangeEvent struct {
	ID       int64       `json:"id"`       // Houston's own
	Source   string      `json:"source"`   // "github", "api" …
	External string      `json:"external"` // the source's id; updates come under the same one
	Kind     ChangeKind  `json:"kind"`
	Title    string      `json:"title"`
	Service  string      `json:"service,omitempty"`
	State    ChangeState `json:"state"`
	// Labels are matched with those of alerts: cluster, namespace …
	Labels    map[string]string `json:"labels,omitempty"`
	StartedAt time.Time         `json:"started_at"`
	EndedAt   time.Time         `json:"ended_at,omitzero"` // zero: not over, or unknown
	URL       string            `json:"url,omitempty"`
	Actor     string            `json:"actor,omitempty"`
	// UpdatedAt is when the source says that it came to this state; what is
	// older changes nothing any more.
	UpdatedAt  time.Time `json:"updated_at"`
	RecordedAt time.Time `json:"recorded_at"` // when Houston first heard of it
}

// maxChangeLabels bounds the labels of a change, maxChangeText its texts.
const (
	maxChangeLabels = 50
	maxChangeText   = 500
	// openFor is how long a change whose end was never told counts as going on.
	openFor = 24 * time.Hour
)

// Until is when the change was over: its end, or, when none was told, openFor
// after the start of one that runs and the start itself of any other.
func (c ChangeEvent) Until() time.Time {
	switch {
	case !c.EndedAt.IsZero():
		return c.EndedAt
	case c.State == ChangeRunning || c.State == ChangePlanned:
		return c.StartedAt.Add(openFor)
	default:
		return c.StartedAt
	}
}

// checked says what is wrong with a change, or completes it.
func (c ChangeEvent) checked(now time.Time) (ChangeEvent, error) {
	c.Title = strings.Join(strings.Fields(c.Title), " ")
	if c.Title == "" {
		return c, Errorf(Invalid, "A change needs a title, for example: Upgrade the API server to 1.34")
	}
	c.Title, c.Service, c.Actor = cut(c.Title, maxChangeText), cut(strings.TrimSpace(c.Service), MaxTitle), cut(c.Actor, MaxTitle)
	if len(c.Labels) > maxChangeLabels {
		return c, Errorf(Invalid, "A change has at most %d labels; these are %d.", maxChangeLabels, len(c.Labels))
	}
	c.Labels = maps.Clone(c.Labels)
	for name, value := range c.Labels {
		c.Labels[name] = cut(value, maxChangeText)
	}
	if !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://") || len(c.URL) > 2000 {
		c.URL = ""
	}
	c.Kind = orElse(c.Kind, ChangeOther)
	c.StartedAt, c.EndedAt, c.UpdatedAt = Micros(c.StartedAt), Micros(c.EndedAt), Micros(c.UpdatedAt)
	told := !c.UpdatedAt.IsZero() // when it came to its state
	if !told {
		c.UpdatedAt = now
	}
	if c.State == "" {
		c.State = stateAt(c, now)
	}
	if c.StartedAt.IsZero() {
		c.StartedAt = c.UpdatedAt
		if !c.EndedAt.IsZero() && c.EndedAt.Before(c.StartedAt) {
			c.StartedAt = c.EndedAt
		}
	}
	if !c.EndedAt.IsZero() && c.EndedAt.Before(c.StartedAt) {
		return c, Errorf(Invalid, "The change ends (%s) before it starts (%s).", c.EndedAt.Format(time.RFC3339), c.StartedAt.Format(time.RFC3339))
	}
	if c.EndedAt.IsZero() && told && c.State.over() && c.UpdatedAt.After(c.StartedAt) {
		c.EndedAt = c.UpdatedAt
	}
	c.RecordedAt = now
	return c, nil
}

// stateAt says where a change stands whose source says nothing but times.
func stateAt(c ChangeEvent, now time.Time) ChangeState {
	switch {
	case c.StartedAt.After(now):
		return ChangePlanned
	case c.EndedAt.After(now), !c.StartedAt.IsZero() && c.EndedAt.IsZero() && c.Kind == ChangeMaintenance:
		return ChangeRunning
	default:
		return ChangeSucceeded
	}
}

// merge gives what a change is after the news of it, in whatever order they come: the
// earliest start, and the rest as of the latest state. It reports whether anything is new.
func (c ChangeEvent) merge(news ChangeEvent) (ChangeEvent, bool) {
	next := c
	begun := news.State == ChangeRunning && news.StartedAt.Before(c.StartedAt)
	// The end of one that was only announced often says no more than its own time.
	known := !news.State.over() || news.StartedAt.Before(news.UpdatedAt)
	if begun || c.State == ChangePlanned && news.UpdatedAt.After(c.UpdatedAt) && known {
		next.StartedAt = news.StartedAt
	}
	late := news.UpdatedAt.Before(c.UpdatedAt) || news.UpdatedAt.Equal(c.UpdatedAt) && !news.State.over()
	if !late {
		next.Title, next.Kind, next.State, next.EndedAt, next.UpdatedAt = news.Title, news.Kind, news.State, news.EndedAt, news.UpdatedAt
		if next.EndedAt.IsZero() && next.State.over() && c.State == next.State {
			next.EndedAt = c.EndedAt // told again, without its end
		}
		next.Service, next.URL, next.Actor = orElse(news.Service, c.Service), orElse(news.URL, c.URL), orElse(news.Actor, c.Actor)
	}
	next.Labels = maps.Clone(news.Labels)
	if next.Labels == nil {
		next.Labels = map[string]string{}
	}
	for name, value := range c.Labels {
		if _, said := next.Labels[name]; !said || late {
			next.Labels[name] = value
		}
	}
	if len(next.Labels) == 0 {
		next.Labels = nil
	}
	if !next.EndedAt.IsZero() && next.EndedAt.Before(next.StartedAt) {
		next.EndedAt = next.StartedAt
	}
	if next.EndedAt.IsZero() && next.State.over() && (begun || c.State != next.State) && next.UpdatedAt.After(next.StartedAt) {
		next.EndedAt = next.UpdatedAt
	}
	return next, cmp.Compare(len(next.Labels), len(c.Labels)) != 0 || !maps.Equal(next.Labels, c.Labels) ||
		next.Title != c.Title || next.State != c.State || next.Service != c.Service || next.URL != c.URL || next.Actor != c.Actor ||
		!next.StartedAt.Equal(c.StartedAt) || !next.EndedAt.Equal(c.EndedAt) || next.Kind != c.Kind || !next.UpdatedAt.Equal(c.UpdatedAt)
}

// ChangeQuery selects changes, the latest start first.
type ChangeQuery struct {
	Service string
	// Since and Until select the changes that were under way between them; zero
	// is no bound.
	Since, Until time.Time
	Text         string // words of title, service, labels and actor; all must match
	Before       int64  // ids below this only (paging); 0: from the newest
	Limit        int
}

// Word names the kind in the catalogues.
func (k ChangeKind) Word() string { return "change_" + string(k) }

// Word names the state in the catalogues.
func (s ChangeState) Word() string { return "change_" + string(s) }
