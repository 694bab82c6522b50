package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// TestUnknownAddresses: a browser that asks for what is not there gets our own
// page in its language, a program a problem in JSON, both with what to do; so
// does who uses a method that an address does not take.
func TestUnknownAddresses(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{database: databaseURL(t, "sqlite")})
	for _, tt := range []struct {
		method, path, accept, language string
		status                         int
		kind, says                     string
	}{
		{"GET", "/nowhere", "text/html", "", 404, "text/html", "There is no such page."},
		{"GET", "/nowhere", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "de-DE,de;q=0.9", 404, "text/html", "Diese Seite gibt es nicht."},
		{"GET", "/nowhere", "application/json", "", 404, "application/problem+json", "There is no such page."},
		{"GET", "/nowhere", "*/*", "", 404, "application/problem+json", "There is no such page."},
		{"GET", "/slack/nothing", "text/html", "", 404, "text/html", "There is no such page."},
		{"GET", "/assets/nothing.js", "text/html", "", 404, "text/html", "There is no such page."},
		{"GET", "/i/1/postmortem/nothing", "text/html", "", 404, "text/html", "There is no such page."},
		{"POST", "/webhooks/nothing", "text/html", "", 404, "text/plain", ""},
		{"GET", "/api/v1/nothing", "text/html", "", 404, "application/problem+json", "openapi.json"},
		{"GET", "/api/nothing", "*/*", "", 404, "application/problem+json", "openapi.json"},
		{"GET", "/apis", "*/*", "", 404, "application/problem+json", "There is no such page."},
		{"POST", "/", "text/html", "", 405, "text/html", "can be opened"},
		{"POST", "/healthz", "*/*", "", 405, "application/problem+json", "takes GET"},
		{"GET", "/slack/commands", "text/html", "", 405, "text/html", "only take"},
		{"GET", "/signout", "text/html", "de", 405, "text/html", "nur"},
		{"DELETE", "/api/v1/incidents", "text/html", "", 405, "application/problem+json", ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), tt.method, h.url+tt.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", tt.accept)
		req.Header.Set("Accept-Language", tt.language)
		req.Header.Set("Authorization", "Bearer "+apiToken)
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := (&http.Client{Jar: jar}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if kind := res.Header.Get("Content-Type"); res.StatusCode != tt.status || !strings.HasPrefix(kind, tt.kind) || !strings.Contains(string(raw), tt.says) {
			t.Errorf("%s %s as %s is answered with %d, %s:\n%.2000s", tt.method, tt.path, tt.accept, res.StatusCode, kind, raw)
		}
		if tt.status == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "" {
			t.Errorf("%s %s does not say what it takes", tt.method, tt.path)
		}
		if tt.kind == "text/html" && (res.Header.Get("Content-Security-Policy") == "" || !strings.Contains(string(raw), "<main")) {
			t.Errorf("%s %s is no page of ours:\n%.500s", tt.method, tt.path, raw)
		}
	}
}
