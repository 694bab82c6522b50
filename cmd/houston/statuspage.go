package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/houston-sre/houston/bot/statuspage"
	"github.com/houston-sre/houston/bot/web"
)

// builtin reports whether Houston serves the status page itself.
func (s StatusPageConfig) builtin() bool { return slices.Contains(s.Provider, "builtin") }

// statusPageURL is where the public reads the status page, empty when there is
// none. Without public_url it is a path.
func (c Config) statusPageURL() string {
	if !c.StatusPage.builtin() {
		return ""
	}
	return strings.TrimRight(c.statusPageHost(), "/") + statuspage.Path
}

func (c Config) statusPageHost() string {
	if c.StatusPage.Builtin.URL != "" {
		return c.StatusPage.Builtin.URL
	}
	return c.PublicURL
}

// statusPage makes the built-in page.
func (a *app) statusPage() (*statuspage.Builtin, error) {
	return statuspage.NewBuiltin(statuspage.Config{
		Store: a.store, Clock: a.clock, Log: a.log, Zone: a.zone, Text: a.text,
		Name: a.config.StatusPage.Builtin.Title, URL: a.config.statusPageHost(),
	})
}

// mountStatusPage puts the built-in page on the mux of everything, and makes a
// server for it alone when it has a listener of its own.
func (s *server) mountStatusPage(mux *http.ServeMux) error {
	config := s.app.config.StatusPage
	if !config.builtin() {
		return nil
	}
	page, err := s.app.statusPage()
	if err != nil {
		return err
	}
	page.Mount(mux)
	if config.Listen == "" {
		return nil
	}
	alone := http.NewServeMux()
	page.Mount(alone)
	alone.Handle("GET /{$}", http.RedirectHandler(statuspage.Path, http.StatusFound))
	s.public = web.NewServer(config.Listen, alone)
	return nil
}

// startPublic has the page's own server run, if there is one.
func (s *server) startPublic(ctx context.Context, failed chan<- error) error {
	if s.public == nil {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.public.Addr)
	if err != nil {
		return fmt.Errorf("listen for the status page: %w", err)
	}
	s.app.log.InfoContext(ctx, "the status page is ready", "listen", listener.Addr().String())
	go func() {
		if err := s.public.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve the status page: %w", err)
		}
	}()
	return nil
}

func (s *server) stopPublic(ctx context.Context) error {
	if s.public == nil {
		return nil
	}
	return s.public.Shutdown(ctx)
}
