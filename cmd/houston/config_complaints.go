package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// complaints collects what is wrong with a configuration.
type complaints struct{ errs []error }

func (c *complaints) add(key, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: "+format, append([]any{key}, args...)...))
}

// later refuses a key of a part that is not built yet.
func (c *complaints) later(key string, set bool) {
	if set {
		c.add(key, "is not built yet; remove it")
	}
}

func (c *complaints) section(key string, keys notBuilt) { c.later(key, len(keys) > 0) }

// choices are the words that a key may have. The first of built is offered
// instead of one that is not built yet.
type choices struct{ built, later []string }

func (c *complaints) choice(key, value string, words choices) {
	switch {
	case slices.Contains(words.built, value):
	case slices.Contains(words.later, value):
		c.add(key, "%q is not built yet; use %q", value, words.built[0])
	default:
		c.add(key, "%q is unknown; use one of %s", value, strings.Join(words.built, ", "))
	}
}

func (c *complaints) severity(key, value string) {
	c.choice(key, value, choices{built: []string{"sev1", "sev2", "sev3", "sev4"}})
}

func (c *complaints) url(key, value string) {
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		c.add(key, "%q is no web address; write one such as https://houston.example.com", value)
	}
}

func (c *complaints) listen(key, value string) {
	_, port, err := net.SplitHostPort(value)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		c.add(key, `%q is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080, or ":8080" for every interface`, value)
	}
}

// loopback reports that only this machine reaches what listens at address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}

// errDatabase never shows what was written: there is often a password in it.
var errDatabase = errors.New("write sqlite:FILE, such as sqlite:houston.db, or postgres://USER:PASSWORD@HOST/NAME")

func (c *complaints) database(value string) {
	scheme, rest, _ := strings.Cut(value, ":")
	switch scheme {
	case "sqlite":
		if rest == "" || strings.HasPrefix(rest, "//") {
			c.add("database", "no file is named; %w", errDatabase)
		}
	case "postgres", "postgresql":
		// pgx hides the password in its message.
		if _, err := pgxpool.ParseConfig(value); err != nil {
			c.add("database", "%w; %w", err, errDatabase)
		}
	default:
		c.add("database", "the kind of database is unknown; %w", errDatabase)
	}
}
