package main

import (
	"slices"
	"strings"

	"github.com/houston-sre/houston/bot/statuspage"
)

// builtin reports whether Houston serves the status page itself.
func (s StatusPageConfig) builtin() bool { return slices.Contains(s.Provider, "builtin") }

// statusPageURL is where the public reads the status page, empty when there is
// none. Without public_url it is a path.
func (c Config) statusPageURL() string {
	if !c.StatusPage.builtin() {
		return ""
	}
	return strings.TrimRight(c.PublicURL, "/") + statuspage.Path
}

// statusPage makes the built-in page.
func (a *app) statusPage() (*statuspage.Builtin, error) {
	return statuspage.NewBuiltin(statuspage.Config{
		Store: a.store, Clock: a.clock, Log: a.log, Zone: a.zone,
		Name: a.config.StatusPage.Builtin.Title, URL: a.config.PublicURL,
	})
}
