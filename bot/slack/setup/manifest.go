package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/houston-sre/houston/bot/slack"
)

// ManifestConfig says what an app manifest is to contain.
type ManifestConfig struct {
	Name    string // of the app and its bot, at most 35 characters
	Command string // the slash command, "/incident"
	// URL is where Slack reaches Houston, such as https://houston.example.com;
	// empty for Socket Mode, which needs no address.
	URL string
}

// Manifest writes the manifest of an app that may do what Houston does and no
// more, as JSON (https://docs.slack.dev/reference/app-manifest). It fails on a
// name, command or URL that Slack would refuse, in words.
func Manifest(config ManifestConfig) ([]byte, error) {
	base, err := config.check()
	if err != nil {
		return nil, err
	}
	m := appManifest{
		Metadata: manifestMetadata{MajorVersion: 1, MinorVersion: 1},
		Display: manifestDisplay{
			Name: config.Name, Description: "Incident response and blameless postmortems", Color: "#1f2a44",
			Long: "Houston opens a channel, a video call and a pinned card as soon as somebody declares an incident or an alert does. " +
				"It keeps the announcement, the topic and the timeline while people work, and afterwards what happened can be exported for the postmortem.",
		},
		OAuth:    manifestOAuth{Scopes: manifestScopes{Bot: scopeNames()}},
		Settings: manifestSettings{Socket: config.URL == "", Interactivity: manifestInteractivity{Enabled: true}},
	}
	m.Features.Bot = manifestBot{Name: config.Name, Online: true}
	// People can not write to Houston, but read what it tells them alone.
	m.Features.Home = manifestHome{Messages: true, ReadOnly: true}
	command := manifestCommand{
		Command: config.Command, Description: "Declare an incident and work on it",
		Hint: "declare TITLE [--severity sev2] [--private] | list | help", Escape: true,
	}
	if base != "" {
		command.URL = base + "/slack/commands"
		m.Settings.Interactivity.URL = base + "/slack/interactivity"
		m.Settings.Interactivity.Options = m.Settings.Interactivity.URL
		m.Settings.Events.URL = base + "/slack/events"
		// "Sign in with Slack", for the pages
		// (https://docs.slack.dev/authentication/sign-in-with-slack).
		m.OAuth.Redirects = []string{base + "/signin/callback"}
		m.OAuth.Scopes.User = []string{"openid", "profile"}
	}
	m.Features.Commands = []manifestCommand{command}
	m.Settings.Events.Bot = slack.Subscriptions()
	m.Features.Home.Home = slices.Contains(m.Settings.Events.Bot, "app_home_opened")
	for _, s := range slack.Shortcuts() {
		m.Features.Shortcuts = append(m.Features.Shortcuts, manifestShortcut{Name: s.Name, Type: s.Kind, Callback: s.Callback, Description: s.Description})
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(m); err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	return out.Bytes(), nil
}

func scopeNames() []string {
	var names []string
	for _, s := range slack.Scopes() {
		names = append(names, s.Name)
	}
	return names
}

// check finds what Slack would refuse and gives the URL without a slash at its end.
func (c ManifestConfig) check() (base string, err error) {
	if n := utf8.RuneCountInString(c.Name); n == 0 || n > 35 || strings.ContainsFunc(c.Name, unicode.IsControl) {
		return "", fmt.Errorf("%q is no name for an app; write 1 to 35 characters", c.Name)
	}
	bad := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.IsUpper(r) || r == '/' }
	word, slash := strings.CutPrefix(c.Command, "/")
	if n := utf8.RuneCountInString(c.Command); !slash || n < 2 || n > 32 || strings.ContainsFunc(word, bad) {
		return "", fmt.Errorf("%q is no slash command; write one word in lower case with its slash, such as /incident, of at most 32 characters", c.Command)
	}
	if c.URL == "" {
		return "", nil
	}
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "https" && u.Scheme != "http"):
		return "", errors.New("the URL is no web address; write one such as https://houston.example.com")
	case u.Scheme == "http" && !onLoopback(u.Hostname()):
		return "", fmt.Errorf("Slack delivers to https only; write https://%s, or use Socket Mode", u.Host) //nolint:staticcheck // Slack is a name
	case len(c.URL) > 2900:
		return "", errors.New("the URL is too long for Slack")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// onLoopback reports a name of this machine, as a tunnel or a stand-in has.
func onLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}
