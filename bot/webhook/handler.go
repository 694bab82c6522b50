package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// MaxBody is the largest body taken, in bytes. Real deliveries of 5,000 alerts
// have 5 MB; a single annotation may have 1 MB and is sent twice.
const MaxBody = 32 << 20

// storeTimeout bounds the storing of one delivery. It goes on when the sender
// hangs up, since the sender would only deliver the same again.
const storeTimeout = 30 * time.Second

// atOnce is how many deliveries are stored at a time. Alertmanager opens a
// connection for each of its groups at once: without a bound, a storm would take
// every connection to the database, and commands would wait behind it.
const atOnce = 6

// Ingester stores what a delivery says durably; *incidents.Service is one.
type Ingester interface {
	Ingest(ctx context.Context, delivery incidents.Delivery) error
	// TakeChange stores a change, or what is new of one.
	TakeChange(ctx context.Context, once incidents.Once, change incidents.ChangeEvent) (incidents.ChangeEvent, bool, error)
	// TakePage stores what a pager tells of a page.
	TakePage(ctx context.Context, signal incidents.PageSignal) error
	// Acted reports whether a delivery of this id was acted on before.
	Acted(ctx context.Context, id string) (bool, error)
	// Act remembers that a delivery was acted on.
	Act(ctx context.Context, id string) error
}

// Config of a [Handler]. Ingester, Clock and Log are required.
type Config struct {
	// Token is what senders prove themselves with, as a Bearer token or as the
	// password of Basic. Empty, and without Secrets: every request is refused.
	Token string
	// Secrets are what the senders of a kind sign with, or show as they would
	// the token where they can not sign.
	Secrets map[string]string
	// Generic says what the bodies of /webhooks/generic?source=NAME mean, by name.
	Generic  map[string]Mapping
	Ingester Ingester
	Clock    incidents.Clock
	Log      *slog.Logger
	// Observe is told the sender's kind and the HTTP status of each answer.
	Observe func(kind string, status int)
}

// Handler answers /webhooks/<kind>[?source=NAME].
type Handler struct {
	config  Config
	token   secret
	senders map[string]sender
	slots   chan struct{} // one for each delivery that is being stored
}

// New makes a Handler.
func New(config Config) *Handler {
	if config.Observe == nil {
		config.Observe = func(string, int) {}
	}
	return &Handler{config: config, token: secret(config.Token), senders: senders(decodeGeneric(config.Generic)), slots: make(chan struct{}, atOnce)}
}

// Mount puts the handler below /webhooks/. The pattern is a subtree without a
// method, so that the mux neither redirects a path with a trailing slash nor
// answers for us.
func (h *Handler) Mount(mux *http.ServeMux) { mux.Handle("/webhooks/", h) }

// refusal is an answer other than success. Senders log its text whole, so it
// is short and holds nothing of the request.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, args ...any) *refusal {
	return &refusal{status: status, text: fmt.Sprintf(format, args...)}
}

// ServeHTTP answers one delivery.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/webhooks/"), "/")
	status, text := http.StatusOK, ""
	if err := h.take(w, r, kind); err != nil {
		status, text = h.verdict(r, kind, err)
	}
	if status == http.StatusNotFound {
		kind = "unknown" // what strangers make up must not become label values
	}
	h.config.Observe(kind, status)
	if status == http.StatusOK {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{\"status\":\"stored\"}\n")
		return
	}
	http.Error(w, text, status)
}

// verdict maps an error to an answer and logs what a person must know.
func (h *Handler) verdict(r *http.Request, kind string, err error) (int, string) {
	if refused, ok := errors.AsType[*refusal](err); ok {
		if refused.status == http.StatusBadRequest {
			h.config.Log.WarnContext(r.Context(), "webhook refused", "kind", kind, "reason", refused.text)
		}
		return refused.status, refused.text
	}
	if user, ok := errors.AsType[*incidents.Error](err); ok && user.Kind == incidents.Invalid {
		return http.StatusBadRequest, user.Message
	}
	h.config.Log.ErrorContext(r.Context(), "webhook not stored", "kind", kind, "error", err)
	return http.StatusServiceUnavailable, "The delivery could not be stored. Deliver it again."
}

// take checks one request and has it stored.
func (h *Handler) take(w http.ResponseWriter, r *http.Request, kind string) error {
	from, known := h.senders[kind]
	if !known {
		return refuse(http.StatusNotFound, "There is no webhook of this name. Alerts go to /webhooks/alertmanager.")
	}
	if r.Method != http.MethodPost && (!from.put || r.Method != http.MethodPut) {
		w.Header().Set("Allow", http.MethodPost)
		return refuse(http.StatusMethodNotAllowed, "Deliver with POST. If this was a POST, something in between redirected it.")
	}
	req := request{header: r.Header, now: h.config.Clock.Now()}
	var err error
	if from.signed == nil || h.config.Secrets[kind] == "" {
		if err := h.authenticate(w, kind, sender{}, &req); err != nil {
			return err // before anything is read
		}
	}
	if req.source, err = sourceOf(r); err != nil {
		return err
	}
	if req.body, err = readBody(w, r); err != nil {
		return err
	}
	if err := h.authenticate(w, kind, from, &req); err != nil {
		return err
	}
	in, err := from.decode(req)
	if err != nil {
		return err
	}
	if in.ignored != "" {
		h.config.Log.InfoContext(r.Context(), "webhook ignored", "kind", kind, "reason", in.ignored)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), storeTimeout)
	defer cancel()
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return fmt.Errorf("wait for earlier deliveries to be stored: %w", ctx.Err())
	}
	return h.store(ctx, kind, req.seal, in)
}

// store has all that a delivery says stored, once where it has an id or a seal. They
// are remembered last: what failed half-way is done whole by the next delivery. Two
// of the same at the same moment are both stored, which is the same as one.
func (h *Handler) store(ctx context.Context, kind, seal string, in intake) error {
	to := h.config.Ingester
	var ids []string
	if in.id != "" {
		ids = append(ids, kind+"/"+in.id)
	}
	if seal != "" {
		ids = append(ids, kind+"/sealed/"+seal)
	}
	for _, id := range ids {
		if acted, err := to.Acted(ctx, id); err != nil || acted {
			return err
		}
	}
	for _, delivery := range in.alerts {
		if err := to.Ingest(ctx, delivery); err != nil {
			return err
		}
	}
	for _, change := range in.changes {
		if _, _, err := to.TakeChange(ctx, incidents.Once{}, change); err != nil {
			return err
		}
	}
	for _, signal := range in.pages {
		if err := to.TakePage(ctx, signal); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := to.Act(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// sourceOf reads ?source=, which names the sender's installation.
func sourceOf(r *http.Request) (string, error) {
	source := strings.TrimSpace(r.URL.Query().Get("source"))
	switch {
	case source == "":
		return "default", nil
	case len(source) > 100 || strings.ContainsFunc(source, func(c rune) bool { return c < ' ' || c == '\uFFFD' }):
		return "", refuse(http.StatusBadRequest, "source must be a short plain name such as ?source=berlin.")
	default:
		return source, nil
	}
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := refuse(http.StatusRequestEntityTooLarge, "The body is larger than %d MB. Set max_alerts in the sender's webhook.", MaxBody>>20)
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity") // RFC 9110, section 12.5.3
		return nil, refuse(http.StatusUnsupportedMediaType, "The body is compressed. Switch compression off at the sender, or unpack it on the way.")
	}
	if r.ContentLength > MaxBody {
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge
	}
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "The body ended early.")
	}
	return body, nil
}
