package slack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// gateSweep is how many rate limits are remembered before those that are over
// are thrown away.
const gateSweep = 1024

// gate sits before the HTTP client and holds back calls that Slack is known to
// refuse. Slack limits each method for itself, and chat.postMessage for each
// channel (https://docs.slack.dev/apis/web-api/rate-limits): so after a 429
// with Retry-After only the same method for the same channel is answered, at
// once and without a call, by another 429 that tells the rest of the wait; and
// so is a call that its budget has no room for (see [budgets]). Nothing ever
// waits here, and nothing is held back for all methods.
type gate struct {
	http    *http.Client
	clock   incidents.Clock
	budgets *budgets
	observe func(method string, outcome CallOutcome, waited time.Duration)
	known   map[string]bool // the methods that are observed; uploads go elsewhere

	mu    sync.Mutex
	until map[gateKey]time.Time
}

// CallOutcome is what became of a call of the Web API.
type CallOutcome string

// The outcomes.
const (
	CallDone    CallOutcome = "ok"
	CallRefused CallOutcome = "refused" // Slack answered with an error code
	CallLimited CallOutcome = "limited" // Slack answered 429
	CallHeld    CallOutcome = "held"    // not made: a rate limit is known
	CallFailed  CallOutcome = "failed"  // no answer, or none of the Web API
)

// gateKey is what a rate limit is known for: the path of the method and the
// channel the call names, if it names one.
type gateKey struct{ path, channel string }

func newGate(client *http.Client, config ClientConfig) *gate {
	g := &gate{
		http: client, clock: config.Clock, budgets: newBudgets(config.Clock, config.Minute),
		known: map[string]bool{}, until: map[gateKey]time.Time{},
	}
	for _, m := range methods() {
		g.known[m.name] = true
	}
	g.observe = func(method string, outcome CallOutcome, waited time.Duration) {
		if g.known[method] {
			config.Observe(method, outcome, waited)
		}
	}
	return g
}

// in gives the gate as the calls of a lane pass it.
func (g *gate) in(l lane) *gateLane { return &gateLane{gate: g, lane: l} }

// gateLane is a [gate] for the calls of one lane.
type gateLane struct {
	gate *gate
	lane lane
}

// Do makes the call unless the gate is closed for it.
func (l *gateLane) Do(req *http.Request) (*http.Response, error) {
	g, key := l.gate, gateKey{path: req.URL.Path, channel: channelOf(req)}
	method := path.Base(req.URL.Path)
	lane := laneOf(method, l.lane)
	wait := g.wait(key)
	if wait <= 0 {
		wait = g.budgets.take(method, key.channel, lane)
	}
	if wait > 0 {
		if req.Body != nil {
			req.Body.Close()
		}
		g.budgets.refused(method, lane, wait)
		g.observe(method, CallHeld, wait)
		return refusal(req, wait), nil
	}
	resp, err := g.http.Do(req)
	switch {
	case err != nil:
		g.observe(method, CallFailed, 0)
	case resp.StatusCode == http.StatusTooManyRequests:
		wait := g.close(key, resp.Header.Get("Retry-After"))
		g.budgets.refused(method, lane, wait)
		if method == "chat.postMessage" {
			g.budgets.full(key.channel, wait)
		}
		g.observe(method, CallLimited, wait)
	default:
		err = g.read(method, resp)
	}
	return resp, err
}

// read tells what became of an answered call; the answer's body stays to be read.
func (g *gate) read(method string, resp *http.Response) error {
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		g.observe(method, CallFailed, 0)
		return fmt.Errorf("read the answer of %s: %w", method, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var answer struct {
		OK bool `json:"ok"`
	}
	switch {
	case json.Unmarshal(body, &answer) != nil:
		g.observe(method, CallFailed, 0)
	case answer.OK:
		g.observe(method, CallDone, 0)
	default:
		g.observe(method, CallRefused, 0)
	}
	return nil
}

// ahead tells how long until a call of a method can be made that names no channel.
func (g *gate) ahead(method string) time.Duration {
	wait := g.budgets.ahead(method)
	g.mu.Lock()
	defer g.mu.Unlock()
	for key, until := range g.until {
		if path.Base(key.path) == method && key.channel == "" {
			wait = max(wait, until.Sub(g.clock.Now()))
		}
	}
	return wait
}

// wait tells how long the gate stays closed for key.
func (g *gate) wait(key gateKey) time.Duration {
	now := g.clock.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	until, ok := g.until[key]
	if !ok {
		return 0
	}
	if !now.Before(until) {
		delete(g.until, key)
		return 0
	}
	return until.Sub(now)
}

// close remembers a 429 and gives how long it holds. One that does not say how
// long to wait is not remembered: the caller backs off by himself.
func (g *gate) close(key gateKey, retryAfter string) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(retryAfter))
	if err != nil || seconds <= 0 {
		return 0
	}
	now := g.clock.Now()
	until := now.Add(time.Duration(seconds) * time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.until) >= gateSweep {
		for k, t := range g.until {
			if !now.Before(t) {
				delete(g.until, k)
			}
		}
	}
	if until.After(g.until[key]) {
		g.until[key] = until
	}
	return until.Sub(now)
}

// channelOf reads the channel a form call names without using up its body.
func channelOf(req *http.Request) string {
	if req.GetBody == nil {
		return req.URL.Query().Get("channel")
	}
	kind, _, _ := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if kind != "application/x-www-form-urlencoded" {
		return ""
	}
	body, err := req.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		return ""
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return ""
	}
	return form.Get("channel")
}

// refusal is the answer Slack would give, with whole seconds rounded up.
func refusal(req *http.Request, wait time.Duration) *http.Response {
	seconds := (wait + time.Second - 1) / time.Second
	const body = `{"ok":false,"error":"ratelimited"}`
	return &http.Response{
		Status: "429 Too Many Requests", StatusCode: http.StatusTooManyRequests,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type": {"application/json; charset=utf-8"},
			"Retry-After":  {strconv.FormatInt(int64(seconds), 10)},
		},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		Request: req,
	}
}
