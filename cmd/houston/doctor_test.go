package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack/setup"
	"github.com/houston-sre/houston/incidents/sqlstore"
)

// examined is what doctor said.
type examined struct {
	t        *testing.T
	code     int
	findings []finding
	text     string // without --json
}

// healthy is the environment of a Houston that lacks nothing.
func healthy(t *testing.T, w *sandbox.Workspace, api string) map[string]string {
	t.Helper()
	return map[string]string{
		"HOUSTON_DATABASE": "sqlite:" + filepath.Join(t.TempDir(), "houston.db"), "HOUSTON_SLACK_API_URL": api,
		"HOUSTON_SLACK_BOT_TOKEN": w.BotToken(), "HOUSTON_SLACK_APP_TOKEN": w.AppToken(), "HOUSTON_SLACK_SIGNING_SECRET": w.SigningSecret(),
		"HOUSTON_WEBHOOK_TOKEN": webhookToken, "HOUSTON_WEB_TOKEN": apiToken, "HOUSTON_PUBLIC_URL": "https://houston.example.com",
		"HOUSTON_TIME_ZONE": "Europe/Zurich", "HOUSTON_SLACK_INVITE": ben,
	}
}

// examine runs doctor both ways and sees to it that no secret is printed.
func examine(t *testing.T, env map[string]string) examined {
	t.Helper()
	code, out, errs := houston(t, env, "doctor", "--json")
	e := examined{t: t, code: code}
	if err := json.Unmarshal([]byte(out), &e.findings); err != nil {
		t.Fatalf("doctor --json printed %s (%s): %v", out, errs, err)
	}
	textCode, text, textErrs := houston(t, env, "doctor")
	if e.text = text; textCode != code {
		t.Errorf("doctor ended with %d, and with --json with %d", textCode, code)
	}
	for _, key := range []string{"BOT_TOKEN", "APP_TOKEN", "SIGNING_SECRET"} {
		if secret := env["HOUSTON_SLACK_"+key]; secret != "" && strings.Contains(out+errs+text+textErrs, secret) {
			t.Errorf("doctor printed slack.%s:\n%s%s", key, text, textErrs)
		}
	}
	for _, secret := range []string{"the-password", webhookToken, apiToken} {
		if strings.Contains(out+errs+text+textErrs, secret) {
			t.Errorf("doctor printed %s:\n%s%s", secret, text, textErrs)
		}
	}
	failing := slices.ContainsFunc(e.findings, func(f finding) bool { return f.Status == setup.Failing })
	if (code == 1) != failing || failing != strings.Contains(errs, "checks failed") {
		t.Errorf("doctor ended with %d and %q:\n%s", code, errs, text)
	}
	for _, f := range e.findings {
		if f.Check == "" || f.Message == "" || (f.Fix == "") != (f.Status == setup.Fine) {
			t.Errorf("a finding without words for whoever is to act: %+v", f)
		}
	}
	return e
}

// says checks that one finding is as wanted, with some text in its words.
func (e examined) says(check string, status setup.Status, text string) {
	e.t.Helper()
	for _, f := range e.findings {
		if f.Check == check && f.Status == status && strings.Contains(f.Message+"\n"+f.Fix, text) {
			return
		}
	}
	e.t.Errorf("no finding %s %s with %q in it:\n%s", status, check, text, e.text)
}

// only checks that nothing else than these checks is not fine.
func (e examined) only(checks ...string) {
	e.t.Helper()
	for _, f := range e.findings {
		if f.Status != setup.Fine && !slices.Contains(checks, f.Check) {
			e.t.Errorf("%s %s: %s", f.Status, f.Check, f.Message)
		}
	}
}

func TestDoctorFindsNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		w, api := newSlackWith(t, sandbox.Config{Scopes: printManifest(t, nil).OAuth.Scopes.Bot})
		env := healthy(t, w, api)
		if p.database != "" {
			env["HOUSTON_DATABASE"] = p.database
		}
		env["HOUSTON_SLACK_INVITE"] = ben + "," + w.AddUserGroup(sandbox.UserGroup{Name: "On call", Users: []string{anna}}).ID
		e := examine(t, env)
		e.only()
		if e.code != 0 {
			t.Errorf("ended with %d", e.code)
		}
		e.says("slack.announce_channel", setup.Fine, "joins #incidents")
		e.says("slack.app_token", setup.Fine, "Socket Mode can connect")
		e.says("slack.invite", setup.Fine, "all 2")
		if strings.Contains(e.text, "FAIL") || !strings.Contains(e.text, "ok    time_zone: Europe/Zurich, where it is ") {
			t.Errorf("printed:\n%s", e.text)
		}
		if code, _, errs := houston(t, env, "migrate"); code != 0 {
			t.Fatal(errs)
		}
		w.Join(w.BotUser().ID, announced)
		e = examine(t, env)
		e.only()
		e.says("database schema", setup.Fine, "is at this version's")
		e.says("database", setup.Fine, "can be written to")
		e.says("slack.announce_channel", setup.Fine, "Houston is in #incidents")
		for _, call := range w.Calls("*") {
			if !slices.Contains([]string{"auth.test", "team.info", "conversations.info", "conversations.list", "users.info", "usergroups.users.list", "apps.connections.open"}, call.Method) {
				t.Errorf("doctor called %s: it is to read only", call.Method)
			}
		}
	})
}

func TestDoctorNamesMissingScopes(t *testing.T) {
	t.Parallel()
	all := printManifest(t, nil).OAuth.Scopes.Bot
	for _, missing := range all {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			scopes := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == missing })
			w, api := newSlackWith(t, sandbox.Config{Scopes: scopes})
			e := examine(t, healthy(t, w, api))
			e.says("slack scope "+missing, setup.Failing, "which Houston needs to ")
			e.says("slack scope "+missing, setup.Failing, "houston manifest")
			for _, f := range e.findings {
				if f.Status == setup.Failing && f.Check != "slack scope "+missing {
					t.Errorf("one scope is missing, and doctor says: %s: %s", f.Check, f.Message)
				}
			}
		})
	}
}

// Slack itself names the token's scopes in the header of every answer.
func TestDoctorReadsScopesFromTheHeader(t *testing.T) {
	t.Parallel()
	w, api := newSlackWith(t, sandbox.Config{})
	target, err := url.Parse(strings.TrimSuffix(api, "api/"))
	if err != nil {
		t.Fatal(err)
	}
	all := printManifest(t, nil).OAuth.Scopes.Bot
	proxy := httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("X-OAuth-Scopes", strings.Join(all[1:], ","))
			return nil
		},
	}
	server := httptest.NewServer(&proxy)
	t.Cleanup(server.Close)
	e := examine(t, healthy(t, w, server.URL+"/api/"))
	e.says("slack scope "+all[0], setup.Failing, "lacks "+all[0])
	e.only("slack scope " + all[0])
	if n := len(w.Calls("team.info")); n != 0 {
		t.Errorf("the scopes were asked for %d times although the header has them", n)
	}
}

