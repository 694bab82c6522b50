package pages

import (
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often somebody may try to sign in: some times at once, then at intervals.
// An address may be a whole company's or a proxy's. Secrets have 128 bits, so
// this bounds load and noise, not guessing. Each replica counts for itself.
const (
	addressEvery = time.Second
	addressBurst = 60
	personEvery  = 3 * time.Second
	personBurst  = 10
	// remembered is how many addresses and people a gate counts; beyond that it
	// begins anew, which lets somebody try a few times more.
	remembered = 10_000
)

// gate counts tries by address or by person.
type gate struct {
	every time.Duration
	burst int

	mu       sync.Mutex
	limiters map[string]*rate.Limiter
}

func newGate(every time.Duration, burst int) *gate {
	return &gate{every: every, burst: burst, limiters: map[string]*rate.Limiter{}}
}

// try counts a try of a key and refuses one too many.
func (g *gate) try(key string, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	limiter, ok := g.limiters[key]
	if !ok {
		if len(g.limiters) >= remembered {
			clear(g.limiters)
		}
		limiter = rate.NewLimiter(rate.Every(g.every), g.burst)
		g.limiters[key] = limiter
	}
	reservation := limiter.ReserveN(now, 1)
	if wait := reservation.DelayFrom(now); wait > 0 {
		reservation.CancelAt(now)
		return limited{wait}
	}
	return nil
}

// address is the network address a request came from, without its port. Behind
// a proxy it is the proxy's: X-Forwarded-For is anybody's to write.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
