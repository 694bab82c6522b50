package slack_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	slackapi "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/templates"
)

// world is a Slack workspace with an edge that listens to it, over signed HTTP
// or over Socket Mode, and a real store behind.
type world struct {
	*sandbox.Workspace

	server    *sandbox.Server
	store     *sqlstore.Store
	service   *incidents.Service
	client    *slack.Client
	directory *slack.Directory
	edge      *slack.Edge
	url       string // where the edge listens
	logs      *logs

	ann, bob, guest sandbox.User
	ops             sandbox.Channel
}

// setup is what a test wants to be different.
type setup struct {
	socket      bool
	permissions incidents.Permissions
	groups      []string
	sandbox     sandbox.Config
	prepare     func(w *world) // before the directory starts
	observe     func(transport, kind string, d time.Duration)
}

func newWorld(t *testing.T, s setup) *world {
	t.Helper()
	w := &world{Workspace: sandbox.New(s.sandbox), logs: &logs{}}
	var err error
	if w.server, err = sandbox.Serve(w.Workspace, "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.server.Close(); err != nil {
			t.Errorf("close the sandbox: %v", err)
		}
		if defects := w.Defects(); len(defects) > 0 {
			t.Errorf("the sandbox broke promises: %q", defects)
		}
	})
	w.ann = w.AddUser(sandbox.User{Name: "ann", RealName: "Ann Meyer"})
	w.bob = w.AddUser(sandbox.User{Name: "bob", RealName: "Bob Stone", TZ: "Asia/Kolkata"})
	w.guest = w.AddUser(sandbox.User{Name: "gus", RealName: "Gus Guest", Guest: true})
	w.ops = w.AddChannel(sandbox.Channel{Name: "ops", Members: []string{w.ann.ID, w.bob.ID, w.guest.ID}})
	w.openStore(t, filepath.Join(t.TempDir(), "houston.db"))
	w.service = incidents.NewService(incidents.Config{
		Store: w.store, Clock: incidents.SystemClock{}, Announce: true, Permissions: s.permissions,
		Bridge: func(int64) string { return "https://meet.example.com/a&b" },
	})
	w.client = slack.NewClient(slack.ClientConfig{Token: w.BotToken(), AppToken: w.AppToken(), APIURL: w.server.APIURL()})
	if s.prepare != nil {
		s.prepare(w)
	}
	w.directory = w.startDirectory(t, s.groups)
	w.startEdge(t, s)
	return w
}

func (w *world) openStore(t *testing.T, file string) {
	t.Helper()
	store, err := sqlstore.Open(t.Context(), sqlstore.Config{
		URL: "sqlite:" + file, Enqueue: func(context.Context, *sql.Tx, []incidents.Job) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.store = store
}

func (w *world) startDirectory(t *testing.T, groups []string) *slack.Directory {
	t.Helper()
	d := slack.NewDirectory(slack.DirectoryConfig{Client: w.client, Store: w.store, Log: w.logs.logger(), Groups: groups})
	ctx, cancel := context.WithCancel(t.Context())
	d.Start(ctx)
	t.Cleanup(func() { cancel(); d.Wait() })
	select {
	case <-d.Ready():
	case <-time.After(10 * time.Second):
		t.Fatal("the directory was not ready in time")
	}
	return d
}

func (w *world) startEdge(t *testing.T, s setup) {
	t.Helper()
	text, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	w.edge = slack.NewEdge(slack.EdgeConfig{
		Service: w.service, Directory: w.directory, Clock: incidents.SystemClock{}, Text: text, Log: w.logs.logger(),
		SigningSecret: w.SigningSecret(), Client: w.client, Observe: s.observe,
		Postmortems: postmortem.NewService(postmortem.Config{Incidents: w.service, Store: w.store, Clock: incidents.SystemClock{}}),
	})
	mux := http.NewServeMux()
	w.edge.Mount(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.Close(); w.edge.Wait() })
	w.url = server.URL
	if !s.socket {
		w.SetURLs(server.URL+"/slack/commands", server.URL+"/slack/interactivity", server.URL+"/slack/events")
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.edge.RunSocket(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Socket Mode ended with %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("Socket Mode did not end")
		}
	})
	if err := w.WaitSockets(deadline(t), 1); err != nil {
		t.Fatal(err)
	}
}

// bothTransports runs a test over signed HTTP and over Socket Mode.
func bothTransports(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, socket := range map[string]bool{"http": false, "socket": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newWorld(t, setup{socket: socket}))
		})
	}
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// say sends a command and gives the answer that the user sees.
func (w *world) say(t *testing.T, user sandbox.User, channel, text string) sandbox.Reply {
	t.Helper()
	reply, err := w.Command(deadline(t), sandbox.Command{User: user.ID, Channel: channel, Command: "/incident", Text: text})
	if err != nil {
		t.Fatalf("/incident %s: %v", text, err)
	}
	return reply
}

