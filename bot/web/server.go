package web

import (
	"net/http"
	"time"
)

// NewServer makes a server with all its timeouts. Idle connections are kept
// longer than proxies keep theirs (60 s is usual): otherwise a proxy now and
// then sends a request on a connection that is being closed, and its client
// gets a 502. The times to read and write leave room for a webhook of 32 MB.
func NewServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr: addr, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       60 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
}
