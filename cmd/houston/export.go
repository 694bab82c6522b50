package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem/export"
	"github.com/houston-sre/houston/templates"
)

// newExport is "houston export INC-1": what the database knows of an incident,
// as a document. A private incident is exported as well: whoever runs the
// command has the database.
func (c *cli) newExport() *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use:   "export INC-1",
		Short: "Write an incident's postmortem as a document",
		Long: "Write an incident's postmortem from the database: facts, key times, durations, roles, timeline, action\n" +
			"items, with a question wherever its author has something to say. It may run beside serve.",
		Args: oneIncident,
		RunE: func(cmd *cobra.Command, args []string) error {
			number, err := incidents.ParseKey(args[0])
			if err != nil {
				return err
			}
			if err := knownFormat(format); err != nil {
				return err
			}
			config, err := c.config()
			if err != nil {
				return err
			}
			document, err := exported(cmd.Context(), config, number, format)
			if err != nil {
				return err
			}
			if file == "" {
				_, err = c.stdout.Write(document)
			} else {
				err = os.WriteFile(file, document, 0o600) // it may be a private incident's
			}
			if err != nil {
				return fmt.Errorf("write the document: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "md", "`FORMAT`: "+strings.Join(exportFormats(), " or "))
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE` instead of the terminal")
	return cmd
}

func exportFormats() []string { return incidents.ExportFormats() }

func knownFormat(format string) error {
	built := "use " + strings.Join(exportFormats(), " or ")
	switch {
	case slices.Contains(exportFormats(), format):
		return nil
	case slices.Contains([]string{"pdf", "confluence"}, format):
		return fmt.Errorf("--format %s is not built yet; %s", format, built)
	default:
		return fmt.Errorf("--format %s is unknown; %s", format, built)
	}
}

// exported makes the document.
func exported(ctx context.Context, config Config, number int64, format string) (_ []byte, err error) {
	zone, err := time.LoadLocation(config.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("load time_zone: %w", err)
	}
	text, err := templates.Load(config.Language)
	if err != nil {
		return nil, fmt.Errorf("load the texts: %w", err)
	}
	store, err := openToRead(ctx, config.Database)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	clock := incidents.SystemClock{}
	service := incidents.NewService(incidents.Config{Store: store, Clock: clock})
	doc, err := newPostmortems(config, service, store, clock, zone, text).Current(ctx, number, incidents.Request{Actor: incidents.Houston()})
	if err != nil {
		return nil, err
	}
	own, err := config.Postmortem.own()
	if err != nil {
		return nil, err
	}
	_, document, err := export.Exporter{Files: kept(bot.NewFiles(config.DataDir)), Own: own}.Render(format, doc)
	return document, err
}

// oneIncident asks for the incident a command is about.
func oneIncident(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one incident, like: houston %s INC-1", cmd.Name())
	}
	return nil
}
