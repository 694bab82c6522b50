package evidence

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/houston-sre/houston/incidents"
)

// callFor bounds one call.
const callFor = 8 * time.Second

// maxWords bounds what is quoted of Prometheus' own words, in characters.
const maxWords = 300

// Config of a Client. Name and URL are required.
type Config struct {
	Name string
	URL  string // without /api/v1; a prefix such as Mimir's /prometheus is kept
	// Headers are sent with each call, such as X-Scope-OrgID.
	Headers            map[string]string
	Username, Password string // of Basic; an empty Username sends none
	BearerToken        string
	TLS                *tls.Config // nil: the system's
}

// Client asks one Prometheus.
type Client struct {
	name string
	api  v1.API
}

// New makes a Client; it calls nobody.
func New(config Config) (*Client, error) {
	if u, err := url.Parse(config.URL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("read the address of Prometheus %s: %q is no URL", config.Name, config.URL)
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: config.TLS, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 5 * time.Second,
	}
	client, err := api.NewClient(api.Config{Address: config.URL, Client: &http.Client{
		Transport: &authorized{config, transport}, Timeout: callFor,
		// A token must not follow to wherever a redirect leads.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})
	if err != nil {
		return nil, fmt.Errorf("make the client of Prometheus %s: %w", config.Name, err)
	}
	return &Client{name: config.Name, api: v1.NewAPI(client)}, nil
}

// Name is what the configuration calls it.
func (c *Client) Name() string { return c.name }

// Check has it evaluate the simplest query, which each system that speaks the
// API understands. The error is an *incidents.Error.
func (c *Client) Check(ctx context.Context) error {
	_, _, _, err := c.api.Query(ctx, "vector(1)", time.Time{})
	return c.explain(err)
}

// between asks a query over some time, a value each step. The error is an
// *incidents.Error that says what to do.
func (c *Client) between(ctx context.Context, expr string, over v1.Range) (model.Matrix, error) {
	value, _, _, err := c.api.QueryRange(ctx, expr, over)
	if err != nil {
		return nil, c.explain(err)
	}
	matrix, ok := value.(model.Matrix)
	if !ok {
		return nil, incidents.Errorf(incidents.Invalid, "Prometheus %s answers this query with something that can not be drawn. Ask for numbers over time, such as rate(http_requests_total[5m]).", c.name)
	}
	return matrix, nil
}

// explain says in words what a failed call means.
func (c *Client) explain(err error) error {
	if err == nil {
		return nil
	}
	said, ok := errors.AsType[*v1.Error](err)
	switch {
	case !ok:
		return incidents.Errorf(incidents.Unavailable, "Prometheus %s does not answer. Try again in a moment, or ask whoever runs Houston to look at its address.", c.name)
	case said.Type == v1.ErrBadData:
		return incidents.Errorf(incidents.Invalid, "Prometheus %s does not understand the query: %s", c.name, quoted(said))
	case said.Type == v1.ErrExec:
		return incidents.Errorf(incidents.Invalid, "Prometheus %s can not answer the query: %s", c.name, quoted(said))
	case said.Type == v1.ErrTimeout, said.Type == v1.ErrCanceled:
		return incidents.Errorf(incidents.Unavailable, "Prometheus %s took too long for the query. Ask for less: fewer series, or a shorter time.", c.name)
	case said.Type == v1.ErrClient && refused(said):
		return incidents.Errorf(incidents.Unavailable, "Prometheus %s refuses Houston's credentials. Ask whoever runs Houston.", c.name)
	default:
		return incidents.Errorf(incidents.Unavailable, "Prometheus %s has an error of its own. Try again in a moment.", c.name)
	}
}

// refused reports an answer to credentials: the client library keeps the status
// in its words alone.
func refused(said *v1.Error) bool {
	return strings.HasSuffix(said.Msg, " 401") || strings.HasSuffix(said.Msg, " 403")
}

// quoted is what Prometheus says of a query, on one line.
func quoted(said *v1.Error) string {
	words := strings.Join(strings.Fields(said.Msg), " ")
	if r := []rune(words); len(r) > maxWords {
		words = string(r[:maxWords-1]) + "…"
	}
	return words
}

// authorized adds what proves who asks.
type authorized struct {
	config Config
	next   http.RoundTripper
}

func (a *authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range a.config.Headers {
		r.Header.Set(name, value)
	}
	switch {
	case a.config.BearerToken != "":
		r.Header.Set("Authorization", "Bearer "+a.config.BearerToken)
	case a.config.Username != "":
		r.SetBasicAuth(a.config.Username, a.config.Password)
	}
	return a.next.RoundTrip(r)
}
