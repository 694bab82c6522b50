package sandbox

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"
)

//go:embed assets
var assets embed.FS

// look is everything of the page that is the same for all: templates, words and
// emoji.
type look struct {
	pages *template.Template
	words map[string][2]string // English, German
	emoji map[string]string    // by name
	names []string             // of the emoji, in the picker's order
	stamp string               // changes when an asset does
}

func newLook() *look {
	l := &look{words: map[string][2]string{}}
	l.pages = template.Must(template.New("").Option("missingkey=error").ParseFS(assets, "assets/*.html"))
	raw, err := assets.ReadFile("assets/words.json")
	if err == nil {
		err = json.Unmarshal(raw, &l.words)
	}
	if err != nil {
		panic(err)
	}
	list, err := assets.ReadFile("assets/emoji.txt")
	if err != nil {
		panic(err)
	}
	l.emoji, l.names = readEmoji(string(list))
	var all []byte
	_ = fs.WalkDir(assets, "assets", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			raw, _ := assets.ReadFile(path)
			all = append(all, raw...)
		}
		return nil
	})
	l.stamp = version(all)
	return l
}

func (l *look) has(key string) bool {
	_, ok := l.words[key]
	return ok
}

// part draws one part of the page.
func (l *look) part(name string, u *ui) ([]byte, error) {
	var out bytes.Buffer
	if err := l.pages.ExecuteTemplate(&out, "part-"+name, u); err != nil {
		return nil, fmt.Errorf("draw %s: %w", name, err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// serveAssets serves style and script, and nothing else of the folder.
func (l *look) serveAssets() http.Handler {
	files := http.FileServerFS(assets)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".css") && !strings.HasSuffix(r.URL.Path, ".js") {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Cache-Control", "no-cache")
		rw.Header().Set("ETag", `"`+l.stamp+`"`)
		files.ServeHTTP(rw, r)
	})
}

// ui is the page as one person sees it at one moment; the templates' data.
type ui struct {
	seat
	p        *Page
	me       User
	loc      *time.Location
	people   []User // who one can speak as
	users    map[string]User
	channels map[string]Channel
	direct   Channel // with the app; empty until opened
	astray   bool    // the person or the channel asked for is none that one may be or look into
	now      time.Time
}

// T gives a text of the page in its language; it fails for a text there is not.
func (u *ui) T(key string, args ...any) (string, error) {
	both, ok := u.p.look.words[key]
	if !ok {
		return "", fmt.Errorf("the page has no words %q", key)
	}
	text := both[0]
	if u.Lang == "de" {
		text = both[1]
	}
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	return text, nil
}

// say is T for keys that are known to be there.
func (u *ui) say(key string, args ...any) string {
	text, err := u.T(key, args...)
	if err != nil {
		return key
	}
	return text
}

// Language is the page's language, for the lang attribute.
func (u *ui) Language() string { return cmp.Or(u.Lang, "en") }

// Prefix is the path under which the page is mounted.
func (u *ui) Prefix() string { return u.p.cfg.Prefix }

// Config is the page's configuration.
func (u *ui) Config() PageConfig { return u.p.cfg }

// Bar is the host program's strip.
func (u *ui) Bar() template.HTML {
	if u.p.cfg.Bar == nil {
		return ""
	}
	return u.p.cfg.Bar(u.Language())
}

// Stamp changes when an asset does.
func (u *ui) Stamp() string { return u.p.look.stamp }

// Part draws a part for the whole page.
func (u *ui) Part(name string) (template.HTML, error) {
	html, err := u.p.look.part(name, u)
	return template.HTML(html), err //nolint:gosec // drawn by a template
}

// Version is a part's version.
func (u *ui) Version(name string) (string, error) {
	html, err := u.p.look.part(name, u)
	return version(html), err
}

// Me is who the page speaks as.
func (u *ui) Me() User { return u.me }

// People are those whom one may speak as.
func (u *ui) People() []User { return u.people }

// Face is somebody's picture: initials on a colour.
type Face struct {
	Name, Initials string
	Hue            int // 0 to 7
	App            bool
}

func (u *ui) face(id string) Face {
	user := u.users[id]
	name := cmp.Or(user.RealName, user.Name, id)
	f := Face{Name: name, App: user.Bot}
	words := strings.Fields(name)
	for i, w := range words {
		if i == 0 || i == len(words)-1 {
			f.Initials += strings.ToUpper(string([]rune(w)[:1]))
		}
	}
	at := slices.IndexFunc(u.people, func(p User) bool { return p.ID == id })
	if f.Hue = (at + 8) % 8; user.Bot {
		f.Hue = 7
	}
	return f
}

// MyFace is the picture of who the page speaks as.
func (u *ui) MyFace() Face { return u.face(u.As) }

// name is how a person is called.
func (u *ui) name(id string) string {
	user, ok := u.users[id]
	if !ok {
		return id
	}
	return cmp.Or(user.RealName, user.Name)
}
