package sandbox_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/houston-sre/houston/bot/sandbox"
)

// client runs slack-go's Socket Mode client until the test ends and gives its
// events; hello and connection events are left out.
func (w *world) client(answer func(*socketmode.Client, socketmode.Event)) chan socketmode.Event {
	w.t.Helper()
	c := socketmode.New(w.api, socketmode.OptionPingInterval(2*time.Second))
	events := make(chan socketmode.Event, 100)
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.RunContext(ctx)
	}()
	go func() {
		for {
			select {
			case e := <-c.Events:
				switch e.Type {
				case socketmode.EventTypeSlashCommand, socketmode.EventTypeInteractive, socketmode.EventTypeEventsAPI:
					answer(c, e)
					events <- e
				default:
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	w.t.Cleanup(func() {
		cancel()
		<-done
	})
	if err := w.WaitSockets(soon(w.t), 1); err != nil {
		w.t.Fatal(err)
	}
	return events
}

func TestSocketMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{PingEvery: 200 * time.Millisecond})
	events := w.client(func(c *socketmode.Client, e socketmode.Event) {
		if e.Type == socketmode.EventTypeSlashCommand {
			_ = c.Ack(*e.Request, map[string]any{"text": "on it"})
			return
		}
		_ = c.Ack(*e.Request)
	})
	reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/incident", Text: "it burns"})
	if err != nil || reply.Text != "on it" {
		t.Fatalf("%+v, %v", reply, err)
	}
	e := <-events
	if cmd, ok := e.Data.(slack.SlashCommand); !ok || cmd.Text != "it burns" || cmd.UserID != w.ann.ID || !e.Request.AcceptsResponsePayload {
		t.Errorf("command %+v", e.Data)
	}
	if _, err := reply.Redeliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := <-events; again.Request.EnvelopeID != e.Request.EnvelopeID || again.Request.RetryAttempt != 1 {
		t.Errorf("again %+v", again.Request)
	}
	id := w.create("c", false)
	w.Join(w.ann.ID, id)
	ts := w.post(id, slack.MsgOptionBlocks(slack.NewActionBlock("", button("b", ""))))
	if _, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "b"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Post(t.Context(), w.ann.ID, id, "hello", ""); err != nil {
		t.Fatal(err)
	}
	seen := map[socketmode.EventType]bool{}
	for !seen[socketmode.EventTypeInteractive] || !seen[socketmode.EventTypeEventsAPI] {
		e := <-events
		if _, ok := e.Data.(slackevents.EventsAPIEvent); e.Type == socketmode.EventTypeEventsAPI && !ok {
			t.Errorf("event %+v", e.Data)
		}
		seen[e.Type] = true
	}
}

// TestURLsWinOverSockets shows how the way is chosen.
func TestURLsWinOverSockets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	events := w.client(func(c *socketmode.Client, e socketmode.Event) { _ = c.Ack(*e.Request) })
	a := newApp(t, w.Workspace, nil)
	cmd := sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"}
	if _, err := w.Command(t.Context(), cmd); err != nil {
		t.Fatal(err)
	}
	a.next(t, "/commands")
	w.UseSocket(true)
	if _, err := w.Command(t.Context(), cmd); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Type != socketmode.EventTypeSlashCommand {
		t.Errorf("got %s", e.Type)
	}
}

// dial opens a raw connection and reads its hello.
func (w *world) dial() *websocket.Conn {
	w.t.Helper()
	got := w.call("apps.connections.open", "application/json", "", http.Header{"Authorization": {"Bearer " + w.AppToken()}})
	u, _ := got["url"].(string)
	conn, resp, err := websocket.DefaultDialer.DialContext(w.t.Context(), u, nil)
	if err != nil {
		w.t.Fatalf("dial %s: %v", u, err)
	}
	_ = resp.Body.Close()
	w.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func read(t *testing.T, conn *websocket.Conn) map[string]any {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := conn.ReadJSON(&out); err != nil {
		t.Fatalf("read frame: %v", err)
	}
	return out
}

func ackOn(t *testing.T, conn *websocket.Conn, envelope map[string]any, payload any) {
	t.Helper()
	if err := conn.WriteJSON(map[string]any{"envelope_id": envelope["envelope_id"], "payload": payload}); err != nil {
		t.Fatal(err)
	}
}

// command types a command in the background.
func (w *world) command(ctx context.Context) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := w.Command(ctx, sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
		done <- err
	}()
	return done
}

