package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/templates"
)

// Validate says everything that is wrong with the configuration, each line
// naming its key and what to write instead. What this release has not built
// yet is refused rather than ignored: nobody shall believe that it works.
func (c Config) Validate() error {
	var all complaints
	all.listen("listen", c.Listen)
	if c.PublicURL != "" {
		all.url("public_url", c.PublicURL)
	}
	all.database(string(c.Database))
	if _, err := time.LoadLocation(c.TimeZone); err != nil || c.TimeZone == "" || c.TimeZone == "Local" {
		all.add("time_zone", "%q is no time zone; write a name such as Europe/Berlin or UTC", c.TimeZone)
	}
	all.choice("language", c.Language, choices{built: templates.Languages()})
	if c.LameDuck < 0 {
		all.add("lame_duck", "%s is negative; write 0s for no pause", c.LameDuck)
	}
	all.later("retention", len(c.Retention) > 0)
	c.Slack.validate(&all)
	c.Webhook.validate(&all)
	c.Alerts.validate(&all)
	names := map[string]bool{}
	for i, e := range c.Alertmanagers {
		e.validate(&all, fmt.Sprintf("alertmanagers[%d]", i), names)
	}
	names = map[string]bool{}
	for i, e := range c.Prometheus {
		e.validate(&all, fmt.Sprintf("prometheus[%d]", i), names)
	}
	c.Bridge.validate(&all)
	c.StatusPage.validate(&all)
	c.Pager.validate(&all)
	c.Pager.knows(&all, c.Alerts.Routes)
	all.choice("tracker.provider", c.Tracker.Provider, choices{built: []string{"none"}, later: []string{"jira", "github", "gitlab", "linear"}})
	all.section("tracker.jira", c.Tracker.Jira)
	all.section("tracker.github", c.Tracker.GitHub)
	all.section("tracker.gitlab", c.Tracker.GitLab)
	all.section("tracker.linear", c.Tracker.Linear)
	all.section("smtp", c.SMTP)
	c.Postmortem.validate(&all)
	validateRunbooks(&all, c.Runbooks)
	c.QuietHours.validate(&all)
	c.Permissions.validate(&all)
	c.Web.validate(&all, c.Listen)
	return errors.Join(all.errs...)
}

func (s SlackConfig) validate(all *complaints) {
	// The two tokens are copied from two pages and easily swapped.
	if strings.HasPrefix(string(s.BotToken), "xapp-") {
		all.add("slack.bot_token", "this is an app-level token; it belongs in slack.app_token, and the one that begins with xoxb- here")
	}
	if strings.HasPrefix(string(s.AppToken), "xoxb-") {
		all.add("slack.app_token", "this is a bot token; it belongs in slack.bot_token, and the one that begins with xapp- here")
	}
	all.url("slack.api_url", s.APIURL)
	if !strings.HasSuffix(s.APIURL, "/") {
		all.add("slack.api_url", "must end with a slash, as https://slack.com/api/ does")
	}
	if len(s.Command) < 2 || s.Command[0] != '/' || strings.ContainsAny(s.Command, " \t") {
		all.add("slack.command", "%q is no slash command; write one word with its slash, such as /incident", s.Command)
	}
	if s.Announce == "" {
		all.add("slack.announce_channel", "is empty; write a channel's id or name, such as incidents")
	}
}

func (w WebhookConfig) validate(all *complaints) {
	seen := map[string]bool{}
	for i, g := range w.Generic {
		key := fmt.Sprintf("webhook.generic[%d]", i)
		if g.Source == "" || seen[g.Source] {
			all.add(key+".source", "%q is empty or stands there twice; write the NAME of ?source=NAME", g.Source)
		}
		seen[g.Source] = true
		if err := g.mapping().Check(); err != nil {
			all.add(key, "%w", err)
		}
	}
}

func (a AlertsConfig) validate(all *complaints) {
	for i, route := range a.Routes {
		route.validate(all, fmt.Sprintf("alerts.routes[%d]", i))
	}
	if a.FlapWindow < 0 {
		all.add("alerts.flap_window", "%s is negative; write a duration such as 30m", a.FlapWindow)
	}
	if a.StaleAfter != 0 && a.StaleAfter < time.Second {
		all.add("alerts.stale_after", "%s is too short; write a duration such as 10m, or 0s for never", a.StaleAfter)
	}
	if a.MaxDeclaredPerMinute < 1 {
		all.add("alerts.max_declared_per_minute", "%d would declare nothing; write a number above 0", a.MaxDeclaredPerMinute)
	}
}

func (b BridgeConfig) validate(all *complaints) {
	known := choices{built: []string{"jitsi", "link", "none"}, later: []string{"whereby", "zoom", "meet", "teams"}}
	all.choice("bridge.provider", b.Provider, known)
	all.choice("bridge.fallback", b.Fallback, known)
	all.url("bridge.jitsi.url", b.Jitsi.URL)
	if b.Link.URL != "" || b.Provider == "link" || b.Fallback == "link" {
		all.url("bridge.link.url", b.Link.URL)
	}
	all.section("bridge.whereby", b.Whereby)
	all.section("bridge.zoom", b.Zoom)
	all.section("bridge.meet", b.Meet)
	all.section("bridge.teams", b.Teams)
}

func (s StatusPageConfig) validate(all *complaints) {
	for _, provider := range s.Provider {
		all.choice("statuspage.provider", provider, choices{
			built: []string{"builtin", "none"}, later: []string{"statuspage", "cachet", "instatus"},
		})
	}
	if len(s.Provider) > 1 && slices.Contains(s.Provider, "none") {
		all.add("statuspage.provider", `"none" stands beside another; write "none" alone, or leave it out`)
	}
	if s.Listen != "" {
		all.listen("statuspage.listen", s.Listen)
		if !s.builtin() {
			all.add("statuspage.listen", `only the built-in page listens; add "builtin" to statuspage.provider, or remove it`)
		}
	}
	if s.Builtin.URL != "" {
		all.url("statuspage.builtin.url", s.Builtin.URL)
	}
	all.section("statuspage.statuspage", s.Statuspage)
	all.section("statuspage.cachet", s.Cachet)
	all.section("statuspage.instatus", s.Instatus)
}

// slackID is a user's or user group's. https://api.slack.com/types/user
var slackID = regexp.MustCompile(`^[UWS][A-Z0-9]+$`)

func (p PermissionsConfig) validate(all *complaints) {
	for _, list := range []struct {
		key string
		ids []string
	}{
		{"publish", p.Publish},
		{"page", p.Page},
		{"silence", p.Silence},
		{"see_private", p.SeePrivate},
		{"admin", p.Admin},
	} {
		for i, id := range list.ids {
			if !slackID.MatchString(id) {
				all.add(fmt.Sprintf("permissions.%s[%d]", list.key, i),
					"%q is no Slack id; write a user's (U…) or a user group's (S…), from its profile in Slack", id)
			}
		}
	}
}

func (w WebConfig) validate(all *complaints, listen string) {
	all.choice("web.auth", w.Auth, choices{built: []string{"slack", "token", "none"}})
	if w.Auth == "none" && !loopback(listen) {
		all.add("web.auth", `"none" lets everybody in who reaches %q; listen on 127.0.0.1, or use "slack"`, listen)
	}
	all.url("web.oidc.url", w.OIDC.URL)
	if (w.OIDC.ClientID == "") != (w.OIDC.ClientSecret == "") {
		all.add("web.oidc", "needs both client_id and client_secret, from the Slack app's page \"Basic Information\"; leave both out to sign in by a link")
	}
}
