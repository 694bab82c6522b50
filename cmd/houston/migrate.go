package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/incidents"
)

// newMigrate is "houston migrate": the database at this version, and nothing else.
func (c *cli) newMigrate() *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database to this version",
		Long:  "Bring the database to this version. serve does so by itself; this is for those who want it apart.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			config, err := c.config()
			if err != nil {
				return err
			}
			sole, err := config.claim()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, sole.Close()) }()
			a := &app{config: config, clock: incidents.SystemClock{}, log: slog.New(slog.NewTextHandler(c.stderr, nil))}
			if err := a.openDatabase(cmd.Context()); err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.stdout, "The database is at this version.")
			return errors.Join(err, a.close())
		},
	}
}
