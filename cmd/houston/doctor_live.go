package main

import (
	"context"
	"slices"
	"time"

	"github.com/houston-sre/houston/bot/slack/setup"
)

// tryLive tries in the workspace what Houston relies on, unless what was found
// before leaves no hope for it.
func (c *cli) tryLive(ctx context.Context, invite string, found []finding) []finding {
	config, err := c.config()
	hopeless := slices.ContainsFunc(found, func(f finding) bool { return f.Check == "slack.bot_token" && f.Status == setup.Failing })
	if err != nil || config.Slack.BotToken == "" || hopeless {
		return []finding{{
			Check: "live", Status: setup.Warning, Message: "nothing was tried in Slack: there is no token that Slack takes",
			Fix: "mend what is said above, then run doctor --live again",
		}}
	}
	ctx, cancel := context.WithTimeout(ctx, liveFor)
	defer cancel()
	return setup.Trial(ctx, setup.Config{Token: string(config.Slack.BotToken), APIURL: config.Slack.APIURL}, invite, time.Now())
}
