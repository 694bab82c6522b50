package main

import "time"

// Config is everything that can be set, by the file and by the environment.
// Each key can be written as an environment variable too: slack.bot_token is
// HOUSTON_SLACK_BOT_TOKEN. loadConfig fills it, Validate says what is wrong
// with it, and nothing changes it afterwards. It can be logged: a Secret and a
// section that is not built yet print as ***.
type Config struct {
	Listen    string        `mapstructure:"listen"`     // HOST:PORT of the HTTP server; an empty host is every interface
	PublicURL string        `mapstructure:"public_url"` // how people and Slack reach it, for links; may be empty
	Database  Secret        `mapstructure:"database"`   // sqlite:FILE or postgres://…, which may hold a password
	TimeZone  string        `mapstructure:"time_zone"`  // IANA name; for what people read, never for what is stored
	Language  string        `mapstructure:"language"`
	LameDuck  time.Duration `mapstructure:"lame_duck"` // how long a stopping server goes on serving while it says "not ready"
	Retention notBuilt      `mapstructure:"retention"`
	DataDir   string        `mapstructure:"data_dir"` // files captured from Slack

	Slack         SlackConfig       `mapstructure:"slack"`
	Webhook       WebhookConfig     `mapstructure:"webhook"`
	Alerts        AlertsConfig      `mapstructure:"alerts"`
	Alertmanagers []EndpointConfig  `mapstructure:"alertmanagers"`
	Prometheus    []EndpointConfig  `mapstructure:"prometheus"`
	Bridge        BridgeConfig      `mapstructure:"bridge"`
	StatusPage    StatusPageConfig  `mapstructure:"statuspage"`
	Pager         PagerConfig       `mapstructure:"pager"`
	Tracker       TrackerConfig     `mapstructure:"tracker"`
	SMTP          notBuilt          `mapstructure:"smtp"`
	Postmortem    PostmortemConfig  `mapstructure:"postmortem"`
	Runbooks      []RunbookConfig   `mapstructure:"runbooks"`
	QuietHours    QuietHoursConfig  `mapstructure:"quiet_hours"`
	Permissions   PermissionsConfig `mapstructure:"permissions"`
	Web           WebConfig         `mapstructure:"web"`

	// SlackMinute is no key; see [cli].
	SlackMinute time.Duration `mapstructure:"-"`
}

// SlackConfig is the workspace Houston works in. AppToken turns Socket Mode
// on, SigningSecret turns HTTP on; both may be on.
type SlackConfig struct {
	BotToken      Secret   `mapstructure:"bot_token"`      // xoxb-…
	AppToken      Secret   `mapstructure:"app_token"`      // xapp-…
	SigningSecret Secret   `mapstructure:"signing_secret"` // of the app's page "Basic Information"
	APIURL        string   `mapstructure:"api_url"`        // ends with a slash; a stand-in's in tests
	Command       string   `mapstructure:"command"`        // the slash command, with its slash
	Announce      string   `mapstructure:"announce_channel"`
	Invite        []string `mapstructure:"invite"` // users and user groups, by id, invited to every incident
	// ArchiveAfter is how long after an incident is closed, declined or merged
	// its channel is archived; 0: never.
	ArchiveAfter time.Duration `mapstructure:"archive_after"`
}

// WebhookConfig is what callers of /webhooks/* must show: Token as Bearer or
// as the password of Basic, a secret where the source signs instead.
type WebhookConfig struct {
	Token           Secret `mapstructure:"token"`
	GrafanaSecret   Secret `mapstructure:"grafana_secret"`
	PagerDutySecret Secret `mapstructure:"pagerduty_secret"`
	ZendeskSecret   Secret `mapstructure:"zendesk_secret"`
	GitHubSecret    Secret `mapstructure:"github_secret"`
	GitLabSecret    Secret `mapstructure:"gitlab_secret"`
	ArgoCDSecret    Secret `mapstructure:"argocd_secret"`
	FluxSecret      Secret `mapstructure:"flux_secret"`
	CDEventsSecret  Secret `mapstructure:"cdevents_secret"`
	GenericSecret   Secret `mapstructure:"generic_secret"`

	Generic []GenericConfig `mapstructure:"generic"` // what the bodies of /webhooks/generic?source=NAME mean
}

