package sandbox

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Config says how a Workspace starts. The zero value is useful: every field has
// a default.
type Config struct {
	// Now gives the time of messages, signatures and expiries; time.Now by default.
	Now func() time.Time
	// Log receives what goes wrong inside the stand-in; nil discards it.
	Log *slog.Logger

	SigningSecret string // default "sandbox-signing-secret"
	BotToken      string // default "xoxb-sandbox"
	AppToken      string // default "xapp-sandbox"
	AppName       string // the bot's user name, default "houston"
	TeamName      string // default "Sandbox"

	// Scopes of the bot token; nil means all of them.
	Scopes []string
	// Events the app has subscribed to, by type ("message", "reaction_added" …);
	// nil means all of them.
	Events []string

	// EnterpriseID makes the workspace part of an Enterprise organisation ("E0SB000001").
	EnterpriseID, EnterpriseName string
	// OrgInstall installs the app for the whole organisation: methods that list or
	// make things then want team_id.
	OrgInstall bool

	// Where the app listens; SetURLs sets them later.
	CommandURL, InteractivityURL, EventsURL string

	// AckTimeout is how long the app may take to answer, 3 s by default as in Slack.
	AckTimeout time.Duration
	// RetryAfter is how long after each missed answer an event is sent again;
	// default 0, 1 min, 5 min as in Slack's Events API page.
	RetryAfter []time.Duration
	// PingEvery is the interval of WebSocket pings, default 5 s.
	PingEvery time.Duration
}

// Workspace is one Slack workspace with one installed app. All its methods are
// safe for concurrent use. The reading methods are those of View.
type Workspace struct {
	View

	cfg     Config
	log     *slog.Logger
	client  *http.Client
	methods map[string]*method
	faults  faultList
	sockets socketPool
	rates   rateLimits

	// closing ends background work; wg waits for it, and life guards its start.
	closing context.Context //nolint:containedctx // the workspace owns its goroutines' life
	close   context.CancelFunc
	life    sync.Mutex
	wg      sync.WaitGroup

	settings settings
	signIns  signIns
}

// settings are what a test may turn while the workspace runs.
type settings struct {
	sync.Mutex
	commandURL, interactivityURL, eventsURL string
	baseURL                                 string
	useSocket                               *bool
	latency                                 time.Duration
	abandon                                 bool
	pageSize                                int
	pageChance                              *rand.Rand
}

// New makes a workspace with the app's bot in it and no channels but "general".
func New(cfg Config) *Workspace {
	cfg = cfg.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	w := &Workspace{
		cfg:     cfg,
		log:     cfg.Log,
		client:  &http.Client{CheckRedirect: followTwo, Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}},
		closing: ctx,
		close:   cancel,
	}
	w.View = View{newState(cfg)}
	w.methods = methodTable()
	w.settings.commandURL = cfg.CommandURL
	w.settings.interactivityURL = cfg.InteractivityURL
	w.settings.eventsURL = cfg.EventsURL
	w.sockets.init()
	w.signIns.codes, w.signIns.tokens = map[string]signInCode{}, map[string]string{}
	w.rates.tiers = methodTiers()
	return w
}

func (c Config) withDefaults() Config {
	set := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	set(&c.SigningSecret, "sandbox-signing-secret")
	set(&c.BotToken, "xoxb-sandbox")
	set(&c.AppToken, "xapp-sandbox")
	set(&c.AppName, "houston")
	set(&c.TeamName, "Sandbox")
	if c.AckTimeout == 0 {
		c.AckTimeout = 3 * time.Second
	}
	if c.RetryAfter == nil {
		c.RetryAfter = []time.Duration{0, time.Minute, 5 * time.Minute}
	}
	if c.PingEvery == 0 {
		c.PingEvery = 5 * time.Second
	}
	return c
}

// SetURLs says where the app takes commands, interactivity and events. An empty
// URL means that this kind goes over Socket Mode or nowhere.
func (w *Workspace) SetURLs(command, interactivity, events string) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.commandURL, w.settings.interactivityURL, w.settings.eventsURL = command, interactivity, events
}

// UseSocket forces everything over Socket Mode (true) or HTTP (false). Without
// it a kind with a URL goes over HTTP and the rest over Socket Mode.
func (w *Workspace) UseSocket(on bool) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.useSocket = &on
}

// SetBaseURL says under which URL the Handler is reachable, without a trailing
// slash. Serve calls it.
func (w *Workspace) SetBaseURL(u string) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.baseURL = strings.TrimSuffix(u, "/")
}

func (w *Workspace) baseURL() string {
	w.settings.Lock()
	defer w.settings.Unlock()
	return w.settings.baseURL
}

// SetLatency makes every Web API call wait d before it acts. A client that goes
// away during the wait has still sent its request, so the call is carried out
// all the same, as with the real Slack; AbandonOnDisconnect changes that.
func (w *Workspace) SetLatency(d time.Duration) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.latency = d
}

// AbandonOnDisconnect makes a call whose client went away during the latency or
// a FaultDelay be dropped instead of carried out.
func (w *Workspace) AbandonOnDisconnect(on bool) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.abandon = on
}

// SigningSecret is what the app checks requests with.
func (w *Workspace) SigningSecret() string { return w.cfg.SigningSecret }

// BotToken is the app's bot token.
func (w *Workspace) BotToken() string { return w.cfg.BotToken }

// AppToken is the app-level token for Socket Mode.
func (w *Workspace) AppToken() string { return w.cfg.AppToken }

// Close ends background deliveries and Socket Mode connections and waits for
// them.
func (w *Workspace) Close() {
	w.stop()
	w.wg.Wait()
	w.client.CloseIdleConnections()
}

// stop tells background work to end.
func (w *Workspace) stop() {
	w.life.Lock()
	w.close()
	w.life.Unlock()
	w.sockets.closeAll()
}

// spawn runs fn in the background unless the workspace is closing.
func (w *Workspace) spawn(fn func()) {
	w.life.Lock()
	defer w.life.Unlock()
	if w.closing.Err() == nil {
		w.wg.Go(fn)
	}
}

// followTwo follows at most two redirects, as the Events API does
// (x-slack-retry-reason too_many_redirects).
func followTwo(_ *http.Request, via []*http.Request) error {
	if len(via) > 2 {
		return http.ErrUseLastResponse
	}
	return nil
}
