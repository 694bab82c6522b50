package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is one line of go test -json. https://pkg.go.dev/cmd/test2json and, for
// the builds, go help buildjson.
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string
	Output     string
	Elapsed    float64 // seconds
}

// name is the test's, or its package's, without the host and owner in front.
func (e event) name() string {
	name := strings.TrimPrefix(e.Package, "github.com/houston-sre/houston/")
	if e.Test != "" {
		name += "." + e.Test
	}
	return name
}

type tally struct {
	out     io.Writer
	printed map[string]*strings.Builder // output of what has not ended yet, by name
	running map[string]bool             // tests that have begun
	broken  map[string]bool             // packages with a failed test
	skips   []string                    // "package.Test: reason"

	passed, failed int
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, printed: map[string]*strings.Builder{}, running: map[string]bool{}, broken: map[string]bool{}}
}

func (t *tally) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) == nil && e.Action != "" {
				t.event(e)
			} else {
				fmt.Fprint(t.out, line) // go's own words
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) event(e event) {
	name := e.name()
	switch e.Action {
	case "output":
		t.keep(name, e.Output)
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "run":
		t.running[name] = true
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.packageEnd(e)
		} else {
			t.testEnd(e)
		}
		delete(t.running, name)
		delete(t.printed, name)
	default: // start, pause, cont, bench, attr, artifacts, build-fail: nothing to count
	}
}

func (t *tally) keep(name, output string) {
	if t.printed[name] == nil {
		t.printed[name] = new(strings.Builder)
	}
	t.printed[name].WriteString(output)
}

func (t *tally) testEnd(e event) {
	output := ""
	if b := t.printed[e.name()]; b != nil {
		output = b.String()
	}
	switch e.Action {
	case "pass":
		t.passed++
		// The timed tests print the figures that people look for.
		if strings.HasPrefix(e.Test, "TestHeavy") {
			t.show("PASS", e, output)
		}
	case "skip":
		t.skips = append(t.skips, e.name()+": "+reason(output))
	case "fail":
		t.failed++
		t.broken[e.Package] = true
		t.show("FAIL", e, output)
	}
}

// packageEnd counts what no test says: a package that did not build, that
// panicked outside a test, or that ended with tests still running.
func (t *tally) packageEnd(e event) {
	var unfinished []string
	for name := range t.running {
		if strings.HasPrefix(name, e.name()+".") {
			unfinished = append(unfinished, name)
			delete(t.running, name)
		}
	}
	output := ""
	if b := t.printed[e.name()]; b != nil {
		output = b.String()
	}
	switch {
	case e.Action != "fail":
	case len(unfinished) > 0:
		slices.Sort(unfinished)
		t.failed += len(unfinished)
		var last strings.Builder
		for _, name := range unfinished {
			if b := t.printed[name]; b != nil {
				last.WriteString(b.String())
			}
		}
		t.show("FAIL", e, last.String()+output+"never ended: "+strings.Join(unfinished, ", ")+"\n")
	case !t.broken[e.Package]:
		t.failed++
		t.show("FAIL", e, output)
	}
	if e.Action != "skip" { // a package without tests
		fmt.Fprintf(t.out, "%-4s %7.1fs  %s\n", e.Action, e.Elapsed, e.name())
	}
	delete(t.broken, e.Package)
}

func (t *tally) show(verdict string, e event, output string) {
	fmt.Fprintf(t.out, "\n--- %s: %s (%.1fs)\n", verdict, e.name(), e.Elapsed)
	for line := range strings.Lines(output) {
		if !chatter(line) {
			fmt.Fprint(t.out, "    "+strings.TrimSuffix(line, "\n")+"\n")
		}
	}
}

// reason is what a skipped test printed, without the place in the source.
func reason(output string) string {
	var words []string
	for line := range strings.Lines(output) {
		if !chatter(line) {
			words = append(words, sourcePlace.ReplaceAllString(strings.TrimSpace(line), ""))
		}
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}

var sourcePlace = regexp.MustCompile(`^\S+\.go:\d+: `)

// chatter is what go test prints about the test rather than the test itself.
func chatter(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}

// report prints the skips and the closing line, and gives what is wrong.
func (t *tally) report(expected []*regexp.Regexp) error {
	times := map[string]int{}
	for _, skip := range t.skips {
		times[skip]++
	}
	unexpected := 0
	for _, skip := range slices.Sorted(maps.Keys(times)) {
		verdict := "UNEXPECTED "
		if slices.ContainsFunc(expected, func(p *regexp.Regexp) bool { return p.MatchString(skip) }) {
			verdict = ""
		} else {
			unexpected += times[skip]
		}
		fmt.Fprintf(t.out, "%sskip: %s\n", verdict, skip)
	}
	fmt.Fprintln(t.out, t.summary())
	switch {
	case t.failed > 0:
		return fmt.Errorf("%d failed", t.failed)
	case unexpected > 0:
		return fmt.Errorf("%d skipped that must run", unexpected)
	case t.passed == 0:
		return errors.New("no test ran")
	default:
		return nil
	}
}

func (t *tally) summary() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, len(t.skips))
}