// answers sends a command and checks that the answer holds all the parts.
func (w *world) answers(t *testing.T, user sandbox.User, channel, text string, parts ...string) sandbox.Reply {
	t.Helper()
	reply := w.say(t, user, channel, text)
	for _, part := range parts {
		if !strings.Contains(reply.Text, part) {
			t.Errorf("/incident %s\ngot  %q\nwant %q in it", text, reply.Text, part)
		}
	}
	return reply
}

// opened declares an incident with a channel that is there already.
func (w *world) opened(t *testing.T, title string, private bool) (incidents.Incident, sandbox.Channel) {
	t.Helper()
	result, err := w.service.Declare(t.Context(), incidents.Declare{
		Request: incidents.Request{Actor: incidents.Actor{Person: incidents.Person{ID: w.ann.ID, Name: "Ann Meyer"}, Via: incidents.FromSlack, Standing: incidents.Member}},
		Title:   title, Private: private,
	})
	if err != nil {
		t.Fatal(err)
	}
	channel := w.AddChannel(sandbox.Channel{
		Name: strings.ToLower(result.Incident.Key()), Private: private, Creator: w.BotUser().ID,
		Members: []string{w.BotUser().ID, w.ann.ID, w.bob.ID, w.guest.ID},
	})
	effect, taken, err := w.store.TakeEffect(t.Context(), incidents.EffectKey(result.Incident.Number, incidents.MakeChannel, ""), time.Now(), time.Minute)
	if err != nil || !taken {
		t.Fatalf("take the channel's effect: %t, %v", taken, err)
	}
	inc, err := w.service.ChannelMade(t.Context(), effect, incidents.Channel{ID: channel.ID, Name: channel.Name})
	if err != nil {
		t.Fatal(err)
	}
	return inc, channel
}

// buttons posts a message with one button for each action id, all of one value.
func (w *world) buttons(t *testing.T, channel, value string, actions ...string) string {
	t.Helper()
	var elements []slackapi.BlockElement
	for _, id := range actions {
		elements = append(elements, slackapi.NewButtonBlockElement(id, value, slackapi.NewTextBlockObject(slackapi.PlainTextType, id, false, false)))
	}
	_, ts, err := w.client.API().PostMessageContext(t.Context(), channel, slackapi.MsgOptionBlocks(slackapi.NewActionBlock("", elements...)))
	if err != nil {
		t.Fatal(err)
	}
	return ts
}

// click clicks and gives the ephemeral answer that comes of it.
func (w *world) click(t *testing.T, user sandbox.User, channel, ts, action string) string {
	t.Helper()
	before := len(w.Ephemerals(channel, user.ID))
	if _, err := w.Click(deadline(t), sandbox.Click{User: user.ID, Channel: channel, MessageTS: ts, ActionID: action}); err != nil {
		t.Fatalf("click %s: %v", action, err)
	}
	w.edge.Wait()
	shown := w.Ephemerals(channel, user.ID)
	if len(shown) != before+1 {
		t.Fatalf("click %s: got %d answers, want 1", action, len(shown)-before)
	}
	return shown[before].Text
}

func (w *world) incident(t *testing.T, number int64) incidents.Incident {
	t.Helper()
	inc, err := w.store.Incident(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	return inc
}

func (w *world) count(t *testing.T) int {
	t.Helper()
	list, err := w.store.Incidents(t.Context(), incidents.Query{Private: true, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func (w *world) events(t *testing.T, number int64, kind string) []incidents.Event {
	t.Helper()
	events, err := w.store.Events(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	var found []incidents.Event
	for _, e := range events {
		if e.Data.Type() == kind {
			found = append(found, e)
		}
	}
	return found
}

// calls counts the calls of the Web API so far; answers to response URLs are
// none.
func (w *world) calls() int {
	n := 0
	for _, c := range w.Calls("") {
		if c.Method != "response_url" && c.Method != "apps.connections.open" {
			n++
		}
	}
	return n
}

// logs collects what is logged.
type logs struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logs) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(l, nil)) }

// at lists the messages logged at a level.
func (l *logs) at(level slog.Level) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	for line := range strings.Lines(l.text.String()) {
		var record struct{ Level, Msg string }
		if json.Unmarshal([]byte(line), &record) == nil && record.Level == level.String() {
			found = append(found, record.Msg)
		}
	}
	return found
}
