package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// How long a test over the wire waits before it gives up, and what senders and
// scripts show.
const (
	patience     = 20 * time.Second
	webhookToken = "webhook-token"
	apiToken     = "api-token"
)

// house is a running Houston in front of a stand-in for Slack.
type house struct {
	t      *testing.T
	slack  *sandbox.Workspace
	url    string // Houston's
	env    map[string]string
	args   []string
	log    *lockedBuffer
	minute time.Duration // how long Slack's is; 0: a minute
	clock  *movedClock   // nil: the machine's
	stop   func()        // as SIGTERM does; waits until Houston has ended
}

// plan says how a house is built. The zero value is SQLite over signed HTTP.
type plan struct {
	database string // a URL; empty: a new SQLite file
	socket   bool   // Socket Mode instead of HTTP
	env      map[string]string
	args     []string           // beside serve
	slack    *sandbox.Workspace // empty: a new one with people in it
	clock    *movedClock        // nil: the machine's; moved by the test, and kept by the new workspace too
	api      string             // URL of that one's API
	minute   time.Duration      // how long Slack's minute is; 0: a minute
}

// People and channels of every stand-in.
const (
	anna      = "U0ANNA"  // a member in Zurich
	ben       = "U0BEN"   // another
	guest     = "U0GUEST" // a multi-channel guest
	announced = "incidents"
)

// newSlack makes a workspace with people in it and serves it.
func newSlack(t *testing.T) (*sandbox.Workspace, string) {
	t.Helper()
	return newSlackAt(t, nil)
}

// newSlackAt is newSlack in which it is as late as the clock says.
func newSlackAt(t *testing.T, clock *movedClock) (*sandbox.Workspace, string) {
	t.Helper()
	config := sandbox.Config{}
	if clock != nil {
		config.Now = clock.Now
	}
	return newSlackOf(t, config)
}

// newSlackOf is newSlack of another make.
func newSlackOf(t *testing.T, config sandbox.Config) (*sandbox.Workspace, string) {
	t.Helper()
	w := sandbox.New(config)
	t.Cleanup(w.Close)
	w.AddUser(sandbox.User{ID: anna, Name: "anna", RealName: "Anna Reporter", TZ: "Europe/Zurich"})
	w.AddUser(sandbox.User{ID: ben, Name: "ben", RealName: "Ben Responder", TZ: "Europe/Zurich"})
	w.AddUser(sandbox.User{ID: guest, Name: "gil", RealName: "Gil Guest", Guest: true})
	w.AddChannel(sandbox.Channel{Name: announced, Creator: anna, Members: []string{anna, ben}})
	server, err := sandbox.Serve(w, "127.0.0.1:0")
	if err != nil {
		t.Fatalf("serve the sandbox: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return w, server.APIURL()
}

// environment is the configuration of a house, as environment variables.
func (p plan) environment(t *testing.T, w *sandbox.Workspace, api string) map[string]string {
	t.Helper()
	env := map[string]string{
		"HOUSTON_LISTEN": "127.0.0.1:0", "HOUSTON_LAME_DUCK": "0s", "HOUSTON_DATABASE": p.database,
		"HOUSTON_SLACK_BOT_TOKEN": w.BotToken(), "HOUSTON_SLACK_API_URL": api,
		"HOUSTON_WEBHOOK_TOKEN": webhookToken, "HOUSTON_WEB_TOKEN": apiToken,
		"HOUSTON_TIME_ZONE": "Europe/Zurich", "HOUSTON_DATA_DIR": t.TempDir(),
	}
	if p.database == "" {
		env["HOUSTON_DATABASE"] = newSQLite(t)
	}
	if p.socket {
		env["HOUSTON_SLACK_APP_TOKEN"] = w.AppToken()
	} else {
		env["HOUSTON_SLACK_SIGNING_SECRET"] = w.SigningSecret()
	}
	maps.Copy(env, p.env)
	return env
}

// newHouse starts Houston in this process and waits until it serves and knows
// the people.
func newHouse(t *testing.T, p plan) *house {
	t.Helper()
	w, api := p.slack, p.api
	if w == nil {
		w, api = newSlackAt(t, p.clock)
	}
	h := &house{t: t, slack: w, env: p.environment(t, w, api), args: append([]string{"serve"}, p.args...), log: &lockedBuffer{}, clock: p.clock, minute: p.minute}
	h.start()
	t.Cleanup(func() {
		h.stop()
		if t.Failed() {
			t.Logf("houston's log:\n%s", h.log.String())
		}
		for _, defect := range w.Defects() {
			t.Errorf("the stand-in answered what Slack does not: %s", defect)
		}
	})
	if p.socket {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := w.WaitSockets(ctx, 1); err != nil {
			t.Fatalf("Houston did not connect over Socket Mode: %v", err)
		}
	} else {
		w.SetURLs(h.url+"/slack/commands", h.url+"/slack/interactivity", h.url+"/slack/events")
	}
	h.until("the people are known", func() bool { return len(w.Calls("users.list")) > 0 })
	return h
}

// start runs serve with the house's environment.
func (h *house) start() {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(h.t.Context()))
	address, ended := make(chan string, 1), make(chan int, 1)
	var clock incidents.Clock
	if h.clock != nil {
		clock = h.clock
	}
	go func() {
		ended <- run(ctx, cli{
			clock: clock, args: h.args, stdout: h.log, stderr: h.log,
			env:       func(key string) (string, bool) { v, ok := h.env[key]; return v, ok },
			listening: func(addr string) { address <- addr }, slackMinute: h.minute,
		})
	}()
	var once sync.Once
	h.stop = func() {
		once.Do(func() {
			cancel()
			select {
			case code := <-ended:
				if code != 0 {
					h.t.Errorf("houston ended with status %d", code)
				}
			case <-time.After(2 * patience):
				h.t.Error("houston did not end")
			}
		})
	}
	select {
	case addr := <-address:
		h.url = "http://" + addr
	case code := <-ended:
		h.t.Fatalf("houston ended with status %d before it served:\n%s", code, h.log.String())
	case <-time.After(patience):
		h.t.Fatalf("houston did not serve:\n%s", h.log.String())
	}
}

// restart ends Houston and starts it again on the same database.
func (h *house) restart() {
	h.t.Helper()
	h.stop()
	h.start()
	if _, http := h.env["HOUSTON_SLACK_SIGNING_SECRET"]; http {
		h.slack.SetURLs(h.url+"/slack/commands", h.url+"/slack/interactivity", h.url+"/slack/events")
	}
}

// inEach runs a test on both databases over both transports.
func inEach(t *testing.T, test func(t *testing.T, h *house)) {
	t.Helper()
	eachPlan(t, func(t *testing.T, p plan) { test(t, newHouse(t, p)) })
}

// eachPlan runs a test with the plan of a house for each database and transport,
// for who has something to add to it.
func eachPlan(t *testing.T, test func(t *testing.T, p plan)) {
	t.Helper()
	for _, database := range []string{"sqlite", "postgres"} {
		for _, transport := range []string{"http", "socket"} {
			t.Run(database+"/"+transport, func(t *testing.T) {
				t.Parallel()
				test(t, plan{database: databaseURL(t, database), socket: transport == "socket"})
			})
		}
	}
}

// onBoth runs a test on both databases over HTTP.
func onBoth(t *testing.T, test func(t *testing.T, p plan)) {
	t.Helper()
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			test(t, plan{database: databaseURL(t, database)})
		})
	}
}

