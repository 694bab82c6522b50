package pager

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// Call is what a provider is to tell whoever it wakes.
type Call struct {
	Page     incidents.Page
	Summary  string // one line: key, severity and title
	Details  string
	Severity incidents.Severity
	Link     string // to Houston's page of the incident; may be empty
	Bridge   string // the video call; may be empty
}

// Provider is one pager. Its errors are *[bot.Failure].
type Provider interface {
	// Page wakes the target, once for each key, and gives the provider's id.
	Page(ctx context.Context, call Call) (id string, err error)
	// Resolve ends a page. One that is over already is no error.
	Resolve(ctx context.Context, page incidents.Page) error
}

// Maker makes the effects of kind [incidents.MakePage].
type Maker struct {
	Provider Provider
	// Link gives the address of Houston's page of an incident; nil for none.
	Link func(number int64) string
}

// Make pages, unless the incident is over by now: then a page that an earlier call may
// have made, whose answer was lost, is resolved. One that somebody has answered at the
// pager was made by such a call.
func (m Maker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	page, ok := work.Incident.PageFor(work.Effect)
	tried := work.Effect.Attempts > 0 || work.Effect.Died > 0
	switch {
	case !ok || !work.Incident.Status.Open():
		made := bot.Made{ID: "not needed any more", Shown: work.Effect.Wanted, Page: incidents.PageResolved}
		if !ok || !tried || page.State == incidents.PageResolved {
			return made, nil
		}
		return made, m.Provider.Resolve(ctx, page)
	case page.State != incidents.PageOwed:
		return bot.Made{ID: page.Key, Shown: 1, Page: incidents.PageSent}, nil
	}
	id, err := m.Provider.Page(ctx, m.call(work.Incident, page))
	if err != nil {
		return bot.Made{}, err
	}
	return bot.Made{ID: id, Shown: 1, Page: incidents.PageSent}, nil
}

// Refresh resolves the page once the incident is over.
func (m Maker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	made := bot.Made{ID: work.Effect.ID, Shown: work.Effect.Wanted}
	page, ok := work.Incident.PageFor(work.Effect)
	if !ok || work.Incident.Status.Open() || page.State == incidents.PageResolved {
		return made, nil
	}
	made.Page = incidents.PageResolved
	return made, m.Provider.Resolve(ctx, page)
}

// call says what is read at three in the morning. A private incident's title
// goes nowhere, a pager included.
func (m Maker) call(inc incidents.Incident, page incidents.Page) Call {
	c := Call{Page: page, Severity: inc.Severity, Bridge: inc.BridgeURL}
	if m.Link != nil {
		c.Link = m.Link(inc.Number)
	}
	title := inc.Title
	if inc.Private {
		title = "private incident"
	}
	c.Summary = fmt.Sprintf("%s (%s) %s", inc.Key(), inc.Severity, title)
	if !inc.Private {
		c.Details = inc.Summary
	}
	if inc.Channel != nil {
		c.Details += "\nSlack: #" + inc.Channel.Name
	}
	if c.Bridge != "" {
		c.Details += "\nCall: " + c.Bridge
	}
	return c
}

// client speaks JSON over HTTP and reads what an answer means for a page.
type client struct {
	http *http.Client
	name string // of the provider, for people
}

func newClient(name string) client {
	return client{http: &http.Client{Timeout: 8 * time.Second}, name: name}
}

// do sends a request and decodes a success into out. No failure tells the
// address, which may hold a token.
func (c client) do(ctx context.Context, method, address string, header map[string]string, body, out any) error {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return &bot.Failure{Reason: "the page can not be written", Terminal: true, Err: err}
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return &bot.Failure{Reason: fmt.Sprintf("the address of %s can not be used", c.name), Terminal: true}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		return &bot.Failure{Reason: fmt.Sprintf("%s does not answer", c.name), Err: err}
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return &bot.Failure{Reason: fmt.Sprintf("%s broke off", c.name), Err: err}
	}
	if res.StatusCode >= 300 {
		return c.refused(res, raw)
	}
	if out != nil && len(raw) > 0 {
		if err := json.Unmarshal(raw, out); err != nil {
			return &bot.Failure{Reason: fmt.Sprintf("%s answered what can not be read", c.name), Err: err}
		}
	}
	return nil
}

// refused reads an answer that is no success: 429 and 5xx pass, all else stays.
func (c client) refused(res *http.Response, raw []byte) error {
	failure := &bot.Failure{Reason: fmt.Sprintf("%s answered %d", c.name, res.StatusCode)}
	var said struct {
		Message string   `json:"message"`
		Errors  []string `json:"errors"`
	}
	if json.Unmarshal(raw, &said) == nil && len(said.Message) > 0 && len(said.Message) < 200 {
		failure.Reason += ": " + said.Message
	}
	switch {
	case res.StatusCode == http.StatusTooManyRequests:
		seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
		if err != nil || seconds < 1 || seconds > 600 {
			seconds = 30
		}
		failure.After = time.Duration(seconds) * time.Second
	case res.StatusCode < 500:
		failure.Terminal = true
	}
	return failure
}

// unknownTarget is the failure of a page for whom nothing is configured.
func unknownTarget(target string) error {
	return &bot.Failure{Reason: fmt.Sprintf("the pager has no target %q", target), Terminal: true}
}

// cut shortens text to at most n characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
