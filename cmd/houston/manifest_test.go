package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// printedManifest is what the tests read of a manifest.
type printedManifest struct {
	Features struct {
		Commands []struct{ Command, URL string } `json:"slash_commands"`
	}
	OAuth struct {
		Scopes struct{ Bot []string }
	} `json:"oauth_config"`
	Settings struct {
		Socket bool `json:"socket_mode_enabled"`
		Events struct {
			Bot []string `json:"bot_events"`
		} `json:"event_subscriptions"`
	}
}

func printManifest(t *testing.T, env map[string]string, args ...string) printedManifest {
	t.Helper()
	code, out, errs := houston(t, env, append([]string{"manifest"}, args...)...)
	if code != 0 || errs != "" {
		t.Fatalf("manifest ended with %d: %s", code, errs)
	}
	var m printedManifest
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatalf("manifest printed %s: %v", out, err)
	}
	return m
}

func TestManifest(t *testing.T) {
	t.Parallel()
	configured := map[string]string{"HOUSTON_SLACK_COMMAND": "/inc"}
	tests := []struct {
		name         string
		env          map[string]string
		args         []string
		command, url string
		socket       bool
	}{
		{"by itself", nil, nil, "/incident", "", true},
		{"Socket Mode", nil, []string{"--socket"}, "/incident", "", true},
		{"HTTP", nil, []string{"--url", "https://h.example.com"}, "/incident", "https://h.example.com/slack/commands", false},
		{"the configured command", configured, nil, "/inc", "", true},
		{"another command", configured, []string{"--command", "/outage"}, "/outage", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := printManifest(t, tt.env, tt.args...)
			if c := m.Features.Commands[0]; c.Command != tt.command || c.URL != tt.url || m.Settings.Socket != tt.socket {
				t.Errorf("printed %+v", m)
			}
		})
	}
}

func TestManifestRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"both transports", []string{"--url", "https://h.example.com", "--socket"}, "exclude each other"},
		{"http", []string{"--url", "http://h.example.com"}, "https only"},
		{"a command without a slash", []string{"--command", "incident"}, "such as /incident"},
		{"a configuration that is not there", []string{"--config", "none.yaml"}, "none.yaml"},
		{"an argument", []string{"now"}, "unknown command"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := houston(t, nil, append([]string{"manifest"}, tt.args...)...)
			if code != 1 || out != "" || !strings.Contains(errs, tt.want) {
				t.Errorf("ended with %d, %q and %q; want %q", code, out, errs, tt.want)
			}
		})
	}
}

// TestManifestIsEnough plays a house in a workspace whose app has the manifest's
// scopes and events and no others. Answers get lost, so that Houston looks for
// what it has made, and a repair looks at all of it.
func TestManifestIsEnough(t *testing.T) {
	t.Parallel()
	m := printManifest(t, nil)
	w, api := newSlackWith(t, sandbox.Config{Scopes: m.OAuth.Scopes.Bot, Events: m.Settings.Events.Bot})
	group := w.AddUserGroup(sandbox.UserGroup{Name: "On call", Handle: "oncall", Users: []string{ben}})
	h := newHouse(t, plan{slack: w, api: api, socket: true, env: map[string]string{
		"HOUSTON_SLACK_INVITE": group.ID, "HOUSTON_PERMISSIONS_SEE_PRIVATE": group.ID,
	}})
	incident := func(text, name string) {
		for _, method := range []string{"conversations.create", "chat.postMessage"} {
			w.Inject(sandbox.Fault{Method: method, Times: 1, Kind: sandbox.FaultDropAfter{}})
		}
		h.say(anna, announced, "declare "+text)
		h.untilWithin(time.Minute, "#"+name+" is usable", func() bool {
			c, ok := w.Channel(name)
			return ok && len(w.Pins(c.ID)) == 1 && len(w.Bookmarks(c.ID)) == 1 && c.Topic != "" &&
				slices.Contains(c.Members, anna) && (c.Private || slices.Contains(c.Members, ben)) // strangers to a private one are not invited
		})
		for _, command := range []string{"lead", "severity sev1", "status identified The pool", "mitigated", "repair"} {
			h.say(anna, name, command)
		}
		h.untilWithin(time.Minute, "the repair of #"+name+" has looked", func() bool {
			c, _ := w.Channel(name)
			return slices.ContainsFunc(w.Calls("pins.list"), func(call sandbox.Call) bool { return call.Args["channel"] == c.ID })
		})
	}
	incident("Offers are slow", "inc-1-offers-are-slow")
	incident("Customer data leaked --private", "inc-2")
	w.AddUser(sandbox.User{ID: "U0NEW", Name: "new"})
	h.say("U0NEW", announced, "list")

	for _, call := range w.Calls("*") {
		if call.Error == "missing_scope" {
			t.Errorf("%s %v was refused for want of a scope", call.Method, call.Args)
		}
	}
	// What needs scopes, and is only called when something went wrong.
	for _, method := range []string{
		"apps.connections.open", "auth.test", "bookmarks.list", "chat.update", "conversations.history", "conversations.info", "conversations.join",
		"conversations.list", "pins.list", "usergroups.users.list", "users.conversations", "users.info", "users.list",
	} {
		if len(w.Calls(method)) == 0 {
			t.Errorf("%s was never called: the test proves nothing about it", method)
		}
	}
}
