package incidents

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Gap is something that monitoring did not tell, or not in time. It counts as
// closed only when a check has shown that monitoring would tell now.
type Gap struct {
	ID       int64             `json:"id"` // 1, 2, … within the incident
	Kind     GapKind           `json:"kind"`
	Signal   string            `json:"signal"`           // what was there to be noticed
	Expr     string            `json:"expr,omitempty"`   // the proposed alert's expression
	For      string            `json:"for,omitempty"`    // and how long it must hold, like 5m
	Labels   map[string]string `json:"labels,omitempty"` // of the proposed alert
	State    GapState          `json:"state"`
	Reason   string            `json:"reason,omitempty"` // why the risk is accepted
	Proposed bool              `json:"proposed,omitempty"`
	Checks   []GapCheck        `json:"checks,omitempty"` // the latest last
	ClosedAt time.Time         `json:"closed_at,omitzero"`
}

// GapKind says in which way monitoring was blind.
type GapKind string

// The kinds of gaps.
const (
	GapNoMetric       GapKind = "no_metric"
	GapNoAlert        GapKind = "no_alert"
	GapThreshold      GapKind = "threshold"
	GapTooSlow        GapKind = "too_slow"
	GapRoutedWrong    GapKind = "routed_wrong"
	GapLostInNoise    GapKind = "lost_in_noise"
	GapDashboardOnly  GapKind = "dashboard_only"
	GapProbeMissing   GapKind = "probe_missing"
	GapLogMissing     GapKind = "log_missing"
	GapMonitoringDown GapKind = "monitoring_down"
	GapUnknown        GapKind = "unknown"
)

// GapKinds lists all of them.
func GapKinds() []GapKind {
	return []GapKind{
		GapNoMetric, GapNoAlert, GapThreshold, GapTooSlow, GapRoutedWrong, GapLostInNoise,
		GapDashboardOnly, GapProbeMissing, GapLogMissing, GapMonitoringDown, GapUnknown,
	}
}

// ParseGapKind reads a kind; empty is unknown.
func ParseGapKind(text string) (GapKind, error) {
	k := GapKind(strings.ToLower(strings.TrimSpace(text)))
	if k == "" {
		return GapUnknown, nil
	}
	if slices.Contains(GapKinds(), k) {
		return k, nil
	}
	return "", Errorf(Invalid, "%q is no kind of a monitoring gap. Use one of no_metric, no_alert, threshold, too_slow, routed_wrong, lost_in_noise, dashboard_only, probe_missing, log_missing, monitoring_down, unknown.", text)
}

// GapState is where a gap stands.
type GapState string

// The states.
const (
	GapOpen     GapState = "open"
	GapClosed   GapState = "closed"   // a check fired: monitoring would tell
	GapAccepted GapState = "accepted" // with a reason: it stays as it is
)

// GapStates lists all of them.
func GapStates() []GapState { return []GapState{GapOpen, GapClosed, GapAccepted} }

// GapCheck is one proof of a gap, or the lack of one.
type GapCheck struct {
	At      time.Time    `json:"at"`
	Verdict CheckVerdict `json:"verdict"`
	Reason  string       `json:"reason,omitempty"`
	URL     string       `json:"url,omitempty"` // of the evidence
	By      Person       `json:"by"`
}

// CheckVerdict says whether the proposed alert would have told.
type CheckVerdict string

// The verdicts.
const (
	CheckFires        CheckVerdict = "fires"
	CheckDoesNotFire  CheckVerdict = "does_not_fire"
	CheckInconclusive CheckVerdict = "inconclusive"
)

// GapAdded adds a monitoring gap.
type GapAdded struct {
	Gap Gap `json:"gap"`
}

// GapChanged says what a gap is from now on.
type GapChanged struct {
	Gap    Gap      `json:"gap"`
	Fields []string `json:"fields"`
}

// Type is the name the event is stored under.
func (GapAdded) Type() string { return "gap_added" }

// Type is the name the event is stored under.
func (GapChanged) Type() string { return "gap_changed" }

// Entry of a gap: none, it is for afterwards.
func (GapAdded) Entry() (EntryKind, string) { return "", "" }

// Entry of a changed gap: none.
func (GapChanged) Entry() (EntryKind, string) { return "", "" }

func (d GapAdded) apply(inc *Incident, _ Event) { inc.Gaps = append(slices.Clip(inc.Gaps), d.Gap) }

func (d GapChanged) apply(inc *Incident, _ Event) {
	inc.Gaps = slices.Clone(inc.Gaps)
	for i, gap := range inc.Gaps {
		if gap.ID == d.Gap.ID {
			inc.Gaps[i] = d.Gap
		}
	}
}

// Gap finds a monitoring gap by its id.
func (inc Incident) Gap(id int64) (Gap, bool) {
	for _, gap := range inc.Gaps {
		if gap.ID == id {
			return gap, true
		}
	}
	return Gap{}, false
}

// AnswersGap is what stands in [ActionItem.Answers] of the item that closes a gap.
func AnswersGap(id int64) string { return fmt.Sprintf("gap:%d", id) }

// ClosedBy finds the action item that is to close a gap; the first that was not
// dropped.
func (inc Incident) ClosedBy(gap Gap) (ActionItem, bool) {
	for _, item := range inc.Actions {
		if slices.Contains(item.Answers, AnswersGap(gap.ID)) && item.Stands() != ActionDropped {
			return item, true
		}
	}
	return ActionItem{}, false
}

