package incidents

import "time"

// KeyTime names one of the moments an incident is measured by.
type KeyTime string

// The key times, in the order they usually happen.
const (
	ImpactStart   KeyTime = "impact_start"
	FirstEvidence KeyTime = "first_evidence"
	Detected      KeyTime = "detected"
	Paged         KeyTime = "paged"
	Acknowledged  KeyTime = "acknowledged"
	DeclaredAt    KeyTime = "declared"
	FirstUpdate   KeyTime = "first_update"
	MitigatedAt   KeyTime = "mitigated"
	ResolvedAt    KeyTime = "resolved"
	ClosedAt      KeyTime = "closed"
)

// KeyTimes lists all of them in order.
func KeyTimes() []KeyTime {
	return []KeyTime{ImpactStart, FirstEvidence, Detected, Paged, Acknowledged, DeclaredAt, FirstUpdate, MitigatedAt, ResolvedAt, ClosedAt}
}

// Precision says how exactly an [Instant] is known.
type Precision string

// The precisions.
const (
	ToSecond Precision = "second"
	ToMinute Precision = "minute"
	Approx   Precision = "approx"
	ToDay    Precision = "day"
	Unknown  Precision = "unknown"
)

// Source says where an [Instant] was learnt.
type Source string

// The sources.
const (
	FromSlack   Source = "slack"
	FromAPI     Source = "api"
	FromAlert   Source = "alert"
	FromManual  Source = "manual"
	FromHouston Source = "houston"
)

// Instant is a moment with how exactly and from where it is known. An unknown
// moment is absent from [Incident.Times], never a zero time.
type Instant struct {
	At        time.Time `json:"at"` // UTC, microseconds
	Precision Precision `json:"precision"`
	Source    Source    `json:"source"`
}

// Clock gives the time. Houston reads no other clock, so tests can move it.
type Clock interface{ Now() time.Time }

// SystemClock is the machine's clock in UTC at microseconds, the resolution
// both databases keep.
type SystemClock struct{}

// Now gives the current time.
func (SystemClock) Now() time.Time { return Micros(time.Now()) }

// Micros cuts a time to what is stored: UTC, microseconds, no monotonic part.
func Micros(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
