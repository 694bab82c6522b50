package incidents

import "time"

// PassKind says what a [Pass] opens.
type PassKind string

// The kinds of passes.
const (
	SessionPass  PassKind = "session"  // a browser that is signed in
	LinkPass     PassKind = "link"     // a sign-in link, good for one use
	CalendarPass PassKind = "calendar" // the address of a person's calendar
)

// Pass lets whoever holds its secret read as a person. Only the secret's hash
// is kept.
type Pass struct {
	Hash    string // SHA-256 of the secret, in hexadecimal
	Kind    PassKind
	Person  string // the person's id
	MadeAt  time.Time
	Expires time.Time // from then on it opens nothing
}

// AuditQuery selects events across incidents, the latest recorded first.
type AuditQuery struct {
	Visible

	Person string // id of who did it; empty: anybody
	Type   string // of the event; empty: any
	Before AuditCursor
	Limit  int
}

// AuditCursor is where a page of events ended; the zero cursor is the start.
type AuditCursor struct {
	RecordedAt time.Time
	Incident   int64
	Seq        int64
}

// AuditLine is one event with the incident it belongs to.
type AuditLine struct {
	Event

	Title string // of the incident, as it is now
	// Hidden says that its words were redacted, or deleted where they were
	// written: nobody is to read them here.
	Hidden bool
}

// Visible says which private incidents a list may hold.
type Visible struct {
	Private  bool     // all of them
	Channels []string // those with one of these channels
}