func TestDoctorFindings(t *testing.T) {
	t.Parallel()
	scopes := printManifest(t, nil).OAuth.Scopes.Bot
	tests := []struct {
		name   string
		before func(*sandbox.Workspace)
		env    map[string]string
		check  string
		status setup.Status
		text   string
	}{
		{"wrong token", nil, map[string]string{"HOUSTON_SLACK_BOT_TOKEN": "xoxb-wrong"}, "slack.bot_token", setup.Failing, "invalid_auth"},
		{"no token", nil, map[string]string{"HOUSTON_SLACK_BOT_TOKEN": ""}, "configuration", setup.Failing, "slack.bot_token: is empty"},
		{"wrong app token", nil, map[string]string{"HOUSTON_SLACK_APP_TOKEN": "xapp-wrong"}, "slack.app_token", setup.Failing, "invalid_auth"},
		{"no channel", nil, map[string]string{"HOUSTON_SLACK_ANNOUNCE_CHANNEL": "#outages"}, "slack.announce_channel", setup.Failing, `no channel "outages"`},
		{"archived channel", func(w *sandbox.Workspace) { w.Archive(announced) }, nil, "slack.announce_channel", setup.Failing, "#incidents is archived"},
		{"private channel", func(w *sandbox.Workspace) {
			w.AddChannel(sandbox.Channel{Name: "secret", Private: true, Creator: anna})
		}, map[string]string{"HOUSTON_SLACK_ANNOUNCE_CHANNEL": "secret"}, "slack.announce_channel", setup.Failing, "/invite @houston"},
		{"channel by id", func(w *sandbox.Workspace) {
			w.AddChannel(sandbox.Channel{ID: "C0OUTAGES", Name: "outages", Creator: anna})
		}, map[string]string{"HOUSTON_SLACK_ANNOUNCE_CHANNEL": "C0OUTAGES"}, "slack.announce_channel", setup.Fine, "#outages"},
		{"channel on a later page", func(w *sandbox.Workspace) {
			w.AddChannel(sandbox.Channel{Name: "outages", Creator: anna})
			w.PageSize(1)
		}, map[string]string{"HOUSTON_SLACK_ANNOUNCE_CHANNEL": "outages"}, "slack.announce_channel", setup.Fine, "#outages"},
		{"deactivated person", func(w *sandbox.Workspace) { w.Deactivate(ben) }, nil, "slack.invite " + ben, setup.Failing, "ben is deactivated"},
		{"unknown person", nil, map[string]string{"HOUSTON_SLACK_INVITE": "U0NOBODY"}, "slack.invite U0NOBODY", setup.Failing, "no such person"},
		{"unknown group", nil, map[string]string{"HOUSTON_SLACK_INVITE": "S0NOBODY"}, "slack.invite S0NOBODY", setup.Failing, "no such user group"},
		{"name instead of an id", nil, map[string]string{"HOUSTON_SLACK_INVITE": "@ben"}, "slack.invite @ben", setup.Failing, "no id"},
		{"unknown administrator", nil, map[string]string{"HOUSTON_PERMISSIONS_ADMIN": "U0NOBODY"}, "permissions.admin U0NOBODY", setup.Warning, "no such person"},
		{"rate limit", func(w *sandbox.Workspace) {
			w.Inject(sandbox.Fault{Method: "users.info", Kind: sandbox.FaultRateLimit{RetryAfter: time.Minute}})
		}, nil, "slack.invite " + ben, setup.Warning, "asks to wait"},
		{"outage", func(w *sandbox.Workspace) {
			w.Inject(sandbox.Fault{Method: "auth.test", Kind: sandbox.FaultStatus{}})
		}, nil, "slack.bot_token", setup.Failing, "HTTP 503"},
		{"nobody listens", nil, map[string]string{"HOUSTON_SLACK_API_URL": "http://127.0.0.1:1/api/"}, "slack.bot_token", setup.Failing, "connection refused"},
		{"no PostgreSQL", nil, map[string]string{"HOUSTON_DATABASE": "postgres://houston:the-password@127.0.0.1:1/houston"}, "database", setup.Failing, "127.0.0.1:1"},
		{"no folder", nil, map[string]string{"HOUSTON_DATABASE": "sqlite:/no/such/folder/houston.db"}, "database", setup.Failing, "no folder /no/such/folder"},
		{"no file", nil, map[string]string{"HOUSTON_DATABASE": "sqlite:testdata/config"}, "database", setup.Failing, "is no file"},
		{"no database file", nil, map[string]string{"HOUSTON_DATABASE": "sqlite:testdata/config/full.yaml"}, "database", setup.Failing, "not a database"},
		{"no webhook token", nil, map[string]string{"HOUSTON_WEBHOOK_TOKEN": ""}, "webhook.token", setup.Warning, "every alert is refused"},
		{"no API token", nil, map[string]string{"HOUSTON_WEB_TOKEN": ""}, "web.token", setup.Warning, "refuses everybody"},
		{"no public URL", nil, map[string]string{"HOUSTON_PUBLIC_URL": ""}, "public_url", setup.Warning, "is empty"},
		{"plain public URL", nil, map[string]string{"HOUSTON_PUBLIC_URL": "http://houston.example.com"}, "public_url", setup.Warning, "https only"},
		{"plain bridge", nil, map[string]string{"HOUSTON_BRIDGE_JITSI_URL": "http://meet.example.com"}, "bridge", setup.Warning, "microphone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w, api := newSlackWith(t, sandbox.Config{Scopes: scopes})
			if tt.before != nil {
				tt.before(w)
			}
			env := healthy(t, w, api)
			maps.Copy(env, tt.env)
			e := examine(t, env)
			e.says(tt.check, tt.status, tt.text)
			e.only(tt.check)
		})
	}
}

