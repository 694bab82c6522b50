package setup

// The manifest's form is Slack's schema for app manifests, of which these are
// the parts that Houston has (github.com/slackapi/manifest-schema).

type appManifest struct {
	Metadata manifestMetadata `json:"_metadata"`
	Display  manifestDisplay  `json:"display_information"`
	Features manifestFeatures `json:"features"`
	OAuth    manifestOAuth    `json:"oauth_config"`
	Settings manifestSettings `json:"settings"`
}

type manifestMetadata struct {
	MajorVersion int `json:"major_version"`
	MinorVersion int `json:"minor_version"`
}

type manifestDisplay struct {
	Name        string `json:"name"`
	Description string `json:"description"`      // at most 140 characters
	Long        string `json:"long_description"` // at least 175
	Color       string `json:"background_color"`
}

type manifestFeatures struct {
	Home      manifestHome       `json:"app_home"`
	Bot       manifestBot        `json:"bot_user"`
	Shortcuts []manifestShortcut `json:"shortcuts,omitempty"`
	Commands  []manifestCommand  `json:"slash_commands"`
}

type manifestHome struct {
	Home     bool `json:"home_tab_enabled"`
	Messages bool `json:"messages_tab_enabled"`
	ReadOnly bool `json:"messages_tab_read_only_enabled"`
}

type manifestBot struct {
	Name   string `json:"display_name"`
	Online bool   `json:"always_online"`
}

type manifestShortcut struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Callback    string `json:"callback_id"`
	Description string `json:"description"`
}

type manifestCommand struct {
	Command     string `json:"command"`
	URL         string `json:"url,omitempty"`
	Description string `json:"description"`
	Hint        string `json:"usage_hint"`
	Escape      bool   `json:"should_escape"` // people and channels arrive as ids
}

type manifestOAuth struct {
	Redirects []string       `json:"redirect_urls,omitempty"`
	Scopes    manifestScopes `json:"scopes"`
}

type manifestScopes struct {
	Bot  []string `json:"bot"`
	User []string `json:"user,omitempty"`
}

type manifestSettings struct {
	Events        manifestEvents        `json:"event_subscriptions"`
	Interactivity manifestInteractivity `json:"interactivity"`
	OrgDeploy     bool                  `json:"org_deploy_enabled"`
	Socket        bool                  `json:"socket_mode_enabled"`
	Rotation      bool                  `json:"token_rotation_enabled"` // the bot's token is one that stays
}

type manifestEvents struct {
	URL string   `json:"request_url,omitempty"`
	Bot []string `json:"bot_events"`
}

type manifestInteractivity struct {
	Enabled bool   `json:"is_enabled"`
	URL     string `json:"request_url,omitempty"`
	Options string `json:"message_menu_options_url,omitempty"` // of menus with a search
}
