package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// kinds of what Slack sends to an app, by their Socket Mode names.
const (
	kindCommand     = "slash_commands"
	kindInteractive = "interactive"
	kindEvent       = "events_api"
)

// ActError is what a person sees when the app did not answer as Slack wants.
type ActError struct {
	Code   string // operation_timeout, dispatch_failed, http_service_error, invalid_blocks …
	Status int    // the app's HTTP status, if it answered
	Err    error  // what was behind it
}

func (e *ActError) Error() string {
	if e.Err != nil {
		return e.Code + ": " + e.Err.Error()
	}
	if e.Status != 0 {
		return fmt.Sprintf("%s: the app answered %d", e.Code, e.Status)
	}
	return e.Code
}

func (e *ActError) Unwrap() error { return e.Err }

// delivery is one request or envelope for the app. Sending it again sends the
// very same bytes.
type delivery struct {
	kind    string
	url     string // empty: Socket Mode
	header  http.Header
	body    []byte
	id      string // envelope_id
	payload json.RawMessage
	replies bool // accepts_response_payload
	attempt int
	retries bool // an event, which is sent again when it was not taken
}

// ack is the app's answer.
type ack struct {
	status      int
	contentType string
	body        []byte
	noRetry     bool
	latency     time.Duration
}

// prepare makes the delivery of a form (commands) or a JSON payload
// (interactivity, events); ok is false when the app listens nowhere for its kind.
// The caller holds the state's lock.
func (w *Workspace) prepare(kind string, form url.Values, payload any) (d *delivery, ok bool) {
	raw, err := json.Marshal(payload)
	if err != nil {
		w.st.defect("encode %s: %v", kind, err)
		return nil, false
	}
	target, socket, ok := w.route(kind)
	if !ok {
		return nil, false
	}
	d = &delivery{kind: kind, url: target, payload: raw, id: secret(16), replies: kind != kindEvent}
	if socket {
		return d, true
	}
	contentType := "application/x-www-form-urlencoded"
	switch kind {
	case kindCommand:
		d.body = []byte(form.Encode())
	case kindInteractive:
		d.body = []byte(url.Values{"payload": {string(raw)}}.Encode())
	default:
		d.body, contentType = raw, "application/json"
	}
	d.header = w.signedHeader(contentType, d.body, w.st.now())
	return d, true
}

// route says where a kind goes.
func (w *Workspace) route(kind string) (target string, socket, ok bool) {
	w.settings.Lock()
	defer w.settings.Unlock()
	target = map[string]string{
		kindCommand: w.settings.commandURL, kindInteractive: w.settings.interactivityURL, kindEvent: w.settings.eventsURL,
	}[kind]
	if use := w.settings.useSocket; use != nil {
		socket = *use
	} else {
		socket = target == "" && w.sockets.used()
	}
	if socket {
		return "", true, true
	}
	return target, false, target != ""
}

// send sends a delivery and waits for the answer, three seconds at most.
func (w *Workspace) send(ctx context.Context, d *delivery, retry http.Header) (ack, error) {
	ctx, cancel := context.WithTimeout(ctx, w.cfg.AckTimeout)
	defer cancel()
	started := time.Now()
	var a ack
	var err error
	if d.url == "" {
		a, err = w.sockets.send(ctx, d)
	} else {
		a, err = w.sendHTTP(ctx, d, retry)
	}
	a.latency = time.Since(started)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return a, &ActError{Code: "operation_timeout", Err: err}
	case err != nil:
		return a, &ActError{Code: "dispatch_failed", Err: err}
	case a.status < 200 || a.status > 299:
		return a, &ActError{Code: "http_service_error", Status: a.status}
	}
	return a, nil
}

func (w *Workspace) sendHTTP(ctx context.Context, d *delivery, retry http.Header) (ack, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(d.body))
	if err != nil {
		return ack{}, fmt.Errorf("make request to the app: %w", err)
	}
	req.Header = d.header.Clone()
	maps.Copy(req.Header, retry)
	resp, err := w.client.Do(req)
	if err != nil {
		return ack{}, fmt.Errorf("send to the app: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return ack{}, fmt.Errorf("read the app's answer: %w", err)
	}
	return ack{
		status: resp.StatusCode, contentType: resp.Header.Get("Content-Type"), body: body, noRetry: resp.Header.Get("X-Slack-No-Retry") == "1",
	}, nil
}
