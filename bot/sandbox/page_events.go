package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"time"
)

// parts are the pieces of the page that change by themselves, each a template.
func parts() []string { return []string{"bar", "side", "head", "main", "write", "thread", "modal"} }

// serveWhole serves the page; opening a channel reads it.
func (p *Page) serveWhole(rw http.ResponseWriter, r *http.Request) {
	u := p.seat(r)
	if u.Since == "" {
		u.Since = p.mark(u.As, u.Channel)
	}
	p.markRead(u.As, u.Channel)
	var out bytes.Buffer
	if err := p.look.pages.ExecuteTemplate(&out, "page", u); err != nil {
		p.fail(rw, "page", err)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	_, _ = out.WriteTo(rw)
}

// servePart serves one part, with its version in a header.
func (p *Page) servePart(rw http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	for _, known := range parts() {
		if name != known {
			continue
		}
		html, err := p.look.part(name, p.seat(r))
		if err != nil {
			p.fail(rw, name, err)
			return
		}
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.Header().Set("Cache-Control", "no-store")
		rw.Header().Set("X-Part-Version", version(html))
		_, _ = rw.Write(html)
		return
	}
	http.NotFound(rw, r)
}

func (p *Page) fail(rw http.ResponseWriter, what string, err error) {
	p.w.log.Error("sandbox page could not be drawn", "part", what, "error", err)
	http.Error(rw, "the page could not be drawn", http.StatusInternalServerError)
}

func version(html []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(html)
	return strconv.FormatUint(h.Sum64(), 16)
}

// coalesce is how long a burst of changes is gathered before the page hears of it.
const coalesce = 30 * time.Millisecond

// serveEvents tells a page the version of each of its parts, at once and after
// each change. The page fetches those whose version it does not show, so that
// an event lost on the way does no harm.
func (p *Page) serveEvents(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "text/event-stream")
	rw.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(rw)
	last, ticks := "", p.w.Subscribe(r.Context())
	for {
		p.mu.Lock()
		changed := p.changed
		p.mu.Unlock()
		state, err := p.versions(r)
		if err != nil {
			p.w.log.ErrorContext(r.Context(), "sandbox page could not be drawn", "error", err)
			return
		}
		message := ": still here\n\n"
		if state != last {
			message, last = "data: "+state+"\n\n", state
		}
		if _, err := rw.Write([]byte(message)); err != nil || out.Flush() != nil {
			return
		}
		if !await(r, ticks, changed) {
			return
		}
	}
}

// await waits for a change and lets its companions arrive; false when it is over.
func await(r *http.Request, ticks, changed <-chan struct{}) bool {
	beat := time.NewTimer(20 * time.Second)
	defer beat.Stop()
	select {
	case _, open := <-ticks:
		if !open {
			return false
		}
	case <-changed:
	case <-beat.C:
	case <-r.Context().Done():
		return false
	}
	pause := time.NewTimer(coalesce)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// versions is a JSON object with each part's version and the page's title.
func (p *Page) versions(r *http.Request) (string, error) {
	u := p.seat(r)
	state := map[string]string{"title": u.DocumentTitle()}
	for _, name := range parts() {
		html, err := p.look.part(name, u)
		if err != nil {
			return "", err
		}
		state[name] = version(html)
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return "", fmt.Errorf("encode the versions: %w", err)
	}
	return string(raw), nil
}
