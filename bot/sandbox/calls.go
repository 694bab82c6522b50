package sandbox

import (
	"encoding/json"
	"net/http"
	"time"
)

// Call is one Web API call that was made.
type Call struct {
	Method     string            // "response_url" for a message sent to one
	Args       map[string]string // without the token
	Error      string            // the error code answered, empty for ok
	Status     int               // HTTP status; 0 when the connection was cut
	Dropped    bool              // an injected fault cut the connection
	Injected   bool              // an injected fault gave the answer; nothing was done
	Start, End time.Time
}

// record files a call that has ended.
func (w *Workspace) record(c Call) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	c.End = w.cfg.Now()
	w.st.calls = append(w.st.calls, c)
	w.st.touch()
}

func writeJSON(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v) // the client is gone when this fails
}
