package slack

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const verbChart verb = "chart"

const (
	// chartWaits is how long an answer waits for Prometheus: one that is quick
	// has what became of the chart in it, and Slack's three seconds are kept.
	chartWaits = 1500 * time.Millisecond
	// chartFor bounds the drawing of one chart.
	chartFor = 15 * time.Second
)

// Charts draws what Prometheus saw of an incident, and keeps the picture.
type Charts interface {
	Draw(ctx context.Context, inc incidents.Incident, wanted incidents.ChartWanted) (incidents.Chart, error)
}

// chart draws a metric into the channel. Prometheus is asked beside the answer,
// which it never delays for long; what is wrong with the query only the one who
// asked is told.
func (e *Edge) chart(ctx context.Context, o order) (reply, error) {
	wanted, err := parseChart(code(o.rest, e.config.Directory.Name))
	if err != nil {
		return reply{}, err
	}
	inc, err := e.config.Service.Charting(ctx, o.number, o.Request)
	if err != nil {
		return reply{}, err
	}
	if e.config.Charts == nil {
		return reply{}, incidents.Errorf(incidents.Conflict, "No Prometheus is configured, so nothing can be drawn. Whoever runs Houston adds one as `prometheus` to its configuration.")
	}
	drawn := make(chan reply, 1)
	background := context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(background, chartFor)
		defer cancel()
		drawn <- e.drawn(ctx, o, inc, wanted)
	})
	patience := time.NewTimer(chartWaits)
	defer patience.Stop()
	select {
	case r := <-drawn:
		return r, nil
	case <-patience.C:
	}
	e.answers.Go(func() { e.answerLater(background, o.origin.ResponseURL, <-drawn) })
	return say(e.textFor(o.Actor.ID).Text("chart_asked")), nil
}

// drawn has a chart drawn and recorded, and says what became of it.
func (e *Edge) drawn(ctx context.Context, o order, inc incidents.Incident, wanted incidents.ChartWanted) reply {
	chart, err := e.config.Charts.Draw(ctx, inc, wanted)
	if err == nil {
		_, err = e.config.Service.Do(ctx, inc.Number, incidents.AddChart{Request: o.Request, Chart: chart})
	}
	texts := e.textFor(o.Actor.ID)
	switch {
	case err != nil && incidents.KindOf(err) == incidents.Invalid:
		return say(e.explain(ctx, o.Actor.ID, err, "command chart") + "\n" + e.writeLike(o))
	case err != nil:
		return say(e.explain(ctx, o.Actor.ID, err, "command chart"))
	default:
		return say(texts.Text("done_chart", "key", inc.Key()))
	}
}

// code decodes a query from Slack: no markup, but no emoji either, since a
// recording rule's name may look like one.
func code(raw string, nameOf func(id string) string) string {
	text := markupPattern.ReplaceAllStringFunc(raw, func(match string) string {
		if text, ok := decodeMarkup(match[1:len(match)-1], nameOf); ok {
			return text
		}
		return match
	})
	text = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'").Replace(unescaper.Replace(text))
	text = strings.Trim(strings.TrimSpace(text), "`")
	return strings.TrimSpace(text)
}

var (
	// sourceOption is "--prometheus NAME" at the end; phones make one long dash of two.
	sourceOption = regexp.MustCompile(`(?i)\s(?:--|—|–)prometheus[= ]\s*(\S+)$`)
	// lastPattern is "2h" or "last 2h" at the end.
	lastPattern = regexp.MustCompile(`(?i)^(.*?\S)\s+((?:(?:last|letzte)\s+)?[0-9]+\s?(?:m|min|h|d|w))$`)
	// continues is what a duration at the end of a query belongs to.
	continues = regexp.MustCompile(`(?i)(?:\boffset|[-+*/%^=<>]|\bbool)\s*-?$`)
)

// parseChart reads "<expr> [2h] [--prometheus NAME]". A duration that ends the
// query itself, as after "offset", stays in it.
func parseChart(text string) (incidents.ChartWanted, error) {
	wanted := incidents.ChartWanted{Expr: strings.TrimSpace(text)}
	if m := sourceOption.FindStringSubmatchIndex(wanted.Expr); m != nil {
		wanted.Source = wanted.Expr[m[2]:m[3]]
		wanted.Expr = strings.TrimSpace(wanted.Expr[:m[0]])
	}
	if m := lastPattern.FindStringSubmatch(wanted.Expr); m != nil && !continues.MatchString(m[1]) {
		words := strings.Fields(strings.ToLower(m[2]))
		if words[0] == "last" || words[0] == "letzte" {
			words = words[1:]
		}
		if length, ok := parseAgo(strings.Join(words, "") + " ago"); ok {
			wanted.Expr, wanted.Last = strings.Trim(strings.TrimSpace(m[1]), "`"), length
		}
	}
	if wanted.Expr == "" {
		return wanted, incidents.Errorf(incidents.Invalid, "A chart needs a query in PromQL.")
	}
	return wanted, nil
}
