package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/proctest"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// TestStatesOfPayloads holds the state that each recorded delivery and each sample of
// a vendor leads to in a real database: what fires, what is offered, which incidents
// and changes there are. A file that is not in the golden table fails it.
func TestStatesOfPayloads(t *testing.T) {
	t.Parallel()
	root := proctest.SharedPath("payloads")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no recorded payloads: %v", err)
	}
	golden := filepath.Join("testdata", "states.golden")
	for name, url := range map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "houston.db") },
		"postgres": func(t *testing.T) string { return pgtest.Schema(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newStates(t, url(t))
			var got strings.Builder
			for _, dir := range []string{filepath.Join(filepath.Dir(root), "contracts", "samples"), root} {
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() || d.Name() == "SOURCES.md" {
						return err
					}
					fmt.Fprintf(&got, "%s: %s\n", d.Name(), w.after(t, path))
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if os.Getenv("UPDATE_STATES") != "" && name == "sqlite" {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("states (-want +got); UPDATE_STATES=1 rewrites them:\n%s", diff)
			}
		})
	}
}

// states is Houston from the webhooks to the database, without anything behind.
type states struct {
	*incidents.Service

	store   *sqlstore.Store
	handler http.Handler
	groups  []string // of the deliveries of one request
	number  int64    // of the newest incident so far
	change  int64
}

// standing is a clock that stands still after all that was recorded.
type standing struct{}

func (standing) Now() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

func newStates(t *testing.T, url string) *states {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: url, Clock: standing{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	store.SetEnqueue(func(context.Context, *sql.Tx, []incidents.Job) error { return nil })
	s := &states{store: store}
	s.Service = incidents.NewService(incidents.Config{Store: store, Clock: standing{}, Announce: true, FlapWindow: 30 * time.Minute})
	mux := http.NewServeMux()
	webhook.New(webhook.Config{Token: "t", Ingester: s, Clock: standing{}, Log: slog.New(slog.DiscardHandler)}).Mount(mux)
	s.handler = mux
	return s
}

// Ingest notes the group of a delivery.
func (s *states) Ingest(ctx context.Context, d incidents.Delivery) error {
	s.groups = append(s.groups, incidents.GroupID(d.Source, d.Receiver, d.GroupKey))
	return s.Service.Ingest(ctx, d)
}

// after delivers a file and tells the state that comes of it.
func (s *states) after(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(path)
	if strings.HasSuffix(name, ".gz") {
		unzip, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(unzip); err != nil {
			t.Fatal(err)
		}
	}
	kind, event := "alertmanager", ""
	switch {
	case filepath.Base(filepath.Dir(path)) == "samples":
		kind, event, _ = strings.Cut(strings.TrimSuffix(name, ".json"), "-")
	case strings.Contains(name, "grafana"):
		kind = "grafana"
	}
	s.groups = nil
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/"+kind+"?source="+strings.ReplaceAll(name, ".", "-"), bytes.NewReader(body))
	r.SetBasicAuth("", "t")
	r.Header.Set("X-GitHub-Event", event)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return strings.Join(append([]string{strconv.Itoa(w.Code)}, s.told(t)...), " · ")
}

// told lists what is new.
func (s *states) told(t *testing.T) (lines []string) {
	t.Helper()
	for _, id := range s.groups {
		g, err := s.store.Group(t.Context(), id)
		switch {
		case incidents.KindOf(err) == incidents.NotFound:
			lines = append(lines, "a heart beats")
		case err != nil:
			t.Fatal(err)
		case g.Offer == incidents.Offered:
			lines = append(lines, fmt.Sprintf("offers %q, %d firing", g.Title, g.Firing))
		case g.Incident == 0:
			lines = append(lines, fmt.Sprintf("%d firing, asks nobody", g.Firing))
		}
	}
	list, err := s.store.Incidents(t.Context(), incidents.Query{Limit: 20, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	before := s.number
	for _, inc := range list {
		if inc.Number <= before {
			break
		}
		s.number = max(s.number, inc.Number)
		lines = append(lines, fmt.Sprintf("opens %q: %s %s %s by %s, service %q, %d firing, %d left out",
			inc.Title, inc.Key(), inc.Status, inc.Severity, inc.Detection, inc.Service, inc.AlertsFiring(), inc.AlertsUnseen()))
	}
	changes, err := s.store.Changes(t.Context(), incidents.ChangeQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	seen := s.change
	for _, c := range changes {
		if c.ID > seen {
			s.change = max(s.change, c.ID)
			lines = append(lines, fmt.Sprintf("%s %s: %q of %q at %s", c.Kind, c.State, c.Title, c.Service, c.StartedAt.Format(time.RFC3339)))
		}
	}
	return lines
}
