package evidence

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gonum.org/v1/plot"
)

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }

// bounds gives the values at the bottom and at the top. What is never negative
// stands on zero, so that twice as high is twice as much, unless all values are
// so close to each other that nothing would be seen of them.
func (p Picture) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, line := range p.Lines {
		for _, piece := range line.Pieces {
			for _, at := range piece {
				low, high = min(low, at.Value), max(high, at.Value)
			}
		}
	}
	switch {
	case math.IsInf(low, 0) || math.IsInf(high, 0):
		return 0, 1
	case low == 0 && high == 0:
		return 0, 1
	case low == high:
		return min(0, low*1.25), max(0, high*1.25)
	case low >= 0 && high-low > high/10:
		low = 0
	default:
		low -= (high - low) / 20
	}
	return low, high + (high-low)/20
}

// timeTicks are the times along the axis: at most eight, at moments that a
// clock on the wall shows.
type timeTicks struct{ zone *time.Location }

// Ticks gives them for a span in seconds since 1970.
func (t timeTicks) Ticks(start, end float64) []plot.Tick {
	step := time.Minute
	for _, step = range []time.Duration{
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour,
	} {
		if (end-start)/step.Seconds() <= 8 {
			break
		}
	}
	form := "15:04"
	if step >= 24*time.Hour {
		form = "01-02"
	} else if end-start > (24 * time.Hour).Seconds() {
		form = "01-02 15:04"
	}
	first := time.Unix(int64(start), 0).In(t.zone)
	at := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, t.zone)
	var ticks []plot.Tick
	for ; seconds(at) <= end; at = at.Add(step) {
		if seconds(at) >= start {
			ticks = append(ticks, plot.Tick{Value: seconds(at), Label: at.In(t.zone).Format(form)})
		}
	}
	return ticks
}

// numberTicks are round values with a letter for thousands, millions and so on.
type numberTicks struct{}

// Ticks gives them.
func (numberTicks) Ticks(low, high float64) []plot.Tick {
	if high <= low {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, times := range []float64{2, 2.5, 2} { // 2, 5, 10
		if (high-low)/step <= 6 {
			break
		}
		step *= times
	}
	var ticks []plot.Tick
	for n := math.Ceil(low / step); n*step <= high && len(ticks) < 20; n++ {
		ticks = append(ticks, plot.Tick{Value: n * step, Label: number(n*step, step)})
	}
	return ticks
}

// number writes a value as exactly as steps need it.
func number(value, step float64) string {
	scale, letter := 1.0, ""
	for _, unit := range []struct {
		scale  float64
		letter string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(value) >= unit.scale {
			scale, letter = unit.scale, unit.letter
			break
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step/scale)+1e-9)))
	if value == 0 {
		return "0"
	}
	if digits > 6 {
		return strconv.FormatFloat(value, 'g', 3, 64)
	}
	return strconv.FormatFloat(value/scale, 'f', digits, 64) + letter
}

// oneLine leaves a text without lines and without characters that have no shape.
func oneLine(words string) string {
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(words, "\uFFFD"))
	return strings.Join(strings.Fields(words), " ")
}
