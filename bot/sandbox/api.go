package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// call is one Web API call while it runs. The state's lock is held.
type call struct {
	w    *Workspace
	st   *state
	m    *method
	args args
	base string // the URL under which the caller reached the workspace
}

// apiError is an answer {"ok":false}.
type apiError struct {
	code     string
	messages []string // response_metadata.messages
	extra    object
}

func (e *apiError) Error() string { return e.code }

func fail(code string) error { return &apiError{code: code} }

func failWith(code string, messages ...string) error {
	return &apiError{code: code, messages: messages}
}

func invalidArguments(format string, a ...any) error {
	return failWith("invalid_arguments", "[ERROR] "+fmt.Sprintf(format, a...))
}

// missingScope is the missing_scope answer with needed and provided.
func (c *call) missingScope(needed []string) error {
	return &apiError{code: "missing_scope", extra: object{
		"needed": strings.Join(needed, ","), "provided": strings.Join(c.st.provided(), ","),
	}}
}

func (s *state) provided() []string {
	var out []string
	for scope := range s.scopes {
		out = append(out, scope)
	}
	slices.Sort(out)
	return out
}

// granted says whether the bot token has any of the scopes.
func (s *state) granted(anyOf ...string) bool {
	if s.scopes == nil || len(anyOf) == 0 {
		return true
	}
	return slices.ContainsFunc(anyOf, func(scope string) bool { return s.scopes[scope] })
}

// serveAPI answers POST and GET /api/METHOD.
func (w *Workspace) serveAPI(rw http.ResponseWriter, r *http.Request) {
	started := w.cfg.Now()
	name := r.PathValue("method")
	m := w.methods[name]
	a, token, err := readArgs(rw, r, m)
	rec := Call{Method: name, Args: a, Start: started}

	verdict := w.faults.match(name, a["channel"], a["channel_id"], w.st)
	if !w.hold(r, verdict.delay) {
		rec.Error, rec.Dropped = "abandoned", true
		w.record(rec)
		panic(http.ErrAbortHandler)
	}
	if verdict.kind != nil && !verdict.kind.after() {
		w.answerFault(rw, rec, verdict.kind)
		return
	}

	var out object
	if err == nil {
		out, err = w.run(m, a, token, name, "http://"+r.Host)
	}
	if limited, ok := errors.AsType[*rateLimitError](err); ok {
		rec.Error, rec.Status = limited.Error(), http.StatusTooManyRequests
		w.record(rec)
		answerRateLimit(rw, limited.wait)
		return
	}
	if err != nil {
		out = w.refuse(m, name, err)
		rec.Error, _ = out["error"].(string)
	}
	rec.Status = http.StatusOK
	if verdict.kind != nil {
		rec.Dropped, rec.Status = true, 0
	}
	w.record(rec)
	if verdict.kind != nil {
		panic(http.ErrAbortHandler) // carried out, and nobody hears of it
	}
	writeJSON(rw, http.StatusOK, out)
}

// hold waits out the latency and reports whether to go on. The request has
// arrived in full by now, so a client that goes away changes nothing unless
// AbandonOnDisconnect was set.
func (w *Workspace) hold(r *http.Request, extra time.Duration) bool {
	w.settings.Lock()
	d, abandon := w.settings.latency+extra, w.settings.abandon
	w.settings.Unlock()
	if d <= 0 {
		return true
	}
	var gone <-chan struct{}
	if abandon {
		gone = r.Context().Done()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-gone:
		return false
	case <-w.closing.Done():
		return false
	}
}

// run checks the token, the scopes and the arguments and carries the call out.
func (w *Workspace) run(m *method, a args, token, name, host string) (object, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	if m == nil {
		return nil, fail("unknown_method")
	}
	c := &call{w: w, st: w.st, m: m, args: a, base: w.base(host)}
	if err := c.authorise(token); err != nil {
		return nil, err
	}
	if wait := w.rates.take(name, a["channel"], w.cfg.Now()); wait > 0 {
		return nil, &rateLimitError{wait}
	}
	if !c.st.granted(m.scopes...) {
		return nil, c.missingScope(m.scopes)
	}
	if err := c.checkTeam(); err != nil {
		return nil, err
	}
	for _, key := range m.required {
		if a[key] == "" {
			return nil, invalidArguments("missing required field: %s", key)
		}
	}
	out, err := m.run(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if out == nil {
		out = object{}
	}
	out["ok"] = true
	return out, nil
}

func (w *Workspace) base(host string) string {
	if u := w.baseURL(); u != "" {
		return u
	}
	return host
}

// authorise checks the token: the bot's everywhere but for the app-level
// methods. A wrong kind of token is told from an unknown one.
func (c *call) authorise(token string) error {
	if c.m.open {
		return nil
	}
	known := map[string]bool{c.w.cfg.BotToken: false, c.w.cfg.AppToken: true}
	app, ok := known[token]
	switch {
	case token == "":
		return fail("not_authed")
	case !ok:
		return fail("invalid_auth")
	case app != c.m.appLevel:
		return fail("not_allowed_token_type")
	case c.st.uninstalled:
		return fail("account_inactive")
	}
	return nil
}

// refuse turns an error into the answer and holds the method to its documented
// errors.
func (w *Workspace) refuse(m *method, name string, err error) object {
	e, _ := errors.AsType[*apiError](err)
	if e == nil {
		e = &apiError{code: "fatal_error"}
		w.log.Error("slack stand-in could not answer", "method", name, "error", err)
	}
	if m != nil && !m.mayAnswer(e.code) {
		w.st.mu.Lock()
		text := w.st.defect("%s answered %s, which it does not document", name, e.code)
		w.st.mu.Unlock()
		w.log.Error("slack stand-in broke its promise", "defect", text)
	}
	out := object{"ok": false, "error": e.code}
	if len(e.messages) > 0 {
		out["response_metadata"] = object{"messages": e.messages}
	}
	maps.Copy(out, e.extra)
	return out
}
