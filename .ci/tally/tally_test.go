package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	t.Parallel()
	const p = `"Package":"github.com/houston-sre/houston/bot"`
	const expected = "# timed\n\nbot\\.TestHeavy\\w+: timed: .*\n"
	tests := []struct {
		name    string
		in      []string
		summary string
		verdict string // the error; empty: none
		shows   []string
	}{
		{"passes, with a subtest", []string{
			`{"Action":"start",` + p + `}`,
			`{"Action":"run",` + p + `,"Test":"TestA"}`,
			`{"Action":"output",` + p + `,"Test":"TestA","Output":"quiet\n"}`,
			`{"Action":"pass",` + p + `,"Test":"TestA/x"}`,
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"Action":"pass",` + p + `,"Elapsed":1.25}`,
		}, "2 passed, 0 failed, 0 skipped", "", []string{"pass     1.2s  bot\n"}},
		{"a failure shows its output", []string{
			`{"Action":"run",` + p + `,"Test":"TestA"}`,
			`{"Action":"output",` + p + `,"Test":"TestA","Output":"=== RUN   TestA\n"}`,
			`{"Action":"output",` + p + `,"Test":"TestA","Output":"    a_test.go:1: got 1\n"}`,
			`{"Action":"fail",` + p + `,"Test":"TestA","Elapsed":0.5}`,
			`{"Action":"fail",` + p + `}`,
		}, "0 passed, 1 failed, 0 skipped", "1 failed", []string{"--- FAIL: bot.TestA (0.5s)\n        a_test.go:1: got 1\n"}},
		{"an expected skip", []string{
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"Action":"output",` + p + `,"Test":"TestHeavyKill","Output":"    kill_test.go:20: timed: runs without -race in .ci/run\n"}`,
			`{"Action":"output",` + p + `,"Test":"TestHeavyKill","Output":"--- SKIP: TestHeavyKill (0.00s)\n"}`,
			`{"Action":"skip",` + p + `,"Test":"TestHeavyKill"}`,
		}, "1 passed, 0 failed, 1 skipped", "", []string{"\nskip: bot.TestHeavyKill: timed: runs without -race in .ci/run\n"}},
		{"a skip for another reason", []string{
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"Action":"output",` + p + `,"Test":"TestHeavyKill","Output":"    kill_test.go:20: needs postgres\n"}`,
			`{"Action":"skip",` + p + `,"Test":"TestHeavyKill"}`,
		}, "1 passed, 0 failed, 1 skipped", "1 skipped that must run", []string{"UNEXPECTED skip: bot.TestHeavyKill: needs postgres\n"}},
		{"a skip without a reason", []string{
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"Action":"skip",` + p + `,"Test":"TestB"}`,
		}, "1 passed, 0 failed, 1 skipped", "1 skipped that must run", []string{"UNEXPECTED skip: bot.TestB: no reason given\n"}},
		{"a package that does not build", []string{
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"ImportPath":"x","Action":"build-output","Output":"x.go:1: undefined: y\n"}`,
			`{"ImportPath":"x","Action":"build-fail"}`,
			`{"Action":"fail","Package":"x","FailedBuild":"x"}`,
		}, "1 passed, 1 failed, 0 skipped", "1 failed", []string{"x.go:1: undefined: y\n", "--- FAIL: x "}},
		{"a process that ends in the middle", []string{
			`{"Action":"pass",` + p + `,"Test":"TestA"}`,
			`{"Action":"run",` + p + `,"Test":"TestB"}`,
			`{"Action":"output",` + p + `,"Test":"TestB","Output":"the last word\n"}`,
			`{"Action":"fail",` + p + `}`,
		}, "1 passed, 1 failed, 0 skipped", "1 failed", []string{"the last word\n", "never ended: bot.TestB\n"}},
		{"a timed test shows its figures", []string{
			`{"Action":"output",` + p + `,"Test":"TestHeavyStorm","Output":"    storm_test.go:1: 5000 alerts in 1.1 s\n"}`,
			`{"Action":"pass",` + p + `,"Test":"TestHeavyStorm"}`,
		}, "1 passed, 0 failed, 0 skipped", "", []string{"5000 alerts in 1.1 s\n"}},
		{"nothing ran", []string{"go: no such module"}, "0 passed, 0 failed, 0 skipped", "no test ran", []string{"go: no such module\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			skips, summary := filepath.Join(dir, "skips"), filepath.Join(dir, "summary")
			if err := os.WriteFile(skips, []byte(expected), 0o600); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			err := run(strings.NewReader(strings.Join(tt.in, "\n")+"\n"), &out, skips, summary)
			verdict := ""
			if err != nil {
				verdict = err.Error()
			}
			if verdict != tt.verdict {
				t.Errorf("verdict = %q, want %q", verdict, tt.verdict)
			}
			if !strings.HasSuffix(out.String(), "\n"+tt.summary+"\n") && out.String() != tt.summary+"\n" {
				t.Errorf("it ends otherwise than with %q:\n%s", tt.summary, out.String())
			}
			if got, err := os.ReadFile(summary); err != nil || string(got) != tt.summary+"\n" {
				t.Errorf("summary file = %q, error %v; want %q", got, err, tt.summary)
			}
			for _, want := range tt.shows {
				if !strings.Contains("\n"+out.String(), want) {
					t.Errorf("it does not show %q:\n%s", want, out.String())
				}
			}
			if strings.Contains(out.String(), "quiet") || strings.Contains(out.String(), "=== RUN") {
				t.Errorf("it shows what nobody asked for:\n%s", out.String())
			}
		})
	}
}
