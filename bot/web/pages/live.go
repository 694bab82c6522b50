package pages

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// heartbeat is how often a quiet stream says that it is alive: proxies end
	// connections that are silent for 30 to 60 seconds.
	heartbeat = 20 * time.Second
	// recheck is how often a live view makes sure that its reader may still see
	// the incident.
	recheck = time.Minute
	// writeFor bounds one write to a reader who does not take it.
	writeFor = 10 * time.Second
)

// live answers GET /i/42/live?seq=N with server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html): "changed"
// whenever the incident has, from version N on. What has changed the page asks
// for itself, as its reader: a stream holds nothing secret.
func (p *Pages) live(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, _, err := p.find(r, v)
	if err != nil {
		return err
	}
	seen, err := strconv.ParseInt(r.URL.Query().Get("seq"), 10, 64)
	if err != nil {
		seen = inc.Seq
	}
	watcher, leave, ok := p.hub.watch(inc.Number, seen)
	if !ok {
		w.WriteHeader(http.StatusServiceUnavailable)
		return nil
	}
	defer leave()
	s := stream{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would keep events back
	if s.write("retry: 2000\n\n") != nil {
		return nil
	}
	beat, check := time.NewTicker(heartbeat), time.NewTicker(recheck)
	defer beat.Stop()
	defer check.Stop()
	for {
		var err error
		select {
		case <-r.Context().Done():
			return nil
		case <-p.hub.ended:
			return nil
		case version := <-watcher.changed:
			// That something happened is for those alone who may see what.
			if err = p.stillMay(r); err != nil {
				return nil
			}
			err = s.write(fmt.Sprintf("event: changed\nid: %d\ndata: %d\n\n", version, version))
		case <-beat.C:
			err = s.write(": alive\n\n")
		case <-check.C:
			err = p.stillMay(r)
		}
		if err != nil {
			return nil // the reader has gone or may not read any more; either way it ends here
		}
	}
}

// stillMay looks the reader and the incident up anew.
func (p *Pages) stillMay(r *http.Request) error {
	v, err := p.visit(nowhere{}, r)
	if err != nil {
		return err
	}
	if !v.known {
		return errSignIn
	}
	_, _, err = p.find(r, v)
	return err
}

// stream writes events, each with a deadline of its own: the server's would end
// every stream.
type stream struct {
	w       io.Writer
	control *http.ResponseController
}

func (s stream) write(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeFor)); err != nil {
		return fmt.Errorf("set a deadline: %w", err)
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	if err := s.control.Flush(); err != nil {
		return fmt.Errorf("send an event: %w", err)
	}
	return nil
}

// nowhere takes headers that can not be sent any more.
type nowhere struct{}

func (nowhere) Header() http.Header         { return http.Header{} }
func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) WriteHeader(int)             {}
