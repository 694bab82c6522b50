package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// environment makes a lookup from pairs of name and value.
func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "houston.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// with is the default configuration after change.
func with(change func(*Config)) Config {
	c := defaultConfig()
	change(&c)
	return c
}

func TestLoadConfig(t *testing.T) {
	t.Parallel()
	type env = map[string]string
	tests := []struct {
		name string
		file string
		env  env
		want Config
	}{
		{"an empty file is the defaults", "", nil, defaultConfig()},
		{"sections without keys", "slack:\nbridge: {}\nretention: {}\n", nil, defaultConfig()},
		{"a file", "listen: 127.0.0.1:0\nlame_duck: 1m30s\nslack: {bot_token: xoxb-1, invite: [U1, S2]}", nil, with(func(c *Config) {
			c.Listen, c.LameDuck = "127.0.0.1:0", 90*time.Second
			c.Slack.BotToken, c.Slack.Invite = "xoxb-1", []string{"U1", "S2"}
		})},
		{"environment alone", "", env{
			"HOUSTON_DATABASE": "postgres://h:p@db/houston", "HOUSTON_SLACK_BOT_TOKEN": "xoxb-1",
			"HOUSTON_LAME_DUCK": "0s", "HOUSTON_WEB_TOKEN_PRIVATE": "true", "HOUSTON_ALERTS_MAX_DECLARED_PER_MINUTE": "3",
		}, with(func(c *Config) {
			c.Database, c.Slack.BotToken, c.LameDuck = "postgres://h:p@db/houston", "xoxb-1", 0
			c.Web.TokenPrivate, c.Alerts.MaxDeclaredPerMinute = true, 3
		})},
		{"the environment wins", "listen: ':1'\nweb: {token: file}", env{"HOUSTON_LISTEN": ":2", "HOUSTON_WEB_TOKEN": "env"}, with(func(c *Config) {
			c.Listen, c.Web.Token = ":2", "env"
		})},
		{"an empty variable says nothing", "listen: ':1'", env{"HOUSTON_LISTEN": ""}, with(func(c *Config) { c.Listen = ":1" })},
		{"variables of others", "", env{"HOUSTON_SERVICE_HOST": "10.0.0.1", "HOUSTON_PORT": "tcp://10.0.0.1:80"}, defaultConfig()},
		{"lists in variables", "", env{
			"HOUSTON_SLACK_INVITE": "U1, S2,", "HOUSTON_PERMISSIONS_ADMIN": `["U3"]`,
			"HOUSTON_ALERTS_ROUTES": `[{matchers: ["team=lending"], action: ignore}]`,
		}, with(func(c *Config) {
			c.Slack.Invite, c.Permissions.Admin = []string{"U1", "S2"}, []string{"U3"}
			c.Alerts.Routes = []RouteConfig{{Matchers: []string{"team=lending"}, Action: "ignore"}}
		})},
		{"a token written as a number", "web: {token: 12345}", nil, with(func(c *Config) { c.Web.Token = "12345" })},
		{"one status page", "statuspage: {provider: builtin, builtin: {title: KreditSmart}}", nil, with(func(c *Config) { c.StatusPage.Builtin.Title = "KreditSmart" })},
		{"no status page", "statuspage: {provider: none}", nil, with(func(c *Config) { c.StatusPage.Provider = []string{"none"} })},
		{"no bridge", "bridge: {provider: none, fallback: none}", nil, with(func(c *Config) { c.Bridge.Provider, c.Bridge.Fallback = "none", "none" })},
		{"one room for all", "bridge: {provider: link, link: {url: https://call.example/war-room}}", nil, with(func(c *Config) {
			c.Bridge.Provider, c.Bridge.Link.URL = "link", "https://call.example/war-room"
		})},
		{"no password on loopback", "listen: '[::1]:80'\nweb: {auth: none}", nil, with(func(c *Config) { c.Listen, c.Web.Auth = "[::1]:80", "none" })},
		{"routes", `
alerts:
  routes:
    - {matchers: ['severity=~"critical|page"', team!=lending], action: declare, severity: sev1, service: offers}
    - {action: heartbeat}
`, nil, with(func(c *Config) {
			c.Alerts.Routes = []RouteConfig{
				{Matchers: []string{`severity=~"critical|page"`, "team!=lending"}, Action: "declare", Severity: "sev1", Service: "offers"},
				{Action: "heartbeat"},
			}
		})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := loadConfig(writeConfig(t, tt.file), environment(tt.env))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
}

// Each complaint names its key and says what to write instead.
func TestLoadConfigRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		file string
		want string // a line of the message, whole
	}{
		{"no YAML", "listen: [", "read the configuration: …did not find expected node content"},
		{"no keys", "just a word", `…write keys and values, such as listen: ":8080"`},
		{"unknown key", "lissten: ':1'", "lissten: unknown key; the nearest known one is listen"},
		{"unknown key without a value", "lissten:", "lissten: unknown key; the nearest known one is listen"},
		{"unknown section without keys", "slak: {}", "slak: unknown key; the nearest known one is slack"},
		{"unknown key in a section", "slack: {bot_tokn: x}", "slack.bot_tokn: unknown key; the nearest known one is slack.bot_token"},
		{"unknown key in a list", "alerts: {routes: [{matcher: [], action: offer}]}", "alerts.routes[0].matcher: unknown key; the nearest known one is alerts.routes.matchers"},
		{"key in the wrong section", "signing_secret: x", "signing_secret: unknown key; the nearest known one is slack.signing_secret"},
		{"key with a dot", "slack.bot_token: x", "slack.bot_token: write it as bot_token in the section slack"},
		{"duration without a unit", "lame_duck: 5", "lame_duck: must be a duration with its unit, such as 5s, 30m or 2h"},
		{"negative duration", "lame_duck: -5s", "lame_duck: -5s is negative; write 0s for no pause"},
		{"negative flap window", "alerts: {flap_window: -1m}", "alerts.flap_window: -1m0s is negative; write a duration such as 30m"},
		{"list for a word", "language: [en]", "language: must be text"},
		{"word for a section", "slack: hello", "slack: must be a section with keys"},
		{"word for what is not built yet", "smtp: mail.example", "smtp: must be a section with keys"},
		{"word in a list of sections", "alerts: {routes: [ignore]}", "alerts.routes[0]: must be a section with keys"},
		{"word for a number", "alerts: {max_declared_per_minute: ten}", "alerts.max_declared_per_minute: must be a whole number"},
		{"word for a yes or no", "web: {token_private: maybe}", "web.token_private: must be true or false"},
		{"listen without a port", "listen: localhost", `listen: "localhost" is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080, or ":8080" for every interface`},
		{"listen on a port that is none", "listen: ':99999'", `listen: ":99999" is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080, or ":8080" for every interface`},
		{"relative public address", "public_url: houston.example", `public_url: "houston.example" is no web address; write one such as https://houston.example.com`},
		{"another database", "database: mysql://root:hunter2@db", "database: the kind of database is unknown; write sqlite:FILE, such as sqlite:houston.db, or postgres://USER:PASSWORD@HOST/NAME"},
		{"sqlite without a file", "database: 'sqlite:'", "database: no file is named; write sqlite:FILE, such as sqlite:houston.db, or postgres://USER:PASSWORD@HOST/NAME"},
		{"sqlite as a web address", "database: sqlite://houston.db", "database: no file is named; write sqlite:FILE, such as sqlite:houston.db, or postgres://USER:PASSWORD@HOST/NAME"},
		{"bad postgres address", "database: postgres://h:hunter2@db:port/x", "database: …write sqlite:FILE, such as sqlite:houston.db, or postgres://USER:PASSWORD@HOST/NAME"},
		{"time zone", "time_zone: Berlin", `time_zone: "Berlin" is no time zone; write a name such as Europe/Berlin or UTC`},
		{"the machine's time zone", "time_zone: Local", `time_zone: "Local" is no time zone; write a name such as Europe/Berlin or UTC`},
		{"another language", "language: fr", `language: "fr" is unknown; use one of en, de`},
		{"retention", "retention: {incidents: 1y}", "retention: is not built yet; remove it"},
		{"tokens swapped", "slack: {bot_token: xapp-1}", "slack.bot_token: this is an app-level token; it belongs in slack.app_token, and the one that begins with xoxb- here"},
		{"tokens swapped the other way", "slack: {app_token: xoxb-1}", "slack.app_token: this is a bot token; it belongs in slack.bot_token, and the one that begins with xapp- here"},
		{"Slack's address without a slash", "slack: {api_url: https://slack.com/api}", "slack.api_url: must end with a slash, as https://slack.com/api/ does"},
		{"Slack's address", "slack: {api_url: slack/}", `slack.api_url: "slack/" is no web address; write one such as https://houston.example.com`},
		{"command without a slash", "slack: {command: incident}", `slack.command: "incident" is no slash command; write one word with its slash, such as /incident`},
		{"no announce channel", "slack: {announce_channel: ''}", "slack.announce_channel: is empty; write a channel's id or name, such as incidents"},
		{"mapping without a title", "webhook: {generic: [{source: k8s, kind: change}]}", "webhook.generic[0]: fields.title is missing"},
		{"mapping of nobody", "webhook: {generic: [{kind: alert, fields: {name: n}}]}", `webhook.generic[0].source: "" is empty or stands there twice; write the NAME of ?source=NAME`},
		{"mapping with a broken template", "webhook: {generic: [{source: a, kind: alert, fields: {name: '{{.x'}}]}", "webhook.generic[0]: fields.name: the template can not be read…"},
		{"matcher", "alerts: {routes: [{matchers: ['severity=~\"(\"'], action: offer}]}", "alerts.routes[0].matchers: …write it as in Alertmanager, such as severity=~\"critical|page\""},
		{"action", "alerts: {routes: [{action: page}]}", `alerts.routes[0].action: "page" is no action; write one of declare, offer, attach, heartbeat, ignore`},
		{"no action", "alerts: {routes: [{}]}", `alerts.routes[0].action: "" is no action; write one of declare, offer, attach, heartbeat, ignore`},
		{"severity of a route", "alerts: {routes: [{action: offer}, {action: declare, severity: high}]}", `alerts.routes[1].severity: "high" is unknown; use one of sev1, sev2, sev3, sev4`},
		{"severity template", "alerts: {routes: [{action: declare, severity: '{{ .Labels.x'}]}", `alerts.routes[0].severity: template "{{ .Labels.x": template: route:1: unclosed action; write a template such as {{ .Labels.severity }}`},
		{"severity map", "alerts: {routes: [{action: declare, severity_map: {page: high}}]}", `alerts.routes[0].severity_map.page: "high" is unknown; use one of sev1, sev2, sev3, sev4`},
		{"private offer", "alerts: {routes: [{action: offer, private: true, invite: [U1]}]}", "alerts.routes[0].private: a private route can only declare: an offer stands in the announce channel for all to read; write action: declare, or remove it"},
		{"private for nobody", "alerts: {routes: [{action: declare, private: true}]}", "alerts.routes[0].private: nobody would be in the channel; write under invite who is to see it"},
		{"invited by name", "alerts: {routes: [{action: declare, invite: [anna]}]}", `alerts.routes[0].invite[0]: "anna" is no Slack id; write a user's (U…) or a user group's (S…), from its profile in Slack`},
		{"time without a threshold", "alerts: {routes: [{action: declare, threshold_within: 5m}]}", "alerts.routes[0].threshold_within: says nothing without a threshold of 2 or more; write threshold, or remove it"},
		{"negative delay", "alerts: {routes: [{action: declare, delay: -5m}]}", "alerts.routes[0].delay: -5m0s is negative; write a duration such as 5m"},
		{"nothing may be declared", "alerts: {max_declared_per_minute: 0}", "alerts.max_declared_per_minute: 0 would declare nothing; write a number above 0"},
		{"Alertmanager without an address", "alertmanagers: {name: berlin}", `alertmanagers[0].url: "" is no web address; write one such as https://houston.example.com`},
		{"two Alertmanagers of a name", "alertmanagers: [{url: http://a:9093}, {url: http://b:9093}]", `alertmanagers[1].name: "" stands twice; each needs a name of its own`},
		{"half a certificate", "alertmanagers: {url: http://a:9093, tls: {cert_file: c.pem}}", "alertmanagers[0].tls: cert_file and key_file go together; write both, or none"},
		{"too soon stale", "alerts: {stale_after: 1ms}", "alerts.stale_after: 1ms is too short; write a duration such as 10m, or 0s for never"},
		{"Prometheus without an address", "prometheus: [{name: berlin}]", `prometheus[0].url: "" is no web address; write one such as https://houston.example.com`},
		{"bridge for later", "bridge: {provider: zoom}", `bridge.provider: "zoom" is not built yet; use "jitsi"`},
		{"unknown bridge", "bridge: {provider: skype}", `bridge.provider: "skype" is unknown; use one of jitsi, link, none`},
		{"fallback for later", "bridge: {fallback: teams}", `bridge.fallback: "teams" is not built yet; use "jitsi"`},
		{"keys of a bridge for later", "bridge: {whereby: {token: x}}", "bridge.whereby: is not built yet; remove it"},
		{"link without an address", "bridge: {provider: link}", `bridge.link.url: "" is no web address; write one such as https://houston.example.com`},
		{"status page for later", "statuspage: {provider: cachet}", `statuspage.provider: "cachet" is not built yet; use "builtin"`},
		{"a status page and none", "statuspage: {provider: [none, builtin]}", `statuspage.provider: "none" stands beside another; write "none" alone, or leave it out`},
		{"status page's own listener", "statuspage: {listen: here}", `statuspage.listen: "here" is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080, or ":8080" for every interface`},
		{"a listener for no page", "statuspage: {provider: none, listen: ':1'}", `statuspage.listen: only the built-in page listens; add "builtin" to statuspage.provider, or remove it`},
		{"status page's address", "statuspage: {builtin: {url: status}}", `statuspage.builtin.url: "status" is no web address; write one such as https://houston.example.com`},
		{"pager without anybody to wake", "pager: {provider: pagerduty}", `pager: "pagerduty" has nobody to wake; write pager.pagerduty.routing_key`},
		{"route that pages nobody", "alerts: {routes: [{action: declare, page: [lending]}]}", `alerts.routes[0].page: the pager has no target "lending"; add it under pager, or write one of those that are there (none)`},
		{"pager that is unknown", "pager: {provider: bells}", `pager.provider: "bells" is unknown; use one of none, pagerduty, opsgenie, goalert`},
		{"pager without its address", "pager: {provider: goalert, goalert: {token: x}}", `pager.goalert.url: "" is no web address; write one such as https://houston.example.com`},
		{"tracker", "tracker: {provider: jira}", `tracker.provider: "jira" is not built yet; use "none"`},
		{"mail", "smtp: {host: mail}", "smtp: is not built yet; remove it"},
		{"postmortems for no severity", "postmortem: {required_for: [sev9]}", `postmortem.required_for[0]: "sev9" is unknown; use one of sev1, sev2, sev3, sev4`},
		{"runbook without steps", "runbooks: [{name: a}]", "runbooks[0]: write path, a Markdown file, or text"},
		{"runbook without a name", "runbooks: [{text: x}]", "runbooks[0].name: is empty; write what people call it"},
		{"runbook twice", "runbooks: [{name: a, text: x}, {name: a, text: y}]", `runbooks[1].name: "a" stands twice; give each its own name`},
		{"quiet hours", "quiet_hours: {start: '10 pm'}", `quiet_hours.start: "10 pm" is no time of day; write HH:MM in quotes, such as "22:00"`},
		{"quiet days", "quiet_hours: {days: [sunday]}", `quiet_hours.days[0]: "sunday" is no day; write some of sun, mon, tue, wed, thu, fri, sat`},
		{"quiet for ever", "quiet_hours: {days: [mon, tue, wed, thu, fri, sat, sun]}", "quiet_hours.days: all days are quiet, so that nobody would ever be asked; leave some out"},
		{"quiet nowhere", "quiet_hours: {zone: Mars}", `quiet_hours.zone: "Mars" is no time zone; write a name such as Europe/Berlin, or leave it out`},
		{"permission by name", "permissions: {admin: [U1, '@anna']}", `permissions.admin[1]: "@anna" is no Slack id; write a user's (U…) or a user group's (S…), from its profile in Slack`},
		{"open to everybody", "web: {auth: none}", `web.auth: "none" lets everybody in who reaches ":8080"; listen on 127.0.0.1, or use "slack"`},
		{"signing in with OIDC", "web: {oidc: {client_id: x}}", `web.oidc: needs both client_id and client_secret, from the Slack app's page "Basic Information"; leave both out to sign in by a link`},
		{"another issuer", "web: {oidc: {url: slack}}", `web.oidc.url: "slack" is no web address; write one such as https://houston.example.com`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := loadConfig(writeConfig(t, tt.file), environment(nil))
			if err == nil {
				t.Fatalf("accepted, want %s", tt.want)
			}
			if !hasLine(err.Error(), tt.want) {
				t.Errorf("error:\n%v\nwant the line:\n%s", err, tt.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error shows a password: %v", err)
			}
		})
	}
}

