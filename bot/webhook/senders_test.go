package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
)

const ownSecret = "battery-staple"

func mac(parts ...string) []byte {
	m := hmac.New(sha256.New, []byte(ownSecret))
	m.Write([]byte(strings.Join(parts, "")))
	return m.Sum(nil)
}

func hexMAC(parts ...string) string { return hex.EncodeToString(mac(parts...)) }

// signing is a handler that knows every sender's secret but no token.
func signing(s *sink) http.Handler {
	mux := http.NewServeMux()
	secrets := map[string]string{}
	for _, kind := range []string{"grafana", "pagerduty", "zendesk", "github", "gitlab", "argocd", "flux", "cdevents", "generic"} {
		secrets[kind] = ownSecret
	}
	webhook.New(webhook.Config{Secrets: secrets, Ingester: s, Clock: clock{now()}, Log: quiet()}).Mount(mux)
	return mux
}

const (
	triggered = `{"event":{"id":"01EVENT","event_type":"incident.triggered","occurred_at":"2026-12-01T11:59:00Z","data":{"id":"PX1","title":"Offers down","html_url":"https://acme.pagerduty.com/incidents/PX1","created_at":"2026-12-01T11:58:00Z","urgency":"high","service":{"summary":"offers"},"priority":{"summary":"P1"}}}}`
	ticket    = `{"ticket":{"id":4711,"title":"No offers for brokers","status":"new","priority":"Urgent","url":"acme.zendesk.com/agent/tickets/4711","tags":"broker offers","organization":"Acme"}}`
)

func TestSignatures(t *testing.T) {
	t.Parallel()
	stamp := now().Format(time.RFC3339)
	unix := func(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
	old := now().Add(-6 * time.Minute)
	for _, tt := range []struct {
		name, kind, body string
		header           map[string]string
		status           int
	}{
		{"grafana", "grafana", one, map[string]string{"X-Grafana-Alerting-Signature": hexMAC(one)}, 200},
		{"grafana with a time", "grafana", one, map[string]string{
			"X-Grafana-Alerting-Signature": hexMAC(unix(now()), ":", one), "X-Grafana-Alerting-Timestamp": unix(now()),
		}, 200},
		{"grafana, old", "grafana", one, map[string]string{
			"X-Grafana-Alerting-Signature": hexMAC(unix(old), ":", one), "X-Grafana-Alerting-Timestamp": unix(old),
		}, 401},
		{"grafana, a time that was not signed", "grafana", one, map[string]string{
			"X-Grafana-Alerting-Signature": hexMAC(one), "X-Grafana-Alerting-Timestamp": unix(now()),
		}, 401},
		{"grafana, another body", "grafana", one, map[string]string{"X-Grafana-Alerting-Signature": hexMAC(one + " ")}, 401},
		{"grafana, no hex", "grafana", one, map[string]string{"X-Grafana-Alerting-Signature": "zz"}, 401},
		{"grafana, nothing", "grafana", one, nil, 401},
		{"grafana, the secret as a password", "grafana", one, map[string]string{"Authorization": "Bearer " + ownSecret}, 200},
		{"pagerduty", "pagerduty", triggered, map[string]string{"X-PagerDuty-Signature": "v1=" + hexMAC(triggered)}, 200},
		{"pagerduty while the secret changes", "pagerduty", triggered, map[string]string{"X-PagerDuty-Signature": "v1=00ff, v1=" + hexMAC(triggered)}, 200},
		{"pagerduty, another version", "pagerduty", triggered, map[string]string{"X-PagerDuty-Signature": "v0=" + hexMAC(triggered)}, 401},
		{"pagerduty, none fits", "pagerduty", triggered, map[string]string{"X-PagerDuty-Signature": "v1=00,v1=11"}, 401},
		{"zendesk", "zendesk", ticket, map[string]string{
			"X-Zendesk-Webhook-Signature": base64.StdEncoding.EncodeToString(mac(stamp, ticket)), "X-Zendesk-Webhook-Signature-Timestamp": stamp,
		}, 200},
		{"zendesk, old", "zendesk", ticket, map[string]string{
			"X-Zendesk-Webhook-Signature":           base64.StdEncoding.EncodeToString(mac(old.Format(time.RFC3339), ticket)),
			"X-Zendesk-Webhook-Signature-Timestamp": old.Format(time.RFC3339),
		}, 401},
		{"zendesk without its time", "zendesk", ticket, map[string]string{"X-Zendesk-Webhook-Signature": base64.StdEncoding.EncodeToString(mac(ticket))}, 401},
		{"a signature where none is read", "alertmanager", one, map[string]string{"X-Signature": "sha256=" + hexMAC(one)}, 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &sink{}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/"+tt.kind, strings.NewReader(tt.body))
			for name, value := range tt.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			signing(s).ServeHTTP(w, r)
			if w.Code != tt.status || (len(s.deliveries) > 0) != (tt.status == 200) {
				t.Errorf("got status %d (%s) and %d deliveries, want status %d", w.Code, w.Body, len(s.deliveries), tt.status)
			}
			if strings.Contains(w.Body.String(), ownSecret) {
				t.Errorf("the answer tells the secret: %s", w.Body)
			}
		})
	}
}

