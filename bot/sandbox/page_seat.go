package sandbox

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Places that are no channel.
const (
	placeHome   = "home" // the app's home tab
	placeDirect = "dm"   // the direct messages with the app, made when first opened
)

// seat is where somebody sits in front of the page: who speaks, what is shown.
// It is in the page's address, so that each browser tab may be another person.
type seat struct {
	As, Channel, Thread string
	Since               string // the newest message read when the channel was opened: the "new" line is after it
	Lang, Theme         string
}

// seat reads where the request's sender sits and puts right what cannot be.
func (p *Page) seat(r *http.Request) *ui {
	s := seat{As: r.FormValue("as"), Channel: r.FormValue("c"), Thread: r.FormValue("t"), Since: r.FormValue("n")}
	s.Lang = choice(r, "lang", "en", "de")
	if s.Lang == "" {
		s.Lang = p.cfg.Language
	}
	if s.Lang == "" && strings.HasPrefix(r.Header.Get("Accept-Language"), "de") {
		s.Lang = "de"
	}
	s.Theme = choice(r, "theme", "light", "dark")
	u := &ui{p: p, seat: s, users: map[string]User{}, channels: map[string]Channel{}, now: p.w.cfg.Now()}
	for _, user := range p.w.Users() {
		u.users[user.ID] = user
		if !user.Bot && !user.Deleted {
			u.people = append(u.people, user)
		}
	}
	for _, c := range p.w.Channels() {
		u.channels[c.ID] = c
	}
	u.sit()
	return u
}

// choice is a setting from its cookie, if it is one of the values.
func choice(r *http.Request, name string, values ...string) string {
	c, err := r.Cookie("sandbox_" + name)
	if err != nil {
		return ""
	}
	for _, v := range values {
		if c.Value == v {
			return v
		}
	}
	return ""
}

// sit finds the person and the channel, falling back to the first that will do.
func (u *ui) sit() {
	for _, who := range []string{u.As, u.p.cfg.DefaultUser} {
		for _, person := range u.people {
			if u.me.ID == "" && who != "" && (person.ID == who || person.Name == who) {
				u.me = person
			}
		}
	}
	if u.me.ID == "" && len(u.people) > 0 {
		u.me = u.people[0]
	}
	u.astray = u.As != "" && u.As != u.me.ID && u.As != u.me.Name
	u.As = u.me.ID
	u.loc = time.UTC
	if loc, err := time.LoadLocation(u.me.TZ); err == nil {
		u.loc = loc
	}
	if u.me.ID != "" {
		u.direct = u.p.direct(u.me.ID, u.Channel == placeDirect)
	}
	if u.Channel == placeDirect {
		u.Channel = u.direct.ID
	}
	if u.Channel == placeHome || u.Channel != "" && u.Channel == u.direct.ID {
		return
	}
	asked := u.Channel
	u.Channel = ""
	for i, name := range []string{asked, u.p.cfg.DefaultChannel} {
		c, ok := u.p.w.Channel(name)
		if ok = ok && !c.IM && u.mayRead(c); ok && u.Channel == "" {
			u.Channel = c.ID
		}
		if i == 0 {
			u.astray = u.astray || asked != "" && !ok
		}
	}
	if u.Channel == "" {
		if mine := u.mine(); len(mine) > 0 {
			u.Channel = mine[0].ID
		}
	}
	if u.Channel != asked {
		u.Thread, u.Since = "", ""
	}
}

// direct is the conversation of the app and a person; made if asked for.
func (p *Page) direct(user string, open bool) Channel {
	if open {
		p.w.st.mu.Lock()
		defer p.w.st.mu.Unlock()
		c, _ := p.w.st.direct(user)
		return c.copy()
	}
	c, _ := p.w.Direct(user)
	return c
}

// address is the page's address for this seat with some of its parts changed:
// pairs of name and value.
func (u *ui) address(pairs ...string) string {
	v := url.Values{}
	for name, value := range map[string]string{"as": u.As, "c": u.Channel, "t": u.Thread, "n": u.Since} {
		if value != "" {
			v.Set(name, value)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if v.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			v.Del(pairs[i])
		}
	}
	return u.p.cfg.Prefix + "/?" + v.Encode()
}

// servePrefs keeps the language or the theme in a cookie and goes back.
func (p *Page) servePrefs(rw http.ResponseWriter, r *http.Request) {
	for name, values := range map[string][]string{"lang": {"en", "de"}, "theme": {"auto", "light", "dark"}} {
		for _, v := range values {
			if r.FormValue(name) == v {
				//nolint:gosec // a preference and no secret; the page is served over plain HTTP on this machine
				http.SetCookie(rw, &http.Cookie{
					Name: "sandbox_" + name, Value: v, Path: p.cfg.Prefix + "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, SameSite: http.SameSiteStrictMode,
				})
			}
		}
	}
	http.Redirect(rw, r, p.seat(r).address(), http.StatusSeeOther)
}
