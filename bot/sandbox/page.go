package sandbox

import (
	"cmp"
	"html/template"
	"net/http"
	"strings"
	"sync"
)

// PageConfig says what the browser page of a workspace shows besides the
// workspace itself. The zero value is useful.
type PageConfig struct {
	Title  string // of the page; default the workspace's name
	Prefix string // the path under which the page is mounted, "/chat"; default none

	// Commands and Shortcuts of the app. The page completes these commands and
	// refuses others as Slack does; without any it sends every command.
	Commands  []CommandHint
	Shortcuts []ShortcutHint
	// Reactions offered at once beside a message, by name; the picker has more.
	Reactions []string

	DefaultUser    string // ID or name of whom the page speaks as at first; default the first person
	DefaultChannel string // ID or name of the channel shown at first; default the person's first
	Language       string // "en" or "de", until the person chooses; default what the browser asks for

	// Bar gives the host program's own strip on top of the page; nil for none.
	// Its forms with the attribute data-act are posted without leaving the page,
	// with data-auto too as soon as one of their controls is changed. The page
	// styles plain controls, class "btn", "btn primary" and "grow" in it. Call
	// Refresh when what it shows has changed.
	Bar func(language string) template.HTML
	// Host answers requests under Prefix + "/host/", the path as it came but for
	// the prefix; nil for none.
	Host http.Handler

	FooterText, FooterURL string // a link at the foot of the channel list
}

// CommandHint describes a slash command for completion.
type CommandHint struct {
	Name        string // "/incident"
	Usage       string // "[title]"
	Description string
	Options     []CommandOption // its first words
}

// CommandOption is one word that may follow a command.
type CommandOption struct {
	Name        string // "status"
	Usage       string // "<status> [text]"
	Description string
}

// ShortcutHint is a shortcut of the app: a global one, or one in a message's menu.
type ShortcutHint struct {
	CallbackID, Name string
	Message          bool
}

// Page is a workspace in the browser: a small chat client for the people of the
// workspace. It has no logins: whoever opens it may speak as anybody.
type Page struct {
	w      *Workspace
	cfg    PageConfig
	look   *look
	routes http.Handler

	mu      sync.Mutex
	changed chan struct{}                // closed and replaced when something of the page changed
	read    map[string]map[string]string // user, channel: the newest timestamp read
	notices []notice
	hidden  map[string]bool // user and timestamp of dismissed ephemeral messages
}

// Page makes the workspace's page. It panics when its embedded templates do not
// parse, which a test would have seen.
func (w *Workspace) Page(cfg PageConfig) *Page {
	cfg.Title = cmp.Or(cfg.Title, w.cfg.TeamName)
	cfg.Prefix = strings.TrimSuffix(cfg.Prefix, "/")
	if cfg.Reactions == nil {
		cfg.Reactions = []string{"white_check_mark", "eyes", "raised_hands"}
	}
	p := &Page{w: w, cfg: cfg, look: newLook(), changed: make(chan struct{}), read: map[string]map[string]string{}, hidden: map[string]bool{}}
	p.routes = http.StripPrefix(cfg.Prefix, p.mux())
	return p
}

func (p *Page) mux() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.serveWhole)
	mux.HandleFunc("GET /part/{name}", p.servePart)
	mux.HandleFunc("GET /events", p.serveEvents)
	mux.HandleFunc("GET /file/{id}/{name}", p.serveFile)
	mux.Handle("GET /assets/", p.look.serveAssets())
	mux.HandleFunc("POST /prefs", p.servePrefs)
	for name, do := range p.acts() {
		mux.HandleFunc("POST /act/"+name, p.act(do))
	}
	if p.cfg.Host != nil {
		mux.Handle("/host/", p.cfg.Host)
	}
	return http.NewCrossOriginProtection().Handler(mux)
}

// ServeHTTP serves the page. Nothing on it may run or load but its own files;
// pictures in messages may come from anywhere.
func (p *Page) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	h := rw.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"img-src 'self' https: http: data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	p.routes.ServeHTTP(rw, r)
}

// Refresh tells every open page to look again: call it when what Bar shows has
// changed.
func (p *Page) Refresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stir()
}

// stir wakes the open pages. The caller holds the lock.
func (p *Page) stir() {
	close(p.changed)
	p.changed = make(chan struct{})
}
