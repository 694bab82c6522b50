package slack

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// signatureWindow is how far the time stamp of a signed request may be off.
const signatureWindow = 5 * time.Minute

// errUnsigned says that a request does not come from Slack, or not from now.
var errUnsigned = errors.New("the request is not signed by Slack or is too old")

// verifier checks Slack's signature: "v0=" and the hex HMAC-SHA256 of
// "v0:<time stamp>:<raw body>" under the signing secret
// (https://docs.slack.dev/authentication/verifying-requests-from-slack).
type verifier struct {
	secret []byte
	clock  incidents.Clock
}

// verify checks the raw body of a request. It fails with errUnsigned, without
// saying which part is wrong.
func (v verifier) verify(header http.Header, body []byte) error {
	stamp := header.Get("X-Slack-Request-Timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || len(v.secret) == 0 {
		return errUnsigned
	}
	if off := v.clock.Now().Sub(time.Unix(seconds, 0)); off.Abs() > signatureWindow {
		return errUnsigned
	}
	signature, ok := strings.CutPrefix(header.Get("X-Slack-Signature"), "v0=")
	if !ok {
		return errUnsigned
	}
	given, err := hex.DecodeString(signature)
	if err != nil {
		return errUnsigned
	}
	mac := hmac.New(sha256.New, v.secret)
	mac.Write([]byte("v0:" + stamp + ":"))
	mac.Write(body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return errUnsigned
	}
	return nil
}