// AlertsConfig says what alerts do. No routes means the built-in ones.
type AlertsConfig struct {
	Routes               []RouteConfig `mapstructure:"routes"`
	JoinBy               []string      `mapstructure:"join_by"`
	FlapWindow           time.Duration `mapstructure:"flap_window"`
	MaxDeclaredPerMinute int           `mapstructure:"max_declared_per_minute"`
	StaleAfter           time.Duration `mapstructure:"stale_after"` // an alert that its Alertmanager does not know for so long is over; 0: never
}

// EndpointConfig is one Alertmanager or Prometheus that Houston asks.
type EndpointConfig struct {
	Name        string            `mapstructure:"name"`
	URL         string            `mapstructure:"url"`
	Headers     map[string]Secret `mapstructure:"headers"`
	BasicAuth   BasicAuthConfig   `mapstructure:"basic_auth"`
	BearerToken Secret            `mapstructure:"bearer_token"`
	TLS         TLSConfig         `mapstructure:"tls"`
}

// BasicAuthConfig is a name and a password for HTTP.
type BasicAuthConfig struct {
	Username string `mapstructure:"username"`
	Password Secret `mapstructure:"password"`
}

// TLSConfig names PEM files, as Prometheus' own tls_config does.
type TLSConfig struct {
	CAFile             string `mapstructure:"ca_file"`
	CertFile           string `mapstructure:"cert_file"`
	KeyFile            string `mapstructure:"key_file"`
	ServerName         string `mapstructure:"server_name"`
	InsecureSkipVerify bool   `mapstructure:"insecure_skip_verify"`
}

// URLConfig is a provider that needs nothing but an address.
type URLConfig struct {
	URL string `mapstructure:"url"`
}

// BridgeConfig chooses the video call. Link is one fixed room for everybody.
type BridgeConfig struct {
	Provider string    `mapstructure:"provider"`
	Fallback string    `mapstructure:"fallback"` // taken when the provider fails
	Jitsi    URLConfig `mapstructure:"jitsi"`
	Link     URLConfig `mapstructure:"link"`
	Whereby  notBuilt  `mapstructure:"whereby"`
	Zoom     notBuilt  `mapstructure:"zoom"`
	Meet     notBuilt  `mapstructure:"meet"`
	Teams    notBuilt  `mapstructure:"teams"`
}

// StatusPageConfig chooses the status pages: one provider or a list of them.
type StatusPageConfig struct {
	Provider   []string                `mapstructure:"provider"`
	Listen     string                  `mapstructure:"listen"` // a listener for the built-in page alone
	Builtin    BuiltinStatusPageConfig `mapstructure:"builtin"`
	Statuspage notBuilt                `mapstructure:"statuspage"`
	Cachet     notBuilt                `mapstructure:"cachet"`
	Instatus   notBuilt                `mapstructure:"instatus"`
}

// BuiltinStatusPageConfig is the page that Houston serves itself.
type BuiltinStatusPageConfig struct {
	Title string `mapstructure:"title"` // stands above the page
	// URL is the page's address without /status; empty: public_url. It is for a
	// page with a listener and a name of its own.
	URL string `mapstructure:"url"`
}

// PagerConfig chooses who wakes people up.
type PagerConfig struct {
	Provider  string          `mapstructure:"provider"`
	PagerDuty PagerDutyConfig `mapstructure:"pagerduty"`
	Opsgenie  OpsgenieConfig  `mapstructure:"opsgenie"`
	GoAlert   GoAlertConfig   `mapstructure:"goalert"`
}

