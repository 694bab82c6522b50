//go:build unix && !race

package export_test

import (
	"encoding/json"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/postmortem/export"
)

// busy is how long this process has used processors, which other processes do not
// slow down as they do a clock.
func busy(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestSpeed holds the time of 10,000 events to that of writing the same document
// as JSON, measured side by side, which a machine that is slower slows as well: it
// takes about 10 ms on one that is not, where the bounds are 300 ms for the draft
// and HTML and 100 ms for Markdown. The detector of races slows each in its own
// way.
//
//nolint:paralleltest // it measures, and must be alone in the process
func TestSpeed(t *testing.T) {
	in := large(t)
	doc := postmortem.DraftOf(in)
	best := func(do func() error) time.Duration {
		least := time.Hour
		for range 9 {
			begin := busy(t)
			if err := do(); err != nil {
				t.Fatal(err)
			}
			least = min(least, busy(t)-begin)
		}
		return least
	}
	written := best(func() error { _, err := json.Marshal(doc); return err })
	for _, test := range []struct {
		name  string
		times float64 // the time of JSON
		do    func() error
	}{
		{"draft", 6, func() error { postmortem.DraftOf(in); return nil }},
		{"Markdown", 8, func() error { return export.Markdown(io.Discard, doc) }},
		{"HTML", 12, func() error { return export.HTML(io.Discard, doc, nil) }},
	} {
		took := best(test.do)
		t.Logf("%s: %v, %.1f times the %v of JSON", test.name, took, float64(took)/float64(written), written)
		if float64(took) > test.times*float64(written) {
			t.Errorf("%s took %v, more than %v times the %v that JSON took", test.name, took, test.times, written)
		}
	}
}
