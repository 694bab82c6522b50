package pager

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// GoAlert pages by a service's generic integration key
// (goalert.me, /docs#generic-api). The page's key is its dedup value. How a page
// stands is told by GoAlert's webhook, which names the alert by its number.
type GoAlert struct {
	client client
	url    string
	tokens map[string]string
}

// NewGoAlert makes a GoAlert. url is the installation's; tokens are integration
// keys by target.
func NewGoAlert(url string, tokens map[string]string) *GoAlert {
	return &GoAlert{client: newClient("GoAlert"), url: strings.TrimSuffix(url, "/") + "/api/v2/generic/incoming", tokens: tokens}
}

type goAlert struct {
	Summary string            `json:"summary,omitempty"`
	Details string            `json:"details,omitempty"`
	Dedup   string            `json:"dedup"`
	Action  string            `json:"action,omitempty"`
	Meta    map[string]string `json:"meta,omitempty"`
}

// Page opens an alert and gives its number.
func (g *GoAlert) Page(ctx context.Context, call Call) (string, error) {
	var answer struct {
		AlertID int64 `json:"AlertID"`
	}
	alert := goAlert{Summary: cut(call.Summary, 1024), Details: cut(strings.TrimSpace(call.Details), 6000), Dedup: call.Page.Key}
	if call.Link != "" {
		alert.Meta = map[string]string{"incident": call.Link}
	}
	if err := g.send(ctx, call.Page.Target, alert, &answer); err != nil {
		return "", err
	}
	if answer.AlertID == 0 {
		return call.Page.Key, nil // it answered 204: the alert stands, its number is not known
	}
	return strconv.FormatInt(answer.AlertID, 10), nil
}

// Resolve closes the alert.
func (g *GoAlert) Resolve(ctx context.Context, page incidents.Page) error {
	return g.send(ctx, page.Target, goAlert{Action: "close", Dedup: page.Key, Summary: "The incident is over"}, nil)
}

func (g *GoAlert) send(ctx context.Context, target string, alert goAlert, out any) error {
	token := g.tokens[target]
	if token == "" {
		return unknownTarget(target)
	}
	return g.client.do(ctx, http.MethodPost, g.url+"?token="+url.QueryEscape(token), nil, alert, out)
}