// TestBadSignatureBeatsGoodToken: who signs wrongly is not let in by the token.
func TestBadSignatureBeatsGoodToken(t *testing.T) {
	t.Parallel()
	s := &sink{}
	h := webhook.New(webhook.Config{Token: token, Secrets: map[string]string{"pagerduty": ownSecret}, Ingester: s, Clock: clock{now()}, Log: quiet()})
	for signature, want := range map[string]int{"": 200, "v1=00": 401} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/pagerduty", strings.NewReader(triggered))
		r.Header.Set("Authorization", "Bearer "+token)
		if signature != "" {
			r.Header.Set("X-PagerDuty-Signature", signature)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("signature %q: got status %d, want %d", signature, w.Code, want)
		}
	}
}

// TestDeliveredTwice: what has an id acts once.
func TestDeliveredTwice(t *testing.T) {
	t.Parallel()
	for kind, body := range map[string]string{"pagerduty": triggered, "zendesk": `{"id":"E1","type":"zen:event-type:ticket.created","detail":{"id":"1","subject":"S"}}`} {
		s := &sink{}
		h := newHandler(s)
		for range 2 {
			if w := post(t, h, "/webhooks/"+kind, []byte(body)); w.Code != http.StatusOK {
				t.Errorf("%s: got status %d (%s)", kind, w.Code, w.Body)
			}
		}
		if len(s.deliveries) != 1 {
			t.Errorf("%s: acted %d times on one delivery", kind, len(s.deliveries))
		}
	}
}

// TestReplayed: what is signed with its time acts once, whatever else about it is
// changed, since only the body and the time are signed.
func TestReplayed(t *testing.T) {
	t.Parallel()
	unix, stamp := strconv.FormatInt(now().Unix(), 10), now().Format(time.RFC3339)
	standard := base64.StdEncoding.EncodeToString(mac("msg_1", ".", unix, ".", deployment))
	for _, tt := range []struct {
		kind, body string
		first      map[string]string
		changed    map[string]string
		want       int // how often it acts
	}{
		{"grafana", one, map[string]string{"X-Grafana-Alerting-Signature": hexMAC(unix, ":", one), "X-Grafana-Alerting-Timestamp": unix}, nil, 1},
		{"grafana", one, map[string]string{"X-Grafana-Alerting-Signature": hexMAC(one)}, nil, 2}, // no time, no telling: the same is said again
		{"zendesk", ticket, map[string]string{
			"X-Zendesk-Webhook-Signature": base64.StdEncoding.EncodeToString(mac(stamp, ticket)), "X-Zendesk-Webhook-Signature-Timestamp": stamp,
			"X-Zendesk-Webhook-Invocation-Id": "01A",
		}, map[string]string{"X-Zendesk-Webhook-Invocation-Id": "01B"}, 1},
		{
			"gitlab", deployment,
			map[string]string{"webhook-signature": "v1," + standard, "webhook-timestamp": unix, "webhook-id": "msg_1", "X-Gitlab-Event-UUID": "1"},
			map[string]string{"X-Gitlab-Event-UUID": "2"},
			1,
		},
	} {
		s := &sink{}
		h := signing(s)
		send := func(headers ...map[string]string) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/"+tt.kind, strings.NewReader(tt.body))
			for _, header := range headers {
				for name, value := range header {
					r.Header.Set(name, value)
				}
			}
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != http.StatusOK {
				t.Errorf("%s: got status %d (%s)", tt.kind, w.Code, w.Body)
			}
		}
		send(tt.first)
		send(tt.first, tt.changed)
		if n := len(s.deliveries) + len(s.changes); n != tt.want {
			t.Errorf("%s acted %d times, want %d", tt.kind, n, tt.want)
		}
	}
}

