package alertmanager

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/go-openapi/runtime"
	httptransport "github.com/go-openapi/runtime/client"
	"github.com/go-openapi/strfmt"
	"github.com/prometheus/alertmanager/api/v2/client"
	"github.com/prometheus/alertmanager/api/v2/client/general"

	"github.com/houston-sre/houston/bot"
)

// callFor bounds one call.
const callFor = 8 * time.Second

// Config of a Client. Name and URL are required.
type Config struct {
	Name string // as in ?source= of its webhook
	URL  string // without /api/v2; a prefix such as Mimir's /alertmanager is kept
	// Headers are sent with each call, such as X-Scope-OrgID.
	Headers            map[string]string
	Username, Password string // of Basic; an empty Username sends none
	BearerToken        string
	TLS                *tls.Config // nil: the system's
}

// Client asks one Alertmanager.
type Client struct {
	name string
	api  *client.AlertmanagerAPI
}

// New makes a Client; it calls nobody.
func New(config Config) (*Client, error) {
	u, err := url.Parse(config.URL)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("read the address of Alertmanager %s: %q is no URL", config.Name, config.URL)
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: config.TLS, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 5 * time.Second,
	}
	rt := httptransport.NewWithClient(u.Host, u.JoinPath("/api/v2").Path, []string{u.Scheme}, &http.Client{
		Transport: &authorized{config, transport}, Timeout: callFor,
		// A redirected POST becomes a GET, which creates nothing.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	return &Client{name: config.Name, api: client.New(rt, strfmt.Default)}, nil
}

// Name is what the configuration calls it.
func (c *Client) Name() string { return c.name }

// Check asks for its version.
func (c *Client) Check(ctx context.Context) (version string, err error) {
	status, err := c.api.General.GetStatus(general.NewGetStatusParamsWithContext(ctx))
	if err != nil {
		return "", c.failure(err)
	}
	if v := status.Payload.VersionInfo; v != nil && v.Version != nil {
		version = *v.Version
	}
	return version, nil
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

// failure says in words what a failed call means. Only an answer is known to have
// done nothing; without one the call may have been carried out.
func (c *Client) failure(err error) *bot.Failure {
	answer, ok := errors.AsType[interface {
		error
		runtime.ClientResponseStatus
	}](err)
	dial, noCall := errors.AsType[*net.OpError](err)
	switch {
	case !ok && noCall && dial.Op == "dial":
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s does not answer", c.name), Err: err}
	case !ok:
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s does not answer", c.name), Unknown: true, Err: err}
	case answer.IsCode(http.StatusUnauthorized), answer.IsCode(http.StatusForbidden):
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s refuses Houston's credentials", c.name), Err: err}
	case answer.IsServerError():
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s has an error of its own", c.name), Unknown: true, Err: err}
	case answer.IsCode(http.StatusBadRequest):
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s does not take the silence", c.name), Terminal: true, Err: err}
	default:
		return &bot.Failure{Reason: fmt.Sprintf("Alertmanager %s gives an answer that Houston does not understand", c.name), Err: err}
	}
}
