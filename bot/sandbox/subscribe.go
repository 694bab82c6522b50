package sandbox

import "context"

// Subscribe gives a tick now and whenever anything in the workspace changed: a
// message came, a call ended, a view opened. Ticks that nobody has taken yet
// coalesce into one, so a reader that re-reads the View after each tick misses
// nothing and holds nobody up. The channel is closed when ctx ends or the
// workspace closes.
func (w *Workspace) Subscribe(ctx context.Context) <-chan struct{} {
	ticks := make(chan struct{}, 1)
	ticks <- struct{}{}
	w.st.mu.Lock()
	w.st.subscribers[ticks] = true
	w.st.mu.Unlock()

	end := func() {
		w.st.mu.Lock()
		defer w.st.mu.Unlock()
		if w.st.subscribers[ticks] {
			delete(w.st.subscribers, ticks)
			close(ticks)
		}
	}
	stop := context.AfterFunc(w.closing, end) //nolint:contextcheck // whichever ends first
	context.AfterFunc(ctx, func() {
		stop()
		end()
	})
	return ticks
}

// tick tells every subscriber without waiting for any. The caller holds the lock.
func (s *state) tick() {
	for ticks := range s.subscribers {
		select {
		case ticks <- struct{}{}:
		default: // one is waiting already
		}
	}
}