const deployment = `{"object_kind":"deployment","status":"success","status_changed_at":"2026-12-01 11:00:00 +0000","deployment_id":15,"environment":"production","project":{"path_with_namespace":"acme/offers","name":"offers"}}`

// told is what a test wants to see of a delivery.
type told struct {
	Group, Fingerprint string
	Firing             bool
	Labels             map[string]string
	Annotations        map[string]string
	URL                string
	Detection          incidents.Detection
}

func toldOf(d incidents.Delivery) []told {
	var list []told
	for _, a := range d.Alerts {
		list = append(list, told{d.GroupKey, a.Fingerprint, a.Firing, a.Labels, a.Annotations, a.URL, d.Detection})
	}
	return list
}

func TestSenders(t *testing.T) {
	t.Parallel()
	type m = map[string]string
	for _, tt := range []struct {
		name, target, body string
		status             int
		says               string
		want               []told
	}{
		{
			"grafana's own fields", "grafana", `{"receiver":"r","groupKey":"k","alerts":[{"status":"firing","labels":{"alertname":"A"},"annotations":{"summary":"s","silenceURL":"mine"},
			"values":{"B":1,"A":0.93},"dashboardURL":"https://g/d/1","panelURL":"https://g/d/1?viewPanel=2","silenceURL":"https://g/silence","ruleUID":"u1","fingerprint":"f1","generatorURL":"https://g/rule"}]}`, 200, "",
			[]told{{"k", "f1", true, m{"alertname": "A"}, m{
				"summary": "s", "silenceURL": "mine", "values": "A=0.93, B=1", "dashboardURL": "https://g/d/1", "panelURL": "https://g/d/1?viewPanel=2", "ruleUID": "u1",
			}, "https://g/rule", ""}},
		},
		{
			"grafana without values", "grafana", `{"groupKey":"k","alerts":[{"labels":{"a":"b"},"values":null,"valueString":"[ var='A' ]","fingerprint":"f"}]}`, 200, "",
			[]told{{"k", "f", true, m{"a": "b"}, m{"values": "[ var='A' ]"}, "", ""}},
		},
		{
			"grafana of old", "grafana", `{"evalMatches":[{"value":100,"metric":"High"}],"message":"Look","orgId":1,"ruleId":7,"ruleName":"Panel","ruleUrl":"http://g/7","state":"alerting","tags":{"team":"x"}}`, 200, "",
			[]told{{"grafana-rule-1-7", "grafana-rule-1-7", true, m{"alertname": "Panel", "team": "x"}, m{"summary": "Look", "values": "High=100"}, "http://g/7", ""}},
		},
		{
			"grafana of old is well", "grafana", `{"ruleId":7,"ruleName":"Panel","state":"ok"}`, 200, "",
			[]told{{"grafana-rule--7", "grafana-rule--7", false, m{"alertname": "Panel"}, m{}, "", ""}},
		},
		{
			"grafana of old has no data", "grafana", `{"ruleId":7,"ruleName":"Panel","state":"no_data"}`, 200, "",
			[]told{{"grafana-rule--7", "grafana-rule--7", true, m{"alertname": "DatasourceNoData", "rulename": "Panel"}, m{}, "", ""}},
		},
		{"grafana of old is paused", "grafana", `{"ruleId":7,"ruleName":"Panel","state":"paused"}`, 200, "", nil},
		{"grafana without alerts", "grafana", `{"status":"firing"}`, 400, "alerts is missing", nil},
		{
			"prometheus", "alertmanager/api/v2/alerts", `[{"labels":{"alertname":"B","i":"1"},"startsAt":"2026-12-01T11:00:00Z","endsAt":"2026-12-01T12:04:00Z","generatorURL":"http://p"},
			{"labels":{"alertname":"A"},"endsAt":"2026-12-01T11:59:00Z"},{"labels":{"alertname":"B","i":"2"}}]`, 200, "",
			[]told{
				{"alertname:A", "", false, m{"alertname": "A"}, nil, "", ""},
				{"alertname:B", "", true, m{"alertname": "B", "i": "1"}, nil, "http://p", ""},
				{"alertname:B", "", true, m{"alertname": "B", "i": "2"}, nil, "", ""},
			},
		},
		{"prometheus, an object", "alertmanager/api/v2/alerts", one, 400, "no JSON list", nil},
		{"prometheus, empty", "alertmanager/api/v2/alerts", `[]`, 400, "alerts is empty", nil},
		{"prometheus, a label that is no string", "alertmanager/api/v2/alerts", `[{"labels":{"a":1}}]`, 400, "alerts[0].labels", nil},
		{"a bare list elsewhere", "alertmanager", `[{"labels":{"a":"b"}}]`, 400, "no JSON object", nil},
		{
			"pagerduty", "pagerduty", triggered, 200, "",
			[]told{{"pagerduty-PX1", "pagerduty-PX1", true, m{
				"alertname": "Offers down", "pagerduty_id": "PX1", "service": "offers", "urgency": "high", "priority": "P1", "severity": "critical",
			}, nil, "https://acme.pagerduty.com/incidents/PX1", ""}},
		},
		{
			"pagerduty resolves", "pagerduty", strings.ReplaceAll(triggered, "incident.triggered", "incident.resolved"), 200, "",
			[]told{{"pagerduty-PX1", "pagerduty-PX1", false, m{
				"alertname": "Offers down", "pagerduty_id": "PX1", "service": "offers", "urgency": "high", "priority": "P1", "severity": "critical",
			}, nil, "https://acme.pagerduty.com/incidents/PX1", ""}},
		},
		{"pagerduty tells something else", "pagerduty", strings.ReplaceAll(triggered, "incident.triggered", "incident.annotated"), 200, "", nil},
		{"pagerduty without event", "pagerduty", `{"id":"PX1"}`, 400, "event is missing", nil},
		{"pagerduty without incident", "pagerduty", `{"event":{"event_type":"incident.triggered"}}`, 400, "event.data.id", nil},
		{
			"zendesk by a trigger", "zendesk", ticket, 200, "",
			[]told{{fp("zendesk", "4711"), fp("zendesk", "4711"), true, m{
				"alertname": "No offers for brokers", "source": "zendesk", "ticket": "4711", "priority": "urgent", "tag_broker": "true", "tag_offers": "true",
			}, m{"summary": "Ticket 4711 of Acme https://acme.zendesk.com/agent/tickets/4711"}, "https://acme.zendesk.com/agent/tickets/4711", incidents.ByCustomer}},
		},
		{
			"zendesk by an event", "zendesk", `{"type":"zen:event-type:ticket.status_changed","detail":{"id":"4711","subject":"S","status":"SOLVED","tags":["a",""]}}`, 200, "",
			[]told{{fp("zendesk", "4711"), fp("zendesk", "4711"), false, m{"alertname": "S", "source": "zendesk", "ticket": "4711", "tag_a": "true"}, m{"summary": "Ticket 4711"}, "", incidents.ByCustomer}},
		},
		{"zendesk tells something else", "zendesk", `{"type":"zen:event-type:user.created","detail":{"id":"1"}}`, 200, "", nil},
		{"zendesk without a ticket", "zendesk", `{"hello":"world"}`, 400, "ticket.id", nil},
		{
			"a link that is none", "zendesk", `{"ticket":{"id":1,"title":"t","url":"javascript:alert(1)"}}`, 200, "",
			[]told{{fp("zendesk", "1"), fp("zendesk", "1"), true, m{"alertname": "t", "source": "zendesk", "ticket": "1"}, m{"summary": "Ticket 1"}, "", incidents.ByCustomer}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &sink{}
			w := post(t, newHandler(s), "/webhooks/"+tt.target, []byte(tt.body))
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got status %d (%s), want %d saying %q", w.Code, w.Body, tt.status, tt.says)
			}
			var got []told
			for _, d := range s.deliveries {
				got = append(got, toldOf(d)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("deliveries (-want +got):\n%s", diff)
			}
		})
	}
}

