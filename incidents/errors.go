package incidents

import (
	"errors"
	"time"
)

// ErrorKind says which sort of answer an [Error] asks for. The kinds are mapped
// to the outside in three places only: web (HTTP status), Slack (ephemeral
// text) and queue (snooze, cancel, retry).
type ErrorKind string

// The kinds of errors a user can meet.
const (
	Invalid     ErrorKind = "invalid"     // the input is wrong; the message shows the right form
	NotFound    ErrorKind = "not_found"   // no such incident, alert group or person
	Forbidden   ErrorKind = "forbidden"   // the actor may not do this
	Conflict    ErrorKind = "conflict"    // the incident's state does not allow it
	Mismatch    ErrorKind = "mismatch"    // the same idempotency key with another content
	Gone        ErrorKind = "gone"        // the outside thing is gone for good; trying again is no use
	Unavailable ErrorKind = "unavailable" // passing trouble; After says when to try again
)

// Error is all that a user of Houston sees of a failure. Message is a sentence
// the user can act on. Every other error is internal and logged once.
type Error struct {
	Kind    ErrorKind
	Message string
	// Phrase is what Message was made of, for who shows it in another language;
	// zero when Message is in the reader's language already.
	Phrase Phrase
	// Field is the input that the error is about, by its name in the API; empty
	// when it is about no one input.
	Field string
	// After is how long to wait before the next try; only for Unavailable,
	// zero when unknown.
	After time.Duration
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an [Error]; the format follows fmt.Sprintf and is a literal, since
// translations are found by it.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	p := Phrase{Format: format, Args: args}
	return &Error{Kind: kind, Message: p.String(), Phrase: p}
}

// Sentence gives the message's parts.
func (e *Error) Sentence() (format string, args []any) {
	if e.Phrase.Format == "" {
		return "%s", []any{e.Message}
	}
	return e.Phrase.Sentence()
}

// About says which input an error is about, unless that is said already. What is
// no [Error], nil too, stays as it is.
func About(field string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Field != "" {
		return err
	}
	about := *e
	about.Field = field
	return &about
}

// KindOf gives the kind of the first [Error] in err's chain, or "" when there
// is none: then err is internal.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}