// hasLine reports that text has the line want, in which … stands for anything.
func hasLine(text, want string) bool {
	head, tail, open := strings.Cut(want, "…")
	// A real … in a message is matched by the head and the tail around it.
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == want || open && strings.HasPrefix(line, head) && strings.HasSuffix(line, tail) {
			return true
		}
	}
	return false
}

func TestEveryComplaintAtOnce(t *testing.T) {
	t.Parallel()
	_, err := loadConfig(writeConfig(t, "lissten: x\nlame_duck: 5\n"), environment(map[string]string{"HOUSTON_SMTP": "{"}))
	checkLines(t, err, "lissten: …", "lame_duck: …", "HOUSTON_SMTP: …")
	_, err = loadConfig(writeConfig(t, "listen: x\ntime_zone: y\nlanguage: z\n"), environment(nil))
	checkLines(t, err, "listen: …", "time_zone: …", "language: …")
}

func checkLines(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, line := range want {
		if !hasLine(err.Error(), line) {
			t.Errorf("error:\n%v\nwant the line %s", err, line)
		}
	}
}

func TestConfigFile(t *testing.T) {
	if _, err := loadConfig(filepath.Join(t.TempDir(), "none.yaml"), environment(nil)); err == nil {
		t.Error("a file that was named but is not there is no error")
	}
	t.Chdir(t.TempDir())
	if got, err := loadConfig("", environment(nil)); err != nil || got.Listen != ":8080" {
		t.Errorf("without a file: listen = %q, error %v; want the default", got.Listen, err)
	}
	if err := os.WriteFile(defaultConfigFile, []byte("listen: ':7'"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := loadConfig("", environment(nil)); err != nil || got.Listen != ":7" {
		t.Errorf("with ./houston.yaml: listen = %q, error %v; want :7", got.Listen, err)
	}
}