func fp(name, value string) string { return incidents.FingerprintOf(map[string]string{name: value}) }

// FuzzSenders: whatever a sender of any kind delivers, it is stored or refused
// with a reason, and what is stored can be told apart.
func FuzzSenders(f *testing.F) {
	kinds := []string{
		"alertmanager", "alertmanager/api/v2/alerts", "grafana", "pagerduty", "zendesk", "goalert", "gitlab", "argocd", "flux", "cdevents",
		"generic", "generic?source=kubernetes", "generic?source=mapped", "github",
	}
	events := []string{"deployment", "deployment_status", "release", "workflow_run", "push"}
	for i := range kinds {
		for _, body := range []string{
			one, triggered, ticket, `[{"labels":{"a":"b"}}]`, `{"ruleId":1,"state":"alerting","tags":{"a":1}}`, "{", `{"event":{}}`,
			`{"object_kind":"push","ref":"refs/heads/main"}`, `{"app":"a","phase":"Running"}`, `{"involvedObject":{"kind":"HelmRelease","name":"n"}}`,
			`{"context":{"id":"1","type":"dev.cdevents.service.deployed.0.2.0"},"subject":{"id":"s"}}`, `{"title":"t","labels":{"a":"b"},"state":"failed"}`,
			`{"deployment":{"id":1},"deployment_status":{"state":"success"}}`, `{"Type":"AlertStatus","AlertID":1,"LogEntry":"Closed by x"}`, `{"items":[{"reason":1}]}`,
		} {
			f.Add(uint8(i), uint8(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, i, event uint8, body string) {
		s := &sink{}
		mux := http.NewServeMux()
		webhook.New(webhook.Config{
			Token: token, Ingester: s, Clock: clock{now()}, Log: quiet(),
			Generic: map[string]webhook.Mapping{"mapped": {Kind: "alert", List: "items", Fields: map[string]string{"name": "{{.reason}}", "status": "a.b"}}},
		}).Mount(mux)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/"+kinds[int(i)%len(kinds)], strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("X-GitHub-Event", events[int(event)%len(events)])
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		switch {
		case w.Code == http.StatusOK:
		case w.Code == http.StatusBadRequest && len(s.deliveries) == 0 && len(w.Body.String()) < 400:
		default:
			t.Errorf("got status %d (%s) and %d deliveries", w.Code, w.Body, len(s.deliveries))
		}
		for _, c := range s.changes {
			if c.Source == "" || c.External == "" || c.Kind == "" {
				t.Errorf("got a change %+v that can not be told apart", c)
			}
		}
		for _, d := range s.deliveries {
			for _, a := range d.Alerts {
				if a.Labels == nil || d.GroupKey == "" || len(a.Fingerprint) > 128 {
					t.Errorf("got a delivery %+v that can not be told apart", d)
				}
			}
		}
	})
}
