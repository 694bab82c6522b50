package main

import (
	"fmt"
	"io"
	"log/slog"
)

const hidden = "***"

// Secret is a value that must reach no log: however it is printed or encoded
// it is ***, or nothing where it is empty. string(s) is the value.
type Secret string

// String hides the value.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format hides the value from every verb; String alone would leave it to %d
// and %#v.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) } //nolint:errcheck // fmt reports nothing either

// LogValue hides the value from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from JSON, YAML and the like.
func (s Secret) MarshalText() ([]byte, error) { //nolint:unparam // the form of encoding.TextMarshaler
	return []byte(s.String()), nil
}

// notBuilt is a section whose keys are not decided yet. It takes anything, so
// that Validate can refuse it in words, and shows nothing of it, since there
// may be tokens in it.
type notBuilt map[string]any

// String tells only whether there is anything.
func (n notBuilt) String() string {
	if len(n) == 0 {
		return ""
	}
	return hidden
}

// Format hides the section from every verb.
func (n notBuilt) Format(f fmt.State, _ rune) { io.WriteString(f, n.String()) } //nolint:errcheck // fmt reports nothing either

// LogValue hides the section from slog.
func (n notBuilt) LogValue() slog.Value { return slog.StringValue(n.String()) }

// MarshalText hides the section from JSON, YAML and the like.
func (n notBuilt) MarshalText() ([]byte, error) { //nolint:unparam // the form of encoding.TextMarshaler
	return []byte(n.String()), nil
}
