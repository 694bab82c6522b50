package pages_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/web/pages"
	"github.com/houston-sre/houston/incidents"
)

func TestWhoIsNotSignedInSeesTheDoor(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	k.declare(incidents.Declare{Title: "Offers are empty"})
	b := k.browser()
	page := b.get("/i/1?kind=state")
	if page.path != "/signin?to=%2Fi%2F1%3Fkind%3Dstate" {
		t.Errorf("led to %s", page.path)
	}
	page.shows("Sign in to Houston", "/incident web")
	page.hides("Offers")
	if got := b.get("/incidents.json", "Accept", "application/json"); got.status != http.StatusForbidden {
		t.Errorf("a script without a session got %d: %s", got.status, got.body)
	}
	german := b.get("/signin", "Accept-Language", "de-CH,de;q=0.9,en;q=0.5")
	german.shows("Bei Houston anmelden")
	if lang := attribute(german.elements("html")[0], "lang"); lang != "de" {
		t.Errorf("the page's language is %q", lang)
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	link, err := k.pages.Link(t.Context(), k.actor(ben))
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(link, k.server.URL)
	_, secret, _ := strings.Cut(link, "secret=")
	b := k.browser()
	for range 2 { // reading it uses nothing up
		b.get(path).shows("Continue as Ben Responder")
	}
	if got := b.send(http.MethodPost, "/signin/link", map[string][]string{"secret": {secret}}, "Sec-Fetch-Site", "cross-site"); got.status != http.StatusForbidden {
		t.Errorf("another site's form was answered with %d", got.status)
	}
	b.post("/signin/link", "secret", secret).shows("Overview", "Ben Responder")
	other := k.browser()
	if again := other.post("/signin/link", "secret", secret); again.status != http.StatusGone {
		t.Errorf("the second use was answered with %d: %s", again.status, again.text())
	}

	b.get("/incidents").shows("Ben Responder")
	b.post("/signout").shows("Sign in to Houston")
	if page := b.get("/"); !strings.HasPrefix(page.path, "/signin") {
		t.Errorf("after signing out / leads to %s", page.path)
	}

	late, err := k.pages.Link(t.Context(), k.actor(ben))
	if err != nil {
		t.Fatal(err)
	}
	k.clock.pass(10 * time.Minute)
	if page := b.get(strings.TrimPrefix(late, k.server.URL)); page.status != http.StatusGone {
		t.Errorf("a link of ten minutes ago is answered with %d", page.status)
	}
}

func TestLinkIsForMembers(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	if link, err := k.pages.Link(t.Context(), k.actor(gil)); incidents.KindOf(err) != incidents.Forbidden {
		t.Errorf("a guest got %q, %v", link, err)
	}
	// Somebody who became a guest after the link was made.
	link, err := k.pages.Link(t.Context(), k.actor(ben))
	if err != nil {
		t.Fatal(err)
	}
	k.people.change(ben, func(p *incidents.Profile) { p.Standing = incidents.Guest })
	_, secret, _ := strings.Cut(link, "secret=")
	if page := k.browser().post("/signin/link", "secret", secret); page.status != http.StatusForbidden {
		t.Errorf("a guest is let in: %d", page.status)
	}
	closed := newKit(t, func(c *pages.Config) { c.Auth = pages.AuthToken })
	if _, err := closed.pages.Link(t.Context(), closed.actor(ben)); incidents.KindOf(err) != incidents.Conflict {
		t.Errorf("where pages are for scripts: %v", err)
	}
	closed.browser().get("/").shows("The pages are not open to people here")
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(k *kit){
		"who has left":       func(k *kit) { k.people.change(ben, func(p *incidents.Profile) { p.Deleted = true }) },
		"who became a guest": func(k *kit) { k.people.change(ben, func(p *incidents.Profile) { p.Standing = incidents.Guest }) },
		"after two weeks":    func(k *kit) { k.clock.pass(14 * 24 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, nil)
			b := k.as(ben)
			b.get("/").shows("Ben Responder")
			change(k)
			if page := b.get("/"); !strings.HasPrefix(page.path, "/signin") {
				t.Errorf("still sees %s", page.path)
			}
			k.people.change(ben, func(p *incidents.Profile) { p.Deleted, p.Standing = false, incidents.Member })
			back := b.get("/")
			if name == "who has left" && !strings.HasPrefix(back.path, "/signin") {
				t.Error("the session of somebody who had left is good again")
			}
		})
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]string{
		"https://houston.example": "__Host-houston_session=",
		"http://houston.example":  "houston_session=",
	} {
		k := newKit(t, func(c *pages.Config) { c.PublicURL = public })
		link, err := k.pages.Link(t.Context(), k.actor(ben))
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(link, "secret=")
		b := k.browser()
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		cookie := b.post("/signin/link", "secret", secret).header.Get("Set-Cookie")
		if !strings.HasPrefix(cookie, want) || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") ||
			strings.Contains(cookie, "Secure") != strings.HasPrefix(public, "https:") || strings.Contains(cookie, "Domain") {
			t.Errorf("at %s the cookie is %s", public, cookie)
		}
	}
}

func TestSigningInIsRateLimited(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	b := k.browser()
	status := 0
	for range 61 {
		status = b.post("/signin/link", "secret", "guess").status
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("the 61st guess is answered with %d", status)
	}
	k.clock.pass(time.Minute)
	if status := b.post("/signin/link", "secret", "guess").status; status != http.StatusGone {
		t.Errorf("a minute later: %d", status)
	}
}

func TestOpenRedirects(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	b := k.as(ben)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for to, want := range map[string]string{
		"/i/1":                 "/i/1",
		"//evil.example":       "/",
		"https://evil.example": "/",
		"/%5Cevil.example":     "/%5Cevil.example", // a path of ours: it stays escaped
		`/\evil.example`:       "/",
		"javascript:alert(1)":  "/",
		"/signin?to=/signin":   "/",
		"":                     "/",
	} {
		if got := b.get("/signin?to=" + strings.ReplaceAll(strings.ReplaceAll(to, "%", "%25"), `\`, "%5C")).header.Get("Location"); got != want {
			t.Errorf("to=%s leads to %s, want %s", to, got, want)
		}
	}
}
