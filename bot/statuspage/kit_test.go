package statuspage_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // Berlin's clocks on any machine

	"github.com/houston-sre/houston/bot/statuspage"
	"github.com/houston-sre/houston/incidents"
)

// clock is moved by the test.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// store is as much of incidents.Store as publishing needs, in memory. It lists
// everything that has a notice, private incidents too: the page is to look
// itself.
type store struct {
	incidents.Store

	mu    sync.Mutex
	all   map[int64]incidents.Incident
	since time.Time
	fails error
}

func (s *store) Declare(_ context.Context, _ incidents.Once, decide func(int64) (incidents.Change, error)) (incidents.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keep(decide(int64(len(s.all) + 1)))
}

func (s *store) Update(_ context.Context, n int64, _ incidents.Once, decide func(incidents.Incident) (incidents.Change, error)) (incidents.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keep(decide(s.all[n]))
}

func (s *store) keep(change incidents.Change, err error) (incidents.Result, error) {
	if err == nil {
		s.all[change.Incident.Number] = change.Incident
	}
	return incidents.Result{Incident: change.Incident}, err
}

func (s *store) Notices(_ context.Context, since time.Time, limit int) ([]incidents.Incident, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = since
	var list []incidents.Incident
	for _, inc := range s.all {
		if inc.Notice != nil && len(list) < limit {
			list = append(list, inc)
		}
	}
	return list, s.fails
}

// house is a status page over a store in memory, and who publishes on it.
type house struct {
	t       *testing.T
	store   *store
	clock   *clock
	service *incidents.Service
	url     string
}

func newHouse(t *testing.T, change ...func(*statuspage.Config)) *house {
	t.Helper()
	h := &house{t: t, store: &store{all: map[int64]incidents.Incident{}}, clock: &clock{time.Date(2026, 6, 10, 9, 20, 0, 123456000, time.UTC)}}
	h.service = incidents.NewService(incidents.Config{Store: h.store, Clock: h.clock})
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	config := statuspage.Config{
		Store: h.store, Clock: h.clock, Log: slog.New(slog.DiscardHandler),
		Name: "KreditSmart", URL: "https://houston.example/", Zone: zone,
	}
	for _, c := range change {
		c(&config)
	}
	page, err := statuspage.NewBuiltin(config)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	page.Mount(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func ada() incidents.Request {
	return incidents.Request{Actor: incidents.Actor{
		Person: incidents.Person{ID: "U0SECRET", Name: "Ada Lovelace"}, Via: incidents.FromSlack, Standing: incidents.Member,
	}}
}

// declare opens an incident whose inside must not be seen.
func (h *house) declare(change ...func(*incidents.Declare)) int64 {
	h.t.Helper()
	c := incidents.Declare{Request: ada(), Title: "Inner title", Summary: "Inner summary", Service: "inner-service", Severity: incidents.Sev1}
	for _, f := range change {
		f(&c)
	}
	result, err := h.service.Declare(h.t.Context(), c)
	if err != nil {
		h.t.Fatal(err)
	}
	return result.Incident.Number
}

func (h *house) publish(number int64, status incidents.NoticeStatus, title, text string) {
	h.t.Helper()
	h.do(number, incidents.PublishNotice{Request: ada(), Status: status, Title: title, Text: text})
}

func (h *house) do(number int64, c incidents.Command) {
	h.t.Helper()
	if _, err := h.service.Do(h.t.Context(), number, c); err != nil {
		h.t.Fatal(err)
	}
}

// answer is a response, read.
type answer struct {
	status int
	header http.Header
	length int64
	body   string
}

// ask sends a request; headers are name, value, name, value.
func (h *house) ask(method, path string, headers ...string) answer {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, http.NoBody)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, res.ContentLength, string(body)}
}

// get gives a path that has to be there.
func (h *house) get(path string) string {
	h.t.Helper()
	got := h.ask("GET", path)
	if got.status != http.StatusOK {
		h.t.Fatalf("%s: got %d %s", path, got.status, got.body)
	}
	return got.body
}

// element is one of an HTML page with the text in it.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// parsed reads a page. Ours closes every element, as XML does.
func parsed(t *testing.T, page string) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all, open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is broken: %v in\n%s", err, page)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
	if len(open) != 0 {
		t.Fatalf("%d elements are not closed in\n%s", len(open), page)
	}
	var elements []element
	for _, e := range all {
		e.text = strings.Join(strings.Fields(e.text), " ")
		elements = append(elements, *e)
	}
	return elements
}

// texts gives the texts of the elements of a name.
func texts(elements []element, name string) []string {
	var list []string
	for _, e := range elements {
		if e.name == name {
			list = append(list, e.text)
		}
	}
	return list
}
