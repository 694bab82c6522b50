package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/houston-sre/houston/bot/slack/setup"
)

// newManifest is "houston manifest": the app to create in Slack, with exactly
// the permissions that Houston uses.
func (c *cli) newManifest() *cobra.Command {
	var address, command, name string
	var socket bool
	cmd := &cobra.Command{
		Use:   "manifest",
		Short: "Print the manifest of the Slack app",
		Long: "Print the manifest of the Slack app, as JSON. Create the app from it: https://api.slack.com/apps,\n" +
			"\"Create New App\", \"From a manifest\". Then install it and copy the bot's token to slack.bot_token,\n" +
			"and for Socket Mode (no public address needed) an app-level token with connections:write to\n" +
			"slack.app_token, or for HTTP (--url) the signing secret to slack.signing_secret.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if socket && address != "" {
				return errors.New("--url and --socket exclude each other: with Socket Mode Slack needs no address")
			}
			if !cmd.Flags().Changed("command") {
				config, err := c.config()
				if err != nil {
					return err
				}
				command = config.Slack.Command
			}
			manifest, err := setup.Manifest(setup.ManifestConfig{Name: name, Command: command, URL: address})
			if err != nil {
				return fmt.Errorf("write the manifest: %w", err)
			}
			_, err = c.stdout.Write(manifest)
			return err
		},
	}
	cmd.Flags().StringVar(&address, "url", "", "for HTTP: the `URL` at which Slack reaches Houston, such as https://houston.example.com")
	cmd.Flags().BoolVar(&socket, "socket", false, "for Socket Mode, which is the default")
	cmd.Flags().StringVar(&command, "command", "/incident", "the slash `COMMAND`; the default is that of the configuration")
	cmd.Flags().StringVar(&name, "name", "Houston", "the `NAME` of the app")
	return cmd
}
