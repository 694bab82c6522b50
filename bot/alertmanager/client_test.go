package alertmanager_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/alertmanager/api/v2/restapi"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/alertmanager"
	"github.com/houston-sre/houston/bot/contracttest"
	"github.com/houston-sre/houston/incidents"
)

// server stands in for an Alertmanager behind TLS whose gate lets through whom
// it proves, as a proxy in front of a real one does.
func server(t *testing.T, proves func(*http.Request) bool, silenced func(body []byte)) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /am/api/v2/status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"cluster":{"status":"ready"},"versionInfo":{"version":"0.35.0","branch":"","buildDate":"","buildUser":"","goVersion":"","revision":""},"config":{"original":""},"uptime":"2026-03-01T12:00:00Z"}`)
	})
	mux.HandleFunc("POST /am/api/v2/silences", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		silenced(body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"silenceID":"s1"}`)
	})
	held := contracttest.HoldTo(t, restapi.SwaggerJSON, "/am/api/v2", mux)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !proves(r) {
			http.Error(w, `{"code":401,"message":"no"}`, http.StatusUnauthorized)
			return
		}
		held.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func trusting(s *httptest.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}
}

// TestClientProvesWhoAsks asks an Alertmanager below a prefix, behind TLS with a
// certificate authority of its own, by each way to prove who asks.
func TestClientProvesWhoAsks(t *testing.T) {
	t.Parallel()
	basic := func(r *http.Request) bool {
		user, password, ok := r.BasicAuth()
		return ok && user == "houston" && password == "secret"
	}
	bearer := func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer token" }
	tenant := func(r *http.Request) bool { return r.Header.Get("X-Scope-OrgID") == "lending" }
	for _, tt := range []struct {
		name   string
		proves func(*http.Request) bool
		config alertmanager.Config
		want   string // the reason of the failure; empty: none
	}{
		{"basic", basic, alertmanager.Config{Username: "houston", Password: "secret"}, ""},
		{"bearer", bearer, alertmanager.Config{BearerToken: "token"}, ""},
		{"a header", tenant, alertmanager.Config{Headers: map[string]string{"X-Scope-OrgID": "lending"}}, ""},
		{"a wrong password", basic, alertmanager.Config{Username: "houston", Password: "guess"}, "refuses Houston's credentials"},
		{"nothing", bearer, alertmanager.Config{}, "refuses Houston's credentials"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := server(t, tt.proves, nil)
			tt.config.Name, tt.config.URL, tt.config.TLS = "lending", s.URL+"/am", trusting(s)
			client, err := alertmanager.New(tt.config)
			if err != nil {
				t.Fatal(err)
			}
			version, err := client.Check(t.Context())
			if tt.want == "" && (err != nil || version != "0.35.0") {
				t.Errorf("got version %q and %v", version, err)
			}
			if f, ok := errors.AsType[*bot.Failure](err); tt.want != "" && (!ok || !strings.Contains(f.Reason, tt.want)) {
				t.Errorf("got %v, want it to say %q", err, tt.want)
			}
		})
	}
}

func TestClientTrustsNoStranger(t *testing.T) {
	t.Parallel()
	asked := false
	s := server(t, func(*http.Request) bool { asked = true; return true }, nil)
	client, err := alertmanager.New(alertmanager.Config{Name: "lending", URL: s.URL + "/am", BearerToken: "token"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Check(t.Context()); err == nil || asked {
		t.Errorf("a server with an unknown certificate was asked (%t), answer %v", asked, err)
	}
}

// TestSilencesGoWhereTheAlertsCameFrom has two Alertmanagers: a silence is made
// at the one that is called like the source of the alerts, and nowhere when there
// is none.
func TestSilencesGoWhereTheAlertsCameFrom(t *testing.T) {
	t.Parallel()
	everybody := func(*http.Request) bool { return true }
	at := map[string][]byte{}
	var clients []*alertmanager.Client
	for _, name := range []string{"lending", "clusters"} {
		s := server(t, everybody, func(body []byte) { at[name] = body })
		client, err := alertmanager.New(alertmanager.Config{Name: name, URL: s.URL + "/am", TLS: trusting(s)})
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	maker := alertmanager.NewSet(incidents.SystemClock{}, clients...).Maker()
	work := func(source string) bot.Work {
		return bot.Work{
			Effect: incidents.Effect{Key: "INC-7/silence/3", Target: "3", Incident: 7, Generation: 1},
			Incident: incidents.Incident{Number: 7, Title: "Nobody may read this", Silences: []incidents.Silence{{
				ID: 3, Source: source, Matchers: map[string]string{"alertname": "PoolExhausted"}, By: incidents.Person{ID: "U1", Name: "Ada"},
			}}},
		}
	}
	made, err := maker.Make(t.Context(), work("clusters"))
	if err != nil || made.ID != "s1" || made.Place != "clusters" {
		t.Fatalf("got %+v, %v", made, err)
	}
	var sent struct{ Comment, CreatedBy string }
	if err := json.Unmarshal(at["clusters"], &sent); err != nil || len(at["lending"]) != 0 {
		t.Fatalf("lending got %q, clusters %q", at["lending"], at["clusters"])
	}
	if !strings.HasPrefix(sent.Comment, "INC-7 ") || !strings.HasPrefix(sent.CreatedBy, "Ada") || strings.Contains(string(at["clusters"]), "Nobody") {
		t.Errorf("the silence says %s", at["clusters"])
	}
	_, err = maker.Make(t.Context(), work("elsewhere"))
	if f, ok := errors.AsType[*bot.Failure](err); !ok || !f.Terminal || !strings.Contains(f.Reason, "no Alertmanager is configured for elsewhere") {
		t.Errorf("without one for the source: %v", err)
	}
}
