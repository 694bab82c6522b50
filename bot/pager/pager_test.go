package pager

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/contracttest"
	"github.com/houston-sre/houston/incidents"
)

// seen is a request that a stand-in got.
type seen struct {
	Method, Path, Auth string
	Body               map[string]any
}

// stand serves answers in their order and keeps what it is asked.
func stand(t *testing.T, answers ...func(http.ResponseWriter)) (string, func() []seen) {
	t.Helper()
	handler, got := standIn(t, answers...)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL, got
}

// heldStand is stand, held to the published description of the vendor's API.
func heldStand(t *testing.T, file, base string, answers ...func(http.ResponseWriter)) (string, func() []seen) {
	t.Helper()
	handler, got := standIn(t, answers...)
	server := httptest.NewServer(contracttest.Hold(t, file, base, handler))
	t.Cleanup(server.Close)
	return server.URL, got
}

func standIn(t *testing.T, answers ...func(http.ResponseWriter)) (http.Handler, func() []seen) {
	t.Helper()
	var got []seen
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s := seen{Method: r.Method, Path: r.URL.RequestURI(), Auth: r.Header.Get("Authorization")}
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &s.Body); err != nil {
				t.Errorf("%s %s has the body %s: %v", r.Method, r.URL, raw, err)
			}
		}
		got = append(got, s)
		if len(answers) >= len(got) {
			answers[len(got)-1](w)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}), func() []seen { return got }
}

