package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Handler serves the workspace: /api/METHOD, /socket, /response/ID, /files/, the
// /signin page that files without a token lead to, and "Sign in with Slack".
func (w *Workspace) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/{method}", w.serveAPI)
	mux.HandleFunc("POST /api/{method}", w.serveAPI)
	mux.HandleFunc("GET /socket", w.serveSocket)
	mux.HandleFunc("POST /response/{id}", w.serveResponse)
	mux.HandleFunc("POST /files/upload/{id}", w.serveUpload)
	mux.HandleFunc("GET /files/{id}/{name}", w.serveFile)
	mux.HandleFunc("GET /files/{id}/download/{name}", w.serveFile)
	mux.HandleFunc("GET /signin", serveSignIn)
	w.mountSignIn(mux)
	return mux
}

// Server is a workspace on a port.
type Server struct {
	URL string // "http://127.0.0.1:41234"

	workspace *Workspace
	http      *http.Server
	served    chan error
}

// Serve listens on an address ("127.0.0.1:0" for any free port) and serves the
// workspace there until Close.
func Serve(w *Workspace, listen string) (*Server, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(w.closing, "tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", listen, err)
	}
	s := &Server{
		URL:       "http://" + ln.Addr().String(),
		workspace: w,
		http:      &http.Server{Handler: w.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute},
		served:    make(chan error, 1),
	}
	w.SetBaseURL(s.URL)
	go func() { s.served <- s.http.Serve(ln) }()
	return s, nil
}

// APIURL is the base of the Web API with the slash at its end that slack-go wants.
func (s *Server) APIURL() string { return s.URL + "/api/" }

// Close stops serving, ends the workspace's background work and waits for both.
func (s *Server) Close() error {
	s.workspace.stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	s.workspace.Close()
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the workspace: %w", err)
	}
	return nil
}
