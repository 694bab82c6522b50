package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack/setup"
)

// live runs doctor --live and gives its findings about the scratch channel.
func live(t *testing.T, env map[string]string, args ...string) (code int, found map[string]setup.Finding, out string) {
	t.Helper()
	code, out, _ = houston(t, env, append([]string{"doctor", "--live", "--json"}, args...)...)
	var all []setup.Finding
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatalf("doctor printed %s: %v", out, err)
	}
	found = map[string]setup.Finding{}
	for _, f := range all {
		if strings.HasPrefix(f.Check, "live") {
			found[f.Check] = f
		}
	}
	return code, found, out
}

func TestDoctorLive(t *testing.T) {
	t.Parallel()
	w, api := newSlackWith(t, sandbox.Config{Scopes: printManifest(t, nil).OAuth.Scopes.Bot})
	before := len(w.Channels())
	code, found, out := live(t, healthy(t, w, api), "--invite", anna)
	if code != 0 {
		t.Errorf("ended with %d: %s", code, out)
	}
	for _, check := range []string{
		"create", "own channels", "name taken", "metadata", "metadata after an edit", "thread", "pin twice", "file",
		"invite the bot itself", "invite twice", "rename", "archive", "name of an archived channel", "post into the archive",
	} {
		if f := found["live: "+check]; f.Status != setup.Fine {
			t.Errorf("%s: %+v", check, f)
		}
	}
	channels := w.Channels()
	if len(channels) != before+1 {
		t.Fatalf("%d channels were made, want 1", len(channels)-before)
	}
	if c := channels[before]; !strings.HasPrefix(c.Name, "houston-doctor-") || !c.Archived {
		t.Errorf("left behind %+v", c)
	}
	if _, found, _ := live(t, healthy(t, w, api)); found["live: invite twice"].Check != "" {
		t.Errorf("nobody was to be invited: %+v", found["live: invite twice"])
	}
}

// TestDoctorLiveSaysWhatIsOtherwise runs against a Slack that does not do what
// Houston relies on.
func TestDoctorLiveSaysWhatIsOtherwise(t *testing.T) {
	t.Parallel()
	otherwise := func(r *http.Response, change func(path string, body []byte) []byte) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		body = change(r.Request.URL.Path, body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		return nil
	}
	for _, tt := range []struct {
		name   string
		fault  sandbox.Fault
		change func(path string, body []byte) []byte
		check  string
		says   string
	}{
		{name: "no channel can be made", fault: sandbox.Fault{Method: "conversations.create", Kind: sandbox.FaultError{Code: "restricted_action"}}, check: "create", says: "settings do not allow it"},
		{name: "another refusal", fault: sandbox.Fault{Method: "pins.add", After: 1, Kind: sandbox.FaultError{Code: "too_many_pins"}}, check: "pin twice", says: "answered too_many_pins, and was to answer already_pinned"},
		{name: "no answer", fault: sandbox.Fault{Method: "bookmarks.add", Kind: sandbox.FaultStatus{}}, check: "bookmark", says: "HTTP 503"},
		{name: "metadata is lost", change: func(path string, body []byte) []byte {
			if strings.HasSuffix(path, "conversations.history") {
				return bytes.ReplaceAll(body, []byte("houston_effect"), []byte("something_else"))
			}
			return body
		}, check: "metadata", says: "lost its metadata"},
		{name: "a new channel is not listed", change: func(path string, body []byte) []byte {
			if strings.HasSuffix(path, "users.conversations") {
				return []byte(`{"ok":true,"channels":[]}`)
			}
			return body
		}, check: "own channels", says: "not listed"},
		{name: "a name can be had twice", change: func(_ string, body []byte) []byte {
			if bytes.Contains(body, []byte(`"name_taken"`)) {
				return []byte(`{"ok":true,"channel":{"id":"C0TWICE"}}`)
			}
			return body
		}, check: "name taken", says: "Slack did it, and was to answer name_taken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, api := newSlackWith(t, sandbox.Config{Scopes: printManifest(t, nil).OAuth.Scopes.Bot})
			target, err := url.Parse(strings.TrimSuffix(api, "api/"))
			if err != nil {
				t.Fatal(err)
			}
			proxy := httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Host = r.In.Host // files are uploaded by the same way
			}}
			if tt.change != nil {
				proxy.ModifyResponse = func(r *http.Response) error { return otherwise(r, tt.change) }
			}
			server := httptest.NewServer(&proxy)
			t.Cleanup(server.Close)
			env := healthy(t, w, server.URL+"/api/")
			if tt.fault.Method != "" {
				w.Inject(tt.fault)
			}
			code, found, out := live(t, env)
			f := found["live: "+tt.check]
			if code != 1 || f.Status != setup.Failing || !strings.Contains(f.Message, tt.says) || f.Fix == "" {
				t.Errorf("ended with %d and %+v, want a failure that says %q:\n%s", code, f, tt.says, out)
			}
			for _, c := range w.Channels() {
				if strings.HasPrefix(c.Name, "houston-doctor-") && !c.Archived {
					t.Errorf("left #%s behind", c.Name)
				}
			}
		})
	}
}
