package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
)

// authenticate lets a request through that carries the API token. Without a
// token configured none does; with auth "none" those do that come to a loopback
// address and under its name, and not from another site's page in a browser.
func (a *API) authenticate(w http.ResponseWriter, r *http.Request) error {
	if a.config.Open {
		return a.fromHere(r)
	}
	if a.config.Token == "" {
		return &refusal{http.StatusUnauthorized, "The API is off: set web.token in Houston's configuration, and send it as a Bearer token."}
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(a.config.Token))
	if subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "Bearer") {
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="houston"`)
	return &refusal{http.StatusUnauthorized, "Send web.token of Houston's configuration as Authorization: Bearer TOKEN."}
}

func (a *API) fromHere(r *http.Request) error {
	refused := &refusal{http.StatusForbidden, "web.auth is none, which works only on this machine itself. Set web.token to use the API from elsewhere."}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && !loopback(local.String()) {
		return refused
	}
	if !loopback(r.Host) || a.origins.Check(r) != nil {
		return refused
	}
	return nil
}

// loopback reports whether host, with or without a port, is this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || (ip != nil && ip.IsLoopback())
}
