package webhook

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// text takes any JSON value: a string as it is, null as nothing, everything
// else as it is written.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(raw []byte) error {
	*t = text(textOf(raw))
	return nil
}

// count reads a number that is not negative; anything else is 0.
func (t text) count() int {
	n, err := strconv.Atoi(string(t))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// texts takes an object with values of any kind; anything else is nil.
type texts map[string]string

// UnmarshalJSON never fails.
func (t *texts) UnmarshalJSON(raw []byte) error {
	var plain map[string]string // what senders that keep to the form send
	if json.Unmarshal(raw, &plain) == nil && plain != nil {
		*t = make(texts, len(plain))
		for name, value := range plain {
			(*t)[clean(name)] = clean(value)
		}
		return nil
	}
	*t = nil
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) == nil && values != nil {
		*t = make(texts, len(values))
		for name, value := range values {
			(*t)[clean(name)] = textOf(value)
		}
	}
	return nil
}

func textOf(raw []byte) string {
	if n := len(raw); n >= 2 && raw[0] == '"' && raw[n-1] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : n-1]) // nothing to unescape, as in nearly every value
	}
	var s *string
	if json.Unmarshal(raw, &s) == nil {
		if s == nil {
			return ""
		}
		return clean(*s)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return ""
	}
	return clean(compact.String())
}

// clean takes out the one character that PostgreSQL's text does not hold. The
// body is kept as it came.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// moment takes a time in the forms that senders have been seen to use: RFC 3339
// with any offset, Go's own time.String with or without its monotonic part, GitLab's, and
// seconds or milliseconds since 1970. Anything else, and Go's zero time, is no
// time at all.
type moment struct{ time.Time }

// UnmarshalJSON never fails.
func (m *moment) UnmarshalJSON(raw []byte) error {
	m.Time = parseMoment(strings.TrimSpace(textOf(raw)))
	return nil
}

func parseMoment(s string) time.Time {
	s, _, _ = strings.Cut(s, " m=")
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999 -0700 MST", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST"} {
		if at, err := time.Parse(layout, s); err == nil {
			return believable(at)
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return time.Time{}
	case n > 100_000_000_000: // the year 5138 in seconds
		return believable(time.UnixMilli(n))
	default:
		return believable(time.Unix(n, 0))
	}
}

// believable gives the time in UTC, or none when it lies outside what both
// databases hold.
func believable(at time.Time) time.Time {
	if at = at.UTC(); at.Year() <= 1 || at.Year() > 9999 {
		return time.Time{}
	}
	return at
}
