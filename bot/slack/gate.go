package slack

import (
	"io"
	"mime"
	"net/http"
	"net/url"
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
// once and without a call, by another 429 that tells the rest of the wait.
// Nothing ever waits here, and nothing is held back for all methods.
type gate struct {
	http  *http.Client
	clock incidents.Clock

	mu    sync.Mutex
	until map[gateKey]time.Time
}

// gateKey is what a rate limit is known for: the path of the method and the
// channel the call names, if it names one.
type gateKey struct{ path, channel string }

func newGate(client *http.Client, clock incidents.Clock) *gate {
	return &gate{http: client, clock: clock, until: map[gateKey]time.Time{}}
}

// Do makes the call unless the gate is closed for it.
func (g *gate) Do(req *http.Request) (*http.Response, error) {
	key := gateKey{path: req.URL.Path, channel: channelOf(req)}
	if wait := g.wait(key); wait > 0 {
		if req.Body != nil {
			req.Body.Close()
		}
		return refusal(req, wait), nil
	}
	resp, err := g.http.Do(req)
	if err == nil && resp.StatusCode == http.StatusTooManyRequests {
		g.close(key, resp.Header.Get("Retry-After"))
	}
	return resp, err
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

// close remembers a 429. One that does not say how long to wait is not
// remembered: the caller backs off by himself.
func (g *gate) close(key gateKey, retryAfter string) {
	seconds, err := strconv.Atoi(strings.TrimSpace(retryAfter))
	if err != nil || seconds <= 0 {
		return
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
