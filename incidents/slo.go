package incidents

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// SLO is what a burn-rate alert says of a service level objective.
type SLO struct {
	Name    string
	Service string // empty: unknown
	// Short and Long are the windows the burn is seen in; empty: unknown.
	Short, Long string
	// Rate is how many times too fast the error budget burns at least; 0: unknown.
	Rate float64
}

// SLOOf recognises the burn-rate alerts of Sloth (sloth.dev: labels sloth_slo,
// sloth_service and sloth_severity) and of Pyrra (github.com/pyrra-dev/pyrra,
// slo/rules.go: labels slo, short, long and exhaustion).
//
// Sloth's labels do not hold the windows, since one alert looks at two pairs of
// them; what it pages for burns at least 6 times too fast (30m and 6h, or faster),
// what it opens a ticket for at least as fast as the budget lasts (6h and 3d).
// Pyrra's rate follows from its long window and the time that the budget would
// last: both scale with the objective's window.
func SLOOf(labels map[string]string) (SLO, bool) {
	if name := labels["sloth_slo"]; name != "" {
		slo := SLO{Name: name, Service: labels["sloth_service"]}
		switch orElse(labels["sloth_severity"], labels["severity"]) {
		case "page", "critical":
			slo.Short, slo.Long, slo.Rate = "30m", "6h", 6
		case "ticket", "warning":
			slo.Short, slo.Long, slo.Rate = "6h", "3d", 1
		}
		return slo, true
	}
	name, long, exhaustion := labels["slo"], labels["long"], labels["exhaustion"]
	if name == "" || long == "" || labels["short"] == "" {
		return SLO{}, false
	}
	return SLO{Name: name, Service: labels["service"], Short: labels["short"], Long: long, Rate: pyrraRate(long, exhaustion)}, true
}

// pyrraRate gives the factor of Pyrra's pair of windows: exhaustion divided by
// the long window is 48, 16, 14 or 7 for the factors 14, 7, 2 and 1.
func pyrraRate(long, exhaustion string) float64 {
	l, okLong := promDuration(long)
	e, okExhaustion := promDuration(exhaustion)
	if !okLong || !okExhaustion || l <= 0 {
		return 0
	}
	best, distance := 0.0, math.Inf(1)
	for _, pair := range [][2]float64{{48, 14}, {16, 7}, {14, 2}, {7, 1}} {
		if d := math.Abs(float64(e)/float64(l)/pair[0] - 1); d < distance {
			best, distance = pair[1], d
		}
	}
	if distance > 0.07 { // no pair of theirs
		return 0
	}
	return best
}

// promDuration reads a duration as Prometheus writes it: 1w3d, 6h, 30m.
func promDuration(text string) (time.Duration, bool) {
	units := map[byte]time.Duration{
		'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute, 's': time.Second,
	}
	var sum time.Duration
	n, digits := time.Duration(0), 0
	for i := range len(text) {
		c := text[i]
		switch unit, known := units[c]; {
		case c >= '0' && c <= '9' && digits < 6:
			n, digits = n*10+time.Duration(c-'0'), digits+1
		case known && digits > 0:
			sum, n, digits = sum+n*unit, 0, 0
		default:
			return 0, false
		}
	}
	return sum, text != "" && digits == 0
}

// String says it in one line: "SLO requests-availability of myservice burns its
// error budget at least 6 times too fast (windows 30m and 6h)".
func (s SLO) String() string {
	var b strings.Builder
	b.WriteString("SLO " + s.Name)
	if s.Service != "" {
		b.WriteString(" of " + s.Service)
	}
	switch {
	case s.Rate == 1:
		b.WriteString(" burns its error budget faster than it lasts")
	case s.Rate > 0:
		fmt.Fprintf(&b, " burns its error budget at least %g times too fast", s.Rate)
	default:
		b.WriteString(" burns its error budget too fast")
	}
	if s.Long != "" {
		fmt.Fprintf(&b, " (windows %s and %s)", s.Short, s.Long)
	}
	return b.String()
}
