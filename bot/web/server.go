package web

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// NewServer makes a server with all its timeouts. Idle connections are kept
// longer than proxies keep theirs (60 s is usual): otherwise a proxy now and
// then sends a request on a connection that is being closed, and its client
// gets a 502. The times to read and write leave room for a webhook of 32 MB.
//
// An untidy path such as //webhooks/alertmanager is served as the tidy one.
// http.ServeMux would redirect it, and a sender whose POST is redirected may
// lose it silently.
func NewServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr: addr, Handler: tidied(handler),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       60 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
}

func tidied(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		escaped := r.URL.EscapedPath()
		tidy := path.Clean("/" + escaped)
		if tidy != "/" && strings.HasSuffix(escaped, "/") {
			tidy += "/"
		}
		unescaped, err := url.PathUnescape(tidy)
		if tidy == escaped || err != nil {
			next.ServeHTTP(w, r)
			return
		}
		tidied := r.Clone(r.Context())
		tidied.URL.Path, tidied.URL.RawPath = unescaped, tidy
		next.ServeHTTP(w, tidied)
	})
}
