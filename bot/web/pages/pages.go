package pages

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/templates"
)

// maxForm is the largest form the pages take, in bytes.
const maxForm = 2 << 20

// Auth says how people are let in; see [Config].
type Auth string

// The ways in.
const (
	AuthSlack Auth = "slack" // people sign in with Slack, or by a link from there
	AuthToken Auth = "token" // scripts only: there are no pages for people
	AuthNone  Auth = "none"  // whoever reaches this machine itself
)

// Store is what pages read beside [incidents.Store].
type Store interface {
	SavePass(ctx context.Context, p incidents.Pass) error
	Pass(ctx context.Context, kind incidents.PassKind, hash string, now time.Time) (incidents.Pass, error)
	TakePass(ctx context.Context, kind incidents.PassKind, hash string, now time.Time) (incidents.Pass, error)
	DropPass(ctx context.Context, hash string) error
	DropPasses(ctx context.Context, person string, kind incidents.PassKind) error
	Audit(ctx context.Context, query incidents.AuditQuery) ([]incidents.AuditLine, error)
	Versions(ctx context.Context, numbers []int64) (map[int64]int64, error)
}

// People tells who a reader is now.
type People interface {
	// Profile gives what is known of a person. False when nothing is.
	Profile(ctx context.Context, id string) (incidents.Profile, bool)
	Zone(id string) *time.Location
	// Find tells whom people mean by a name or a mention; see incidents.Error for
	// why it may not.
	Find(ctx context.Context, mention string) (incidents.Person, error)
	// PrivateChannels lists the ids of the private channels that a person and
	// Houston are in.
	PrivateChannels(ctx context.Context, id string) ([]string, error)
}

// Config of [Pages]. Service, Store, People, Clock, Log, Postmortems, Meeting
// and Render are required.
type Config struct {
	Service *incidents.Service
	Store   Store
	People  People
	Clock   incidents.Clock
	Log     *slog.Logger
	Auth    Auth
	OIDC    OIDCConfig // the zero value: people sign in by a link
	// PublicURL is Houston's address; empty: whatever address a reader used.
	PublicURL string
	Language  string         // for who says nothing else; "" is English
	Zone      *time.Location // likewise; nil: UTC
	Command   string         // the slash command, for what people are told
	// StatusPage is the public status page's URL, empty when there is none.
	StatusPage string
	Metrics    *web.Metrics // may be nil
	Files      web.Files    // captured ones; nil: there are none
	// Postmortems is the door to documents.
	Postmortems *postmortem.Service
	// Meeting writes the review meeting of an incident for calendars.
	Meeting func(ctx context.Context, number int64) (name string, data []byte, err error)
	// Teams group the owners of action items, in this order.
	Teams []Team
	// Render writes a postmortem in a format: "html", "md", "json" and others.
	Render func(format string, doc postmortem.Document) (name string, data []byte, err error)
}

// Team is a team by its name.
type Team struct {
	Name    string
	Members func() []string // ids of people, from memory
}

// Pages serves what people see in a browser.
type Pages struct {
	config  Config
	service *incidents.Service
	store   incidents.Store
	texts   map[string]*templates.Catalogue
	sets    map[string]set // templates by language
	assets  map[string]asset
	version string // of the assets, for their addresses
	origins *http.CrossOriginProtection
	oidc    *provider // nil: sign-in by link only
	byHost  *gate     // tries to sign in, by address
	byUser  *gate     // and by person
	hub     *hub
}

// New makes the pages; it fails only when their templates are broken.
func New(config Config) (*Pages, error) {
	if config.Zone == nil {
		config.Zone = time.UTC
	}
	if config.Command == "" {
		config.Command = "/incident"
	}
	config.PublicURL = strings.TrimRight(config.PublicURL, "/")
	p := &Pages{
		config: config, service: config.Service, store: config.Service.Store(),
		origins: http.NewCrossOriginProtection(), byHost: newGate(addressEvery, addressBurst), byUser: newGate(personEvery, personBurst),
		hub: newHub(config.Store, config.Log),
	}
	if config.OIDC.ClientID != "" {
		p.oidc = newProvider(config.OIDC)
	}
	if err := p.load(); err != nil {
		return nil, err
	}
	return p, nil
}

// Close ends the live views and waits for them, so that a server can stop.
func (p *Pages) Close() { p.hub.close() }

// handler answers one request of a reader or says why not.
type handler func(w http.ResponseWriter, r *http.Request, v *visit) error

