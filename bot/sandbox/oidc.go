package sandbox

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// The credentials of the app for "Sign in with Slack".
const (
	clientID     = "1000000001.2000000002"
	clientSecret = "sandbox-client-secret"
)

// How long a code and an ID token are good, as with Slack.
const (
	codeFor  = 10 * time.Minute
	tokenFor = 5 * time.Minute
)

// signIns is the workspace as an issuer of OpenID Connect
// (https://docs.slack.dev/authentication/sign-in-with-slack).
type signIns struct {
	mu        sync.Mutex
	redirects []string
	codes     map[string]signInCode
	tokens    map[string]string // access token → user
	key       *rsa.PrivateKey
	tamper    func(claims map[string]any)
}

type signInCode struct {
	user, redirect, nonce string
	at                    time.Time
}

// ClientID is the app's id for "Sign in with Slack".
func (w *Workspace) ClientID() string { return clientID }

// ClientSecret goes with it.
func (w *Workspace) ClientSecret() string { return clientSecret }

// SetRedirectURLs says where people may be sent back to, as the app's page
// "OAuth & Permissions" does: an address must begin with one of these.
func (w *Workspace) SetRedirectURLs(urls ...string) {
	w.signIns.mu.Lock()
	defer w.signIns.mu.Unlock()
	w.signIns.redirects = urls
}

// TamperIDToken has the claims of ID tokens changed before they are signed; nil
// stops that.
func (w *Workspace) TamperIDToken(tamper func(claims map[string]any)) {
	w.signIns.mu.Lock()
	defer w.signIns.mu.Unlock()
	w.signIns.tamper = tamper
}

func (w *Workspace) mountSignIn(mux *http.ServeMux) {
	mux.HandleFunc("GET /.well-known/openid-configuration", w.serveDiscovery)
	mux.HandleFunc("GET /openid/connect/authorize", w.serveAuthorize)
	mux.HandleFunc("GET /openid/connect/keys", w.serveKeys)
	mux.HandleFunc("POST /api/openid.connect.token", w.serveToken)
	mux.HandleFunc("GET /api/openid.connect.userInfo", w.serveUserInfo)
	mux.HandleFunc("POST /api/openid.connect.userInfo", w.serveUserInfo)
}

// signInPaths are those that are not below /api/.
func signInPaths() []string { return []string{"/.well-known/openid-configuration", "/openid/connect/"} }

func (w *Workspace) serveDiscovery(rw http.ResponseWriter, _ *http.Request) {
	base := w.baseURL()
	answerJSON(rw, map[string]any{
		"issuer": base, "authorization_endpoint": base + "/openid/connect/authorize",
		"token_endpoint": base + "/api/openid.connect.token", "userinfo_endpoint": base + "/api/openid.connect.userInfo",
		"jwks_uri": base + "/openid/connect/keys", "scopes_supported": []string{"openid", "profile", "email"},
		"response_types_supported": []string{"code"}, "response_modes_supported": []string{"form_post"},
		"grant_types_supported": []string{"authorization_code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"},
		"token_endpoint_auth_methods_supported": []string{"client_secret_post", "client_secret_basic"},
	})
}

func answerJSON(rw http.ResponseWriter, value any) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(rw).Encode(value)
}

