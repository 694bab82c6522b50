package sandbox

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// Mount serves the workspace's own paths (those of Handler) and gives everything
// else to page.
func (w *Workspace) Mount(page http.Handler) http.Handler {
	mux := http.NewServeMux()
	own := w.Handler()
	for _, path := range append([]string{"/api/", "/socket", "/response/", "/files/"}, signInPaths()...) {
		mux.Handle(path, own)
	}
	mux.Handle("/", page)
	return mux
}

// ServePage is Serve with a page on the same port.
func ServePage(w *Workspace, listen string, page http.Handler) (*Server, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(w.closing, "tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", listen, err)
	}
	s := &Server{
		URL:       "http://" + ln.Addr().String(),
		workspace: w,
		http:      &http.Server{Handler: w.Mount(page), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute},
		served:    make(chan error, 1),
	}
	w.SetBaseURL(s.URL)
	go func() { s.served <- s.http.Serve(ln) }()
	return s, nil
}
