package statuspage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

const (
	// Path is where the page is served.
	Path = "/status"
	// shownDays is how long a resolved notice stays on the page.
	shownDays = 14
	// most notices are served at once.
	most = 100
)

// Store is what the page needs of the truth; see [incidents.Store].
type Store interface {
	Notices(ctx context.Context, since time.Time, limit int) ([]incidents.Incident, error)
}

// Config of a [Builtin]. Store, Clock and Log are required.
type Config struct {
	Store Store
	Clock incidents.Clock
	Log   *slog.Logger
	// Name stands above the page; empty: "Status".
	Name string
	// URL is Houston's public address without the page's path. Empty: whatever
	// address a reader has used.
	URL  string
	Zone *time.Location       // for what people read; nil: UTC
	Text *templates.Catalogue // in the page's language; nil: English
}

// Builtin is the built-in status page.
type Builtin struct {
	config Config
	page   *template.Template
	style  []byte
	since  time.Time // stands for "updated" while there has been nothing
}

// NewBuiltin makes the page; it fails only when its templates are broken.
func NewBuiltin(config Config) (*Builtin, error) {
	if config.Name == "" {
		config.Name = "Status"
	}
	if config.Zone == nil {
		config.Zone = time.UTC
	}
	config.URL = strings.TrimRight(config.URL, "/")
	if config.Text == nil {
		text, err := templates.Load("en")
		if err != nil {
			return nil, err
		}
		config.Text = text
	}
	config.Text = config.Text.Plain() // the templates escape
	page, err := template.New("page.html").Option("missingkey=error").ParseFS(templates.StatusPage(), "page.html")
	if err != nil {
		return nil, fmt.Errorf("read the status page's template: %w", err)
	}
	style, err := fs.ReadFile(templates.StatusPage(), "style.css")
	if err != nil {
		return nil, fmt.Errorf("read the status page's style: %w", err)
	}
	return &Builtin{config: config, page: page, style: style, since: config.Clock.Now().Truncate(24 * time.Hour)}, nil
}

// Mount puts the page, its feed and its JSON on a mux.
func (b *Builtin) Mount(mux *http.ServeMux) {
	for path, s := range map[string]served{
		Path:                          {"text/html; charset=utf-8", b.html},
		Path + "/{$}":                 {"text/html; charset=utf-8", b.html},
		Path + "/feed.atom":           {"application/atom+xml; charset=utf-8", b.atom},
		Path + "/api/v2/summary.json": {"application/json; charset=utf-8", b.summary},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { b.serve(w, r, s) })
	}
	mux.HandleFunc(Path+"/style.css", func(w http.ResponseWriter, r *http.Request) {
		if reads(w, r) {
			answer(w, r, "text/css; charset=utf-8", "public, max-age=3600", b.style)
		}
	})
}

// served is one form of the page.
type served struct {
	contentType string
	write       func(view) ([]byte, error)
}

// view is what every form of the page is made of.
type view struct {
	notices []notice // newest first
	url     string   // of Houston, without a path
	updated time.Time
}

func (b *Builtin) serve(w http.ResponseWriter, r *http.Request, s served) {
	if !reads(w, r) {
		return
	}
	body, err := b.body(r, s)
	if err != nil {
		b.config.Log.ErrorContext(r.Context(), "status page not served", "route", r.Pattern, "error", err)
		w.Header().Set("Retry-After", "10")
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "The status page can not be shown at the moment. Try again in a few seconds.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is public, and read by other pages' scripts
	// Short: a text that is taken back must be gone everywhere in a moment.
	answer(w, r, s.contentType, "public, max-age=10", body)
}

func (b *Builtin) body(r *http.Request, s served) ([]byte, error) {
	list, err := b.config.Store.Notices(r.Context(), b.config.Clock.Now().AddDate(0, 0, -shownDays), most)
	if err != nil {
		return nil, err
	}
	v := view{notices: public(list), url: b.config.URL, updated: b.since}
	if v.url == "" {
		v.url = "http://" + r.Host
	}
	for i, n := range v.notices {
		if n.title == incidents.DefaultNoticeTitle {
			v.notices[i].title = b.config.Text.Text("status_title")
		}
		if i == 0 || n.updated().After(v.updated) {
			v.updated = n.updated()
		}
	}
	return s.write(v)
}

// reads refuses what does not read.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "This page can only be read.", http.StatusMethodNotAllowed)
	return false
}

// answer sends a body with a tag by which the reader asks whether it has changed.
func answer(w http.ResponseWriter, r *http.Request, contentType, cache string, body []byte) {
	sum := sha256.Sum256(body)
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", cache)
	h.Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
