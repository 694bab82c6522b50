package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// machine says where a figure was measured.
func machine() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	load := "unknown"
	if avg, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(avg), " ")
	}
	return fmt.Sprintf("%d cores of %s, %s, load %s", runtime.NumCPU(), model, runtime.Version(), load)
}

// figures are measured times.
type figures []time.Duration

// at gives the quantile q of the figures, 0 for the least and 1 for the worst.
func (f figures) at(q float64) time.Duration {
	if len(f) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(f))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

func (f figures) median() time.Duration { return f.at(0.5) }

func (f figures) String() string {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("median %.1f ms, p90 %.1f ms, p99 %.1f ms, worst %.1f ms of %d",
		ms(f.median()), ms(f.at(0.9)), ms(f.at(0.99)), ms(f.at(1)), len(f))
}

// rounds measures until a round holds, three times at most: the machine may be
// busy with something else for a while. A round gives what it missed.
func rounds(t *testing.T, round func(t *testing.T) (missed []string)) {
	t.Helper()
	var missed []string
	for range 3 {
		calm(t)
		if missed = round(t); len(missed) == 0 || t.Failed() {
			return
		}
		t.Logf("missed on %s, so once more: %s", machine(), strings.Join(missed, "; "))
	}
	t.Errorf("three times in a row: %s", strings.Join(missed, "; "))
}

// calm waits for a second in which the machine has half of its processors free,
// 20 seconds at most: what others do with it is no figure of Houston's.
func calm(t *testing.T) {
	t.Helper()
	free := 0.0
	for range 20 {
		idle, all := processors()
		<-time.After(time.Second)
		idleNow, allNow := processors()
		if allNow <= all {
			return // nobody tells
		}
		if free = float64(idleNow-idle) / float64(allNow-all); free >= 0.5 {
			return
		}
	}
	t.Logf("the machine is busy with something else: %.0f %% of it are free", 100*free)
}

// processors gives the time that all processors were idle and existed, in
// hundredths of a second (proc_stat(5)); zero where there is no /proc.
func processors() (idle, all int64) {
	raw, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	for i, field := range strings.Fields(strings.TrimPrefix(first, "cpu")) {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || i > 7 { // guests are counted in the first two as well
			break
		}
		if all += n; i == 3 || i == 4 {
			idle += n
		}
	}
	return idle, all
}

// within says what is missed when the quantile q of figures is over a limit.
func (f figures) within(what string, q float64, limit time.Duration) []string {
	if got := f.at(q); got > limit {
		return []string{fmt.Sprintf("%s: %s at quantile %g, want at most %s", what, got.Round(time.Millisecond), q, limit)}
	}
	return nil
}

// durableDatabases gives for each kind of database a function that makes a
// new one, as durable as in production, which is what a figure has to pay for.
func durableDatabases(t *testing.T) map[string]func(t *testing.T) string {
	t.Helper()
	cluster := pgtest.New(t, pgtest.Config{Fsync: true})
	return map[string]func(t *testing.T) string{
		"sqlite": func(t *testing.T) string {
			t.Helper()
			return "sqlite:" + filepath.Join(t.TempDir(), "houston.db")
		},
		"postgres": func(t *testing.T) string {
			t.Helper()
			return cluster.Schema(t)
		},
	}
}

// pace runs do so many times, one every so often, each in a goroutine of its
// own, and waits until all have ended.
func pace(ctx context.Context, times int, every time.Duration, do func(n int)) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	done := make(chan struct{}, times)
	started := 0
	for range times {
		select {
		case <-ctx.Done():
		case <-ticker.C:
			started++
			go func() { do(started); done <- struct{}{} }()
		}
	}
	for range started {
		<-done
	}
}

// metric gives the value of a sample that /metrics shows, by its name with its
// labels as they are printed; 0 when it is not there.
func (h *house) metric(name string) float64 {
	h.t.Helper()
	status, raw := h.call("GET", "/metrics", "", nil)
	if status != 200 {
		h.t.Fatalf("/metrics answered %d", status)
	}
	for line := range bytes.Lines(raw) {
		rest, found := strings.CutPrefix(string(line), name+" ")
		if !found {
			continue
		}
		var value float64
		if _, err := fmt.Sscan(rest, &value); err != nil {
			h.t.Fatalf("/metrics shows %q: %v", line, err)
		}
		return value
	}
	return 0
}
