package webhook_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/proctest"
)

func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// TestMain registers -update, which rewrites the golden files.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite golden files")
	flag.Parse()
	os.Exit(m.Run())
}

// golden holds what was got to the file of a name in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if updating() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// shared finds the folder of recorded payloads beside the repository.
func shared(tb testing.TB) string {
	tb.Helper()
	dir := proctest.SharedPath("payloads")
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no recorded payloads: %v", err)
	}
	return dir
}

// payloads reads all recorded bodies by their name.
func payloads(tb testing.TB) ([]string, map[string][]byte) {
	tb.Helper()
	root := shared(tb)
	var names []string
	bodies := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "SOURCES.md" { // any other file needs a row
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, ".gz") {
			unzip, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				return err
			}
			if body, err = io.ReadAll(unzip); err != nil {
				return err
			}
		}
		name, err := filepath.Rel(root, path)
		names = append(names, name)
		bodies[name] = body
		return err
	})
	if err != nil || len(names) == 0 {
		tb.Fatalf("read payloads: %d found, %v", len(names), err)
	}
	return names, bodies
}

// TestPayloads holds what becomes of every recorded delivery: the answer, how
// many alerts fire and are resolved, how many are distinct, and the group.
func TestPayloads(t *testing.T) {
	t.Parallel()
	names, bodies := payloads(t)
	var got strings.Builder
	for _, name := range names {
		sink := &sink{}
		response := post(t, newHandler(sink), "/webhooks/alertmanager", bodies[name])
		fmt.Fprintf(&got, "%s: %d", name, response.Code)
		if response.Code == http.StatusOK {
			fmt.Fprintf(&got, " %s", summary(sink.deliveries[0]))
		} else {
			fmt.Fprintf(&got, " %s", strings.TrimSpace(response.Body.String()))
		}
		got.WriteString("\n")
	}
	golden(t, "payloads", got.String())
}

func summary(d incidents.Delivery) string {
	firing, resolved, timeless := 0, 0, 0
	distinct := map[string]bool{}
	for _, a := range d.Alerts {
		if a.Firing {
			firing++
		} else {
			resolved++
		}
		if a.StartsAt.IsZero() {
			timeless++
		}
		fingerprint := a.Fingerprint
		if fingerprint == "" {
			fingerprint = incidents.FingerprintOf(a.Labels)
		}
		distinct[fingerprint] = true
	}
	text := fmt.Sprintf("firing=%d resolved=%d distinct=%d group=%s",
		firing, resolved, len(distinct), incidents.GroupID(d.Source, d.Receiver, d.GroupKey)[:8])
	if timeless > 0 {
		text += fmt.Sprintf(" timeless=%d", timeless)
	}
	if d.Truncated > 0 {
		text += fmt.Sprintf(" truncated=%d", d.Truncated)
	}
	return text
}

// BenchmarkDecodeStorm shows what decoding takes of the two seconds that 5,000
// alerts have to be stored and answered in.
func BenchmarkDecodeStorm(b *testing.B) {
	_, bodies := payloads(b)
	for b.Loop() {
		if _, err := webhook.DecodeAlertmanager(bodies["captured/am035-storm-5000.json.gz"], "default", time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func post(t *testing.T, h http.Handler, target string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
