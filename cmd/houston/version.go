package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version and commit are set by the linker: -X main.version=v1.2.3. Left
// empty, they come from what the go command records.
var version, commit string

// newVersion is "houston version": one line with the version, the commit and
// the version of Go.
func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = new(debug.BuildInfo)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine(version, commit, info))
			return err
		},
	}
}

func versionLine(version, commit string, info *debug.BuildInfo) string {
	if version == "" {
		version = info.Main.Version
	}
	if version == "" {
		version = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && commit == "" {
			commit = s.Value
		}
	}
	if commit == "" {
		commit = "unknown"
	}
	return fmt.Sprintf("houston %s (commit %s, %s %s/%s)", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
