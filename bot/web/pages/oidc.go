package pages

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/houston-sre/houston/incidents"
)

// oidcTimeout bounds each conversation with the issuer.
const oidcTimeout = 10 * time.Second

// OIDCConfig is the Slack app that people sign in with
// (https://docs.slack.dev/authentication/sign-in-with-slack).
type OIDCConfig struct {
	ClientID     string
	ClientSecret string
	Issuer       string // "https://slack.com"
}

// Claims of Slack's ID token beside the standard ones.
type claims struct {
	Nonce  string `json:"nonce"`
	UserID string `json:"https://slack.com/user_id"`
	TeamID string `json:"https://slack.com/team_id"`
}

// provider talks to the issuer. What it needs to know of it is asked for when
// the first person signs in, so that Houston starts without it.
//
// There is no PKCE: with Slack it is for apps without a secret, and turning it
// on makes an app such a one for good
// (https://docs.slack.dev/authentication/using-pkce). State and nonce tie the
// answer to the browser instead.
type provider struct {
	config OIDCConfig
	client *http.Client

	mu    sync.Mutex
	known *oidc.Provider
}

func newProvider(config OIDCConfig) *provider {
	if config.Issuer == "" {
		config.Issuer = "https://slack.com"
	}
	return &provider{config: config, client: &http.Client{Timeout: oidcTimeout}}
}

// discover asks the issuer once how it is spoken to.
func (o *provider) discover(ctx context.Context) (*oidc.Provider, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known != nil {
		return o.known, nil
	}
	// The provider keeps the context for the keys it fetches later.
	known, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), o.client), o.config.Issuer)
	if err != nil {
		return nil, fmt.Errorf("ask %s how to sign in: %w", o.config.Issuer, err)
	}
	o.known = known
	return known, nil
}

func (o *provider) oauth(known *oidc.Provider, callback string) oauth2.Config {
	return oauth2.Config{
		ClientID: o.config.ClientID, ClientSecret: o.config.ClientSecret, Endpoint: known.Endpoint(),
		RedirectURL: callback, Scopes: []string{oidc.ScopeOpenID, "profile"},
	}
}

// identify exchanges the code for the claims of who signed in.
func (o *provider) identify(ctx context.Context, callback, code, nonce string) (claims, error) {
	known, err := o.discover(ctx)
	if err != nil {
		return claims{}, err
	}
	ctx = oidc.ClientContext(ctx, o.client)
	oauth := o.oauth(known, callback)
	token, err := oauth.Exchange(ctx, code)
	if err != nil {
		return claims{}, fmt.Errorf("exchange the code: %w", err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return claims{}, errors.New("the issuer sent no ID token")
	}
	id, err := known.Verifier(&oidc.Config{ClientID: o.config.ClientID}).Verify(ctx, raw)
	if err != nil {
		return claims{}, fmt.Errorf("verify the ID token: %w", err)
	}
	var who claims
	if err := id.Claims(&who); err != nil {
		return claims{}, fmt.Errorf("read the ID token: %w", err)
	}
	if who.UserID == "" || subtle.ConstantTimeCompare([]byte(who.Nonce), []byte(nonce)) != 1 {
		return claims{}, errors.New("the ID token is not for this sign-in")
	}
	return who, nil
}

// toSlack answers GET /signin/slack: off to Slack, with a state and a nonce that
// only this browser knows.
func (p *Pages) toSlack(w http.ResponseWriter, r *http.Request, _ *visit) error {
	if p.oidc == nil {
		return errNoPage
	}
	if err := p.byHost.try(address(r), p.config.Clock.Now()); err != nil {
		return err
	}
	known, err := p.oidc.discover(r.Context())
	if err != nil {
		return p.unreachable(r, err)
	}
	state, nonce := plainSecret(), plainSecret()
	// The path comes last, since it alone can hold a dot.
	p.setCookie(w, handshakeCookie, state+"."+nonce+"."+escapeQuery(within(r.URL.Query().Get("to"))), handshakeFor)
	oauth := p.oidc.oauth(known, p.callback(r))
	http.Redirect(w, r, oauth.AuthCodeURL(state, oidc.Nonce(nonce)), http.StatusSeeOther)
	return nil
}

func plainSecret() string {
	plain, _ := secret()
	return plain
}

// fromSlack answers GET /signin/callback: back from Slack.
func (p *Pages) fromSlack(w http.ResponseWriter, r *http.Request, v *visit) error {
	if p.oidc == nil {
		return errNoPage
	}
	if err := p.byHost.try(address(r), p.config.Clock.Now()); err != nil {
		return err
	}
	state, nonce, to, ok := p.handshake(r)
	p.dropCookie(w, handshakeCookie)
	query := r.URL.Query()
	if !ok || subtle.ConstantTimeCompare([]byte(state), []byte(query.Get("state"))) != 1 {
		return incidents.Errorf(incidents.Invalid, "%s", v.text.Text("web_begin_again"))
	}
	if query.Get("error") != "" { // the person said no
		http.Redirect(w, r, "/signin", http.StatusSeeOther)
		return nil
	}
	who, err := p.oidc.identify(r.Context(), p.callback(r), query.Get("code"), nonce)
	if err != nil {
		return p.unreachable(r, err)
	}
	if err := p.byUser.try(who.UserID, p.config.Clock.Now()); err != nil {
		return err
	}
	if err := p.begin(w, r, v, who.UserID); err != nil {
		return err
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// handshake reads back what the browser was given on the way out.
func (p *Pages) handshake(r *http.Request) (state, nonce, to string, ok bool) {
	cookie, err := r.Cookie(p.cookieName(handshakeCookie))
	if err != nil {
		return "", "", "", false
	}
	parts := strings.SplitN(cookie.Value, ".", 3)
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" {
		return "", "", "", false
	}
	return parts[0], parts[1], within(unescapeQuery(parts[2])), true
}

func (p *Pages) callback(r *http.Request) string { return p.host(r) + "/signin/callback" }

func (p *Pages) unreachable(r *http.Request, err error) error {
	p.config.Log.WarnContext(r.Context(), "signing in with Slack failed", "error", err)
	return incidents.Errorf(incidents.Unavailable, "Signing in with Slack did not work. Try again, or use a link: type %s web in Slack.", p.config.Command)
}
