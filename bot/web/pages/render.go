package pages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// set are the templates of one language by page.
type set map[string]*template.Template

// asset is a file that pages load.
type asset struct {
	contentType string
	data        []byte
}

// load reads templates, texts and assets.
func (p *Pages) load() error {
	files := templates.Pages()
	p.texts, p.sets, p.assets = map[string]*templates.Catalogue{}, map[string]set{}, map[string]asset{}
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		return fmt.Errorf("list the pages' templates: %w", err)
	}
	for _, lang := range languages() {
		text, err := templates.Load(lang)
		if err != nil {
			return fmt.Errorf("load the pages' texts: %w", err)
		}
		p.texts[lang], p.sets[lang] = text, set{}
		for _, name := range names {
			if name == "layout.html" || name == "parts.html" {
				continue
			}
			page, err := template.New("layout").Option("missingkey=error").
				Funcs(template.FuncMap{"t": text.Text}).ParseFS(files, "layout.html", "parts.html", name)
			if err != nil {
				return fmt.Errorf("read the template %s: %w", name, err)
			}
			p.sets[lang][strings.TrimSuffix(name, ".html")] = page
		}
	}
	return p.loadAssets(files)
}

func (p *Pages) loadAssets(files fs.FS) error {
	sum := sha256.New()
	for _, name := range []string{"style.css", "page.js", "icon.svg"} {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return fmt.Errorf("read an asset: %w", err)
		}
		_, _ = sum.Write(data)
		p.assets[name] = asset{mime.TypeByExtension(path.Ext(name)), data}
	}
	p.version = hex.EncodeToString(sum.Sum(nil)[:6])
	return nil
}

func (p *Pages) asset(w http.ResponseWriter, r *http.Request) {
	file, ok := p.assets[r.PathValue("name")]
	if !ok {
		p.Elsewhere(w, r, http.StatusNotFound)
		return
	}
	secure(w.Header())
	w.Header().Set("Content-Type", file.contentType)
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.data))
}

// Frame is what every page has around its content.
type Frame struct {
	Lang    string
	Title   string
	Nav     string // the entry of the navigation that is marked
	Search  string // what stands in the search field
	Reader  string // empty: nobody is signed in
	SignOut bool
	Zone    string // of the times on the page
	Version string // of the assets
	Live    string // where the page's changes are told; empty: nowhere
	Said    string // what was just done, or why not
	Feed    string // address of the page's Atom feed; empty: none
	Printed bool   // a page that is made to be printed
}

func (p *Pages) frame(v *visit, nav, title string) Frame {
	f := Frame{Lang: v.lang, Title: title, Nav: nav, Version: p.version}
	if v.known {
		f.Reader, f.SignOut = v.actor.Name, v.hash != ""
		f.Zone = v.zone.String()
	}
	return f
}

// render writes a page, or nothing when it fails.
func (p *Pages) render(w http.ResponseWriter, v *visit, status int, page string, data any) error {
	t, ok := p.sets[v.lang][page]
	if !ok {
		return fmt.Errorf("there is no page %q", page)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", data); err != nil {
		return fmt.Errorf("write the page %s: %w", page, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // the reader has gone
	return nil
}

// Errors that only pages know.
var (
	errSignIn = incidents.Errorf(incidents.Forbidden, "You are not signed in. Open Houston in your browser and sign in.")
	errNoPage = incidents.Errorf(incidents.NotFound, "There is no such page. The overview and the search lead to what there is.")
)

// limited is the answer to who tries too often.
type limited struct{ wait time.Duration }

func (limited) Error() string { return "too many tries" }

// failPage is the page about something that went wrong.
type failPage struct {
	Frame

	Status int
	Detail string
	Typed  *typedForm // nil: nothing was typed
}

// fail answers with an error: a page for people, words for others.
func (p *Pages) fail(w http.ResponseWriter, r *http.Request, v *visit, err error) {
	status, detail := p.statusOf(w, r, v, err)
	if w.Header().Get("Content-Type") != "" {
		return // something was written already
	}
	if !wantsPage(r) {
		http.Error(w, detail, status)
		return
	}
	page := failPage{Frame: p.frame(v, "", http.StatusText(status)), Status: status, Detail: detail, Typed: p.typedIn(r, v)}
	switch status {
	case http.StatusNotFound:
		page.Title = v.text.Text("web_not_found")
	case http.StatusInternalServerError:
		page.Title = v.text.Text("web_mistake")
	default:
		page.Title = v.text.Text("web_not_done")
	}
	if err := p.render(w, v, status, "fail", page); err != nil {
		p.config.Log.ErrorContext(r.Context(), "page not written", "error", err)
	}
}

// statusOf is the one place that maps an error to a status and what is said.
func (p *Pages) statusOf(w http.ResponseWriter, r *http.Request, v *visit, err error) (int, string) {
	if e, ok := errors.AsType[limited](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.wait/time.Second)+1))
		return http.StatusTooManyRequests, v.text.Text("web_too_often")
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge, v.text.Text("web_too_large")
	}
	e, ok := errors.AsType[*incidents.Error](err)
	if !ok {
		if r.Context().Err() == nil {
			p.config.Log.ErrorContext(r.Context(), "page not answered", "method", r.Method, "route", r.Pattern, "error", err)
		}
		return http.StatusInternalServerError, v.text.Text("web_mistake_detail")
	}
	detail := v.text.Say(e)
	switch e.Kind {
	case incidents.Invalid:
		return http.StatusBadRequest, detail
	case incidents.NotFound:
		return http.StatusNotFound, detail
	case incidents.Forbidden:
		return http.StatusForbidden, detail
	case incidents.Conflict:
		return http.StatusConflict, detail
	case incidents.Gone:
		return http.StatusGone, detail
	case incidents.Mismatch:
		return http.StatusUnprocessableEntity, detail
	case incidents.Unavailable:
		return http.StatusServiceUnavailable, detail
	default:
		return http.StatusInternalServerError, detail
	}
}
