package webhook

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// signatureWindow is how far a signed time stamp may lie from now. What is
// repeated within it acts once all the same.
const signatureWindow = 5 * time.Minute

// proof is what came of looking at a signature.
type proof int

const (
	absent  proof = iota // there is none; the token has to do
	valid                // by who knows the secret
	invalid              // by somebody else, or of another body
	expired              // by who knows the secret, but long ago
)

// secret is what a sender signs with. An empty one proves nothing.
type secret string

func (s secret) sum(parts ...string) []byte {
	mac := hmac.New(sha256.New, []byte(s))
	for _, part := range parts {
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// signedWith compares a signature in hex with what the secret makes of parts.
func (s secret) signedWith(signature string, parts ...string) proof {
	got, err := hex.DecodeString(strings.TrimSpace(signature))
	if err != nil || s == "" || !hmac.Equal(got, s.sum(parts...)) {
		return invalid
	}
	return valid
}

// is compares a plain secret in constant time.
func (s secret) is(given string) bool {
	a, b := sha256.Sum256([]byte(s)), sha256.Sum256([]byte(given))
	return s != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// recent turns a valid proof whose time stamp is far from now into an expired one.
func (p proof) recent(at, now time.Time) proof {
	if d := now.Sub(at); p == valid && (d > signatureWindow || d < -signatureWindow) {
		return expired
	}
	return p
}

// signedByGrafana follows grafana/alerting's webhook receiver: HMAC-SHA256 in
// hex over the body, or over "<unix seconds>:<body>" when a header for the time
// stamp is configured. That header has no name of its own; these are the ones
// that its documentation uses.
func signedByGrafana(r request, s secret) proof {
	signature := r.header.Get("X-Grafana-Alerting-Signature")
	if signature == "" {
		return absent
	}
	stamp := stampOfGrafana(r)
	if stamp == "" {
		return s.signedWith(signature, string(r.body))
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return invalid
	}
	return s.signedWith(signature, stamp, ":", string(r.body)).recent(time.Unix(seconds, 0), r.now)
}

func stampOfGrafana(r request) string {
	return cmp.Or(r.header.Get("X-Grafana-Alerting-Timestamp"), r.header.Get("X-Grafana-Alerting-Signature-Timestamp"))
}

func stampOfZendesk(r request) string { return r.header.Get("X-Zendesk-Webhook-Signature-Timestamp") }

// stampOfGitLab is that of a signing token; the secret token signs nothing.
func stampOfGitLab(r request) string {
	if r.header.Get("webhook-signature") == "" {
		return ""
	}
	return r.header.Get("webhook-timestamp")
}

// sealed gives what a delivery is known by whose time is signed with its body.
func (from sender) sealed(r request) string {
	if from.stamp == nil {
		return ""
	}
	stamp := from.stamp(r)
	if stamp == "" {
		return ""
	}
	sum := sha256.New()
	_, _ = sum.Write([]byte(stamp + "\n"))
	_, _ = sum.Write(r.body)
	return hex.EncodeToString(sum.Sum(nil))
}

// signedByPagerDuty follows developer.pagerduty.com/docs/webhooks-signatures:
// one signature for each secret that is valid at the moment; any may fit.
func signedByPagerDuty(r request, s secret) proof {
	header := r.header.Get("X-PagerDuty-Signature")
	if header == "" {
		return absent
	}
	for part := range strings.SplitSeq(header, ",") {
		signature, ok := strings.CutPrefix(strings.TrimSpace(part), "v1=")
		if ok && s.signedWith(signature, string(r.body)) == valid {
			return valid
		}
	}
	return invalid
}

// signedByZendesk follows developer.zendesk.com/documentation/webhooks/verifying:
// base64 of HMAC-SHA256 over the time stamp and the body, nothing between them.
func signedByZendesk(r request, s secret) proof {
	signature := r.header.Get("X-Zendesk-Webhook-Signature")
	if signature == "" {
		return absent
	}
	stamp := stampOfZendesk(r)
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return invalid
	}
	got, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || s == "" || !hmac.Equal(got, s.sum(stamp, string(r.body))) {
		return invalid
	}
	return valid.recent(at, r.now)
}

// signedByGitHub follows docs.github.com/webhooks/securing: HMAC-SHA256 in hex
// over the body.
func signedByGitHub(r request, s secret) proof {
	return s.prefixed(r.header.Get("X-Hub-Signature-256"), string(r.body))
}

// prefixed reads a signature written as sha256=<hex>.
func (s secret) prefixed(header, body string) proof {
	signature, ok := strings.CutPrefix(header, "sha256=")
	switch {
	case header == "":
		return absent
	case !ok:
		return invalid
	default:
		return s.signedWith(signature, body)
	}
}

// signedByGitLab follows docs.gitlab.com/user/project/integrations/webhooks: the
// secret token as it is, or, where a signing token is set, Standard Webhooks'
// signature over "<webhook-id>.<webhook-timestamp>.<body>".
func signedByGitLab(r request, s secret) proof {
	if header := r.header.Get("webhook-signature"); header != "" {
		return s.standard(r, header)
	}
	token := r.header.Get("X-Gitlab-Token")
	switch {
	case token == "":
		return absent
	case s.is(token):
		return valid
	default:
		return invalid
	}
}

// standard checks a signature of standardwebhooks.com: one or several of v1,<base64>.
func (s secret) standard(r request, header string) proof {
	stamp := r.header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || s == "" {
		return invalid
	}
	signer := s
	if raw, ok := strings.CutPrefix(string(s), "whsec_"); ok {
		plain, err := base64.StdEncoding.DecodeString(raw)
		if err != nil || len(plain) == 0 {
			return invalid
		}
		signer = secret(plain)
	}
	want := signer.sum(r.header.Get("webhook-id"), ".", stamp, ".", string(r.body))
	for part := range strings.FieldsSeq(header) {
		signature, ok := strings.CutPrefix(part, "v1,")
		if !ok {
			continue
		}
		if got, err := base64.StdEncoding.DecodeString(signature); err == nil && hmac.Equal(got, want) {
			return valid.recent(time.Unix(seconds, 0), r.now)
		}
	}
	return invalid
}

// signedPlainly is for who signs as Flux' generic-hmac provider does
// (fluxcd.io/flux/components/notification/providers/#generic-webhook-with-hmac),
// or sends the secret itself in a header, as Argo CD's templates can.
func signedPlainly(r request, s secret) proof {
	if shown := r.header.Get("X-Houston-Token"); shown != "" {
		if s.is(shown) {
			return valid
		}
		return invalid
	}
	return s.prefixed(r.header.Get("X-Signature"), string(r.body))
}

// authenticate lets a delivery in by the sender's signature or by the token. A
// signature that does not fit is refused whatever else is shown. One that does, and
// that holds the time, seals the delivery.
func (h *Handler) authenticate(w http.ResponseWriter, kind string, from sender, r *request) error {
	own := secret(h.config.Secrets[kind])
	if from.signed != nil && own != "" {
		switch from.signed(*r, own) {
		case valid:
			r.seal = from.sealed(*r)
			return nil
		case invalid:
			return refuse(http.StatusUnauthorized, "The signature does not fit. Compare the sender's secret with webhook.%s_secret.", kind)
		case expired:
			return refuse(http.StatusUnauthorized, "The signature is more than %d minutes old or ahead. Compare the clocks.", int(signatureWindow.Minutes()))
		case absent:
		}
	}
	given, found := strings.CutPrefix(r.header.Get("Authorization"), "Bearer ")
	if !found {
		_, given, _ = (&http.Request{Header: r.header}).BasicAuth()
	}
	given = strings.TrimSpace(given)
	if h.token.is(given) || own.is(given) {
		return nil
	}
	if h.token == "" && own == "" {
		return refuse(http.StatusUnauthorized, "Webhooks are off: set webhook.token in Houston's configuration, and send it as a Bearer token.")
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="houston"`)
	w.Header().Add("WWW-Authenticate", `Basic realm="houston"`)
	return refuse(http.StatusUnauthorized, "Send Houston's webhook.token as a Bearer token or as the password of Basic authentication.")
}