func TestHelloPingAndTicket(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{PingEvery: 10 * time.Millisecond})
	conn := w.dial()
	hello := read(t, conn)
	info, _ := hello["connection_info"].(map[string]any)
	if hello["type"] != "hello" || hello["num_connections"] != 1.0 || info["app_id"] != w.AppID() {
		t.Errorf("hello %v", hello)
	}
	pinged := make(chan struct{}, 10)
	conn.SetPingHandler(func(string) error {
		select {
		case pinged <- struct{}{}:
		default:
		}
		return nil
	})
	go func() { _, _, _ = conn.ReadMessage() }()
	select {
	case <-pinged:
	case <-soon(t).Done():
		t.Error("no ping")
	}
	u := "ws" + strings.TrimPrefix(w.srv.URL, "http") + "/socket?ticket=made-up"
	_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), u, nil)
	if err == nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("a made-up ticket got %v", err)
	}
	_ = resp.Body.Close()
}

// TestAckOnAnotherConnection is what slack-go does after a reconnect.
func TestAckOnAnotherConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	conns := map[string]*websocket.Conn{"one": w.dial(), "two": w.dial()}
	frames := make(chan [2]any, 10)
	for name, conn := range conns {
		read(t, conn)
		go func() {
			for {
				var f map[string]any
				if conn.ReadJSON(&f) != nil {
					return
				}
				frames <- [2]any{name, f}
			}
		}()
	}
	if err := w.WaitSockets(soon(t), 2); err != nil {
		t.Fatal(err)
	}
	done := w.command(t.Context())
	f := <-frames
	other := map[any]string{"one": "two", "two": "one"}[f[0]]
	envelope, _ := f[1].(map[string]any)
	ackOn(t, conns[other], envelope, nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(frames) != 0 {
		t.Error("both connections got the envelope")
	}
}

func TestUnackedEnvelopeGoesToTheNextConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	one := w.dial()
	read(t, one)
	if err := w.WaitSockets(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	done := w.command(t.Context())
	first := read(t, one)
	w.DisconnectSockets("refresh_requested")
	if bye := read(t, one); bye["type"] != "disconnect" || bye["reason"] != "refresh_requested" {
		t.Errorf("frame %v", bye)
	}
	_ = one.Close()
	two := w.dial()
	read(t, two)
	second := read(t, two)
	if first["envelope_id"] != second["envelope_id"] || second["retry_attempt"] != 1.0 || second["retry_reason"] == "" {
		t.Errorf("first %v, second %v", first, second)
	}
	ackOn(t, two, second, nil)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestUnansweredEventIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{AckTimeout: 50 * time.Millisecond, RetryAfter: []time.Duration{0}, Events: []string{"channel_created"}})
	conn := w.dial()
	read(t, conn)
	if err := w.WaitSockets(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	w.create("c", false)
	first, second := read(t, conn), read(t, conn)
	if first["envelope_id"] != second["envelope_id"] || first["retry_attempt"] != 0.0 || second["retry_attempt"] != 1.0 || second["retry_reason"] != "timeout" {
		t.Errorf("first %v, second %v", first, second)
	}
	ackOn(t, conn, second, nil)
	if err := w.WaitQuiet(soon(t)); err != nil {
		t.Error(err)
	}
}

func TestLargeAckIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{AckTimeout: 200 * time.Millisecond})
	conn := w.dial()
	read(t, conn)
	if err := w.WaitSockets(soon(t), 1); err != nil {
		t.Fatal(err)
	}
	done := w.command(t.Context())
	ackOn(t, conn, read(t, conn), json.RawMessage(`{"text":"`+strings.Repeat("a", 20*1024)+`"}`))
	wantCode(t, <-done, "operation_timeout")
}

func TestTenConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	for range 10 {
		read(t, w.dial())
	}
	if f := read(t, w.dial()); f["type"] != "disconnect" || f["reason"] != "too_many_websockets" {
		t.Errorf("the eleventh got %v", f)
	}
}

// TestSlackGoComesBack cuts the connection under slack-go's client.
func TestSlackGoComesBack(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"", "warning", "refresh_requested"} {
		t.Run("reason "+reason, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			events := w.client(func(c *socketmode.Client, e socketmode.Event) { _ = c.Ack(*e.Request) })
			w.DisconnectSockets(reason)
			if _, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"}); err != nil {
				t.Fatal(err)
			}
			<-events
		})
	}
}
