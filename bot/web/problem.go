package web

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// problem is an error in the form of RFC 9457, application/problem+json.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Field  string `json:"field,omitempty"` // of the body, that the error is about
	// Findings are what a postmortem lacks for the state it was to go to.
	Findings []postmortem.Finding `json:"findings,omitempty"`
	// Clashes are the fields that somebody else wrote meanwhile, with both
	// texts; Rev is the revision that is now.
	Clashes []postmortem.Clash `json:"clashes,omitempty"`
	Rev     int64              `json:"rev,omitempty"`
}

// refusal is an answer that HTTP itself asks for and incidents knows nothing
// of: 401, 405, 413, 501.
type refusal struct {
	status int
	detail string
}

func (r *refusal) Error() string { return r.detail }

// statusOf maps an error to its HTTP status, what a person may read of it, and
// how long to wait before the next try. An internal error is 500 and tells
// nothing.
func statusOf(err error) (status int, detail string, after time.Duration) {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status, r.detail, 0
	}
	e, ok := errors.AsType[*incidents.Error](err)
	if !ok {
		return http.StatusInternalServerError, "Houston made a mistake. It is in the log.", 0
	}
	switch e.Kind {
	case incidents.Invalid:
		status = http.StatusBadRequest
	case incidents.NotFound:
		status = http.StatusNotFound
	case incidents.Forbidden:
		status = http.StatusForbidden
	case incidents.Conflict:
		status = http.StatusConflict
	case incidents.Mismatch:
		status = http.StatusUnprocessableEntity
	case incidents.Gone:
		status = http.StatusGone
	case incidents.Unavailable:
		status = http.StatusServiceUnavailable
	default:
		status = http.StatusInternalServerError
	}
	return status, e.Message, e.After
}

// writeProblem answers with an error, and logs it when it is internal.
func writeProblem(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	status, detail, after := statusOf(err)
	if status == http.StatusInternalServerError {
		log.ErrorContext(r.Context(), "request not answered", "method", r.Method, "route", r.Pattern, "error", err)
	}
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((after+time.Second-1)/time.Second)))
	}
	p := problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
	if e, ok := errors.AsType[*incidents.Error](err); ok {
		p.Field = e.Field
	}
	if gate, ok := errors.AsType[*postmortem.GateError](err); ok {
		p.Findings = gate.Findings
	}
	if clash, ok := errors.AsType[*postmortem.ClashError](err); ok {
		p.Clashes, p.Rev = clash.Clashes, clash.Rev
	}
	write(w, status, "application/problem+json", p)
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	write(w, status, "application/json", value)
	return nil
}

func write(w http.ResponseWriter, status int, contentType string, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err) // our own types always marshal
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
