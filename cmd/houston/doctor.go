package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/bot/slack/setup"
)

// Slack and the database are looked at side by side, each for no longer.
const (
	databaseFor = 6 * time.Second
	slackFor    = 12 * time.Second
	liveFor     = 90 * time.Second // the trial in a scratch channel
)

// finding is told the same whatever was looked at.
type finding = setup.Finding

// newDoctor is "houston doctor": what would not work, before somebody needs it.
func (c *cli) newDoctor() *cobra.Command {
	var asJSON, live bool
	var invite string
	cmd := &cobra.Command{
		Use:   "doctor [LABEL=VALUE …]",
		Short: "Say what would not work, and what to do about it",
		Long: "Check the configuration, the database and Slack without changing anything, one line for each check.\n" +
			"It ends with status 1 when something would fail. It may run beside serve.\n\n" +
			"With --live it also makes a scratch channel in the workspace, posts, reads back, pins, edits, renames and\n" +
			"archives it, and reports which of the facts about Slack that Houston relies on held.\n\n" +
			"With the labels of an alert it checks nothing and says which route takes the alert and why, as\n" +
			"houston routes test does.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, labels []string) error {
			if len(labels) > 0 && (live || invite != "") {
				return errors.New("--live and --invite look at Slack; labels ask for a route: write one or the other")
			}
			if len(labels) > 0 {
				return c.explainRoute(labels, nil, asJSON)
			}
			if invite != "" && !live {
				return errors.New("--invite belongs to --live; without it doctor only reads")
			}
			findings := c.examine(cmd.Context())
			if live {
				findings = append(findings, c.tryLive(cmd.Context(), invite, findings)...)
			}
			if err := report(c.stdout, findings, asJSON); err != nil {
				return err
			}
			failing := 0
			for _, f := range findings {
				if f.Status == setup.Failing {
					failing++
				}
			}
			if failing > 0 {
				return fmt.Errorf("%d of %d checks failed", failing, len(findings))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {check, status, message, fix}; with labels the object of routes test --json")
	cmd.Flags().BoolVar(&live, "live", false, "also try in a scratch channel what Houston relies on")
	cmd.Flags().StringVar(&invite, "invite", "", "with --live: id of somebody to invite to the scratch channel (U…)")
	return cmd
}

// examine makes all checks.
func (c *cli) examine(ctx context.Context) []finding {
	config, err := c.config()
	if err != nil {
		return configProblems(err)
	}
	findings := []finding{{Check: "configuration", Status: setup.Fine, Message: "is valid"}}
	if err := config.servable(); err != nil {
		findings = configProblems(err)
	}
	database := make(chan []finding, 1)
	go func() {
		ctx, cancel := context.WithTimeout(ctx, databaseFor)
		defer cancel()
		database <- examineDatabase(ctx, config.Database)
	}()
	var ofSlack []finding
	if config.Slack.BotToken != "" {
		ctx, cancel := context.WithTimeout(ctx, slackFor)
		defer cancel()
		ofSlack = setup.Checkup(ctx, setup.Config{
			Token: string(config.Slack.BotToken), AppToken: string(config.Slack.AppToken), APIURL: config.Slack.APIURL,
			Announce: config.Slack.Announce, People: config.people(),
		})
	}
	findings = append(findings, <-database...)
	findings = append(findings, ofSlack...)
	findings = append(findings, config.examineAlertmanagers(ctx)...)
	findings = append(findings, config.examinePrometheus(ctx)...)
	return append(findings, config.remarks(time.Now())...)
}

// people are the ids that the configuration names. A person who is restricted to
// something and not there harms nobody; one who is to be invited is missed.
func (c Config) people() []setup.Listed {
	return []setup.Listed{
		{Key: "slack.invite", IDs: c.Slack.Invite, Need: true},
		{Key: "postmortem.teams", IDs: c.Postmortem.groups()},
		{Key: "permissions.publish", IDs: c.Permissions.Publish},
		{Key: "permissions.page", IDs: c.Permissions.Page},
		{Key: "permissions.silence", IDs: c.Permissions.Silence},
		{Key: "permissions.see_private", IDs: c.Permissions.SeePrivate},
		{Key: "permissions.admin", IDs: c.Permissions.Admin},
	}
}

// configProblems makes a finding of each line of what the configuration's
// reading has to say. The lines name the key and what to write instead.
func configProblems(err error) []finding {
	var findings []finding
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" {
			findings = append(findings, finding{
				Check: "configuration", Status: setup.Failing, Message: line,
				Fix: "correct it in the configuration file, or in the environment variable of the key",
			})
		}
	}
	return findings
}

// report prints the findings, for people or for programs.
func report(w io.Writer, findings []finding, asJSON bool) error {
	var err error
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(findings)
	} else {
		var text strings.Builder
		for _, f := range findings {
			word := string(f.Status)
			if f.Status == setup.Failing {
				word = "FAIL"
			}
			fmt.Fprintf(&text, "%-4s  %s: %s\n", word, f.Check, f.Message)
			if f.Fix != "" {
				fmt.Fprintf(&text, "      → %s\n", f.Fix)
			}
		}
		_, err = io.WriteString(w, text.String())
	}
	if err != nil {
		return fmt.Errorf("print the findings: %w", err)
	}
	return nil
}