// TrackerConfig chooses where action items are tracked.
type TrackerConfig struct {
	Provider string   `mapstructure:"provider"`
	Jira     notBuilt `mapstructure:"jira"`
	GitHub   notBuilt `mapstructure:"github"`
	GitLab   notBuilt `mapstructure:"gitlab"`
	Linear   notBuilt `mapstructure:"linear"`
}

// PostmortemConfig says which incidents owe a postmortem.
type PostmortemConfig struct {
	RequiredFor []string `mapstructure:"required_for"` // severities
	// Lead is the Slack user who is asked about action items that are a week
	// overdue, beside their owner; empty: nobody.
	Lead string `mapstructure:"lead"`
	// Teams group the owners of action items; the lead of the first that an owner
	// is in wins over Lead.
	Teams []TeamConfig `mapstructure:"teams"`
	// DigestChannel is told every Monday at nine in time_zone which action items
	// there are, by id or name; empty: nobody is.
	DigestChannel string `mapstructure:"digest_channel"`
	// Templates is a folder with own forms of the document; empty: none. See
	// export.Templates.
	Templates string `mapstructure:"templates"`
}

// TeamConfig is a team: the people of a Slack user group.
type TeamConfig struct {
	Name  string `mapstructure:"name"`  // empty: Group
	Group string `mapstructure:"group"` // its id, S…
	Lead  string `mapstructure:"lead"`  // a user's id; empty: PostmortemConfig.Lead
}

// PermissionsConfig restricts what full members may do to the named Slack
// users (U…, W…) and user groups (S…); an empty list restricts nothing.
// SeePrivate is the other way round: it grants, and an empty list grants
// nobody the sight of private incidents whose channel they are not in.
type PermissionsConfig struct {
	Publish    []string `mapstructure:"publish"`
	Page       []string `mapstructure:"page"`
	Silence    []string `mapstructure:"silence"`
	SeePrivate []string `mapstructure:"see_private"`
	Admin      []string `mapstructure:"admin"`
}

// WebConfig guards the pages and the API. With Auth "slack" people sign in to
// the pages with Slack, where OIDC is set, or by a link that they ask for in
// Slack; with "token" there are no pages for people; with "none" everybody on
// this machine is let in. Scripts send Token whichever it is; without a Token
// the API refuses everybody.
type WebConfig struct {
	Auth         string     `mapstructure:"auth"`
	Token        Secret     `mapstructure:"token"`
	TokenPrivate bool       `mapstructure:"token_private"` // the token sees private incidents
	OIDC         OIDCConfig `mapstructure:"oidc"`
}

// OIDCConfig is the app that people sign in with.
type OIDCConfig struct {
	ClientID     string `mapstructure:"client_id"`
	ClientSecret Secret `mapstructure:"client_secret"`
	URL          string `mapstructure:"url"` // the issuer; a stand-in's in tests
}

// defaultConfig is what holds where nothing is said.
func defaultConfig() Config {
	return Config{
		Listen: ":8080", Database: "sqlite:houston.db", DataDir: "./data",
		TimeZone: "UTC", Language: "en", LameDuck: 5 * time.Second,
		Slack: SlackConfig{
			APIURL: "https://slack.com/api/", Command: "/incident", Announce: "incidents",
		},
		Alerts:     AlertsConfig{FlapWindow: 30 * time.Minute, MaxDeclaredPerMinute: 10, StaleAfter: 10 * time.Minute},
		Bridge:     BridgeConfig{Provider: "jitsi", Fallback: "jitsi", Jitsi: URLConfig{URL: "https://meet.jit.si"}},
		StatusPage: StatusPageConfig{Provider: []string{"builtin"}, Builtin: BuiltinStatusPageConfig{Title: "Status"}},
		Pager:      defaultPager(),
		Tracker:    TrackerConfig{Provider: "none"},
		Postmortem: PostmortemConfig{RequiredFor: []string{"sev1", "sev2"}},
		QuietHours: QuietHoursConfig{Start: "22:00", End: "08:00"},
		Web:        WebConfig{Auth: "slack", OIDC: OIDCConfig{URL: "https://slack.com"}},
	}
}
