package pages

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// visit is one request: who reads, and how that person wants to be spoken to.
type visit struct {
	known bool // the reader may use the pages
	actor incidents.Actor
	hash  string // of the session's secret; empty without one
	lang  string
	zone  *time.Location
	text  *templates.Catalogue
	// private are the private channels the reader is in.
	private []string
}

// languages are those there are texts in, the default first.
func languages() []string { return templates.Languages() }

// visit finds out who reads. Somebody unknown is a visit, too.
func (p *Pages) visit(w http.ResponseWriter, r *http.Request) (*visit, error) {
	v := &visit{lang: p.accepted(r), zone: p.config.Zone}
	v.text = p.texts[v.lang]
	switch p.config.Auth {
	case AuthNone:
		if fromHere(r) {
			v.known = true
			v.actor = incidents.Actor{Person: incidents.Person{Name: v.text.Text("web_local_reader")}, Via: incidents.FromAPI, Standing: incidents.Trusted}
		}
		return v, nil
	case AuthToken:
		return v, nil
	default:
		return v, p.bySession(w, r, v)
	}
}

// bySession takes the reader from the session's cookie, if that is still good.
func (p *Pages) bySession(w http.ResponseWriter, r *http.Request, v *visit) error {
	cookie, err := r.Cookie(p.cookieName(sessionCookie))
	if err != nil {
		return nil //nolint:nilerr // nobody is signed in
	}
	hash := hashed(cookie.Value)
	pass, err := p.config.Store.Pass(r.Context(), incidents.SessionPass, hash, p.config.Clock.Now())
	if incidents.KindOf(err) == incidents.NotFound {
		p.dropCookie(w, sessionCookie)
		return nil
	}
	if err != nil {
		return err
	}
	profile, ok := p.config.People.Profile(r.Context(), pass.Person)
	if ok && (profile.Deleted || profile.Bot) {
		p.dropCookie(w, sessionCookie)
		return p.config.Store.DropPasses(r.Context(), pass.Person, "")
	}
	if !ok || profile.Standing != incidents.Member {
		return nil
	}
	return p.as(r.Context(), v, profile, hash)
}

// as has a member read.
func (p *Pages) as(ctx context.Context, v *visit, profile incidents.Profile, hash string) error {
	v.known, v.hash = true, hash
	v.actor = incidents.Actor{Person: profile.Person, Via: incidents.FromManual, Standing: profile.Standing, Groups: profile.Groups}
	v.zone = p.config.People.Zone(profile.ID)
	if lang, _, _ := strings.Cut(profile.Locale, "-"); slices.Contains(languages(), lang) {
		v.lang, v.text = lang, p.texts[lang]
	}
	channels, err := p.config.People.PrivateChannels(ctx, profile.ID)
	if err != nil {
		// Less is shown, and nothing that must not be.
		p.config.Log.WarnContext(ctx, "asking Slack for a reader's private channels failed", "user", profile.ID, "error", err)
	}
	v.private = channels
	return nil
}

// visible is what of private incidents the reader's lists hold.
func (p *Pages) visible(v *visit) incidents.Visible {
	return incidents.Visible{Private: p.service.SeesAllPrivate(v.actor), Channels: v.private}
}

// load loads the incident a path names, with the request it was loaded for.
func (p *Pages) find(r *http.Request, v *visit) (incidents.Incident, incidents.Request, error) {
	number, err := incidents.ParseKey(r.PathValue("key"))
	if err != nil {
		return incidents.Incident{}, incidents.Request{}, errNoPage
	}
	inc, err := p.store.Incident(r.Context(), number)
	if err != nil {
		return incidents.Incident{}, incidents.Request{}, err
	}
	req := p.request(v, inc)
	if !p.service.Sees(req, inc) {
		return incidents.Incident{}, req, incidents.NotFoundIncident(number)
	}
	return inc, req, nil
}

// request is the reader asking about an incident. A private incident's channel
// is where it comes from when the reader is in it.
func (p *Pages) request(v *visit, inc incidents.Incident) incidents.Request {
	req := incidents.Request{Actor: v.actor}
	if inc.Private && inc.Channel != nil && slices.Contains(v.private, inc.Channel.ID) {
		req.In = inc.Channel.ID
	}
	return req
}

// accepted is the language a browser asks for.
func (p *Pages) accepted(r *http.Request) string {
	tags := make([]language.Tag, 0, len(languages()))
	for _, l := range p.ordered() {
		tags = append(tags, language.MustParse(l))
	}
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		wanted = nil
	}
	_, i, _ := language.NewMatcher(tags).Match(wanted...)
	return p.ordered()[i]
}

// ordered are the languages, the configured one first.
func (p *Pages) ordered() []string {
	list := slices.DeleteFunc(languages(), func(l string) bool { return l == p.config.Language })
	if slices.Contains(languages(), p.config.Language) {
		list = append([]string{p.config.Language}, list...)
	}
	return list
}

// fromHere reports whether a request was made on this machine, under its name.
func fromHere(r *http.Request) bool {
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && !loopback(local.String()) {
		return false
	}
	return loopback(r.Host)
}

// loopback reports whether host, with or without a port, is this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || (ip != nil && ip.IsLoopback())
}

// wantsPage reports whether a browser asks for a page, not a script or a feed.
func wantsPage(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, "text/html") || accept == "" || accept == "*/*"
}

func escapeQuery(text string) string { return url.QueryEscape(text) }

func unescapeQuery(text string) string {
	plain, err := url.QueryUnescape(text)
	if err != nil {
		return ""
	}
	return plain
}

// host is Houston's address as the reader knows it.
func (p *Pages) host(r *http.Request) string {
	if p.config.PublicURL != "" {
		return p.config.PublicURL
	}
	return "http://" + r.Host
}
