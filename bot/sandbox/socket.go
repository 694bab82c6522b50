package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	maxSockets = 10        // connections of one app at a time
	maxAck     = 20 * 1024 // bytes from which Slack drops an ack without a word
)

// socketPool holds the app's Socket Mode connections and what was sent over them
// and not acknowledged. An envelope goes to any one connection; its ack may come
// back on any other.
type socketPool struct {
	mu      sync.Mutex
	conns   []*socketConn
	next    int
	opened  bool
	changed chan struct{} // closed and replaced when a connection comes
	pending map[string]chan ack
}

type socketConn struct {
	ws       *websocket.Conn
	write    sync.Mutex
	done     chan struct{} // closed when the connection is over
	draining bool          // told to go: gets no more envelopes
}

func (p *socketPool) init() {
	p.changed = make(chan struct{})
	p.pending = map[string]chan ack{}
}

// used says whether the app has ever connected.
func (p *socketPool) used() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// serveSocket is the address that apps.connections.open gave out, good for one
// connection.
func (w *Workspace) serveSocket(rw http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	w.st.mu.Lock()
	known := w.st.tickets[ticket]
	delete(w.st.tickets, ticket)
	w.st.mu.Unlock()
	if !known {
		http.Error(rw, "invalid ticket", http.StatusForbidden)
		return
	}
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := upgrader.Upgrade(rw, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	c := &socketConn{ws: ws, done: make(chan struct{})}
	defer func() { _ = ws.Close() }()
	n, room := w.sockets.add(c)
	if !room {
		_ = c.send(disconnectFrame("too_many_websockets"))
		return
	}
	defer w.changedSockets()
	defer w.sockets.drop(c)
	hello := object{
		"type": "hello", "num_connections": n, "connection_info": object{"app_id": w.st.appID},
		"debug_info": object{"host": "applink-sandbox", "build_number": 1, "approximate_connection_time": 18060},
	}
	if c.send(hello) != nil {
		return
	}
	w.sockets.ready(c)
	w.changedSockets()
	w.wg.Go(func() { c.ping(w.cfg.PingEvery) })
	c.read(&w.sockets)
}

func (w *Workspace) changedSockets() {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	w.st.touch()
}

// add takes a connection in, not yet to be written to; room is false when ten
// are open already.
func (p *socketPool) add(c *socketConn) (n int, room bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.conns) >= maxSockets {
		return len(p.conns), false
	}
	c.draining = true // until hello is out
	p.conns = append(p.conns, c)
	return len(p.conns), true
}

func (p *socketPool) ready(c *socketConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.draining, p.opened = false, true
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *socketPool) drop(c *socketConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = slices.DeleteFunc(p.conns, func(other *socketConn) bool { return other == c })
	close(c.done)
}

// pick takes the connections in turn; nil when there is none.
func (p *socketPool) pick() (c *socketConn, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range p.conns {
		p.next++
		if c := p.conns[p.next%len(p.conns)]; !c.draining {
			return c, nil
		}
	}
	return nil, p.changed
}

// send sends an envelope and waits for its ack. When the connection is lost
// first, or none is there yet, another one gets it.
func (p *socketPool) send(ctx context.Context, d *delivery) (ack, error) {
	got := make(chan ack, 1)
	p.mu.Lock()
	p.pending[d.id] = got
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pending, d.id)
	}()
	for {
		c, changed := p.pick()
		if c == nil {
			select {
			case <-changed:
				continue
			case <-ctx.Done():
				return ack{}, errors.Join(errors.New("no socket connection"), ctx.Err())
			}
		}
		if c.send(d.envelope()) == nil {
			select {
			case a := <-got:
				return a, nil
			case <-c.done:
			case <-ctx.Done():
				return ack{}, ctx.Err()
			}
		}
		select { // the ack may have come on another connection meanwhile
		case a := <-got:
			return a, nil
		default:
			d.attempt++
		}
	}
}

// envelope wraps a payload for Socket Mode.
func (d *delivery) envelope() object {
	o := object{"envelope_id": d.id, "type": d.kind, "payload": d.payload, "accepts_response_payload": d.replies}
	if d.kind == kindEvent || d.attempt > 0 {
		o["retry_attempt"], o["retry_reason"] = d.attempt, ""
		if d.attempt > 0 {
			o["retry_reason"] = "timeout"
		}
	}
	return o
}

func (c *socketConn) send(v any) error {
	c.write.Lock()
	defer c.write.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(5 * time.Second)) // never fails
	return c.ws.WriteJSON(v)                                   //nolint:wrapcheck // its callers only ask whether it went out
}

// ping keeps the client sure of the connection: one that hears no ping drops it.
func (c *socketConn) ping(every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if c.ws.WriteControl(websocket.PingMessage, []byte("Ping from sandbox"), time.Now().Add(time.Second)) != nil {
				return
			}
		case <-c.done:
			return
		}
	}
}

// read takes acks until the connection ends.
func (c *socketConn) read(p *socketPool) {
	for {
		_, raw, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		var frame struct {
			EnvelopeID string          `json:"envelope_id"`
			Payload    json.RawMessage `json:"payload"`
		}
		if len(raw) >= maxAck || json.Unmarshal(raw, &frame) != nil {
			continue
		}
		p.mu.Lock()
		got := p.pending[frame.EnvelopeID]
		delete(p.pending, frame.EnvelopeID)
		p.mu.Unlock()
		if got == nil {
			continue
		}
		a := ack{status: http.StatusOK, contentType: "application/json", body: frame.Payload}
		if string(a.body) == "null" {
			a.body = nil
		}
		got <- a
	}
}

// Sockets is the number of open Socket Mode connections.
func (w *Workspace) Sockets() int {
	w.sockets.mu.Lock()
	defer w.sockets.mu.Unlock()
	n := 0
	for _, c := range w.sockets.conns {
		if !c.draining {
			n++
		}
	}
	return n
}

// WaitSockets waits until exactly n Socket Mode connections are open.
func (w *Workspace) WaitSockets(ctx context.Context, n int) error {
	return w.WaitFor(ctx, func(*View) bool { return w.Sockets() == n })
}

// DisconnectSockets tells every connection to go, as Slack does: reason
// "warning" (the connection stays about ten seconds more), "refresh_requested" or
// "link_disabled". With an empty reason the connections are cut without a word.
func (w *Workspace) DisconnectSockets(reason string) {
	w.sockets.mu.Lock()
	conns := slices.Clone(w.sockets.conns)
	for _, c := range conns {
		c.draining = true
	}
	w.sockets.mu.Unlock()
	for _, c := range conns {
		grace := time.Second
		switch reason {
		case "":
			_ = c.ws.Close()
			continue
		case "warning":
			grace = 10 * time.Second
		default:
		}
		_ = c.send(disconnectFrame(reason))
		w.wg.Go(func() {
			timer := time.NewTimer(grace)
			defer timer.Stop()
			select {
			case <-timer.C:
				_ = c.ws.Close()
			case <-c.done:
			}
		})
	}
}

func disconnectFrame(reason string) object {
	return object{"type": "disconnect", "reason": reason, "debug_info": object{"host": "applink-sandbox"}}
}

func (p *socketPool) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.ws.Close()
	}
}
