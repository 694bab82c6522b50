package pages_test

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/houston-sre/houston/bot/web/pages"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/postmortem"
)

// People of the kit.
const (
	anna  = "U0ANNA" // a member; reads German, lives in Zurich
	ben   = "U0BEN"  // a member; reads English
	gil   = "U0GIL"  // a guest
	admin = "U0ADMIN"
)

// kit is the pages over a real store, with people made up.
type kit struct {
	t       *testing.T
	clock   *clock
	people  *people
	store   *sqlstore.Store
	service *incidents.Service
	pages   *pages.Pages
	server  *httptest.Server
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// people is who there is, in memory.
type people struct {
	mu       sync.Mutex
	profiles map[string]incidents.Profile
	private  map[string][]string
}

func (p *people) Profile(_ context.Context, id string) (incidents.Profile, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	profile, ok := p.profiles[id]
	return profile, ok
}

func (p *people) Zone(id string) *time.Location {
	p.mu.Lock()
	defer p.mu.Unlock()
	zone, err := time.LoadLocation(p.profiles[id].TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Find knows people by their whole names.
func (p *people) Find(_ context.Context, name string) (incidents.Person, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, profile := range p.profiles {
		if profile.Name == name {
			return profile.Person, nil
		}
	}
	return incidents.Person{}, incidents.Errorf(incidents.NotFound, "I know nobody called %q in this workspace. Mention the person, like @anna.", name)
}

func (p *people) PrivateChannels(_ context.Context, id string) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.private[id], nil
}

func (p *people) change(id string, change func(*incidents.Profile)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	profile := p.profiles[id]
	change(&profile)
	p.profiles[id] = profile
}

func newPeople() *people {
	profile := func(id, name string, standing incidents.Standing) incidents.Profile {
		return incidents.Profile{Person: incidents.Person{ID: id, Name: name}, Standing: standing, Locale: "en-US", TimeZone: "UTC"}
	}
	p := &people{private: map[string][]string{}, profiles: map[string]incidents.Profile{
		anna: profile(anna, "Anna Reporter", incidents.Member), ben: profile(ben, "Ben Responder", incidents.Member),
		gil: profile(gil, "Gil Guest", incidents.Guest), admin: profile(admin, "Ada Admin", incidents.Member),
	}}
	p.change(anna, func(p *incidents.Profile) { p.Locale, p.TimeZone = "de-DE", "Europe/Zurich" })
	return p
}

// newKit makes pages; change may change their configuration before.
func newKit(t *testing.T, change func(*pages.Config)) *kit {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	k := &kit{t: t, clock: &clock{now: time.Date(2026, 3, 28, 14, 5, 0, 0, time.UTC)}, people: newPeople()}
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: "sqlite:" + filepath.Join(t.TempDir(), "houston.db"), Clock: k.clock, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	store.SetEnqueue(func(context.Context, *sql.Tx, []incidents.Job) error { return nil })
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.store = store
	k.service = incidents.NewService(incidents.Config{Store: store, Clock: k.clock, Permissions: incidents.Permissions{Admin: []string{admin}}})
	mux := http.NewServeMux()
	k.server = httptest.NewServer(mux)
	t.Cleanup(k.server.Close)
	config := pages.Config{
		Service: k.service, Store: store, People: k.people, Clock: k.clock, Log: log,
		Auth: pages.AuthSlack, PublicURL: k.server.URL,
		Postmortems: postmortem.NewService(postmortem.Config{Incidents: k.service, Store: store, Clock: k.clock}),
		Meeting: func(ctx context.Context, number int64) (string, []byte, error) {
			inc, err := store.Incident(ctx, number)
			return inc.Key() + "-review.ics", []byte("BEGIN:VCALENDAR " + inc.Postmortem.Meeting.At.Format(time.RFC3339)), err
		},
		Render: func(format string, doc postmortem.Document) (string, []byte, error) {
			return doc.Facts.Key + "." + format, []byte("<!DOCTYPE html><main><h1>Postmortem</h1><p>" + html.EscapeString(doc.Section(postmortem.Summary).Text) + "</p></main>"), nil
		},
	}
	if change != nil {
		change(&config)
	}
	if k.pages, err = pages.New(config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.pages.Close)
	k.pages.Mount(mux)
	return k
}

func (k *kit) actor(id string) incidents.Actor {
	profile, _ := k.people.Profile(k.t.Context(), id)
	return incidents.Actor{Person: profile.Person, Via: incidents.FromSlack, Standing: profile.Standing}
}

func (k *kit) declare(command incidents.Declare) incidents.Incident {
	k.t.Helper()
	if command.Actor.ID == "" {
		command.Actor = k.actor(ben)
	}
	result, err := k.service.Declare(k.t.Context(), command)
	if err != nil {
		k.t.Fatal(err)
	}
	return result.Incident
}

func (k *kit) do(number int64, command incidents.Command) {
	k.t.Helper()
	if _, err := k.service.Do(k.t.Context(), number, command); err != nil {
		k.t.Fatal(err)
	}
}

// browser is somebody's, with cookies and without a script.
type browser struct {
	t      *testing.T
	kit    *kit
	client *http.Client
}

func (k *kit) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		k.t.Fatal(err)
	}
	return &browser{k.t, k, &http.Client{Jar: jar}}
}

