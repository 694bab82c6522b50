// Command tally reads what go test -json prints, on standard input and of any
// number of runs, and tells a person what happened: what failed, with its
// output; each skip, with its reason; and how many there were of each kind.
//
//	go test -json ./... | tally -expected FILE [-summary FILE]
//
// It exits 1 when a test failed, when a test was skipped that the file of
// expected skips does not allow, and when nothing passed at all.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	expected := flag.String("expected", "", "`FILE` with a regular expression for each skip that may be, on \"package.Test: reason\"")
	summary := flag.String("summary", "", "`FILE` to write the closing line to as well")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *expected, *summary); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, expectedFile, summaryFile string) error {
	expected, err := readExpected(expectedFile)
	if err != nil {
		return err
	}
	t := newTally(out)
	if err := t.read(in); err != nil {
		return err
	}
	verdict := t.report(expected)
	if summaryFile != "" {
		if err := os.WriteFile(summaryFile, []byte(t.summary()+"\n"), 0o600); err != nil {
			return err
		}
	}
	return verdict
}

// readExpected reads one pattern a line; empty lines and # lines are for people.
func readExpected(file string) ([]*regexp.Regexp, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var patterns []*regexp.Regexp
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, err := regexp.Compile("^(?:" + line + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}
