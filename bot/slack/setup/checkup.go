package setup

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/slack"
)

// Status is how a check ended.
type Status string

// The ways a check can end.
const (
	Fine    Status = "ok"
	Warning Status = "warn" // works, but somebody should look
	Failing Status = "fail" // something would not work
)

// Finding is what a check has found, in words for whoever runs Houston.
type Finding struct {
	Check   string `json:"check"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // what to do; empty when there is nothing to
}

// Config says what to look at in Slack. Token is required.
type Config struct {
	Token    string
	AppToken string // empty: Socket Mode is off
	APIURL   string // empty: slack.DefaultAPIURL
	Announce string // the announce channel, by id or name
	People   []Listed
}

// Listed are ids of people and user groups that the configuration has somewhere.
type Listed struct {
	Key  string // "slack.invite"
	IDs  []string
	Need bool // something fails without them
}

// firstCall bounds the call that finds out whether Slack can be reached.
const firstCall = 6 * time.Second

// checkup is one look at Slack.
type checkup struct {
	config   Config
	client   *slack.Client
	findings []Finding
}

// Checkup finds out whether what is configured works in Slack. It reads only:
// nothing is posted, joined or made. It ends soon after ctx does, and when Slack
// can not be reached it says so once, after 6 s at most. No finding shows a token.
func Checkup(ctx context.Context, config Config) []Finding {
	if config.APIURL == "" {
		config.APIURL = slack.DefaultAPIURL
	}
	c := &checkup{config: config, client: slack.NewClient(slack.ClientConfig{Token: config.Token, AppToken: config.AppToken, APIURL: config.APIURL})}
	us, err := c.whoami(ctx)
	switch {
	case err != nil && slack.CodeOf(err) == "":
		return c.findings // no answer to any other question either
	case err == nil:
		c.scopes(ctx, us.Header)
		c.announceChannel(ctx, us.User)
		for _, listed := range config.People {
			c.people(ctx, listed)
		}
	}
	c.socket(ctx)
	return c.findings
}

// refusedAs reports whether Slack refused a call with one of these codes.
func refusedAs(err error, codes ...string) bool { return slices.Contains(codes, slack.CodeOf(err)) }

func (c *checkup) api() *slackgo.Client { return c.client.API() }

func (c *checkup) note(check string, status Status, message, fix string) {
	c.findings = append(c.findings, Finding{Check: check, Status: status, Message: message, Fix: fix})
}

// whoami checks the bot's token.
func (c *checkup) whoami(ctx context.Context) (*slackgo.AuthTestResponse, error) {
	const check = "slack.bot_token"
	const copyIt = `copy the "Bot User OAuth Token" (xoxb-…) from the app's page "OAuth & Permissions" to slack.bot_token`
	ctx, cancel := context.WithTimeout(ctx, firstCall)
	defer cancel()
	us, err := c.api().AuthTestContext(ctx)
	switch code := slack.CodeOf(err); {
	case err == nil && us.BotID == "":
		c.note(check, Failing, "the token is a person's, not a bot's", copyIt)
	case err == nil:
		c.note(check, Fine, fmt.Sprintf("Houston is @%s in the workspace %s", us.User, us.Team), "")
	case code == "account_inactive":
		c.note(check, Failing, "the app was removed from the workspace or the workspace is gone", "install the app again, then "+copyIt)
	case code != "":
		c.note(check, Failing, "Slack refuses the token ("+code+")", copyIt)
	default:
		c.note(check, Failing, c.trouble(err), "check that this machine reaches "+hostOf(c.config.APIURL)+": network, proxy (HTTPS_PROXY), slack.api_url")
	}
	return us, err
}

// socket checks the app's token by asking for an address, which it does not use.
func (c *checkup) socket(ctx context.Context) {
	if c.config.AppToken == "" {
		return
	}
	const check = "slack.app_token"
	_, _, err := c.api().StartSocketModeContext(ctx)
	switch code := slack.CodeOf(err); {
	case err == nil:
		c.note(check, Fine, "Socket Mode can connect", "")
	case code == "missing_scope":
		c.note(check, Failing, "the app-level token lacks connections:write", `make a new one with that scope on the app's page "Basic Information"`)
	case code != "":
		c.note(check, Failing, "Slack refuses the app-level token ("+code+")",
			`copy the app-level token (xapp-…) from the app's page "Basic Information" to slack.app_token, and switch Socket Mode on`)
	default:
		c.note(check, Warning, "could not be checked: "+c.trouble(err), "run doctor again")
	}
}

// unknown notes that a check came to no result, because of an error that is
// about something else.
func (c *checkup) unknown(check string, err error) {
	fix := "run doctor again"
	if slack.CodeOf(err) == "missing_scope" {
		fix = "give the app the missing scopes first"
	}
	c.note(check, Warning, "could not be checked: "+c.trouble(err), fix)
}

// trouble says in a few words what went wrong, and nothing that was sent.
func (c *checkup) trouble(err error) string {
	reason := slack.Reason(err)
	if network, ok := errors.AsType[*url.Error](err); ok && !network.Timeout() {
		reason += " (" + network.Err.Error() + ")" // without the address, which may hold a ticket
	}
	return reason
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return strings.TrimSpace(address)
}
