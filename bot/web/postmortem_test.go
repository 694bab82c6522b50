package web_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func (h *house) do(command incidents.Command) {
	h.t.Helper()
	service := incidents.NewService(incidents.Config{Store: h.store, Clock: clock{}})
	if _, err := service.Do(h.t.Context(), 1, command); err != nil {
		h.t.Fatal(err)
	}
}

func member() incidents.Request {
	return incidents.Request{Actor: incidents.Actor{
		Person: incidents.Person{ID: "U1", Name: "Ada"}, Via: incidents.FromSlack, Standing: incidents.Member,
	}}
}

func TestActionsAndPostmortem(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"Offers are missing","detection":"employee"}`)
	if got := h.ask("GET", "/api/v1/incidents/INC-1/actions", ""); got.status != 200 || strings.TrimSpace(got.body) != `{"actions":[]}` {
		t.Errorf("got %d %s, want an empty list", got.status, got.body)
	}
	h.do(incidents.AddAction{Request: member(), Text: "Own pool for slow requests", Owner: incidents.Person{ID: "U2", Name: "Ben"}, Due: "2026-04-10"})
	h.do(incidents.Resolve{Request: member()})
	want := `{"actions":[{"id":1,"text":"Own pool for slow requests","type":"prevent","priority":"","owner":{"id":"U2","name":"Ben"},"due":"2026-04-10","state":"open","done_when":"","answers":[],"link":"","reason":"","outcome":"","verified_by":null,"gap":false,"proposed":false},` +
		`{"id":2,"text":"Alert on what made \"Offers are missing\" noticeable, before a person has to report it","type":"detect","priority":"","owner":null,"due":"","state":"open","done_when":"","answers":["gap:1"],"link":"","reason":"","outcome":"","verified_by":null,"gap":true,"proposed":true}]}`
	if got := h.ask("GET", "/api/v1/incidents/1/actions", ""); strings.TrimSpace(got.body) != want {
		t.Errorf("got %s\nwant %s", got.body, want)
	}
	for _, path := range []string{"/postmortem", "/postmortem.json"} {
		got := h.ask("GET", "/api/v1/incidents/INC-1"+path, "")
		if got.status != 200 || got.value["state"] != "draft" || got.value["drafted_at"] != "2026-03-29T14:00:00Z" {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
		verdict, _ := got.value["verdict"].(map[string]any)
		if text, _ := verdict["text"].(string); verdict["first"] != "person" || !strings.Contains(text, "monitoring would not have told") {
			t.Errorf("%s: got verdict %v", path, verdict)
		}
		if gaps, _ := got.value["monitoring_gaps"].([]any); len(gaps) != 1 {
			t.Errorf("%s: got gaps %v, want one", path, gaps)
		}
	}
}

func TestPostmortemOfAPrivateIncident(t *testing.T) {
	t.Parallel()
	for _, allowed := range []bool{false, true} {
		h := newHouse(t, incidents.Permissions{TokenPrivate: allowed})
		h.ask("POST", "/api/v1/incidents", `{"title":"Offers leak","private":true}`)
		want := 404
		if allowed {
			want = 200
		}
		for _, path := range []string{"/actions", "/postmortem", "/postmortem.json"} {
			got := h.ask("GET", "/api/v1/incidents/INC-1"+path, "")
			if got.status != want || (!allowed && strings.Contains(got.body, "leak")) {
				t.Errorf("token_private %v: %s answered %d %s, want %d", allowed, path, got.status, got.body, want)
			}
		}
		if got := h.ask("GET", "/api/v1/incidents/INC-1/postmortem.md", ""); !allowed && got.status != 404 {
			t.Errorf("Markdown answered %d %s, want 404", got.status, got.body)
		}
	}
}

// TestMarkdownIsRendered hands the document to whoever writes it.
func TestMarkdownIsRendered(t *testing.T) {
	t.Parallel()
	s := newStore()
	service := incidents.NewService(incidents.Config{Store: s, Clock: clock{}})
	if _, err := service.Declare(t.Context(), incidents.Declare{Request: member(), Title: "Offers are missing"}); err != nil {
		t.Fatal(err)
	}
	var failing error
	mux := http.NewServeMux()
	web.NewAPI(web.Config{
		Service: service, Postmortems: postmortems(s, service), Log: slog.New(slog.DiscardHandler), Token: token, Clock: clock{},
		Render: func(format string, doc postmortem.Document) (string, []byte, error) {
			return doc.Facts.Key + "-postmortem." + format, []byte("# " + doc.Facts.Title), failing
		},
	}).Mount(mux)
	ask := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/incidents/INC-1"+path, http.NoBody)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w
	}
	got := ask("/postmortem.md")
	if got.Code != 200 || got.Body.String() != "# Offers are missing" {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/markdown; charset=utf-8", "Content-Disposition": `inline; filename="INC-1-postmortem.md"`,
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got := got.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	failing = errors.New("disk")
	if got := ask("/postmortem.md"); got.Code != 500 || strings.Contains(got.Body.String(), "disk") {
		t.Errorf("got %d %s, want 500 that tells nothing", got.Code, got.Body)
	}
	for _, path := range []string{"/postmortem.pdf", "/postmortem.confluence"} {
		if got := ask(path); got.Code != 501 {
			t.Errorf("%s: got %d, want 501", path, got.Code)
		}
	}
}

func TestStatusPageOfAnIncident(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "https://houston.example/status"} {
		s := newStore()
		service := incidents.NewService(incidents.Config{Store: s, Clock: clock{}})
		if _, err := service.Declare(t.Context(), incidents.Declare{Request: member(), Title: "Offers are missing"}); err != nil {
			t.Fatal(err)
		}
		mux := http.NewServeMux()
		web.NewAPI(web.Config{Service: service, Log: slog.New(slog.DiscardHandler), Token: token, StatusPage: url}).Mount(mux)
		check := func(state string) {
			t.Helper()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/incidents/INC-1", http.NoBody)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			want := `"status_page":{"state":"none","url":""}`
			if url != "" && state != "none" {
				want = `"status_page":{"state":"` + state + `","url":"` + url + `"}`
			}
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("page %q: got %s, want %s in it", url, w.Body, want)
			}
		}
		do := func(c incidents.Command) {
			t.Helper()
			if _, err := service.Do(t.Context(), 1, c); err != nil {
				t.Fatal(err)
			}
		}
		check("none")
		do(incidents.PublishNotice{Request: member(), Status: incidents.NoticeMonitoring, Text: "We watch it"})
		check("published")
		do(incidents.PublishNotice{Request: member(), Status: incidents.NoticeResolved, Text: "Over"})
		check("resolved")
	}
}

// TestActionIsAddedInOneStep: an item that somebody took back before leaves its
// number unused, and what is added gets all its fields, not another item.
func TestActionIsAddedInOneStep(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"Offers are missing"}`)
	message := incidents.Message{Channel: "C1", TS: "1.1"}
	h.do(incidents.Capture{Request: member(), Message: message, Mark: incidents.MarkAction, Text: "Scale scoring"})
	h.do(incidents.AddAction{Request: member(), Text: "Own pool for slow requests"})
	h.do(incidents.Release{Request: member(), Message: message, Mark: incidents.MarkAction})
	got := h.ask("POST", "/api/v1/incidents/INC-1/actions", `{"text":"Alert on slow offers","type":"detect","priority":"p1","done_when":"it fires","answers":["gap:1"],"link":"https://tracker.example.com/7"}`)
	want := `{"actions":[{"id":2,"text":"Own pool for slow requests","type":"prevent","priority":"","owner":null,"due":"","state":"open","done_when":"","answers":[],"link":"","reason":"","outcome":"","verified_by":null,"gap":false,"proposed":false},` +
		`{"id":3,"text":"Alert on slow offers","type":"detect","priority":"p1","owner":null,"due":"","state":"open","done_when":"it fires","answers":["gap:1"],"link":"https://tracker.example.com/7","reason":"","outcome":"","verified_by":null,"gap":false,"proposed":false}]}`
	if got.status != http.StatusCreated || strings.TrimSpace(got.body) != want {
		t.Errorf("got %d %s\nwant %s", got.status, got.body, want)
	}
}