// Mount puts the pages on a mux.
func (p *Pages) Mount(mux *http.ServeMux) {
	for pattern, h := range map[string]handler{
		"GET /{$}":                p.overview,
		"GET /incidents":          p.list,
		"GET /incidents.json":     p.listJSON,
		"GET /incidents.csv":      p.listCSV,
		"GET /i/{key}":            p.incident,
		"GET /i/{key}/live":       p.live,
		"POST /i/{key}/times":     p.setTimes,
		"GET /i/{key}/files/{id}": p.captured,

		"GET /i/{key}/entries/{seq}":  p.entry,
		"POST /i/{key}/entries/{seq}": p.amendEntry,

		"GET /audit":           p.audit,
		"GET /audit.json":      p.auditJSON,
		"GET /audit.csv":       p.auditCSV,
		"GET /incidents/{key}": p.toShort,

		"GET /i/{key}/postmortem":         p.document,
		"GET /i/{key}/{file}":             p.file,
		"GET /i/{key}/postmortem/edit":    p.edit,
		"POST /i/{key}/postmortem/edit":   p.save,
		"POST /i/{key}/postmortem/state":  p.move,
		"GET /i/{key}/postmortem/history": p.history,

		"POST /i/{key}/postmortem/people":                   p.staff,
		"POST /i/{key}/postmortem/meeting":                  p.planMeeting,
		"GET /i/{key}/postmortem/review.ics":                p.meetingFile,
		"GET /i/{key}/postmortem/editions/{edition}":        p.edition,
		"GET /i/{key}/postmortem/editions/{edition}/public": p.publicEdition,
		"GET /incidents/{key}/postmortem":                   p.toPostmortem,
		"GET /feeds":                                        p.feeds,
		"POST /feeds":                                       p.newFeeds,
		"GET /postmortems.atom":                             p.atom,
		"POST /preview":                                     p.preview,
		"GET /postmortems":                                  p.postmortems,
		"GET /postmortems.json":                             p.postmortemsFile,
		"GET /postmortems.csv":                              p.postmortemsFile,
		"GET /actions":                                      p.actions,
		"GET /actions.json":                                 p.actionsFile,
		"GET /actions.csv":                                  p.actionsFile,
		"POST /i/{key}/actions/{id}":                        p.moveAction,
		"POST /i/{key}/actions/{id}/facts":                  p.changeAction,
		"GET /gaps":                                         p.gaps,
		"GET /gaps.json":                                    p.gapsFile,
		"GET /gaps.csv":                                     p.gapsFile,
		"POST /i/{key}/gaps/{id}":                           p.acceptGap,
	} {
		mux.Handle(pattern, p.observed(pattern, p.forReaders(h)))
	}
	for pattern, to := range formPages() {
		mux.Handle(pattern, p.observed(pattern, p.forReaders(toPage(to))))
	}
	for pattern, h := range map[string]handler{
		"GET /signin":          p.signIn,
		"GET /signin/slack":    p.toSlack,
		"GET /signin/callback": p.fromSlack,
		"GET /signin/link":     p.askLink,
		"POST /signin/link":    p.takeLink,
		"POST /signout":        p.signOut,
	} {
		mux.Handle(pattern, p.observed(pattern, h))
	}
	for pattern, h := range map[string]handler{
		"GET /feeds/{token}/calendar.ics":     p.calendar,
		"GET /feeds/{token}/postmortems.atom": p.atom,
	} {
		mux.Handle(pattern, p.observed(pattern, p.byToken(h)))
	}
	mux.HandleFunc("GET /assets/{name}", p.asset)
}

// observed gives each request its visit, maps errors to pages and counts.
func (p *Pages) observed(pattern string, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		recorder := &recorder{ResponseWriter: w, status: http.StatusOK}
		secure(recorder.Header())
		v, err := p.visit(recorder, r)
		if err == nil {
			err = p.guarded(recorder, r, v, h)
		}
		if err != nil {
			p.fail(recorder, r, v, err)
		}
		if p.config.Metrics != nil {
			_, path, _ := strings.Cut(pattern, " ")
			p.config.Metrics.HTTPAnswered(path, r.Method, recorder.status, time.Since(began))
		}
	})
}

func (p *Pages) guarded(w http.ResponseWriter, r *http.Request, v *visit, h handler) error {
	if err := p.origins.Check(r); err != nil {
		return incidents.Errorf(incidents.Forbidden, "This form came from another site, so nothing was done. Open the page itself and try again.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	return h(w, r, v)
}

// forReaders sends who is not signed in to the sign-in page.
func (p *Pages) forReaders(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, v *visit) error {
		if v.known {
			return h(w, r, v)
		}
		if r.Method != http.MethodGet || !wantsPage(r) {
			return errSignIn
		}
		http.Redirect(w, r, "/signin?to="+escapeQuery(r.URL.RequestURI()), http.StatusSeeOther)
		return nil
	}
}

// secure sets what every answer carries.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cache-Control", "no-store")
}

// recorder remembers the status that was written.
type recorder struct {
	http.ResponseWriter

	status int
}

func (s *recorder) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController through.
func (s *recorder) Unwrap() http.ResponseWriter { return s.ResponseWriter }