func answer(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func call(target string) Call {
	return Call{
		Page:    incidents.Page{Target: target, Key: "houston/INC-7/K"},
		Summary: "INC-7 (sev1) " + strings.Repeat("x", 2000), Details: "Offers fail", Severity: incidents.Sev1,
		Link: "https://houston.example/incidents/INC-7", Bridge: "https://meet.example/x",
	}
}

func TestPagerDuty(t *testing.T) {
	t.Parallel()
	taken := answer(202, `{"status":"success","message":"Event processed","dedup_key":"houston/INC-7/K"}`)
	url, got := heldStand(t, "pagerduty-events-v2.json", "/v2", taken, taken)
	p := NewPagerDuty(url+"/", map[string]string{"lending": "KEY"})
	if _, err := p.Page(t.Context(), call("lending")); err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(t.Context(), call("lending").Page); err != nil {
		t.Fatal(err)
	}
	all := got()
	payload, _ := all[0].Body["payload"].(map[string]any)
	if n := len([]rune(payload["summary"].(string))); n != 1024 {
		t.Errorf("the summary has %d characters, want 1024", n)
	}
	delete(payload, "summary")
	want := []seen{
		{"POST", "/v2/enqueue", "", map[string]any{
			"routing_key": "KEY", "event_action": "trigger", "dedup_key": "houston/INC-7/K", "client": "Houston",
			"payload": map[string]any{"source": "houston", "severity": "critical", "custom_details": map[string]any{"details": "Offers fail"}},
			"links": []any{
				map[string]any{"href": "https://houston.example/incidents/INC-7", "text": "Incident"},
				map[string]any{"href": "https://meet.example/x", "text": "Video call"},
			},
		}},
		{"POST", "/v2/enqueue", "", map[string]any{"routing_key": "KEY", "event_action": "resolve", "dedup_key": "houston/INC-7/K"}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestOpsgenie(t *testing.T) {
	t.Parallel()
	url, got := heldStand(t, "opsgenie.json", "", answer(202, `{"result":"Request will be processed","took":0.1,"requestId":"r"}`),
		answer(200, `{"data":{"id":"1","status":"open","acknowledged":false},"took":0.1,"requestId":"r"}`),
		answer(200, `{"data":{"id":"1","status":"open","acknowledged":true,"report":{"acknowledgedBy":"lea@example.com"}},"took":0.1,"requestId":"r"}`),
		answer(404, `{"message":"Alert does not exist","took":0.1,"requestId":"r"}`))
	o := NewOpsgenie(url, "GENIE", []string{"Lending"})
	if _, err := o.Page(t.Context(), call("lending")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []incidents.PageSignal{{}, {State: incidents.PageAcknowledged, By: "lea@example.com"}} {
		if signal, err := o.Standing(t.Context(), call("lending").Page); err != nil || signal != want {
			t.Errorf("got %+v, %v, want %+v", signal, err, want)
		}
	}
	if err := o.Resolve(t.Context(), call("lending").Page); err != nil {
		t.Errorf("an alert that is gone can not be closed: %v", err)
	}
	all := got()
	if n := len([]rune(all[0].Body["message"].(string))); n != 130 {
		t.Errorf("the message has %d characters, want 130", n)
	}
	delete(all[0].Body, "message")
	alias := "/v2/alerts/houston%2FINC-7%2FK"
	want := []seen{
		{"POST", "/v2/alerts", "GenieKey GENIE", map[string]any{
			"alias": "houston/INC-7/K", "description": "Offers fail", "priority": "P1", "source": "houston",
			"responders": []any{map[string]any{"type": "team", "name": "Lending"}}, "details": map[string]any{"incident": "https://houston.example/incidents/INC-7"},
		}},
		{"GET", alias + "?identifierType=alias", "GenieKey GENIE", nil},
		{"GET", alias + "?identifierType=alias", "GenieKey GENIE", nil},
		{"POST", alias + "/close?identifierType=alias", "GenieKey GENIE", map[string]any{"source": "houston", "note": "The incident is over."}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestGoAlert(t *testing.T) {
	t.Parallel()
	url, got := stand(t, answer(200, `{"AlertID":42,"ServiceID":"s","IsNew":true}`), answer(204, ""))
	g := NewGoAlert(url, map[string]string{"default": "T/K"})
	id, err := g.Page(t.Context(), call("default"))
	if err != nil || id != "42" {
		t.Fatalf("got id %q, %v, want 42", id, err)
	}
	if err := g.Resolve(t.Context(), call("default").Page); err != nil {
		t.Fatal(err)
	}
	all := got()
	delete(all[0].Body, "summary")
	want := []seen{
		{"POST", "/api/v2/generic/incoming?token=T%2FK", "", map[string]any{
			"details": "Offers fail", "dedup": "houston/INC-7/K", "meta": map[string]any{"incident": "https://houston.example/incidents/INC-7"},
		}},
		{"POST", "/api/v2/generic/incoming?token=T%2FK", "", map[string]any{"action": "close", "dedup": "houston/INC-7/K", "summary": "The incident is over"}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// TestFailures: what passes is tried again, what does not is said, and no token
// is told.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		answer   func(http.ResponseWriter)
		terminal bool
		after    bool
		says     string
	}{
		{"wrong key", answer(400, `{"status":"invalid event","message":"Event object is invalid","errors":["x"]}`), true, false, "GoAlert answered 400: Event object is invalid"},
		{"too many", func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}, false, true, "GoAlert answered 429"},
		{"down", answer(503, "<html>"), false, false, "GoAlert answered 503"},
		{"nonsense", answer(200, "<html>"), false, false, "can not be read"},
		{"hangs up", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, false, false, "does not answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, _ := stand(t, tt.answer)
			_, err := NewGoAlert(url, map[string]string{"default": "SECRET"}).Page(t.Context(), call("default"))
			failure, ok := errors.AsType[*bot.Failure](err)
			if !ok || failure.Terminal != tt.terminal || (failure.After > 0) != tt.after || failure.Unknown {
				t.Fatalf("got %#v, want terminal %v, after %v", err, tt.terminal, tt.after)
			}
			if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("got %q, want it to say %q and no token", err, tt.says)
			}
		})
	}
	_, err := NewGoAlert("http://127.0.0.1:1", nil).Page(t.Context(), call("default"))
	if failure, ok := errors.AsType[*bot.Failure](err); !ok || !failure.Terminal {
		t.Errorf("a target that is not configured: got %v, want a failure for good", err)
	}
}

func TestMaker(t *testing.T) {
	t.Parallel()
	url, got := stand(t)
	m := Maker{Provider: NewPagerDuty(url, map[string]string{"default": "K"})}
	page := incidents.Page{Target: "default", Key: "houston/INC-1/K", Round: 1, State: incidents.PageOwed}
	work := bot.Work{
		Effect:   incidents.Effect{Kind: incidents.MakePage, Target: "default", Wanted: 3},
		Incident: incidents.Incident{Number: 1, Title: "Board is hacked", Private: true, Status: incidents.Investigating, Pages: map[string]incidents.Page{"default": page}},
	}
	if made, err := m.Make(t.Context(), work); err != nil || made.Page != incidents.PageSent {
		t.Fatalf("got %+v, %v, want the page sent", made, err)
	}
	if raw, _ := json.Marshal(got()); strings.Contains(string(raw), "hacked") {
		t.Errorf("the page of a private incident tells its title: %s", raw)
	}
	if made, err := m.Refresh(t.Context(), work); err != nil || made.Page != "" || len(got()) != 1 {
		t.Errorf("while the incident is open nothing is to be resolved: %+v, %v, %d calls", made, err, len(got()))
	}
	work.Incident.Status = incidents.Resolved
	if made, err := m.Refresh(t.Context(), work); err != nil || made.Shown != 3 || made.Page != incidents.PageResolved || len(got()) != 2 || got()[1].Body["event_action"] != "resolve" {
		t.Errorf("got %+v, %v and %+v, want the page resolved", made, err, got())
	}
	if made, err := m.Make(t.Context(), work); err != nil || made.ID == "" || len(got()) != 2 {
		t.Errorf("got %+v, %v: nobody is woken for an incident that is over", made, err)
	}
}

// TestMakerAfterALostAnswer: a call whose answer was lost may have woken somebody. Who
// has answered that is not woken again, and what is over does not go on ringing.
func TestMakerAfterALostAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		status incidents.Status
		state  incidents.PageState
		effect incidents.Effect
		calls  string // the last action, empty for none
		want   incidents.PageState
	}{
		{"acknowledged meanwhile", incidents.Investigating, incidents.PageAcknowledged, incidents.Effect{Attempts: 1}, "", incidents.PageSent},
		{"resolved there meanwhile", incidents.Investigating, incidents.PageResolved, incidents.Effect{Died: 1}, "", incidents.PageSent},
		{"over, after a failure", incidents.Resolved, incidents.PageOwed, incidents.Effect{Attempts: 2}, "resolve", incidents.PageResolved},
		{"over, after a crash", incidents.Resolved, incidents.PageOwed, incidents.Effect{Died: 1}, "resolve", incidents.PageResolved},
		{"over, never tried", incidents.Resolved, incidents.PageOwed, incidents.Effect{}, "", incidents.PageResolved},
	} {
		url, got := stand(t)
		m := Maker{Provider: NewPagerDuty(url, map[string]string{"default": "K"})}
		tt.effect.Kind, tt.effect.Target, tt.effect.Wanted = incidents.MakePage, "default", 2
		made, err := m.Make(t.Context(), bot.Work{Effect: tt.effect, Incident: incidents.Incident{
			Number: 1, Status: tt.status, Pages: map[string]incidents.Page{"default": {Target: "default", Key: "houston/INC-1/K", Round: 1, State: tt.state}},
		}})
		last := ""
		if n := len(got()); n > 0 {
			last, _ = got()[n-1].Body["event_action"].(string)
		}
		if err != nil || made.ID == "" || made.Page != tt.want || last != tt.calls {
			t.Errorf("%s: got %+v, %v and the call %q, want %q and %q", tt.name, made, err, last, tt.want, tt.calls)
		}
	}
}
