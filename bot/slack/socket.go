package slack

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
)

const (
	socketHandshake = 10 * time.Second
	// socketSilence is how long a connection may be silent: Slack pings every
	// few seconds.
	socketSilence = 30 * time.Second
	// socketDrain is how long a connection that Slack is about to close is
	// still listened to beside its successor.
	socketDrain = 15 * time.Second
	// socketHandlers bounds the requests worked on at a time; more wait in the
	// connection.
	socketHandlers = 32
	socketFrame    = 8 << 20

	socketFirstPause = 500 * time.Millisecond
	socketMostPause  = 30 * time.Second
	// socketSteady is how long a connection must have lasted for the next one
	// to be opened without a pause.
	socketSteady = 10 * time.Second
)

// socket keeps one Socket Mode connection open, two while one replaces another
// (https://docs.slack.dev/apis/events-api/using-socket-mode). slack-go's own
// client drops a connection as soon as Slack announces its end, and leaves what
// was under way to be delivered again; this one opens the next first.
type socket struct {
	edge   *Edge
	dialer *websocket.Dialer
	slots  chan struct{} // one for each request worked on
	work   sync.WaitGroup

	mu      sync.Mutex
	current *socketConn
}

// RunSocket takes requests over Socket Mode until ctx ends; it then finishes
// what it has begun. It connects again whenever the connection is lost. It
// fails when Slack says that this can never work: a token that is wrong,
// revoked or lacks connections:write.
func (e *Edge) RunSocket(ctx context.Context) error {
	s := &socket{
		edge:  e,
		slots: make(chan struct{}, socketHandlers),
		dialer: &websocket.Dialer{
			Proxy: http.ProxyFromEnvironment, HandshakeTimeout: socketHandshake,
			WriteBufferSize: 32 << 10, // an ack goes out in one frame
		},
	}
	defer s.work.Wait()
	pause := socketFirstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := s.connect(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && hopeless(err):
			return fmt.Errorf("open Socket Mode: %w", err)
		case err == nil && time.Since(began) >= socketSteady:
			pause = socketFirstPause
			continue
		case err != nil:
			e.config.Log.WarnContext(ctx, "Socket Mode is not connected, trying again", "pause", pause, "error", err)
		}
		wait(ctx, max(pause/2+rand.N(pause/2), retryAfter(err)))
		pause = min(2*pause, socketMostPause)
	}
	return nil
}

// connect opens a connection and returns when another should be opened: it is
// lost, or Slack is about to close it. The error says why none could be opened.
func (s *socket) connect(ctx context.Context) error {
	_, address, err := s.edge.config.Client.API().StartSocketModeContext(ctx)
	if err != nil {
		return fmt.Errorf("ask for an address: %w", err)
	}
	ws, resp, err := s.dialer.DialContext(ctx, address, nil)
	if resp != nil && resp.Body != nil {
		defer func() { _ = resp.Body.Close() }()
	}
	if err != nil {
		return fmt.Errorf("connect to the address Slack gave: %w", withoutURL(err)) // the address holds a ticket
	}
	conn := newSocketConn(ws)
	s.mu.Lock()
	s.current = conn
	s.mu.Unlock()
	s.work.Go(func() { s.read(ctx, conn) })
	select {
	case <-conn.leaving:
	case <-ctx.Done():
	}
	return nil
}

// retryAfter gives how long Slack asks to wait, if it does.
func retryAfter(err error) time.Duration {
	if limited, ok := errors.AsType[*slack.RateLimitedError](err); ok {
		return limited.RetryAfter
	}
	return 0
}

// hopeless reports whether no further try can open a connection.
func hopeless(err error) bool {
	return refusedAs(err, "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired",
		"not_allowed_token_type", "missing_scope", "forbidden_team", "team_access_not_granted")
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
