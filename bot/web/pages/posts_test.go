package pages_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// TestNoFormOfAnotherSiteDoesAnything: every address of the pages that changes
// something refuses a form that came from elsewhere, by either header with which
// browsers say so.
func TestNoFormOfAnotherSiteDoesAnything(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(admin)
	source, err := os.ReadFile("pages.go")
	if err != nil {
		t.Fatal(err)
	}
	before, err := k.store.Incident(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	posts := regexp.MustCompile(`"POST ([^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(posts) < 11 {
		t.Fatalf("the pages take only %d forms", len(posts))
	}
	for _, post := range posts {
		path := strings.NewReplacer("{key}", "1", "{id}", "1").Replace(post[1])
		for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "", "Origin", "https://evil.example"}} {
			form := url.Values{
				"impact_start": {"2026-03-28T14:01"}, "state": {"in_progress"}, "owner": {"Ada Admin"}, "due": {"2026-05-01"}, "reason": {"evil"}, "to": {"waived"},
				"rev": {"0"}, "base": {"0"}, "was.summary": {"x"}, "summary": {"evil"}, "at": {"2026-05-01T10:00"}, "minutes": {"30"}, "text": {"evil"},
			}
			if page := b.send(http.MethodPost, path, form, header...); page.status != http.StatusForbidden || !strings.Contains(page.text(), "came from another site") {
				t.Errorf("%s with %v is answered with %d", path, header, page.status)
			}
		}
	}
	after, err := k.store.Incident(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if after.Seq != before.Seq {
		t.Errorf("%d things happened", after.Seq-before.Seq)
	}
	b.get("/").shows("Ada Admin") // who was not signed out
}

// TestALinkSignsInOnce, of all the browsers that use it at the same moment.
func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	link, err := k.pages.Link(t.Context(), k.actor(ben))
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(link, "secret=")
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		b := k.browser()
		all.Go(func() { statuses[i] = b.post("/signin/link", "secret", secret).status })
	}
	all.Wait()
	in := 0
	for _, status := range statuses {
		switch status {
		case http.StatusOK:
			in++
		case http.StatusGone:
		default:
			t.Errorf("a link that was used is answered with %d", status)
		}
	}
	if in != 1 {
		t.Errorf("one link signed %d browsers in", in)
	}
}

// TestALinkLeadsOn to the page that somebody had opened before, on this site.
func TestALinkLeadsOn(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	k.declare(incidents.Declare{Title: "Offers are empty"})
	for _, tt := range []struct{ opened, want string }{
		{"/i/1?kind=action", "/i/1?kind=action"},
		{"/signin?to=" + url.QueryEscape("https://evil.example/"), "/"},
		{"/signin?to=" + url.QueryEscape("//evil.example/"), "/"},
		{"/signin", "/"},
	} {
		b := k.browser()
		b.get(tt.opened).shows("Sign in to Houston")
		link, err := k.pages.Link(t.Context(), k.actor(ben))
		if err != nil {
			t.Fatal(err)
		}
		_, secret, _ := strings.Cut(link, "secret=")
		if in := b.post("/signin/link", "secret", secret); in.path != tt.want || in.status != http.StatusOK {
			t.Errorf("after %s a link leads to %s (%d), want %s", tt.opened, in.path, in.status, tt.want)
		}
		if again := b.get("/"); again.path != "/" {
			t.Errorf("the overview leads to %s", again.path)
		}
	}
}

// TestALiveViewEndsWithTheRightToSee: who may not see an incident any more is not
// even told that something happened in it.
func TestALiveViewEndsWithTheRightToSee(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil)
	k.declare(incidents.Declare{Title: "Offers are empty"})
	b := k.as(ben)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(k.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(at, b.client.Jar.Cookies(at))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.server.URL+"/i/1/live", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Jar: jar}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	if !lines.Scan() || res.StatusCode != http.StatusOK {
		t.Fatalf("the stream is answered with %d", res.StatusCode)
	}
	k.people.change(ben, func(p *incidents.Profile) { p.Standing = incidents.Guest })
	k.do(1, incidents.Note{Request: incidents.Request{Actor: k.actor(admin)}, Text: "Restarted the broker"})
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event:") || strings.HasPrefix(lines.Text(), "data:") {
			t.Errorf("a guest is told %q", lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream did not end by itself: %v", err)
	}
}
