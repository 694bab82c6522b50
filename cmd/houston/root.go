package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/incidents"
)

// cli is what the commands have of the operating system; a test gives its own.
type cli struct {
	args           []string // without the program's name
	env            func(string) (string, bool)
	stdout, stderr io.Writer

	configFile string // --config

	// listening is told the address that serve answers on; nil outside of tests.
	listening func(addr string)
	// slackMinute is how long the minute of Slack's rate limits is; 0 outside of
	// tests.
	slackMinute time.Duration
	clock     incidents.Clock // nil outside of tests: the machine's
}

// run carries out one command and gives the exit status: 0, or 1 when the
// command failed, with the reason on stderr.
func run(ctx context.Context, c cli) int {
	if err := c.root().ExecuteContext(ctx); err != nil { //nolint:contextcheck // cobra hands ctx to each command
		fmt.Fprintf(c.stderr, "houston: %v\n", err)
		return 1
	}
	return 0
}

// root is the command houston with its subcommands. Each of them stands in a
// file of its name, and asks for the configuration when it runs, so that
// version and help need none.
func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "houston",
		Short:         "Incident response in Slack, with postmortems",
		SilenceUsage:  true, // a failure is no lesson in flags
		SilenceErrors: true, // run prints it, once
	}
	root.SetArgs(c.args)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.PersistentFlags().StringVar(&c.configFile, "config", "", "configuration `FILE` (default ./houston.yaml if present)")
	root.AddCommand(newVersion(), c.newServe(), c.newMigrate(), c.newDemo(), c.newExport(), c.newManifest(), c.newDoctor(), c.newRoutes())
	return root
}

// config reads the configuration that the command line names.
func (c *cli) config() (Config, error) { return loadConfig(c.configFile, c.env) }