// AddGap adds a monitoring gap.
type AddGap struct {
	Request

	Kind   GapKind // empty: unknown
	Signal string
	Expr   string
	For    string
	Labels map[string]string
}

func (c AddGap) decide(d *decision) error {
	gap := Gap{Kind: orElse(c.Kind, GapUnknown), Signal: c.Signal, Expr: c.Expr, For: c.For, Labels: c.Labels, State: GapOpen}
	if err := gap.clean(); err != nil {
		return err
	}
	d.addGap(gap)
	return nil
}

func (d *decision) addGap(gap Gap) int64 {
	gap.ID = int64(len(d.inc.Gaps)) + 1
	d.record(GapAdded{Gap: gap})
	return gap.ID
}

// clean checks what people typed.
func (g *Gap) clean() error {
	var err error
	if g.Signal, err = requireText(g.Signal, "A monitoring gap needs its signal: what was there to be noticed? Write it like: p99 of the offers service above 60 s"); err != nil {
		return err
	}
	if g.Expr, err = cleanText(g.Expr); err != nil {
		return About("expr", err)
	}
	if g.Reason, err = cleanText(g.Reason); err != nil {
		return About("reason", err)
	}
	if g.For != "" {
		if hold, err := time.ParseDuration(g.For); err != nil || hold < 0 {
			return Errorf(Invalid, "%q is no duration. Write how long the alert must hold like 5m.", g.For)
		}
	}
	for name, value := range g.Labels {
		if name == "" || len(name) > 200 || len(value) > 1000 {
			return Errorf(Invalid, "A label needs a name of at most 200 characters and a value of at most 1000.")
		}
	}
	return nil
}

// ChangeGap changes a gap. Nil fields stay as they are. Accepting the risk needs
// a reason; a gap is closed by [CheckedGap] alone.
type ChangeGap struct {
	Request

	ID     int64
	Kind   *GapKind
	Signal *string
	Expr   *string
	For    *string
	Labels *map[string]string
	State  *GapState // open or accepted
	Reason *string
	// Gate refuses what others changed meanwhile, judged inside the transaction;
	// nil: nothing is refused.
	Gate func(Gap) error
}

func (c ChangeGap) decide(d *decision) error {
	gap, ok := d.inc.Gap(c.ID)
	if !ok {
		return Errorf(NotFound, "%s has no monitoring gap %d.", d.inc.Key(), c.ID)
	}
	if c.Gate != nil {
		if err := c.Gate(gap); err != nil {
			return err
		}
	}
	gap.Kind, gap.Signal, gap.Expr = orSet(c.Kind, gap.Kind), orSet(c.Signal, gap.Signal), orSet(c.Expr, gap.Expr)
	gap.For, gap.Labels, gap.Reason = orSet(c.For, gap.For), orSet(c.Labels, gap.Labels), orSet(c.Reason, gap.Reason)
	if err := gap.clean(); err != nil {
		return err
	}
	accepted := gap.State == GapAccepted && c.State == nil || c.State != nil && *c.State == GapAccepted
	if accepted && gap.Reason == "" {
		return About("reason", Errorf(Invalid, "Say why monitoring gap %d is accepted; the reason is kept.", gap.ID))
	}
	if c.State != nil && *c.State != gap.State {
		switch {
		case !slices.Contains(GapStates(), *c.State):
			return About("state", Errorf(Invalid, "%q is no state of a monitoring gap. Use one of open, closed, accepted.", string(*c.State)))
		case *c.State == GapClosed:
			return Errorf(Conflict, "A monitoring gap is closed by a check that fires, never by hand. To leave it as it is, accept it with a reason.")
		}
		gap.State, gap.ClosedAt = *c.State, time.Time{}
	}
	gap.Proposed = false
	d.record(GapChanged{Gap: gap, Fields: c.fields()})
	return nil
}

func (c ChangeGap) fields() []string {
	fields := []string{}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"kind", c.Kind != nil},
		{"signal", c.Signal != nil},
		{"expr", c.Expr != nil},
		{"for", c.For != nil},
		{"labels", c.Labels != nil},
		{"state", c.State != nil},
		{"reason", c.Reason != nil},
	} {
		if f.set {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// maxChecks is how many checks of a gap are kept; the log has all of them.
const maxChecks = 20

// CheckedGap records what a check of a gap has shown. One that fires closes it;
// one that does not opens it again.
type CheckedGap struct {
	Request

	ID    int64
	Check GapCheck // At and By are set here
}

func (c CheckedGap) decide(d *decision) error {
	gap, ok := d.inc.Gap(c.ID)
	if !ok {
		return Errorf(NotFound, "%s has no monitoring gap %d.", d.inc.Key(), c.ID)
	}
	check := c.Check
	check.At, check.By = d.now, c.Actor.Person
	gap.Checks = append(slices.Clone(gap.Checks), check)
	gap.Checks = gap.Checks[max(0, len(gap.Checks)-maxChecks):]
	switch {
	case check.Verdict == CheckFires:
		gap.State, gap.ClosedAt = GapClosed, d.now
	case check.Verdict == CheckDoesNotFire && gap.State == GapClosed:
		gap.State, gap.ClosedAt = GapOpen, time.Time{}
	}
	d.record(GapChanged{Gap: gap, Fields: []string{"checks", "state"}})
	return nil
}
