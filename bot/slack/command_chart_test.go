package slack

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestParseChart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       incidents.ChartWanted
	}{
		{"a query", "rate(http_requests_total[5m])", incidents.ChartWanted{Expr: "rate(http_requests_total[5m])"}},
		{"the last hours", "rate(x[5m]) 2h", incidents.ChartWanted{Expr: "rate(x[5m])", Last: 2 * time.Hour}},
		{"in words", "up last 90m", incidents.ChartWanted{Expr: "up", Last: 90 * time.Minute}},
		{"days", "up 2d", incidents.ChartWanted{Expr: "up", Last: 48 * time.Hour}},
		{"offset keeps its duration", "x offset 2h", incidents.ChartWanted{Expr: "x offset 2h"}},
		{"and so does a comparison", "x > 5m", incidents.ChartWanted{Expr: "x > 5m"}},
		{"offset and a time", "x offset 2h 1h", incidents.ChartWanted{Expr: "x offset 2h", Last: time.Hour}},
		{"a source", "up 1h --prometheus berlin", incidents.ChartWanted{Expr: "up", Last: time.Hour, Source: "berlin"}},
		{"a phone's dash", "up —prometheus berlin", incidents.ChartWanted{Expr: "up", Source: "berlin"}},
		{"no time at all", "up 12", incidents.ChartWanted{Expr: "up 12"}},
		{"a duration alone is a query", "2h", incidents.ChartWanted{Expr: "2h"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseChart(tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("parseChart(%q) failed with %v (-want +got):\n%s", tt.text, err, diff)
			}
		})
	}
	if _, err := parseChart("  "); incidents.KindOf(err) != incidents.Invalid {
		t.Errorf("nothing was read as a query: %v", err)
	}
}

func TestQueriesAreDecoded(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"`sum(rate(x{a=\"b\"}[5m])) &gt; 1`":                 `sum(rate(x{a="b"}[5m])) > 1`,
		"slo:fire:rate5m &amp; 1":                            "slo:fire:rate5m & 1",
		"x{job=“offers”}":                                    `x{job="offers"}`,
		`probe{instance="<http://example.com|example.com>"}`: `probe{instance="example.com"}`,
	} {
		if got := code(raw, func(string) string { return "" }); got != want {
			t.Errorf("code(%q) = %q, want %q", raw, got, want)
		}
	}
}
