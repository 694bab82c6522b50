package pages

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// signInPage is the page for who is not signed in.
type signInPage struct {
	Frame

	Slack   bool   // there is "Sign in with Slack"
	Link    bool   // a link from Slack lets people in
	To      string // where the reader wanted to go
	Command string
}

// signIn answers GET /signin.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request, v *visit) error {
	to := within(r.URL.Query().Get("to"))
	if v.known {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
	if to != "/" {
		p.setCookie(w, wayCookie, escapeQuery(to), handshakeFor)
	}
	page := signInPage{
		Frame: p.frame(v, "", v.text.Text("web_sign_in")), To: to, Command: p.config.Command + " web",
		Slack: p.oidc != nil, Link: p.config.Auth == AuthSlack,
	}
	return p.render(w, v, http.StatusOK, "signin", page)
}

// linkPage asks whether to sign in by a link: reading a link must not use it
// up, since chats and mail scanners read links, too.
type linkPage struct {
	Frame

	Secret string
	Name   string // whom the link lets in
}

// askLink answers GET /signin/link?secret=….
func (p *Pages) askLink(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := p.byHost.try(address(r), p.config.Clock.Now()); err != nil {
		return err
	}
	plain := r.URL.Query().Get("secret")
	pass, err := p.config.Store.Pass(r.Context(), incidents.LinkPass, hashed(plain), p.config.Clock.Now())
	if err != nil {
		return p.usedUp(v, err)
	}
	page := linkPage{Frame: p.frame(v, "", v.text.Text("web_sign_in")), Secret: plain}
	if profile, ok := p.config.People.Profile(r.Context(), pass.Person); ok {
		page.Name = profile.Name
	}
	return p.render(w, v, http.StatusOK, "link", page)
}

// takeLink answers POST /signin/link: it uses the link up.
func (p *Pages) takeLink(w http.ResponseWriter, r *http.Request, v *visit) error {
	now := p.config.Clock.Now()
	if err := p.byHost.try(address(r), now); err != nil {
		return err
	}
	pass, err := p.config.Store.TakePass(r.Context(), incidents.LinkPass, hashed(r.PostFormValue("secret")), now)
	if err != nil {
		return p.usedUp(v, err)
	}
	if err := p.begin(w, r, v, pass.Person); err != nil {
		return err
	}
	to := "/"
	if cookie, err := r.Cookie(p.cookieName(wayCookie)); err == nil {
		to = within(unescapeQuery(cookie.Value))
		p.dropCookie(w, wayCookie)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

func (p *Pages) usedUp(v *visit, err error) error {
	if incidents.KindOf(err) != incidents.NotFound {
		return err
	}
	return incidents.Errorf(incidents.Gone, "%s", v.text.Text("web_link_used", "command", p.config.Command+" web"))
}

// Link makes a sign-in link for a person who has proved in Slack who that is:
// good for ten minutes and one use. Who is no member gets none.
func (p *Pages) Link(ctx context.Context, actor incidents.Actor) (string, error) {
	switch {
	case p.config.Auth != AuthSlack:
		return "", incidents.Errorf(incidents.Conflict, "The pages are not open to people: set web.auth to slack in Houston's configuration.")
	case p.config.PublicURL == "":
		return "", incidents.Errorf(incidents.Conflict, "Houston does not know its own address: set public_url in its configuration.")
	case actor.Standing != incidents.Member:
		return "", incidents.Errorf(incidents.Forbidden, "The pages are for members of this workspace.")
	}
	now := p.config.Clock.Now()
	if err := p.byUser.try(actor.ID, now); err != nil {
		return "", incidents.Errorf(incidents.Unavailable, "That was often. Try again in a moment.")
	}
	plain, hash := secret()
	pass := incidents.Pass{Hash: hash, Kind: incidents.LinkPass, Person: actor.ID, MadeAt: now, Expires: now.Add(linkFor)}
	if err := p.config.Store.SavePass(ctx, pass); err != nil {
		return "", err
	}
	return p.config.PublicURL + "/signin/link?secret=" + plain, nil
}

// within keeps where to go after signing in on this site: a path, and none that
// a browser takes for another host.
func within(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") || strings.HasPrefix(to, "/signin") {
		return "/"
	}
	return to
}
