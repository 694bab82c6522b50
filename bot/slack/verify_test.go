package slack

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// The test vector of Slack's page on verifying requests.
const (
	vectorSecret    = "8f742231b10e8888abcd99yyyzzz85a5"
	vectorTime      = 1531420618
	vectorSignature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	vectorBody      = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		secret    string
		stamp     string
		signature string
		body      string
		late      time.Duration
		ok        bool
	}{
		{name: "Slack's own vector", ok: true},
		{name: "almost five minutes late", late: 5 * time.Minute, ok: true},
		{name: "almost five minutes early", late: -5 * time.Minute, ok: true},
		{name: "too late", late: 5*time.Minute + time.Second},
		{name: "too early", late: -5*time.Minute - time.Second},
		{name: "another body", body: vectorBody + "&x=1"},
		{name: "another secret", secret: "0000"},
		{name: "no signature", signature: "-"},
		{name: "another version", signature: "v1" + vectorSignature[2:]},
		{name: "not hex", signature: "v0=zz"},
		{name: "cut short", signature: vectorSignature[:20]},
		{name: "no time stamp", stamp: "-"},
		{name: "a time stamp that is no number", stamp: "now"},
		{name: "a time stamp that was moved", stamp: strconv.Itoa(vectorTime + 1)},
		{name: "a time stamp out of range", stamp: "9223372036854775807"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			setUnless(header, "X-Slack-Request-Timestamp", tt.stamp, strconv.Itoa(vectorTime))
			setUnless(header, "X-Slack-Signature", tt.signature, vectorSignature)
			clock := newMovedClock()
			clock.now = time.Unix(vectorTime, 0).Add(tt.late)
			v := verifier{secret: []byte(cmp.Or(tt.secret, vectorSecret)), clock: clock}
			err := v.verify(header, []byte(cmp.Or(tt.body, vectorBody)))
			if (err == nil) != tt.ok {
				t.Errorf("got %v, want ok %t", err, tt.ok)
			}
		})
	}
}

func TestVerifyWithoutASecretRefusesAll(t *testing.T) {
	t.Parallel()
	clock := newMovedClock()
	header := http.Header{}
	stamp := strconv.FormatInt(clock.Now().Unix(), 10)
	header.Set("X-Slack-Request-Timestamp", stamp)
	header.Set("X-Slack-Signature", sign("", stamp, "x"))
	if err := (verifier{clock: clock}).verify(header, []byte("x")); err == nil {
		t.Error("a request signed with the empty secret was taken")
	}
}

func FuzzVerify(f *testing.F) {
	f.Add(vectorSignature, "1531420618", vectorBody)
	f.Add("v0=", "1531420618", "")
	f.Add(vectorSignature, "-62135596801", vectorBody)
	f.Fuzz(func(t *testing.T, signature, stamp, body string) {
		clock := newMovedClock()
		clock.now = time.Unix(vectorTime, 0)
		header := http.Header{}
		header.Set("X-Slack-Signature", signature)
		header.Set("X-Slack-Request-Timestamp", stamp)
		v := verifier{secret: []byte(vectorSecret), clock: clock}
		if err := v.verify(header, []byte(body)); err == nil && sign(vectorSecret, stamp, body) != signature {
			// Upper-case hex is the same signature.
			if raw, _ := hex.DecodeString(signature[3:]); "v0="+hex.EncodeToString(raw) != sign(vectorSecret, stamp, body) {
				t.Errorf("took signature %q of %q", signature, body)
			}
		}
	})
}

func sign(secret, stamp, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + stamp + ":" + body))
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

// setUnless sets a header to value, or to the default when value is empty, or
// not at all when it is "-".
func setUnless(header http.Header, name, value, otherwise string) {
	if value != "-" {
		header.Set(name, cmp.Or(value, otherwise))
	}
}
