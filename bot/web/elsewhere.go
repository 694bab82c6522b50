package web

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Elsewhere answers what the mux has nothing for, an unknown address (404) or a
// method that an address does not take (405), in our own words: page answers a
// browser, a problem in JSON everybody else. All other requests are the mux's.
func Elsewhere(mux *http.ServeMux, log *slog.Logger, page func(w http.ResponseWriter, r *http.Request, status int)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lost, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		told := &verdict{header: http.Header{}, status: http.StatusNotFound}
		lost.ServeHTTP(told, r)
		allow := told.header.Get("Allow")
		if allow != "" {
			w.Header().Set("Allow", allow)
		}
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			page(w, r, told.status)
			return
		}
		var err error = incidents.Errorf(incidents.NotFound, "There is no such page. /api/v1/openapi.json lists what programs can ask for.")
		if told.status == http.StatusMethodNotAllowed {
			err = &refusal{told.status, "This address takes " + allow + "."}
		}
		writeProblem(w, r, log, err)
	})
}

// verdict is what the mux would answer, without its body.
type verdict struct {
	header http.Header
	status int
}

func (v *verdict) Header() http.Header         { return v.header }
func (v *verdict) Write(b []byte) (int, error) { return len(b), nil }
func (v *verdict) WriteHeader(status int)      { v.status = status }
