package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
)

const token = "correct-horse"

// house is an API over a store in memory.
type house struct {
	t      *testing.T
	store  *store
	server *httptest.Server
	log    *bytes.Buffer
}

func newHouse(t *testing.T, permissions incidents.Permissions) *house {
	t.Helper()
	h := &house{t: t, store: newStore(), log: &bytes.Buffer{}}
	mux := http.NewServeMux()
	service := incidents.NewService(incidents.Config{Store: h.store, Clock: clock{}, Permissions: permissions})
	web.NewAPI(web.Config{
		Service: service, Postmortems: postmortems(h.store, service),
		Log: slog.New(slog.NewTextHandler(h.log, nil)), Token: token, Metrics: web.NewMetrics(), Clock: clock{},
	}).Mount(mux)
	h.server = httptest.NewServer(mux)
	t.Cleanup(h.server.Close)
	return h
}

// answer is a response, read.
type answer struct {
	status int
	header http.Header
	body   string
	value  map[string]any
}

// ask sends a request with the token; headers are name, value, name, value.
func (h *house) ask(method, path, body string, headers ...string) answer {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.server.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	a := answer{status: response.StatusCode, header: response.Header, body: string(raw)}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.value); err != nil {
			h.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
		}
	}
	return a
}

// refused checks that an answer is a problem of a status that says something.
func (a answer) refused(t *testing.T, status int, says string) {
	t.Helper()
	if a.status != status || a.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("got %d %s: %s, want the problem %d", a.status, a.header.Get("Content-Type"), a.body, status)
	}
	if detail, _ := a.value["detail"].(string); !strings.Contains(detail, says) {
		t.Errorf("got detail %q, want it to say %q", detail, says)
	}
	if a.value["status"] != float64(status) || a.value["title"] != http.StatusText(status) || a.value["type"] != "about:blank" {
		t.Errorf("got problem %v, want one of status %d", a.value, status)
	}
}

func TestDeclare(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	got := h.ask("POST", "/api/v1/incidents", `{"title":"Offers are missing","severity":"SEV-2","service":"offers","detection":"partner",
		"impact_start":"2026-03-29T15:00:00+02:00"}`)
	if got.status != 201 || got.header.Get("Location") != "/api/v1/incidents/INC-1" {
		t.Fatalf("got %d, Location %q: %s, want 201 and INC-1", got.status, got.header.Get("Location"), got.body)
	}
	want := map[string]any{
		"key": "INC-1", "number": 1.0, "title": "Offers are missing", "status": "investigating", "severity": "sev2", "detection": "partner",
		"private": false, "drill": false, "service": "offers", "summary": "", "impact": "", "next_update_due": nil, "merged_into": nil, "links": []any{}, "channel": nil, "bridge_url": "", "commander": nil,
		"status_page": map[string]any{"state": "none", "url": ""},
		"times": map[string]any{
			"declared":     map[string]any{"at": "2026-03-29T14:00:00Z", "precision": "second", "source": "api"},
			"detected":     map[string]any{"at": "2026-03-29T14:00:00Z", "precision": "approx", "source": "api"},
			"impact_start": map[string]any{"at": "2026-03-29T13:00:00Z", "precision": "minute", "source": "api"},
		},
		"alerts_firing": 0.0, "owed": []any{"card: under way", "channel: under way", "pin: under way"},
	}
	if diff := cmp.Diff(want, got.value); diff != "" {
		t.Errorf("incident (-want +got):\n%s", diff)
	}
	for _, key := range []string{"INC-1", "inc-1", "1"} {
		if diff := cmp.Diff(want, h.ask("GET", "/api/v1/incidents/"+key, "").value); diff != "" {
			t.Errorf("incident by %s (-want +got):\n%s", key, diff)
		}
	}
}

func TestDeclareOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	first := h.ask("POST", "/api/v1/incidents", `{"title":"A","severity":"sev1"}`, "Idempotency-Key", "k1")
	again := h.ask("POST", "/api/v1/incidents", ` {"severity": "1", "title": "A"} `, "Idempotency-Key", "k1")
	if first.status != 201 || again.status != 200 || again.value["key"] != "INC-1" || again.header.Get("Location") == "" {
		t.Errorf("got %d, then %d %s, want 201, then 200 with INC-1", first.status, again.status, again.body)
	}
	h.ask("POST", "/api/v1/incidents", `{"title":"B"}`, "Idempotency-Key", "k1").refused(t, 422, "another body")
	h.ask("POST", "/api/v1/incidents", `{"title":"B"}`, "Idempotency-Key", strings.Repeat("k", 256)).refused(t, 400, "255")
	if got := h.ask("POST", "/api/v1/incidents", `{"title":"B"}`, "Idempotency-Key", "k2"); got.value["key"] != "INC-2" {
		t.Errorf("got %s for another key, want INC-2", got.body)
	}
}

func TestInputIsDecodedStrictly(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	for _, tt := range []struct {
		name, method, path, body string
		status                   int
		says                     string
	}{
		{"no object", "POST", "/incidents", `[]`, 400, `{"title":`},
		{"null", "POST", "/incidents", `null`, 400, `{"title":`},
		{"empty", "POST", "/incidents", ``, 400, `{"title":`},
		{"two objects", "POST", "/incidents", `{"title":"A"}{}`, 400, `{"title":`},
		{"unknown field", "POST", "/incidents", `{"titel":"A"}`, 400, `There is no field "titel"`},
		{"capitals are another field", "POST", "/incidents", `{"Title":"A"}`, 400, `There is no field "Title"`},
		{"no title", "POST", "/incidents", `{"title":"  "}`, 400, `needs a title. Write it like {"title"`},
		{"long title", "POST", "/incidents", `{"title":"` + strings.Repeat("x", 201) + `"}`, 400, "at most 200"},
		{"title of the wrong type", "POST", "/incidents", `{"title":7}`, 400, "title must be a text"},
		{"flag of the wrong type", "POST", "/incidents", `{"title":"A","private":"yes"}`, 400, "private must be true or false"},
		{"severity", "POST", "/incidents", `{"title":"A","severity":"high"}`, 400, "sev1"},
		{"detection", "POST", "/incidents", `{"title":"A","detection":"luck"}`, 400, "chance"},
		{"time without zone", "POST", "/incidents", `{"title":"A","detected":"2026-03-29 14:00"}`, 400, "detected must be a time with its zone"},
		{"time in the future", "POST", "/incidents", `{"title":"A","detected":"2027-01-01T00:00:00Z"}`, 400, "in the future"},
		{"time of long ago", "POST", "/incidents", `{"title":"A","impact_start":"0001-01-02T00:00:00Z"}`, 400, "year 1"},
		{"large", "POST", "/incidents", `{"title":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "1 MB"},
		{"nothing to change", "PATCH", "/incidents/INC-1", `{}`, 400, `{"title"`},
		{"change of what can not", "PATCH", "/incidents/INC-1", `{"number":7}`, 400, `"number"`},
		{"change to a bad status", "PATCH", "/incidents/INC-1", `{"title":"B","status":"done"}`, 400, "investigating"},
		{"change to a status that has its own way", "PATCH", "/incidents/INC-1", `{"status":"merged"}`, 400, "merged"},
		{"note without text", "POST", "/incidents/INC-1/timeline", `{"kind":"action"}`, 400, "text"},
		{"note of no kind", "POST", "/incidents/INC-1/timeline", `{"text":"A","kind":"gossip"}`, 400, "hypothesis"},
		{"note of the future", "POST", "/incidents/INC-1/timeline", `{"text":"A","at":"2026-03-29T15:00:00Z"}`, 400, "future"},
		{"no such incident", "GET", "/incidents/INC-9", ``, 404, "INC-9"},
		{"no incident's name", "GET", "/incidents/banana", ``, 404, "INC-12"},
		{"note on no incident", "POST", "/incidents/9/timeline", `{"text":"A"}`, 404, "INC-9"},
		{"bad status", "GET", "/incidents?status=open", ``, 400, "?status=triage"},
		{"bad severity", "GET", "/incidents?severity=high", ``, 400, "?severity=sev1"},
		{"bad limit", "GET", "/incidents?limit=501", ``, 400, "1 to 500"},
		{"no limit", "GET", "/incidents?limit=0", ``, 400, "1 to 500"},
		{"bad cursor", "GET", "/incidents?cursor=x", ``, 400, "next"},
		{"mistyped parameter", "GET", "/incidents?stauts=triage", ``, 400, `"stauts"`},
		{"bad limit of alerts", "GET", "/incidents/1/alerts?limit=x", ``, 400, "limit"},
		{"wrong method", "DELETE", "/incidents/1", ``, 405, "GET or PATCH"},
		{"trailing slash", "POST", "/incidents/", `{"title":"A"}`, 404, "openapi.json"},
		{"nowhere", "GET", "/nothing", ``, 404, "openapi.json"},
		{"not built", "GET", "/incidents/1/postmortem.pdf", ``, 501, "not built yet"},
		{"not built either", "POST", "/backtest", `{}`, 501, "not built yet"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := &house{t: t, store: h.store, server: h.server}
			h.ask(tt.method, "/api/v1"+tt.path, tt.body).refused(t, tt.status, tt.says)
		})
	}
	t.Cleanup(func() {
		if inc := h.store.all[1]; len(h.store.all) != 1 || inc.Title != "A" {
			t.Errorf("got %d incidents, the first %q, want bad input to change nothing", len(h.store.all), inc.Title)
		}
	})
}

func TestListPagesAndFilters(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	for i := range 5 {
		h.ask("POST", "/api/v1/incidents", fmt.Sprintf(`{"title":"Number %d","severity":"sev%d"}`, i+1, i%2+1))
	}
	before := h.store.asked
	if h.ask("GET", "/api/v1/incidents", ""); h.store.asked != before+1 {
		t.Errorf("a page of incidents asked %d times for effects, want once", h.store.asked-before)
	}
	h.ask("PATCH", "/api/v1/incidents/2", `{"status":"resolved"}`)
	keys := func(path string) string {
		got := h.ask("GET", "/api/v1/incidents"+path, "")
		var found []string
		list, _ := got.value["incidents"].([]any)
		for _, one := range list {
			key, _ := one.(map[string]any)["key"].(string)
			found = append(found, key)
		}
		return fmt.Sprintf("%s next=%v", strings.Join(found, " "), got.value["next"])
	}
	for path, want := range map[string]string{
		"":                                    "INC-5 INC-4 INC-3 INC-2 INC-1 next=<nil>",
		"?limit=2":                            "INC-5 INC-4 next=4",
		"?limit=2&cursor=4":                   "INC-3 INC-2 next=2",
		"?limit=2&cursor=2":                   "INC-1 next=<nil>",
		"?limit=5":                            "INC-5 INC-4 INC-3 INC-2 INC-1 next=<nil>",
		"?severity=sev2":                      "INC-4 INC-2 next=<nil>",
		"?severity=sev1,sev2&status=resolved": "INC-2 next=<nil>",
		"?status=triage&status=resolved":      "INC-2 next=<nil>",
		"?q=number+3":                         "INC-3 next=<nil>",
		"?q=nothing":                          " next=<nil>",
	} {
		if got := keys(path); got != want {
			t.Errorf("list %q: got %q, want %q", path, got, want)
		}
	}
	if got := h.ask("GET", "/api/v1/incidents?q=nothing", "").body; !strings.Contains(got, `"incidents":[]`) {
		t.Errorf("got %s, want an empty list, not null", got)
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	for _, tt := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"title":"B","severity":"sev1","status":"identified"}`, 200, "B sev1 identified"},
		{`{"title":"B","severity":"sev1","status":"identified"}`, 200, "B sev1 identified"}, // again: harmless
		{`{"status":"resolved"}`, 200, "B sev1 resolved"},
		{`{"status":"monitoring"}`, 409, "B sev1 resolved"},
		{`{"status":"investigating"}`, 200, "B sev1 investigating"},
		{`{"title":"C","status":"declined"}`, 409, "C sev1 investigating"}, // the facts come first
		{`{"impact":"No offers","service":"offers","detection":"customer","impact_start":"2026-03-29T13:05:00Z"}`, 200, "C sev1 investigating"},
		{`{"title":"D","impact_start":"soon"}`, 400, "C sev1 investigating"},
		{`{"detected":"","detection":"nobody"}`, 400, "C sev1 investigating"},
	} {
		got := h.ask("PATCH", "/api/v1/incidents/INC-1", tt.body)
		inc := h.store.all[1]
		if state := fmt.Sprintf("%s %s %s", inc.Title, inc.Severity, inc.Status); got.status != tt.status || state != tt.want {
			t.Errorf("PATCH %s: got %d and %q, want %d and %q", tt.body, got.status, state, tt.status, tt.want)
		}
	}
	inc := h.store.all[1]
	facts := fmt.Sprintf("%s %s %s %s", inc.Impact, inc.Service, inc.Detection, inc.Times[incidents.ImpactStart].At.Format("15:04"))
	if want := "No offers offers customer 13:05"; facts != want {
		t.Errorf("got facts %q, want %q", facts, want)
	}
	replayed, err := incidents.Replay(h.store.events[1])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h.store.all[1], replayed); diff != "" {
		t.Errorf("replayed (-row +events):\n%s", diff)
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	const note = `{"text":" Restarted it ","at":"2026-03-29T15:30:00+02:00","kind":"action"}`
	got := h.ask("POST", "/api/v1/incidents/INC-1/timeline", note, "Idempotency-Key", "n1")
	want := map[string]any{
		"seq": 2.0, "at": "2026-03-29T13:30:00Z", "recorded_at": "2026-03-29T14:00:00Z", "precision": "minute", "kind": "action",
		"actor": map[string]any{"id": "", "name": "API"}, "text": "Restarted it", "permalink": "",
		"edited": false, "deleted": false, "internal": false, "files": []any{},
		"until": nil, "until_precision": "", "significant": false,
	}
	if diff := cmp.Diff(want, got.value); diff != "" || got.status != 201 {
		t.Errorf("got %d, entry (-want +got):\n%s", got.status, diff)
	}
	again := h.ask("POST", "/api/v1/incidents/INC-1/timeline", note, "Idempotency-Key", "n1")
	if diff := cmp.Diff(want, again.value); diff != "" || again.status != 200 {
		t.Errorf("got %d for the same key, entry (-want +got):\n%s", again.status, diff)
	}
	h.ask("POST", "/api/v1/incidents/INC-1/timeline", `{"text":"other"}`, "Idempotency-Key", "n1").refused(t, 422, "")
	entries, _ := h.ask("GET", "/api/v1/incidents/INC-1/timeline", "").value["entries"].([]any)
	if len(entries) != 2 || !cmp.Equal(entries[0], any(want)) {
		t.Errorf("got %v, want the back-dated entry once and first", entries)
	}
}

// TestEntryChange corrects an entry by the API.
func TestEntryChange(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	const path = "/api/v1/incidents/INC-1/timeline"
	note := h.ask("POST", path, `{"text":"Restarted it","at":"2026-03-29T13:30:00Z","until":"2026-03-29T13:40:00Z","significant":true}`).value
	if note["until"] != "2026-03-29T13:40:00Z" || note["until_precision"] != "minute" || note["significant"] != true {
		t.Errorf("got %v, want a key moment until 13:40", note)
	}
	h.ask("POST", path, `{"text":"n","at":"2026-03-29T13:30:00Z","until":"2026-03-29T13:20:00Z"}`).refused(t, 400, "later end")
	got := h.ask("PATCH", path+"/2", `{"until":"","significant":false,"text":"Restarted offers","kind":"action","at":"2026-03-29T13:35:00Z"}`)
	if v := got.value; got.status != 200 || v["until"] != nil || v["significant"] != false || v["text"] != "Restarted offers" || v["kind"] != "action" || v["at"] != "2026-03-29T13:35:00Z" || v["edited"] != true {
		t.Errorf("got %d %v, want all of it changed", got.status, v)
	}
	if v := h.ask("PATCH", path+"/1", `{"significant":true}`); v.status != 200 || v.value["significant"] != true {
		t.Errorf("got %d %v, want the declaration marked", v.status, v.value)
	}
	h.ask("PATCH", path+"/1", `{"until":"2026-03-29T13:59:00Z"}`).refused(t, 400, "has no end")
	h.ask("PATCH", path+"/1", `{"text":"B"}`).refused(t, 409, "only what people noted")
	h.ask("PATCH", path+"/2", `{"until":"2026-03-29T13:35:00Z"}`).refused(t, 400, "later end")
	h.ask("PATCH", path+"/2", `{}`).refused(t, 400, "Nothing to change")
	h.ask("PATCH", path+"/2", `{"colour":"red"}`).refused(t, 400, "no field")
	h.ask("PATCH", path+"/9", `{"significant":true}`).refused(t, 404, "no such entry")
}

func TestAlerts(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	h.store.alerted[1] = []incidents.Alert{
		{Fingerprint: "f1", Firing: true, StartsAt: clock{}.Now(), Labels: map[string]string{"alertname": "Burn"}},
		{Fingerprint: "f2"},
	}
	want := map[string]any{"firing": 0.0, "alerts": []any{
		map[string]any{
			"fingerprint": "f1", "name": "Burn", "status": "firing", "starts_at": "2026-03-29T14:00:00Z", "ends_at": nil,
			"labels": map[string]any{"alertname": "Burn"}, "annotations": map[string]any{}, "url": "",
		},
	}}
	if diff := cmp.Diff(want, h.ask("GET", "/api/v1/incidents/1/alerts?limit=1", "").value); diff != "" {
		t.Errorf("alerts (-want +got):\n%s", diff)
	}
}

func TestPrivate(t *testing.T) {
	t.Parallel()
	for _, sees := range []bool{false, true} {
		h := newHouse(t, incidents.Permissions{TokenPrivate: sees})
		made := h.ask("POST", "/api/v1/incidents", `{"title":"Secret","private":true}`, "Idempotency-Key", "p")
		if made.status != 201 {
			t.Fatalf("got %d, want 201", made.status)
		}
		h.store.all[1] = func(inc incidents.Incident) incidents.Incident { inc.Title = "Renamed"; return inc }(h.store.all[1])
		var told []string
		for _, ask := range [][3]string{
			{"GET", "/incidents", ""},
			{"GET", "/incidents?q=renamed", ""},
			{"GET", "/incidents/1", ""},
			{"GET", "/incidents/1/timeline", ""},
			{"GET", "/incidents/1/alerts", ""},
			{"PATCH", "/incidents/1", `{"severity":"sev1"}`},
			{"POST", "/incidents/1/timeline", `{"text":"x"}`},
			{"POST", "/incidents", `{"title":"Secret","private":true}`},
		} {
			got := h.ask(ask[0], "/api/v1"+ask[1], ask[2], "Idempotency-Key", map[bool]string{true: "p"}[ask[1] == "/incidents"])
			if !sees && strings.Contains(ask[1], "/1") {
				got.refused(t, 404, "INC-1")
			}
			if strings.Contains(got.body, "Renamed") || strings.Contains(got.body, "Secret") {
				told = append(told, ask[0]+" "+ask[1])
			}
		}
		if !sees && len(told) > 0 {
			t.Errorf("the title of a private incident was told by %v", told)
		}
		if sees && len(told) < 5 {
			t.Errorf("with token_private only %v told the title", told)
		}
	}
}

func TestOwedInWords(t *testing.T) {
	t.Parallel()
	h := newHouse(t, incidents.Permissions{})
	h.ask("POST", "/api/v1/incidents", `{"title":"A"}`)
	h.store.effects[1] = []incidents.Effect{
		{Key: "4", Kind: incidents.MakePost, Target: "7"},
		{Key: "1", Kind: incidents.MakeAnnounce, Reason: "channel_not_found", Attempts: 3},
		{Key: "2", Kind: incidents.MakeInvite, Target: "U7", Failed: true, Reason: "this person is deactivated"},
		{Key: "3", Kind: incidents.MakeCard, ID: "1.2", Wanted: 9, Shown: 8}, // waits for its next edit
		{Key: "5", Kind: incidents.MakeBookmark, Target: "bridge", ID: "b", Wanted: 1, Shown: 1},
	}
	want := []any{
		"announcement: failing, retrying (channel_not_found)", "invitation of U7: failed (this person is deactivated)",
		"message about event 7: under way",
	}
	if diff := cmp.Diff(want, h.ask("GET", "/api/v1/incidents/1", "").value["owed"]); diff != "" {
		t.Errorf("owed (-want +got):\n%s", diff)
	}
}
