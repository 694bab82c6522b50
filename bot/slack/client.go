package slack

import (
	"net/http"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// callTimeout bounds one call of Slack's Web API from the first byte to the
// last. The lease of an effect is longer, so that whoever takes it over knows
// that no earlier call is in flight any more.
const callTimeout = 8 * time.Second

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
}

// Client calls Slack's Web API. It never tries a call again by itself: what to
// do about an unknown outcome is for the one who asked. It remembers rate limits
// for each method and channel (see [gate]).
type Client struct {
	api  *slack.Client
	http *http.Client
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
	options := []slack.Option{
		slack.OptionHTTPClient(newGate(config.HTTP, config.Clock)),
		slack.OptionAPIURL(strings.TrimRight(config.APIURL, "/") + "/"), // slack-go appends the method's name
	}
	if config.AppToken != "" {
		options = append(options, slack.OptionAppLevelToken(config.AppToken))
	}
	return &Client{api: slack.New(config.Token, options...), http: config.HTTP}
}

// API gives the methods of slack-go, behind the gate. A call that is rate
// limited fails with *slack.RateLimitedError, any other status than 200 with
// slack.StatusCodeError, a refusal by Slack with slack.SlackErrorResponse.
func (c *Client) API() *slack.Client { return c.api }

// newHTTPClient keeps connections to Slack's few hosts open, since a new one
// costs more than the call.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 128
	transport.MaxIdleConnsPerHost = 64
	transport.IdleConnTimeout = 90 * time.Second
	return &http.Client{Timeout: callTimeout, Transport: transport}
}
