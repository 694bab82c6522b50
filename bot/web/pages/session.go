package pages

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// How long passes are good.
const (
	sessionFor = 14 * 24 * time.Hour
	linkFor    = 10 * time.Minute
	// handshakeFor is how long a person may take to say yes at Slack.
	handshakeFor = 10 * time.Minute
)

// The cookies, by their names without a prefix.
const (
	sessionCookie   = "houston_session"
	handshakeCookie = "houston_signin"
	wayCookie       = "houston_to" // where somebody wanted to go who signs in by a link
)

// secret makes 26 characters with 128 bits of randomness and the hash that is kept of them.
func secret() (plain, hash string) {
	plain = rand.Text()
	return plain, hashed(plain)
}

func hashed(plain string) string {
	sum := sha256.Sum256([]byte(plain))
	return hex.EncodeToString(sum[:])
}

// https reports whether people reach Houston by https.
func (p *Pages) https() bool { return strings.HasPrefix(p.config.PublicURL, "https://") }

// cookieName adds the prefix with which browsers see to it that no other host
// or path has set a cookie (RFC 6265bis, 4.1.3.2); it needs https.
func (p *Pages) cookieName(name string) string {
	if p.https() {
		return "__Host-" + name
	}
	return name
}

func (p *Pages) setCookie(w http.ResponseWriter, name, value string, keep time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: p.cookieName(name), Value: value, Path: "/", MaxAge: int(keep / time.Second),
		HttpOnly: true, Secure: p.https(), SameSite: http.SameSiteLaxMode,
	})
}

func (p *Pages) dropCookie(w http.ResponseWriter, name string) {
	http.SetCookie(w, &http.Cookie{
		Name: p.cookieName(name), Path: "/", MaxAge: -1,
		HttpOnly: true, Secure: p.https(), SameSite: http.SameSiteLaxMode,
	})
}

// begin signs a browser in as a person, who must be a member of the workspace.
func (p *Pages) begin(w http.ResponseWriter, r *http.Request, v *visit, id string) error {
	if err := p.mayRead(r, v, id); err != nil {
		return err
	}
	plain, hash := secret()
	now := p.config.Clock.Now()
	pass := incidents.Pass{Hash: hash, Kind: incidents.SessionPass, Person: id, MadeAt: now, Expires: now.Add(sessionFor)}
	if err := p.config.Store.SavePass(r.Context(), pass); err != nil {
		return err
	}
	if v.hash != "" { // the session before is of no use any more
		if err := p.config.Store.DropPass(r.Context(), v.hash); err != nil {
			return err
		}
	}
	p.setCookie(w, sessionCookie, plain, sessionFor)
	return nil
}

// mayRead refuses who is no member: guests, people of other workspaces, bots
// and those who have left.
func (p *Pages) mayRead(r *http.Request, v *visit, id string) error {
	profile, ok := p.config.People.Profile(r.Context(), id)
	switch {
	case !ok:
		return incidents.Errorf(incidents.Unavailable, "Slack did not tell who you are, so nothing was done. Try again in a moment.")
	case profile.Standing != incidents.Member || profile.Deleted || profile.Bot:
		return incidents.Errorf(incidents.Forbidden, "%s", v.text.Text("web_members_only"))
	default:
		return nil
	}
}

// signOut ends the session.
func (p *Pages) signOut(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.hash != "" {
		if err := p.config.Store.DropPass(r.Context(), v.hash); err != nil {
			return err
		}
	}
	p.dropCookie(w, sessionCookie)
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
	return nil
}