func TestDoctorSaysEveryProblemOfTheConfiguration(t *testing.T) {
	t.Parallel()
	e := examine(t, map[string]string{"HOUSTON_LANGUAGE": "fr", "HOUSTON_LISTEN": "x", "HOUSTON_DATABASE": "postgres://u:the-password@:::/h"})
	for _, key := range []string{"language: ", "listen: ", "database: "} {
		e.says("configuration", setup.Failing, key)
	}
	if len(e.findings) != 3 || strings.Count(e.text, "FAIL") != 3 {
		t.Errorf("printed:\n%s", e.text)
	}
}

func TestDoctorTellsHowOldTheDatabaseIs(t *testing.T) {
	t.Parallel()
	w, api := newSlackWith(t, sandbox.Config{})
	for _, tt := range []struct {
		name, change string
		status       setup.Status
		text         string
	}{
		{"older", `DELETE FROM goose_db_version WHERE version_id > 1`, setup.Warning, "migration 1 of "},
		{"newer", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, TRUE)`, setup.Failing, "newer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := healthy(t, w, api)
			store, err := sqlstore.Open(t.Context(), sqlstore.Config{URL: env["HOUSTON_DATABASE"]})
			if err != nil {
				t.Fatal(err)
			}
			if err := store.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := store.DB().ExecContext(t.Context(), tt.change); err != nil {
				t.Fatal(err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			examine(t, env).says("database schema", tt.status, tt.text)
			if code, _, errs := houston(t, env, "export", "INC-1"); code != 1 || !strings.Contains(errs, tt.name) {
				t.Errorf("export from it ended with %d: %s", code, errs)
			}
		})
	}
}

// A Slack that does not answer keeps nobody waiting for long.
func TestDoctorEndsInTime(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"*", "conversations.info", "users.info"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			w, api := newSlackWith(t, sandbox.Config{})
			w.Inject(sandbox.Fault{Method: method, Kind: sandbox.FaultDelay{Delay: time.Minute}})
			began := time.Now()
			_, out, _ := houston(t, healthy(t, w, api), "doctor")
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("doctor took %s:\n%s", took, out)
			}
			if !strings.Contains(out, "no answer from Slack") && !strings.Contains(out, "not found in time") {
				t.Errorf("doctor does not say that Slack did not answer:\n%s", out)
			}
		})
	}
}

func TestDoctorInvitesOnlyWhenItIsToTry(t *testing.T) {
	t.Parallel()
	code, _, errs := houston(t, nil, "doctor", "--invite", anna)
	if code != 1 || !strings.Contains(errs, "--invite belongs to --live") {
		t.Errorf("ended with %d, %q", code, errs)
	}
	code, out, _ := houston(t, nil, "doctor", "--live")
	if code != 1 || !strings.Contains(out, "nothing was tried in Slack") {
		t.Errorf("ended with %d, %q", code, out)
	}
}

// Doctor is asked when something is wrong, and then Houston is running.
func TestDoctorBesideServe(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		e := examine(t, h.env)
		e.says("database", setup.Fine, "can be written to")
		e.says("database schema", setup.Fine, "is at this version's")
		h.declared("Offers answer 500") // and it is none the worse for it
	})
}
