package slack

import (
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// CallTimeout bounds one call of Slack's Web API from the first byte to the
// last. The lease of an effect is longer, so that whoever takes it over knows
// that no earlier call is in flight any more.
const CallTimeout = 8 * time.Second

// DefaultAPIURL is where Slack's Web API is.
const DefaultAPIURL = "https://slack.com/api/"

// ClientConfig says how to reach Slack.
type ClientConfig struct {
	Token    string // the bot's, xoxb-…
	AppToken string // the app's, xapp-…; only for Socket Mode
	APIURL   string // empty: DefaultAPIURL
	// HTTP makes the calls; nil: a client of its own with a timeout of 8 s. A
	// client that is given must have a timeout no longer than that.
	HTTP  *http.Client
	Clock incidents.Clock // nil: the machine's
	// Observe is told of each call by the method's name, and of how long a rate
	// limit has it wait. It may be nil.
	Observe func(method string, outcome CallOutcome, waited time.Duration)
	// Minute is how long the minute is that Slack counts calls in; 0: a minute.
	Minute time.Duration
}

// Client calls Slack's Web API. It never tries a call again by itself: what to
// do about an unknown outcome is for the one who asked. It remembers rate limits
// for each method and channel (see [gate]).
type Client struct {
	api, urgent *slack.Client
	gate        *gate
	http        *http.Client
}

// NewClient makes a Client; it calls nobody.
func NewClient(config ClientConfig) *Client {
	if config.APIURL == "" {
		config.APIURL = DefaultAPIURL
	}
	if config.HTTP == nil {
		config.HTTP = newHTTPClient()
	}
	if config.Clock == nil {
		config.Clock = incidents.SystemClock{}
	}
	if config.Observe == nil {
		config.Observe = func(string, CallOutcome, time.Duration) {}
	}
	if config.Minute == 0 {
		config.Minute = time.Minute
	}
	options := []slack.Option{
		slack.OptionAPIURL(strings.TrimRight(config.APIURL, "/") + "/"), // slack-go appends the method's name
	}
	if config.AppToken != "" {
		options = append(options, slack.OptionAppLevelToken(config.AppToken))
	}
	c := &Client{gate: newGate(config.HTTP, config), http: config.HTTP}
	c.api = slack.New(config.Token, append(options, slack.OptionHTTPClient(c.gate.in(background)))...)
	c.urgent = slack.New(config.Token, append(options, slack.OptionHTTPClient(c.gate.in(urgent)))...)
	return c
}

// API gives the methods of slack-go, behind the gate. A call that is rate
// limited fails with *slack.RateLimitedError, any other status than 200 with
// slack.StatusCodeError, a refusal by Slack with slack.SlackErrorResponse.
func (c *Client) API() *slack.Client { return c.api }

// Urgent is API for what makes an incident's channel usable: background work
// lets its calls pass first.
func (c *Client) Urgent() *slack.Client { return c.urgent }

// NextChannel tells how long it takes at least until Slack opens another
// channel, as far as this process knows; 0 when it does so at once.
func (c *Client) NextChannel() time.Duration { return c.gate.ahead("conversations.create") }

// newHTTPClient keeps connections to Slack's few hosts open, since a new one
// costs more than the call.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 128
	transport.MaxIdleConnsPerHost = 64
	transport.IdleConnTimeout = 90 * time.Second
	return &http.Client{Timeout: CallTimeout, Transport: transport}
}