// as is a browser that is signed in as somebody, by a link.
func (k *kit) as(id string) *browser {
	k.t.Helper()
	b := k.browser()
	link, err := k.pages.Link(k.t.Context(), k.actor(id))
	if err != nil {
		k.t.Fatalf("a link for %s: %v", id, err)
	}
	if page := b.get(strings.TrimPrefix(link, k.server.URL)); page.status != http.StatusOK {
		k.t.Fatalf("the link led to %d: %s", page.status, page.text())
	}
	_, secret, _ := strings.Cut(link, "secret=")
	if page := b.post("/signin/link", "secret", secret); page.status != http.StatusOK {
		k.t.Fatalf("the link signed nobody in: %d: %s", page.status, page.text())
	}
	return b
}

// page is an answer, parsed.
type page struct {
	t      *testing.T
	status int
	header http.Header
	path   string // where it ended, after redirects
	body   string
	root   *html.Node
}

func (b *browser) get(path string, header ...string) page {
	b.t.Helper()
	return b.send(http.MethodGet, path, nil, header...)
}

// post sends a form of name, value, name, value.
func (b *browser) post(path string, fields ...string) page {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return b.send(http.MethodPost, path, form)
}

func (b *browser) send(method, path string, form url.Values, header ...string) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.kit.server.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(raw)))
	if err != nil {
		b.t.Fatalf("%s is no HTML: %v", path, err)
	}
	return page{b.t, res.StatusCode, res.Header, res.Request.URL.RequestURI(), string(raw), root}
}

// text is what a person reads on the page, with single spaces.
func (p page) text() string { return textOf(p.root) }

func textOf(n *html.Node) string {
	var words []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "script" && d.Parent.Data != "style" {
			words = append(words, strings.Fields(d.Data)...)
		}
	}
	return strings.Join(words, " ")
}

// shows checks that a person reads these texts.
func (p page) shows(texts ...string) {
	p.t.Helper()
	read := p.text()
	for _, text := range texts {
		if !strings.Contains(read, text) {
			p.t.Errorf("%s (%d) does not show %q; it reads:\n%s", p.path, p.status, text, read)
		}
	}
}

// hides checks that nothing of the answer, markup included, has these texts.
func (p page) hides(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.body, text) {
			p.t.Errorf("%s has %q", p.path, text)
		}
	}
}

// elements lists the elements of a kind.
func (p page) elements(name string) []*html.Node {
	var list []*html.Node
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
