package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		args   []string
		code   int
		stdout string // in it
		stderr string // in it; empty: nothing at all
	}{
		{"version", []string{"version"}, 0, "houston (devel) (commit ", ""},
		{"version needs no configuration", []string{"version", "--config", "none.yaml"}, 0, "houston ", ""},
		{"version takes no arguments", []string{"version", "now"}, 1, "", `houston: unknown command "now" for "houston version"`},
		{"unknown command", []string{"launch"}, 1, "", `houston: unknown command "launch" for "houston"`},
		{"unknown flag", []string{"version", "--loud"}, 1, "", "houston: unknown flag: --loud"},
		{"help", nil, 0, "--config FILE", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), cli{args: tt.args, env: environment(nil), stdout: &stdout, stderr: &stderr})
			if code != tt.code {
				t.Errorf("exit status = %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) {
				t.Errorf("stdout = %q, want %q in it", stdout.String(), tt.stdout)
			}
			if got := stderr.String(); !strings.Contains(got, tt.stderr) || tt.stderr == "" && got != "" {
				t.Errorf("stderr = %q, want %q in it", got, tt.stderr)
			}
		})
	}
}

// A subcommand gets the configuration that --config and the environment make.
func TestConfigFlag(t *testing.T) {
	t.Parallel()
	c := &cli{
		args: []string{"probe", "--config", writeConfig(t, "listen: ':7'")},
		env:  environment(map[string]string{"HOUSTON_WEB_TOKEN": "from-the-environment"}),
	}
	root := c.root()
	var got Config
	root.AddCommand(&cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) (err error) {
		got, err = c.config()
		return err
	}})
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got.Listen != ":7" || got.Web.Token != "from-the-environment" {
		t.Errorf("listen = %q, web.token = %q; want the file's and the environment's", got.Listen, string(got.Web.Token))
	}
}

func TestVersionLine(t *testing.T) {
	t.Parallel()
	recorded := &debug.BuildInfo{
		Main:     debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}},
	}
	tests := []struct {
		name, version, commit string
		info                  *debug.BuildInfo
		want                  string // the line's beginning
	}{
		{"by the linker", "v2.0.0", "def", recorded, "houston v2.0.0 (commit def, go1."},
		{"by the go command", "", "", recorded, "houston v1.2.3 (commit abc, go1."},
		{"unknown", "", "", new(debug.BuildInfo), "houston (devel) (commit unknown, go1."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := versionLine(tt.version, tt.commit, tt.info); !strings.HasPrefix(got, tt.want) {
				t.Errorf("version = %q, want it to begin with %q", got, tt.want)
			}
		})
	}
}
