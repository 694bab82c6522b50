package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// signInHouse is a house whose people sign in with Slack.
func signInHouse(t *testing.T, p plan) *house {
	t.Helper()
	p.slack, p.api = newSlack(t)
	p.env = map[string]string{
		"HOUSTON_WEB_OIDC_CLIENT_ID": p.slack.ClientID(), "HOUSTON_WEB_OIDC_CLIENT_SECRET": p.slack.ClientSecret(),
		"HOUSTON_WEB_OIDC_URL": strings.TrimSuffix(p.api, "/api/"),
	}
	h := newHouse(t, p)
	h.slack.SetRedirectURLs(h.url + "/signin/callback")
	return h
}

// atSlack begins to sign in and gives the address at Slack that a person's
// browser is sent to.
func (h *house) atSlack(to string) (*surfer, *url.URL) {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	s := &surfer{h, &http.Client{Jar: jar, CheckRedirect: func(req *http.Request, _ []*http.Request) error {
		if strings.Contains(req.URL.Path, "/openid/connect/authorize") && !req.URL.Query().Has("as") {
			return http.ErrUseLastResponse
		}
		return nil
	}}}
	res, err := s.client.Get(h.url + "/signin/slack?to=" + url.QueryEscape(to)) //nolint:noctx // a browser's
	if err != nil {
		h.t.Fatal(err)
	}
	_ = res.Body.Close()
	at, err := res.Location()
	if err != nil {
		h.t.Fatalf("signing in does not lead to Slack: %d", res.StatusCode)
	}
	return s, at
}

// sayYes has a person agree at Slack, and gives the page the browser ends on.
func (s *surfer) sayYes(at *url.URL, user string) (int, string, string) {
	s.h.t.Helper()
	query := at.Query()
	query.Set("as", user)
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(s.h.t.Context(), http.MethodGet, at.String(), http.NoBody)
	if err != nil {
		s.h.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	res, err := s.client.Do(req)
	if err != nil {
		s.h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	page, err := io.ReadAll(res.Body)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return res.StatusCode, res.Request.URL.RequestURI(), string(page)
}

// TestSignInWithSlack signs people in through OpenID Connect: members get to
// where they wanted to go, and nobody else in.
func TestSignInWithSlack(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := signInHouse(t, p)
		h.slack.AddUser(sandbox.User{ID: "U0FAR", Name: "far", RealName: "Fay Far", Stranger: true})
		h.declared("Offers are empty")

		s, at := h.atSlack("/i/1")
		status, path, page := s.sayYes(at, ben)
		if status != http.StatusOK || path != "/i/1" || !strings.Contains(page, "Offers are empty") {
			t.Fatalf("a member ends at %s with %d:\n%s", path, status, page)
		}
		for _, user := range []string{guest, "U0FAR"} {
			s, at := h.atSlack("/")
			if status, path, page := s.sayYes(at, user); status != http.StatusForbidden {
				t.Errorf("%s is let in to %s: %d\n%s", user, path, status, page)
			}
			if _, page := s.get("/"); strings.Contains(page, "Offers are empty") {
				t.Errorf("%s reads the overview", user)
			}
		}

		// An answer for another browser, as an attacker would send it.
		_, at = h.atSlack("/")
		other, _ := h.atSlack("/")
		if status, _, _ := other.sayYes(at, ben); status != http.StatusBadRequest {
			t.Errorf("a state of another browser is answered with %d", status)
		}
		for name, tamper := range map[string]func(map[string]any){
			"another nonce":    func(c map[string]any) { c["nonce"] = "x" },
			"another app":      func(c map[string]any) { c["aud"] = "x" },
			"another issuer":   func(c map[string]any) { c["iss"] = "https://evil.example" },
			"run out long ago": func(c map[string]any) { c["exp"] = 1 },
			"nobody":           func(c map[string]any) { delete(c, "https://slack.com/user_id") },
		} {
			h.slack.TamperIDToken(tamper)
			s, at := h.atSlack("/")
			if status, _, _ := s.sayYes(at, ben); status != http.StatusServiceUnavailable {
				t.Errorf("an ID token of %s is answered with %d", name, status)
			}
		}
		h.slack.TamperIDToken(nil)
		if _, page := s.get("/signin"); !strings.Contains(page, "Sign out") {
			t.Error("the member is not signed in any more")
		}
	})
}
