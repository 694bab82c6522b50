package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// world is a served workspace with a client and three people.
type world struct {
	*sandbox.Workspace
	t        *testing.T
	srv      *sandbox.Server
	api      *slack.Client
	ann, bob sandbox.User
	ops      sandbox.Channel // public, the bot is not in it
}

func newWorld(t *testing.T, cfg sandbox.Config) *world {
	t.Helper()
	w := sandbox.New(cfg)
	srv, err := sandbox.Serve(w, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if d := w.Defects(); len(d) > 0 {
			t.Errorf("the stand-in broke promises: %q", d)
		}
	})
	out := &world{Workspace: w, t: t, srv: srv}
	out.api = slack.New(w.BotToken(), slack.OptionAPIURL(srv.APIURL()), slack.OptionAppLevelToken(w.AppToken()))
	out.ann = w.AddUser(sandbox.User{Name: "ann", RealName: "Ann Meyer", Email: "ann@example.com"})
	out.bob = w.AddUser(sandbox.User{Name: "bob"})
	out.ops = w.AddChannel(sandbox.Channel{Name: "ops", Members: []string{out.ann.ID, out.bob.ID}})
	return out
}

// create makes a channel with the bot in it.
func (w *world) create(name string, private bool) string {
	w.t.Helper()
	c, err := w.api.CreateConversationContext(w.t.Context(), slack.CreateConversationParams{ChannelName: name, IsPrivate: private})
	if err != nil {
		w.t.Fatalf("create %s: %v", name, err)
	}
	return c.ID
}

// post posts as the bot.
func (w *world) post(channel string, options ...slack.MsgOption) string {
	w.t.Helper()
	_, ts, err := w.api.PostMessageContext(w.t.Context(), channel, options...)
	if err != nil {
		w.t.Fatalf("post to %s: %v", channel, err)
	}
	return ts
}

// form calls a method with a form and gives the decoded answer.
func (w *world) form(method string, pairs ...string) map[string]any {
	w.t.Helper()
	form := url.Values{"token": {w.BotToken()}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return w.call(method, "application/x-www-form-urlencoded", form.Encode(), nil)
}

func (w *world) call(method, contentType, body string, header http.Header) map[string]any {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.srv.APIURL()+method, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	maps.Copy(req.Header, header)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatalf("%s: %v", method, err)
	}
	defer func() { _ = resp.Body.Close() }()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		w.t.Fatalf("%s: %d: %v", method, resp.StatusCode, err)
	}
	return out
}

// wantError checks an answer's error code; "" wants ok.
func (w *world) wantError(got map[string]any, want string) {
	w.t.Helper()
	code, _ := got["error"].(string)
	if code != want || got["ok"] != (want == "") {
		w.t.Errorf("got %v, want error %q", got, want)
	}
}

func wantCode(t *testing.T, err error, want string) {
	t.Helper()
	if got := codeOf(err); got != want {
		t.Errorf("got error %q (%v), want %q", got, err, want)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*sandbox.ActError](err); ok {
		return e.Code
	}
	return err.Error()
}

// request is what an app received.
type request struct {
	path   string
	header http.Header
	body   []byte
	gone   <-chan struct{} // closed when the sender hung up
}

// app is an app that keeps what it is sent and answers as it is told.
type app struct {
	*httptest.Server
	got chan request
}

func newApp(t *testing.T, w *sandbox.Workspace, answer func(http.ResponseWriter, request)) *app {
	t.Helper()
	a := &app{got: make(chan request, 10_000)}
	a.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read request: %v", err)
		}
		req := request{r.URL.Path, r.Header, body, r.Context().Done()}
		a.got <- req
		if answer != nil {
			answer(rw, req)
		}
	}))
	t.Cleanup(a.Close)
	w.SetURLs(a.URL+"/commands", a.URL+"/interactivity", a.URL+"/events")
	return a
}

// next waits for the next request to a path.
func (a *app) next(t *testing.T, path string) request {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for {
		select {
		case r := <-a.got:
			if r.path == path {
				return r
			}
		case <-ctx.Done():
			t.Fatalf("no request to %s", path)
		}
	}
}

// nextEvent waits for an event of a type and gives it and its envelope.
func (a *app) nextEvent(t *testing.T, kind, subtype string) (event, envelope map[string]any) {
	t.Helper()
	for {
		r := a.next(t, "/events")
		envelope = decode(t, r.body)
		event, _ = envelope["event"].(map[string]any)
		got, _ := event["subtype"].(string)
		if event["type"] == kind && got == subtype {
			return event, envelope
		}
	}
}

func (r request) payload(t *testing.T) map[string]any {
	t.Helper()
	form, err := url.ParseQuery(string(r.body))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, []byte(form.Get("payload")))
}

func decode(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("decode %q: %v", raw, err)
	}
	return out
}

// soon is a context for things that come about by themselves.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func text(s string) slack.MsgOption { return slack.MsgOptionText(s, false) }

func permalinkOf(channel, ts string) *slack.PermalinkParameters {
	return &slack.PermalinkParameters{Channel: channel, Ts: ts}
}

func asSlackError(t *testing.T, err error) slack.SlackErrorResponse {
	t.Helper()
	e, ok := errors.AsType[slack.SlackErrorResponse](err)
	if !ok {
		t.Fatalf("got %v, want an answer of Slack", err)
	}
	return e
}

func copyBody(b *strings.Builder, resp *http.Response) (int64, error) {
	return io.Copy(b, resp.Body)
}

func asRateLimited(err error) (*slack.RateLimitedError, bool) {
	return errors.AsType[*slack.RateLimitedError](err)
}
