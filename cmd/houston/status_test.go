package main

import (
	"encoding/json"
	"encoding/xml"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// publisher puts notices on the status page of a house as another replica on its
// database does.
func (h *house) publisher() func(int64, incidents.Command) error {
	h.t.Helper()
	config := defaultConfig()
	config.Database = Secret(h.env["HOUSTON_DATABASE"])
	a, err := newApp(h.t.Context(), config, incidents.SystemClock{}, slog.New(slog.DiscardHandler))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		if err := a.close(); err != nil {
			h.t.Error(err)
		}
	})
	return func(number int64, c incidents.Command) error {
		_, err := a.service.Do(h.t.Context(), number, c)
		return err
	}
}

func fromAnna() incidents.Request {
	return incidents.Request{Actor: incidents.Actor{
		Person: incidents.Person{ID: anna, Name: "anna"}, Via: incidents.FromSlack, Standing: incidents.Member,
	}}
}

// statusPage gives what the public reads, in all its forms.
func (h *house) statusPage() (page string, names []string) {
	h.t.Helper()
	var all strings.Builder
	for _, path := range []string{"/status", "/status/feed.atom", "/status/api/v2/summary.json"} {
		status, raw := h.call("GET", path, "", nil)
		if status != 200 {
			h.t.Fatalf("%s: got %d %s", path, status, raw)
		}
		all.Write(raw)
		var summary struct{ Incidents []struct{ Name string } }
		var feed struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		}
		switch {
		case strings.HasSuffix(path, ".json"):
			if err := json.Unmarshal(raw, &summary); err != nil {
				h.t.Fatal(err)
			}
			for _, inc := range summary.Incidents {
				names = append(names, inc.Name)
			}
		case strings.HasSuffix(path, ".atom"):
			if err := xml.Unmarshal(raw, &feed); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	return all.String(), names
}

func TestStatusPage(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_PUBLIC_URL": "https://houston.example", "HOUSTON_STATUSPAGE_BUILTIN_TITLE": "KreditSmart"}
		h := newHouse(t, p)
		publish := h.publisher()
		h.declared("Inner title --severity sev1")
		h.declared("Secret title --private")
		type view struct {
			Page struct {
				State, URL string
			} `json:"status_page"`
		}
		state := func(want string) {
			t.Helper()
			var got view
			h.api("/incidents/INC-1", &got)
			url := "https://houston.example/status"
			if want == "none" {
				url = ""
			}
			if got.Page.State != want || got.Page.URL != url {
				t.Errorf("the API shows %+v, want %s", got.Page, want)
			}
		}
		do := func(c incidents.Command) {
			t.Helper()
			if err := publish(1, c); err != nil {
				t.Fatal(err)
			}
		}
		notice := incidents.PublishNotice{Request: fromAnna(), Status: incidents.NoticeInvestigating, Title: "Missing lists of offers", Text: "Some <b>lists</b> are empty."}

		page, names := h.statusPage()
		if !strings.Contains(page, "<h1>KreditSmart</h1>") || len(names) != 0 {
			t.Errorf("before anything is published, %v in:\n%s", names, page)
		}
		state("none")
		if err := publish(2, notice); err == nil {
			t.Error("a notice of a private incident was published")
		}
		do(notice)
		page, names = h.statusPage()
		if len(names) != 1 || !strings.Contains(page, "Some &lt;b&gt;lists&lt;/b&gt; are empty.") || strings.Contains(page, "<b>") {
			t.Errorf("published, but %v in:\n%s", names, page)
		}
		for _, inside := range []string{"Inner", "Secret", "sev1", "INC-", "inc-1", anna, "anna", "meet.jit.si"} {
			if strings.Contains(page, inside) {
				t.Errorf("the public reads %q in:\n%s", inside, page)
			}
		}
		state("published")
		do(incidents.PublishNotice{Request: fromAnna(), Status: incidents.NoticeResolved, Text: "All lists are complete."})
		if page, names = h.statusPage(); len(names) != 0 || !strings.Contains(page, "All lists are complete.") {
			t.Errorf("resolved, but %v in:\n%s", names, page)
		}
		state("resolved")
		do(incidents.WithdrawNotice{Request: fromAnna()})
		do(incidents.WithdrawNotice{Request: fromAnna()})
		if page, _ = h.statusPage(); strings.Contains(page, "offers") {
			t.Errorf("withdrawn, but shown in:\n%s", page)
		}
		state("none")
	})
}

func TestNoStatusPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{env: map[string]string{"HOUSTON_STATUSPAGE_PROVIDER": "none"}})
	for _, path := range []string{"/status", "/status/feed.atom", "/status/api/v2/summary.json"} {
		if status, _ := h.call("GET", path, "", nil); status != 404 {
			t.Errorf("%s: got %d, want 404", path, status)
		}
	}
}

// TestStatusPageListensAlone: what the public reaches there is the page, and
// neither the API nor anything else.
func TestStatusPageListensAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{env: map[string]string{
		"HOUSTON_PUBLIC_URL": "https://inner.example", "HOUSTON_STATUSPAGE_LISTEN": "127.0.0.1:0", "HOUSTON_STATUSPAGE_BUILTIN_URL": "https://status.example",
	}})
	found := regexp.MustCompile(`the status page is ready" listen=(\S+)`).FindStringSubmatch(h.log.String())
	if found == nil {
		t.Fatalf("the log does not say where the page is:\n%s", h.log)
	}
	inside := h.url
	h.url = "http://" + found[1]
	if page, _ := h.statusPage(); strings.Contains(page, "inner.example") || !strings.Contains(page, "https://status.example/status") {
		t.Errorf("got\n%s", page)
	}
	if status, page := h.call("GET", "/", "", nil); status != 200 || !strings.Contains(string(page), "No known disruption") {
		t.Errorf("/: got %d %s", status, page)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/api/v1/incidents", "/webhooks/alertmanager", "/slack/commands"} {
		if status, _ := h.call("GET", path, "", nil); status != 404 {
			t.Errorf("%s: got %d, want 404", path, status)
		}
	}
	h.url = inside
	h.statusPage()
}
