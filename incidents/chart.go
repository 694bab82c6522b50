package incidents

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Bounds of a chart.
const (
	// MaxExpr bounds the query of a chart, in characters.
	MaxExpr = 2000
	// chartBefore is how much is shown of the time before the impact began: what
	// was normal.
	chartBefore = 30 * time.Minute
	// minChart and maxChart bound the time that a chart shows.
	minChart = time.Minute
	maxChart = 31 * 24 * time.Hour
)

// Chart is a picture of what a monitoring system answered to one query.
type Chart struct {
	Expr   string    `json:"expr"`
	Source string    `json:"source"` // the configured name of who answered
	Start  time.Time `json:"start"`
	End    time.Time `json:"end"`
	Series int       `json:"series"` // in the answer; the picture may show fewer
	File   File      `json:"file"`   // the picture, stored
}

// ChartWanted asks for a chart of an incident.
type ChartWanted struct {
	Expr   string
	Source string        // a configured name; empty: the first one
	Last   time.Duration // up to the incident's end or now; 0: the whole incident
}

// Span gives the time that a chart of an incident shows: from half an hour
// before its impact began, or as long as is wanted, to its end or now.
func (w ChartWanted) Span(inc Incident, now time.Time) (start, end time.Time) {
	end = now
	if at, ok := inc.Times[ResolvedAt]; ok && !inc.Status.Open() {
		end = at.At
	}
	if w.Last > 0 {
		return end.Add(-min(max(w.Last, minChart), maxChart)), end
	}
	start = end
	for _, key := range []KeyTime{ImpactStart, FirstEvidence, Detected, DeclaredAt} {
		if at, ok := inc.Times[key]; ok && !at.At.IsZero() && at.At.Before(start) {
			start = at.At
		}
	}
	start = start.Add(-chartBefore)
	if end.Sub(start) > maxChart {
		start = end.Add(-maxChart)
	}
	return start, end
}

// AddChart puts a chart that is drawn and stored into the timeline, as evidence,
// and into the channel.
type AddChart struct {
	Request

	Chart Chart
}

func (c AddChart) decide(d *decision) error {
	if err := chartable(d.inc); err != nil {
		return err
	}
	d.record(ChartDrawn{Chart: c.Chart})
	d.run(MakeChart, strconv.FormatInt(d.inc.Seq, 10), 1)
	return nil
}

// ChartDrawn is a chart that somebody had drawn: evidence of what was seen.
type ChartDrawn struct {
	Chart
}

// Type is the name the event is stored under.
func (ChartDrawn) Type() string { return "chart_drawn" }

// Entry of a chart.
func (d ChartDrawn) Entry() (EntryKind, string) { return Evidence, d.Told().String() }

// Told is the entry of a chart. A person reads the query as it was asked.
func (d ChartDrawn) Told() Phrase {
	const form = "2006-01-02 15:04"
	end := d.End.UTC().Format(form)
	if d.Start.UTC().Format(time.DateOnly) == d.End.UTC().Format(time.DateOnly) {
		end = d.End.UTC().Format("15:04")
	}
	return Phrasef("Chart of %s (%s to %s UTC, from Prometheus %s)", strings.Join(strings.Fields(d.Expr), " "), d.Start.UTC().Format(form), end, d.Source)
}

func (ChartDrawn) apply(*Incident, Event) {}

// Charting gives an incident that somebody wants to draw a chart of, if he may:
// nobody else's queries reach Prometheus.
func (s *Service) Charting(ctx context.Context, number int64, req Request) (Incident, error) {
	inc, err := s.Incident(ctx, number, req)
	if err != nil {
		return Incident{}, err
	}
	if err := s.config.Permissions.mayDo(req, AddChart{Request: req}); err != nil {
		return Incident{}, err
	}
	return inc, chartable(inc)
}

// chartable says why no chart can be put into an incident's channel.
func chartable(inc Incident) error {
	switch {
	case inc.Channel == nil:
		return Errorf(Conflict, "%s has no channel yet; try again in a moment.", inc.Key())
	case !inc.writable():
		return Errorf(Conflict, "The channel of %s is archived, so no chart can be put into it. `reopen` it first.", inc.Key())
	default:
		return nil
	}
}
