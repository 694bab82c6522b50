package slack

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

const (
	// maxBody bounds a request from Slack: a payload holds at most one view
	// (250 kB) and one message, form-encoded.
	maxBody = 4 << 20
	// answerTimeout bounds the work for one request. Slack waits three seconds;
	// what is done later is still told, by response_url.
	answerTimeout = 10 * time.Second
	slackWaits    = 3 * time.Second
)

// The transports and kinds that [EdgeConfig.Observe] is told of.
const (
	overHTTP   = "http"
	overSocket = "socket"

	kindCommand     = "command"
	kindInteraction = "interaction"
	kindEvent       = "event"
)

// EdgeConfig says what an Edge is made of. Service, Directory, Clock, Text and
// Log are required.
type EdgeConfig struct {
	Service   *incidents.Service
	Directory *Directory
	Clock     incidents.Clock
	Text      *templates.Catalogue
	Log       *slog.Logger
	// SigningSecret proves requests over HTTP; empty: none are taken.
	SigningSecret string
	// Client opens forms, reads messages and, with the app token, opens Socket
	// Mode.
	Client *Client
	// Announce resolves the announce channel, whose messages are offered to be
	// declared; nil: there is none.
	Announce *Outbound
	// Command is how people call Houston; empty: /incident.
	Command string
	// PublicURL is where the web pages are, for texts that are too long; empty:
	// there are none.
	PublicURL string
	// WebLink makes a link that signs a person in to the pages; nil: there are
	// none.
	WebLink func(ctx context.Context, actor incidents.Actor) (string, error)
	// Postmortems is the door to postmortems.
	Postmortems Postmortems
	// Charts draws what Prometheus saw; nil: there is none to ask.
	Charts Charts
	// HTTP sends answers to response URLs; nil: a client of its own.
	HTTP *http.Client
	// Observe is told how long each request took; transport is http or socket,
	// kind command, interaction or event. It may be nil.
	Observe func(transport, kind string, d time.Duration)
}

// Edge takes what people do in Slack. Requests come over signed HTTP (see
// [Edge.Mount]) and over Socket Mode (see [Edge.RunSocket]); both may be on, and
// what is delivered twice is done once.
type Edge struct {
	config   EdgeConfig
	verifier verifier
	shared   *templates.Catalogue // what textFor begins with
	homes    homes
	members  *Memberships
	answers  sync.WaitGroup // answers under way to response URLs
}

// NewEdge makes an Edge.
func NewEdge(config EdgeConfig) *Edge {
	if config.Command == "" {
		config.Command = "/incident"
	}
	if config.HTTP == nil {
		config.HTTP = newHTTPClient()
	}
	if config.Observe == nil {
		config.Observe = func(string, string, time.Duration) {}
	}
	return &Edge{
		config:   config,
		verifier: verifier{secret: []byte(config.SigningSecret), clock: config.Clock},
		shared:   config.Text.Escaping(escape),
		members:  NewMemberships(config.Client, config.Clock),
	}
}

// Mount serves POST /slack/commands, /slack/interactivity and /slack/events.
// Without a signing secret it serves nothing.
func (e *Edge) Mount(mux *http.ServeMux) {
	if e.config.SigningSecret == "" {
		return
	}
	mux.HandleFunc("POST /slack/commands", e.serve(e.serveCommand))
	mux.HandleFunc("POST /slack/interactivity", e.serve(e.serveInteraction))
	mux.HandleFunc("POST /slack/events", e.serve(e.serveEvent))
}

// Wait returns when all answers that were under way are sent or given up.
func (e *Edge) Wait() { e.answers.Wait() }

// errMalformed says that a signed request is not what Slack sends.
var errMalformed = errors.New("the request is not one that Slack sends")

// serve reads and proves a request before anything else happens, and maps what
// went wrong to a status. The work goes on when Slack hangs up: the user is
// told by response_url then.
func (e *Edge) serve(handle func(ctx context.Context, w http.ResponseWriter, body []byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "The body could not be read, or is too large.", http.StatusRequestEntityTooLarge)
			return
		}
		if isSSLCheck(r, body) {
			return // 200: Slack tests the certificate; nothing is done
		}
		if err := e.verifier.verify(r.Header, body); err != nil {
			http.Error(w, "This request is not signed by Slack, or its time stamp is off by more than 5 minutes.", http.StatusUnauthorized)
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), answerTimeout)
		defer cancel()
		if err := handle(ctx, w, body); err != nil {
			e.config.Log.WarnContext(ctx, "a signed request could not be read", "path", r.URL.Path, "error", err)
			http.Error(w, "The request could not be read.", http.StatusBadRequest)
		}
	}
}

// isSSLCheck finds the request by which Slack tests a command's certificate from
// time to time (https://docs.slack.dev/interactivity/implementing-slash-commands).
func isSSLCheck(r *http.Request, body []byte) bool {
	if r.URL.Path != "/slack/commands" || len(body) > 1024 {
		return false
	}
	form, err := url.ParseQuery(string(body))
	return err == nil && form.Get("ssl_check") == "1" && form.Get("command") == ""
}

func (e *Edge) serveCommand(ctx context.Context, w http.ResponseWriter, body []byte) error {
	form, err := url.ParseQuery(string(body))
	if err != nil || form.Get("user_id") == "" || form.Get("command") == "" {
		return errMalformed
	}
	answer := e.takeCommand(ctx, overHTTP, slashCommand{
		Command: form.Get("command"), Text: form.Get("text"), User: form.Get("user_id"), UserName: form.Get("user_name"),
		Channel: form.Get("channel_id"), TriggerID: form.Get("trigger_id"), ResponseURL: form.Get("response_url"),
	})
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(answer) // when Slack has hung up there is nobody to tell
	return nil
}

func (e *Edge) serveInteraction(ctx context.Context, w http.ResponseWriter, body []byte) error {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return errMalformed
	}
	answer, err := e.takeInteraction(ctx, overHTTP, []byte(form.Get("payload")))
	if err != nil {
		return err
	}
	if len(answer) > 0 {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	_, _ = w.Write(answer) // when Slack has hung up there is nobody to tell
	return nil
}

func (e *Edge) serveEvent(ctx context.Context, w http.ResponseWriter, body []byte) error {
	var hello struct {
		Type      string `json:"type"`
		Challenge string `json:"challenge"`
	}
	if err := json.Unmarshal(body, &hello); err != nil {
		return errMalformed
	}
	if hello.Type == "url_verification" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, hello.Challenge)
		return nil
	}
	if err := e.takeEvent(ctx, overHTTP, body); err != nil {
		http.Error(w, "The event could not be stored. Send it again.", http.StatusServiceUnavailable)
	}
	return nil
}

// observe tells how long something took that began at started.
func (e *Edge) observe(transport, kind string, started time.Time) {
	e.config.Observe(transport, kind, time.Since(started))
}
