package web

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// maxBody is the largest body the API takes, in bytes.
const maxBody = 1 << 20

// Config of an [API]. Service and Log are required.
type Config struct {
	Service *incidents.Service
	Log     *slog.Logger
	Metrics *Metrics // may be nil
	// Token is web.token. Empty: every request is refused, unless Open.
	Token string
	// Open is web.auth "none": no token is asked for on loopback.
	Open bool
	// Render writes a postmortem in a format other than JSON: the file's name
	// and what is in it. May be nil.
	Render func(format string, doc postmortem.Document) (name string, data []byte, err error)
	// Postmortems is the door to documents.
	Postmortems *postmortem.Service
	// StatusPage is the public status page's URL, empty when there is none.
	StatusPage string
	Clock      incidents.Clock // nil: the system's
	Files      Files           // captured ones; nil: there are none
}

// API is the JSON API below /api/v1/, described by openapi.json.
type API struct {
	config  Config
	service *incidents.Service
	origins *http.CrossOriginProtection
}

// NewAPI makes an API.
func NewAPI(config Config) *API {
	if config.Clock == nil {
		config.Clock = incidents.SystemClock{}
	}
	return &API{config: config, service: config.Service, origins: http.NewCrossOriginProtection()}
}

// handler answers one request or says why not.
type handler func(w http.ResponseWriter, r *http.Request) error

// route is one path of the API with its methods.
type route struct {
	path    string
	methods map[string]handler
}

// routes lists what is built, and what the contract promises and is not built yet.
func (a *API) routes() []route {
	const incident = "/api/v1/incidents/{key}"
	get := func(h handler) map[string]handler { return map[string]handler{http.MethodGet: h} }
	post := func(h handler) map[string]handler { return map[string]handler{http.MethodPost: h} }
	return []route{
		{"/api/v1/incidents", map[string]handler{http.MethodGet: a.list, http.MethodPost: a.declare}},
		{incident, map[string]handler{http.MethodGet: a.show, http.MethodPatch: a.change}},
		{incident + "/timeline", map[string]handler{http.MethodGet: a.timeline, http.MethodPost: a.note}},
		{incident + "/timeline/{seq}", map[string]handler{http.MethodPatch: a.amendEntry}},
		{incident + "/files/{id}", get(a.file)},
		{incident + "/alerts", get(a.alerts)},
		{incident + "/actions", map[string]handler{http.MethodGet: a.actions, http.MethodPost: a.addAction}},
		{incident + "/actions/{id}", map[string]handler{http.MethodPatch: a.changeAction}},
		{incident + "/gaps", map[string]handler{http.MethodGet: a.gaps, http.MethodPost: a.addGap}},
		{incident + "/gaps/{id}", map[string]handler{http.MethodPatch: a.changeGap}},
		{"/api/v1/actions", get(a.allActions)},
		{"/api/v1/gaps", get(a.allGaps)},
		{"/api/v1/postmortems", get(a.postmortems)},
		{incident + "/tasks", get(a.tasks)},
		{incident + "/postmortem", map[string]handler{http.MethodGet: a.postmortem, http.MethodPatch: a.writePostmortem}},
		{incident + "/postmortem/sheet", get(a.sheet)},
		{incident + "/postmortem/state", post(a.movePostmortem)},
		{incident + "/postmortem/people", map[string]handler{http.MethodPatch: a.staffPostmortem}},
		{incident + "/postmortem/meeting", post(a.planReview)},
		{incident + "/postmortem/revisions", get(a.revisions)},
		{incident + "/postmortem/revisions/{rev}", get(a.revision)},
		{incident + "/postmortem/editions/{edition}", get(a.edition)},
		{incident + "/postmortem.json", get(a.postmortem)},
		{incident + "/postmortem.md", get(a.rendered("md", "text/markdown; charset=utf-8"))},
		{incident + "/postmortem.html", get(a.rendered("html", "text/html; charset=utf-8"))},
		{incident + "/postmortem.zip", get(a.rendered("zip", "application/zip"))},

		{incident + "/postmortem.pdf", get(notBuilt("Postmortems in PDF"))},
		{incident + "/postmortem.confluence", get(notBuilt("Postmortems for Confluence"))},
		{"/api/v1/gaps/{id}/check", post(notBuilt("Monitoring gaps"))},
		{"/api/v1/changes", map[string]handler{http.MethodGet: a.changes, http.MethodPost: a.takeChange}},
		{incident + "/changes", get(a.suspects)},
		{"/api/v1/backtest", post(notBuilt("Back-tests"))},
	}
}

func notBuilt(what string) handler {
	return func(http.ResponseWriter, *http.Request) error {
		return &refusal{http.StatusNotImplemented, what + " are not built yet in this version of Houston."}
	}
}

// Mount puts the API on a mux. Patterns carry no method and /api/ catches the
// rest, so that every answer, 404 and 405 too, is ours and none is a redirect.
func (a *API) Mount(mux *http.ServeMux) {
	for _, route := range a.routes() {
		mux.Handle(route.path, a.observed(route.path, a.guarded(route.methods)))
	}
	mux.Handle("/api/v1/postmortem.schema.json", a.observed("/api/v1/postmortem.schema.json", choose(map[string]handler{http.MethodGet: schema})))
	mux.Handle("/api/v1/openapi.json", a.observed("/api/v1/openapi.json", choose(map[string]handler{http.MethodGet: openAPI})))
	mux.Handle("/api/", a.observed("/api/", func(_ http.ResponseWriter, _ *http.Request) error {
		return incidents.Errorf(incidents.NotFound, "There is nothing here. /api/v1/openapi.json lists what there is.")
	}))
}

// guarded picks the method's handler for a request that may use the API.
func (a *API) guarded(methods map[string]handler) handler {
	chosen := choose(methods)
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := a.authenticate(w, r); err != nil {
			return err
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		return chosen(w, r)
	}
}

func choose(methods map[string]handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if h, ok := methods[method]; ok {
			return h(w, r)
		}
		allowed := make([]string, 0, len(methods))
		for name := range methods {
			allowed = append(allowed, name)
		}
		slices.Sort(allowed)
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return &refusal{http.StatusMethodNotAllowed, "Use " + strings.Join(allowed, " or ") + " here."}
	}
}

// observed maps errors to problems and counts the request.
func (a *API) observed(route string, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		if err := h(recorder, r); err != nil {
			writeProblem(recorder, r, a.config.Log, err)
		}
		if a.config.Metrics != nil {
			a.config.Metrics.HTTPAnswered(route, r.Method, recorder.status, time.Since(began))
		}
	})
}

// statusRecorder remembers the status that was written.
type statusRecorder struct {
	http.ResponseWriter

	status int
}

func (s *statusRecorder) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController through.
func (s *statusRecorder) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// request is who asks when a program does.
func request(once incidents.Once) incidents.Request {
	return incidents.Request{
		Actor: incidents.Actor{Person: incidents.Person{Name: "API"}, Via: incidents.FromAPI, Standing: incidents.Trusted},
		Once:  once,
	}
}

// incident loads the incident that the path names, by "INC-1", "inc-1" or "1".
func (a *API) incident(r *http.Request) (incidents.Incident, error) {
	number, err := incidents.ParseKey(r.PathValue("key"))
	if err != nil {
		return incidents.Incident{}, incidents.Errorf(incidents.NotFound, "%q names no incident. Write it like INC-12.", r.PathValue("key"))
	}
	return a.service.Incident(r.Context(), number, request(incidents.Once{}))
}