// consent is the page on which a person says yes. As whom one is signed in at
// Slack is chosen here.
var consent = template.Must(template.New("consent").Parse(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sign in | Slack</title></head><body><main><h1>Sign in to {{.Team}}</h1>
<ul>{{range .Users}}<li><a href="{{.URL}}">{{.Name}}</a></li>{{end}}</ul><p><a href="{{.No}}">Cancel</a></p></main></body></html>
`))

// serveAuthorize refuses what Slack refuses: an unknown app, an address that was
// not registered, no openid among the scopes, and PKCE, which is for apps
// without a secret (https://docs.slack.dev/authentication/using-pkce).
func (w *Workspace) serveAuthorize(rw http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	redirect := query.Get("redirect_uri")
	refuse := ""
	switch {
	case query.Get("client_id") != clientID:
		refuse = "invalid_client_id"
	case !w.registered(redirect):
		refuse = "bad_redirect_uri"
	case query.Get("response_type") != "code":
		refuse = "invalid_response_type"
	case !slices.Contains(strings.Fields(query.Get("scope")), "openid"):
		refuse = "invalid_scope"
	case query.Has("code_challenge"):
		refuse = "pkce_not_allowed"
	}
	if refuse != "" {
		http.Error(rw, "Something went wrong when authorizing this app: "+refuse, http.StatusBadRequest)
		return
	}
	back := func(values ...string) string {
		params := url.Values{}
		for i := 0; i+1 < len(values); i += 2 {
			params.Set(values[i], values[i+1])
		}
		if state := query.Get("state"); state != "" {
			params.Set("state", state)
		}
		return redirect + "?" + params.Encode()
	}
	if as := query.Get("as"); as != "" {
		code := rand.Text()
		w.signIns.mu.Lock()
		w.signIns.codes[code] = signInCode{as, redirect, query.Get("nonce"), w.cfg.Now()}
		w.signIns.mu.Unlock()
		http.Redirect(rw, r, back("code", code), http.StatusFound)
		return
	}
	page := struct {
		Team, No string
		Users    []struct{ URL, Name string }
	}{Team: w.cfg.TeamName, No: back("error", "access_denied")}
	for _, u := range w.Users() {
		if u.Bot || u.Deleted {
			continue
		}
		query.Set("as", u.ID)
		page.Users = append(page.Users, struct{ URL, Name string }{"?" + query.Encode(), u.RealName})
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = consent.Execute(rw, page)
}

func (w *Workspace) registered(redirect string) bool {
	w.signIns.mu.Lock()
	defer w.signIns.mu.Unlock()
	return slices.ContainsFunc(w.signIns.redirects, func(prefix string) bool { return strings.HasPrefix(redirect, prefix) })
}

func (w *Workspace) serveToken(rw http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	w.signIns.mu.Lock()
	defer w.signIns.mu.Unlock()
	code, ok := w.signIns.codes[r.PostFormValue("code")]
	refuse := ""
	switch {
	case id != clientID:
		refuse = "invalid_client_id"
	case subtle.ConstantTimeCompare([]byte(secret), []byte(clientSecret)) != 1:
		refuse = "bad_client_secret"
	case r.PostFormValue("grant_type") != "authorization_code":
		refuse = "invalid_grant_type"
	case !ok || w.cfg.Now().Sub(code.at) > codeFor:
		refuse = "invalid_code"
	case code.redirect != r.PostFormValue("redirect_uri"):
		refuse = "bad_redirect_uri"
	}
	if refuse != "" {
		answerJSON(rw, map[string]any{"ok": false, "error": refuse})
		return
	}
	delete(w.signIns.codes, r.PostFormValue("code"))
	access := "xoxp-" + rand.Text()
	w.signIns.tokens[access] = code.user
	token, err := w.idToken(code, access)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	answerJSON(rw, map[string]any{"ok": true, "access_token": access, "token_type": "Bearer", "id_token": token})
}

// idToken signs who somebody is; the lock is held.
func (w *Workspace) idToken(code signInCode, access string) (string, error) {
	now := w.cfg.Now()
	sum := sha256.Sum256([]byte(access))
	claims := w.claims(code.user)
	maps.Copy(claims, map[string]any{
		"iss": w.baseURL(), "aud": clientID, "exp": now.Add(tokenFor).Unix(), "iat": now.Unix(), "auth_time": now.Unix(),
		"nonce": code.nonce, "at_hash": base64.RawURLEncoding.EncodeToString(sum[:16]),
	})
	if w.signIns.tamper != nil {
		w.signIns.tamper(claims)
	}
	key, err := w.signIns.signingKey()
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "sandbox"}}, nil)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(raw)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

func (w *Workspace) claims(user string) map[string]any {
	claims := map[string]any{"sub": user, "https://slack.com/user_id": user, "https://slack.com/team_id": ""}
	for _, u := range w.Users() {
		if u.ID == user {
			claims["name"], claims["locale"], claims["https://slack.com/team_id"] = u.RealName, u.Locale, u.TeamID
		}
	}
	return claims
}

// signingKey makes the key with the first token; the lock is held.
func (s *signIns) signingKey() (*rsa.PrivateKey, error) {
	if s.key != nil {
		return s.key, nil
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	s.key = key
	return key, err
}

func (w *Workspace) serveKeys(rw http.ResponseWriter, _ *http.Request) {
	w.signIns.mu.Lock()
	key, err := w.signIns.signingKey()
	w.signIns.mu.Unlock()
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	answerJSON(rw, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "sandbox", Algorithm: "RS256", Use: "sig"}}})
}

func (w *Workspace) serveUserInfo(rw http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	w.signIns.mu.Lock()
	user, ok := w.signIns.tokens[token]
	w.signIns.mu.Unlock()
	if !ok {
		answerJSON(rw, map[string]any{"ok": false, "error": "invalid_auth"})
		return
	}
	claims := w.claims(user)
	claims["ok"] = true
	answerJSON(rw, claims)
}
