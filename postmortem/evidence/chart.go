package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/houston-sre/houston/incidents"
)

const (
	maxLines = 6   // a picture shows; more can not be told apart
	points   = 300 // about as many values per line are asked for
	maxImage = 8 << 20
)

// ChartsConfig of Charts. All is required.
type ChartsConfig struct {
	Clients []*Client // at least one; the first is asked when nobody names one
	Clock   incidents.Clock
	Zone    *time.Location // of the times that a picture shows
	// Save stores a picture and gives its digest.
	Save func(r io.Reader, limit int64) (digest string, err error)
	// Moment is what a key time is called in a picture; empty: it is not shown.
	Moment func(key incidents.KeyTime) string
	// More tells how many lines a picture leaves out.
	More func(count int) string
}

// Charts draws what Prometheus saw of incidents.
type Charts struct{ config ChartsConfig }

// NewCharts makes Charts; it calls nobody.
func NewCharts(config ChartsConfig) *Charts { return &Charts{config} }

// Draw asks Prometheus, draws what it answers and stores the picture. The error
// is an *incidents.Error that says what to do, or one of our own storage.
func (c *Charts) Draw(ctx context.Context, inc incidents.Incident, wanted incidents.ChartWanted) (incidents.Chart, error) {
	client, err := c.client(wanted.Source)
	if err != nil {
		return incidents.Chart{}, err
	}
	expr := strings.TrimSpace(wanted.Expr)
	if n := len([]rune(expr)); n > incidents.MaxExpr {
		return incidents.Chart{}, incidents.Errorf(incidents.Invalid, "The query has %d characters; at most %d fit.", n, incidents.MaxExpr)
	}
	start, end := wanted.Span(inc, c.config.Clock.Now())
	step := stepOf(end.Sub(start))
	start, end = start.Truncate(step), end.Truncate(time.Second)
	matrix, err := client.between(ctx, expr, v1.Range{Start: start, End: end, Step: step})
	if err != nil {
		return incidents.Chart{}, err
	}
	picture := Picture{
		Title: expr, Under: c.under(start, end), Start: start, End: end, Zone: c.config.Zone, Marks: c.marks(inc),
	}
	left := 0
	if picture.Lines, left = linesOf(matrix, step); len(picture.Lines) == 0 {
		return incidents.Chart{}, incidents.Errorf(incidents.NotFound, "Prometheus %s has no data for this query between %s and %s. Look at its labels, or ask for another time such as the last `2h`.",
			client.Name(), c.clock(start), c.clock(end))
	}
	if left > 0 {
		picture.Left = c.config.More(left)
	}
	data, err := picture.PNG()
	if err != nil {
		return incidents.Chart{}, err
	}
	digest, err := c.config.Save(bytes.NewReader(data), maxImage)
	if err != nil {
		return incidents.Chart{}, fmt.Errorf("store a chart of %s: %w", inc.Key(), err)
	}
	return incidents.Chart{
		Expr: expr, Source: client.Name(), Start: start.UTC(), End: end.UTC(), Series: len(picture.Lines) + left,
		File: incidents.File{ID: "chart-" + digest[:16], Name: "chart.png", Type: "image/png", Size: int64(len(data)), Digest: digest},
	}, nil
}

func (c *Charts) client(name string) (*Client, error) {
	if name == "" {
		return c.config.Clients[0], nil
	}
	var names []string
	for _, client := range c.config.Clients {
		if strings.EqualFold(client.Name(), name) {
			return client, nil
		}
		names = append(names, client.Name())
	}
	return nil, incidents.Errorf(incidents.Invalid, "There is no Prometheus %q. Name one of %s.", name, strings.Join(names, ", "))
}

// stepOf is the distance of two values: about as many as can be seen, at
// moments that are the same whenever somebody asks.
func stepOf(span time.Duration) time.Duration {
	for _, step := range []time.Duration{
		5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
		5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
	} {
		if span/step <= points {
			return step
		}
	}
	return 3 * time.Hour
}

func (c *Charts) clock(at time.Time) string {
	return at.In(c.config.Zone).Format("2006-01-02 15:04 MST")
}

// under says what time the picture shows.
func (c *Charts) under(start, end time.Time) string {
	return c.clock(start) + " – " + c.clock(end)
}

// marks are the incident's key times; of those with the same name and minute
// one is enough.
func (c *Charts) marks(inc incidents.Incident) []Mark {
	var marks []Mark
	for _, key := range []incidents.KeyTime{
		incidents.ImpactStart, incidents.Detected, incidents.DeclaredAt, incidents.MitigatedAt, incidents.ResolvedAt,
	} {
		at, ok := inc.Times[key]
		if name := c.config.Moment(key); ok && !at.At.IsZero() && name != "" {
			marks = append(marks, Mark{At: at.At, Label: name})
		}
	}
	return marks
}

// linesOf gives the highest series of an answer in an order that does not
// change, and how many there are besides.
func linesOf(matrix model.Matrix, step time.Duration) (lines []Line, left int) {
	type ranked struct {
		Line

		name string
		peak float64
	}
	common := commonLabels(matrix)
	var all []ranked
	for _, series := range matrix {
		r := ranked{name: series.Metric.String(), peak: math.Inf(-1)}
		r.Name = nameOf(series.Metric, common)
		r.Pieces = piecesOf(series.Values, step)
		for _, piece := range r.Pieces {
			for _, at := range piece {
				r.peak = max(r.peak, at.Value)
			}
		}
		if len(r.Pieces) > 0 {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.peak, a.peak), cmp.Compare(a.name, b.name)) })
	for _, r := range all[:min(len(all), maxLines)] {
		lines = append(lines, r.Line)
	}
	return lines, len(all) - len(lines)
}

// piecesOf cuts a series where values are missing or are no numbers.
func piecesOf(values []model.SamplePair, step time.Duration) [][]Point {
	var pieces [][]Point
	var last time.Time
	for _, v := range values {
		value, at := float64(v.Value), v.Timestamp.Time()
		if math.IsNaN(value) || math.IsInf(value, 0) {
			continue
		}
		if len(pieces) == 0 || at.Sub(last) > step+step/2 {
			pieces = append(pieces, nil)
		}
		pieces[len(pieces)-1] = append(pieces[len(pieces)-1], Point{At: at, Value: value})
		last = at
	}
	return pieces
}

// commonLabels are the labels that all series have alike: they tell none apart.
func commonLabels(matrix model.Matrix) map[model.LabelName]model.LabelValue {
	common := map[model.LabelName]model.LabelValue{}
	for i, series := range matrix {
		if i == 0 {
			maps.Copy(common, series.Metric)
			continue
		}
		for name, value := range common {
			if series.Metric[name] != value {
				delete(common, name)
			}
		}
	}
	return common
}

// nameOf is what tells a series apart from the others.
func nameOf(metric model.Metric, common map[model.LabelName]model.LabelValue) string {
	rest := model.Metric{}
	for name, value := range metric {
		if _, ok := common[name]; !ok {
			rest[name] = value
		}
	}
	if len(rest) == 0 {
		return ""
	}
	return strings.Trim(rest.String(), "{}")
}
