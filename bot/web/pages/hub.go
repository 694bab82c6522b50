package pages

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// How often the hub looks for changes, and how long a look may take.
const (
	lookEvery = time.Second
	lookFor   = 5 * time.Second
)

// hub tells live views that an incident has changed. One goroutine looks at the
// versions of all incidents that somebody watches, in one query; it works on
// both databases and whichever replica made the change. It runs only while
// somebody watches.
type hub struct {
	store Store
	log   *slog.Logger

	mu       sync.Mutex
	closed   bool
	ended    chan struct{} // closed with the hub
	running  sync.WaitGroup
	looking  bool
	watchers map[*watcher]struct{}
}

// watcher is one live view. Changed holds the newest version not told yet.
type watcher struct {
	number  int64
	seen    int64
	changed chan int64
}

func newHub(store Store, log *slog.Logger) *hub {
	return &hub{store: store, log: log, ended: make(chan struct{}), watchers: map[*watcher]struct{}{}}
}

// watch has changes of an incident beyond a version told, until leave is called.
// False when the hub is closed.
func (h *hub) watch(number, seen int64) (w *watcher, leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, false
	}
	w = &watcher{number: number, seen: seen, changed: make(chan int64, 1)}
	h.watchers[w] = struct{}{}
	h.running.Add(1) // the view itself, so that close waits for it
	if !h.looking {
		h.looking = true
		h.running.Go(h.run)
	}
	return w, sync.OnceFunc(func() {
		h.mu.Lock()
		delete(h.watchers, w)
		h.mu.Unlock()
		h.running.Done()
	}), true
}

// run looks for changes until nobody watches or the hub is closed.
func (h *hub) run() {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-h.ended:
			return
		case <-tick.C:
		}
		numbers := h.watched()
		if numbers == nil {
			return
		}
		h.look(numbers)
	}
}

// watched lists the incidents that are watched; nil, and the looking is over,
// when there are none.
func (h *hub) watched() []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.watchers) == 0 {
		h.looking = false
		return nil
	}
	numbers := map[int64]struct{}{}
	for w := range h.watchers {
		numbers[w.number] = struct{}{}
	}
	return slices.Sorted(maps.Keys(numbers))
}

func (h *hub) look(numbers []int64) {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	versions, err := h.store.Versions(ctx, numbers)
	if err != nil {
		h.log.Warn("looking for changes failed; live views wait", "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		version, ok := versions[w.number]
		if !ok || version <= w.seen {
			continue
		}
		w.seen = version
		select { // the newest replaces one not told yet
		case <-w.changed:
		default:
		}
		w.changed <- version
	}
}

// close ends all views and waits for them.
func (h *hub) close() {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.ended)
	}
	h.mu.Unlock()
	h.running.Wait()
}
