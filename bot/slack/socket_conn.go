package slack

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// socketConn is one connection of Socket Mode.
type socketConn struct {
	ws      *websocket.Conn
	leaving chan struct{} // closed when another connection should be opened
	leave   func()

	mu       sync.Mutex // held while writing
	pending  sync.WaitGroup
	deadline time.Time // when not zero, the connection ends then
}

func newSocketConn(ws *websocket.Conn) *socketConn {
	c := &socketConn{ws: ws, leaving: make(chan struct{})}
	c.leave = sync.OnceFunc(func() { close(c.leaving) })
	return c
}

// envelope is a frame from Slack.
type envelope struct {
	Type       string          `json:"type"`
	ID         string          `json:"envelope_id"`
	Reason     string          `json:"reason"` // of a disconnect
	Payload    json.RawMessage `json:"payload"`
	TakesReply bool            `json:"accepts_response_payload"`
}

// ack answers an envelope.
type ack struct {
	ID      string          `json:"envelope_id"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// read takes envelopes until the connection ends, Slack's announced end and a
// while have passed, or ctx ends. It closes the connection when all it took is
// acknowledged.
func (s *socket) read(ctx context.Context, c *socketConn) {
	defer func() {
		c.leave() // the next connection need not wait for the work on this one
		c.pending.Wait()
		_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
		_ = c.ws.Close()
	}()
	stop := context.AfterFunc(ctx, func() { _ = c.ws.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	c.ws.SetReadLimit(socketFrame)
	c.listen(ctx, socketSilence)
	pong := c.ws.PingHandler()
	c.ws.SetPingHandler(func(data string) error {
		c.listen(ctx, socketSilence)
		return pong(data)
	})
	for {
		var in envelope
		_, raw, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			s.edge.config.Log.WarnContext(ctx, "a Socket Mode frame could not be read", "error", err)
			continue
		}
		c.listen(ctx, socketSilence)
		switch {
		case in.Type == "hello":
			s.edge.config.Log.InfoContext(ctx, "Socket Mode is connected")
		case in.Type == "disconnect":
			s.edge.config.Log.InfoContext(ctx, "Slack ends the Socket Mode connection", "reason", in.Reason)
			c.drain(ctx)
		case in.ID != "":
			s.slots <- struct{}{}
			c.pending.Add(1)
			s.work.Go(func() {
				defer func() { <-s.slots; c.pending.Done() }()
				s.handle(context.WithoutCancel(ctx), c, in)
			})
		}
	}
}

// listen has the connection end when nothing comes for a while.
func (c *socketConn) listen(ctx context.Context, silence time.Duration) {
	deadline := time.Now().Add(silence)
	if !c.deadline.IsZero() && c.deadline.Before(deadline) {
		deadline = c.deadline
	}
	_ = c.ws.SetReadDeadline(deadline)
	if ctx.Err() != nil { // it may have ended just before
		_ = c.ws.SetReadDeadline(time.Unix(1, 0))
	}
}

// drain has the next connection opened and this one end in a while.
func (c *socketConn) drain(ctx context.Context) {
	if c.deadline.IsZero() {
		c.deadline = time.Now().Add(socketDrain)
	}
	c.listen(ctx, socketDrain)
	c.leave()
}

// handle has one envelope worked on and acknowledges it. What fails inside is
// acknowledged too, with words for the user: the same request again would fail
// the same.
func (s *socket) handle(ctx context.Context, c *socketConn, in envelope) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	reply, durable := s.dispatch(ctx, in)
	if !durable {
		return // not acknowledged, Slack sends it again
	}
	if !in.TakesReply {
		reply = nil
	}
	frame, err := json.Marshal(ack{ID: in.ID, Payload: reply})
	if err != nil {
		return // an answer of ours is JSON
	}
	if c.write(frame) == nil {
		return
	}
	// Slack takes an acknowledgement on any connection of the app.
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current == c || current.write(frame) != nil {
		s.edge.config.Log.WarnContext(ctx, "an envelope could not be acknowledged; Slack sends it again", "type", in.Type)
	}
}

// dispatch gives an envelope to the edge. durable is false when nothing of it
// could be stored. A panic ends one request and not the process, or Slack would
// deliver it again to the next one.
func (s *socket) dispatch(ctx context.Context, in envelope) (reply json.RawMessage, durable bool) {
	durable = true
	defer func() {
		if cause := recover(); cause != nil {
			s.edge.config.Log.ErrorContext(ctx, "a request over Socket Mode broke", "type", in.Type, "cause", cause, "stack", string(debug.Stack()))
			if in.Type == "slash_commands" {
				var c slashCommand
				_ = json.Unmarshal(in.Payload, &c) // without a user the configured language holds
				reply = ephemeral(s.edge.textFor(c.User).Text("error_internal"))
			}
		}
	}()
	switch in.Type {
	case "slash_commands":
		var c slashCommand
		if err := json.Unmarshal(in.Payload, &c); err != nil {
			s.edge.config.Log.WarnContext(ctx, "a command over Socket Mode could not be read", "error", err)
			return nil, true
		}
		return s.edge.takeCommand(ctx, overSocket, c), true
	case "interactive":
		answer, err := s.edge.takeInteraction(ctx, overSocket, in.Payload)
		if err != nil {
			s.edge.config.Log.WarnContext(ctx, "an interaction over Socket Mode could not be read", "error", err)
		}
		return answer, true
	case "events_api":
		return nil, s.edge.takeEvent(ctx, overSocket, in.Payload) == nil
	}
	return nil, true
}

func (c *socketConn) write(frame []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	return c.ws.WriteMessage(websocket.TextMessage, frame)
}
