package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// Sign gives the X-Slack-Signature of a raw body sent at a Unix time in seconds:
// "v0=" and the hex HMAC-SHA256 of "v0:TIMESTAMP:BODY"
// (docs.slack.dev/authentication/verifying-requests-from-slack).
func Sign(signingSecret string, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write([]byte("v0:" + strconv.FormatInt(timestamp, 10) + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

// signedHeader is the header of a request to the app.
func (w *Workspace) signedHeader(contentType string, body []byte, at time.Time) http.Header {
	h := http.Header{}
	h.Set("Content-Type", contentType)
	h.Set("User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
	h.Set("X-Slack-Request-Timestamp", strconv.FormatInt(at.Unix(), 10))
	h.Set("X-Slack-Signature", Sign(w.cfg.SigningSecret, at.Unix(), body))
	return h
}
