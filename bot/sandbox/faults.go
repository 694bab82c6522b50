package sandbox

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Fault makes calls go wrong. The first fault in force that matches a call
// answers it; delays of all that match add up.
type Fault struct {
	Method  string // "chat.postMessage"; "*" for all; "response_url" for messages to one
	Channel string // only calls about this channel ID
	Times   int    // how often; 0 until removed
	After   int    // how many matching calls are let through first
	Kind    FaultKind

	// Probability, when above 0, lets each matching call go wrong by chance, with
	// numbers from Seed so that a run can be repeated.
	Probability float64
	Seed        uint64
}

// FaultKind is what happens to a call: FaultError, FaultRateLimit, FaultStatus,
// FaultDropBefore, FaultDropAfter or FaultDelay.
type FaultKind interface {
	// after says whether the call is carried out all the same.
	after() bool
}

// FaultError answers {"ok":false,"error":Code}; nothing is done.
type FaultError struct{ Code string }

// FaultRateLimit answers 429 with Retry-After in whole seconds; nothing is done.
type FaultRateLimit struct{ RetryAfter time.Duration }

// FaultStatus answers an HTTP status with an HTML page, as outages do; nothing
// is done. Zero is 503.
type FaultStatus struct{ Status int }

// FaultDropBefore cuts the connection; nothing is done.
type FaultDropBefore struct{}

// FaultDropAfter carries the call out and cuts the connection without an answer.
type FaultDropAfter struct{}

// FaultDelay waits before acting.
type FaultDelay struct{ Delay time.Duration }

func (FaultError) after() bool      { return false }
func (FaultRateLimit) after() bool  { return false }
func (FaultStatus) after() bool     { return false }
func (FaultDropBefore) after() bool { return false }
func (FaultDropAfter) after() bool  { return true }
func (FaultDelay) after() bool      { return true }

// Injected is a fault in force.
type Injected struct {
	list  *faultList
	fault Fault
	rand  *rand.Rand
	seen  int
	fired int
}

// Remove ends the fault.
func (i *Injected) Remove() {
	i.list.mu.Lock()
	defer i.list.mu.Unlock()
	i.list.faults = slices.DeleteFunc(i.list.faults, func(f *Injected) bool { return f == i })
}

// Count is how many calls the fault has hit.
func (i *Injected) Count() int {
	i.list.mu.Lock()
	defer i.list.mu.Unlock()
	return i.fired
}

// Inject puts a fault in force.
func (w *Workspace) Inject(f Fault) *Injected {
	w.faults.mu.Lock()
	defer w.faults.mu.Unlock()
	i := &Injected{list: &w.faults, fault: f, rand: rand.New(rand.NewPCG(f.Seed, f.Seed))} //nolint:gosec // chance in a test, to be repeated
	w.faults.faults = append(w.faults.faults, i)
	return i
}

// ClearFaults ends all faults.
func (w *Workspace) ClearFaults() {
	w.faults.mu.Lock()
	defer w.faults.mu.Unlock()
	w.faults.faults = nil
}

type faultList struct {
	mu     sync.Mutex
	faults []*Injected
}

// verdict is what the faults make of one call.
type verdict struct {
	delay time.Duration
	kind  FaultKind // nil: none but delays
}

func (l *faultList) match(method, channel, channelID string, st *state) verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	if channel == "" {
		channel = channelID
	}
	var v verdict
	for _, i := range l.faults {
		delay, isDelay := i.fault.Kind.(FaultDelay)
		if v.kind != nil && !isDelay {
			continue
		}
		if !i.hits(method, channel) {
			continue
		}
		if isDelay {
			v.delay += delay.Delay
		} else {
			v.kind = i.fault.Kind
		}
	}
	if v.kind != nil || v.delay > 0 {
		st.mu.Lock()
		st.touch()
		st.mu.Unlock()
	}
	return v
}

// hits counts a call that matches and says whether the fault takes it.
func (i *Injected) hits(method, channel string) bool {
	f := i.fault
	if f.Method != "*" && f.Method != "" && f.Method != method {
		return false
	}
	if f.Channel != "" && f.Channel != channel {
		return false
	}
	if f.Times > 0 && i.fired >= f.Times {
		return false
	}
	i.seen++
	if i.seen <= f.After {
		return false
	}
	if f.Probability > 0 && i.rand.Float64() >= f.Probability {
		return false
	}
	i.fired++
	return true
}

// answerFault gives the answer of a fault that does nothing else.
func (w *Workspace) answerFault(rw http.ResponseWriter, rec Call, kind FaultKind) {
	rec.Injected = true
	rec.Status = http.StatusOK
	switch k := kind.(type) {
	case FaultError:
		rec.Error = k.Code
		w.record(rec)
		writeJSON(rw, http.StatusOK, object{"ok": false, "error": k.Code})
	case FaultRateLimit:
		rec.Error, rec.Status = "ratelimited", http.StatusTooManyRequests
		w.record(rec)
		answerRateLimit(rw, k.RetryAfter)
	case FaultStatus:
		if k.Status == 0 {
			k.Status = http.StatusServiceUnavailable
		}
		rec.Status = k.Status
		w.record(rec)
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.WriteHeader(k.Status)
		_, _ = rw.Write([]byte("<!DOCTYPE html><html><body><h1>" + http.StatusText(k.Status) + "</h1></body></html>\n"))
	default:
		rec.Dropped, rec.Status = true, 0
		w.record(rec)
		panic(http.ErrAbortHandler)
	}
}
