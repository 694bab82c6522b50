package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// TestSamples holds what becomes of every payload that the vendors publish and
// of every recorded one at the webhook it belongs to: the answer, and the state
// it leads to in words. A file that is not in the golden list fails it.
func TestSamples(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	samples := filepath.Join(filepath.Dir(shared(t)), "contracts", "samples")
	files, err := os.ReadDir(samples)
	if err != nil {
		t.Skipf("no samples: %v", err)
	}
	for _, file := range files {
		body, err := os.ReadFile(filepath.Join(samples, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		kind, event, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		got.WriteString(file.Name() + ": " + outcome(t, kind, event, body) + "\n")
	}
	names, bodies := payloads(t)
	for _, name := range names {
		if strings.Contains(name, "grafana") {
			got.WriteString(name + ": " + outcome(t, "grafana", "", bodies[name]) + "\n")
		}
	}
	golden(t, "samples", got.String())
}

// outcome posts a body and says what came of it.
func outcome(t *testing.T, kind, event string, body []byte) string {
	t.Helper()
	s := &sink{}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/"+kind, strings.NewReader(string(body)))
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("X-GitHub-Event", event)
	w := httptest.NewRecorder()
	newHandler(s).ServeHTTP(w, r)
	said := []string{strconv.Itoa(w.Code)}
	switch {
	case w.Code != http.StatusOK:
		said = append(said, strings.TrimSpace(w.Body.String()))
	case len(s.deliveries)+len(s.changes)+len(s.pages) == 0:
		said = append(said, "ignored")
	}
	for _, d := range s.deliveries {
		said = append(said, summary(d))
	}
	for _, c := range s.changes {
		said = append(said, changeSummary(c))
	}
	return strings.Join(said, " ")
}

func changeSummary(c incidents.ChangeEvent) string {
	return fmt.Sprintf("%s %s of %s (%s) at %s", c.Kind, c.State, c.Service, c.Title, c.StartedAt.Format("2006-01-02T15:04:05Z"))
}