func databaseURL(t *testing.T, kind string) string {
	t.Helper()
	if kind == "postgres" {
		return emptyPostgres.Database(t)
	}
	return newSQLite(t)
}

// until polls until something is true.
func (h *house) until(what string, done func() bool) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			h.t.Fatalf("waited %s in vain until %s", patience, what)
		case <-tick.C:
		}
	}
}

// say sends a slash command and gives the ephemeral answer.
func (h *house) say(user, channel, text string) string {
	h.t.Helper()
	reply, err := h.slack.Command(h.t.Context(), sandbox.Command{User: user, Channel: channel, Command: "/incident", Text: text})
	if err != nil {
		h.t.Fatalf("/incident %s: %v", text, err)
	}
	return reply.Text
}

// declared declares an incident and waits until its channel is usable and the
// card pinned.
func (h *house) declared(text string) sandbox.Channel {
	h.t.Helper()
	before := len(h.slack.Channels())
	answer := h.say(anna, announced, "declare "+text)
	if !strings.Contains(answer, "INC-") {
		h.t.Fatalf("declare %s was answered: %s", text, answer)
	}
	h.until("a channel is made", func() bool { return len(h.slack.Channels()) > before })
	channels := h.slack.Channels()
	channel := channels[len(channels)-1]
	h.until("the card is pinned", func() bool { return len(h.slack.Pins(channel.ID)) == 1 })
	return channel
}

// card gives the blocks of a channel's pinned card, as text.
func (h *house) card(channel string) string {
	h.t.Helper()
	pins := h.slack.Pins(channel)
	if len(pins) != 1 {
		return fmt.Sprintf("(%d pins)", len(pins))
	}
	return string(pins[0].Blocks)
}

// shows waits until the card of a channel contains a text.
func (h *house) shows(channel, text string) {
	h.t.Helper()
	quoted, _ := json.Marshal(text)
	h.until(fmt.Sprintf("the card shows %q; it is %s", text, h.card(channel)), func() bool {
		return strings.Contains(h.card(channel), strings.Trim(string(quoted), `"`))
	})
}

// api reads from the API and decodes the answer into out when it is not nil.
func (h *house) api(path string, out any) int {
	h.t.Helper()
	status, raw := h.call(http.MethodGet, "/api/v1"+path, "", map[string]string{"Authorization": "Bearer " + apiToken})
	if out != nil && status < 300 {
		if err := json.Unmarshal(raw, out); err != nil {
			h.t.Fatalf("GET %s answered %s: %v", path, raw, err)
		}
	}
	return status
}

// call makes an HTTP request of Houston.
func (h *house) call(method, path, body string, headers map[string]string) (int, []byte) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, raw
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
