package alertmanager

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// TestStartedAnew: an Alertmanager keeps no alerts over a restart, so that for a
// while what it does not know has not ended by that.
func TestStartedAnew(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		started time.Time
		noted   time.Time
		want    error
	}{
		{"it has run since before the delivery", now.Add(-time.Hour), now.Add(-time.Minute), nil},
		{"it was started after the delivery", now.Add(-30 * time.Second), now.Add(-time.Minute), errStartedAnew},
		{"it was started after the delivery, long ago", now.Add(-knowsAfter), now.Add(-time.Hour), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			mux.HandleFunc("GET /api/v2/alerts/groups", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, "[]")
			})
			mux.HandleFunc("GET /api/v2/status", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"cluster":{"status":"ready"},"versionInfo":{},"config":{"original":""},"uptime":%q}`, tt.started.Format(time.RFC3339))
			})
			server := httptest.NewServer(mux)
			defer server.Close()
			client, err := New(Config{Name: "berlin", URL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			asked, err := client.group(t.Context(), incidents.LeftOut{Labels: map[string]string{"service": "offers"}, NotedAt: tt.noted}, now)
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err == nil && (asked.Known == nil || len(asked.Firing) > 0) {
				t.Errorf("got %+v, want that it knows nothing", asked)
			}
		})
	}
}
