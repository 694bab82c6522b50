package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// nodeControl lets tests in another language make workspaces and act as their
// people: POST /worlds, POST /worlds/{id}/{act}.
type nodeControl struct {
	*http.ServeMux
	t      *testing.T
	mu     sync.Mutex
	worlds []*world
}

// nodeReply is what came of an act.
type nodeReply struct {
	Error   string `json:"error"`
	Text    string `json:"text"`
	TS      string `json:"ts"`
	Trigger string `json:"trigger"`
	Action  string `json:"action"`
}

// nodeAct holds the arguments of every act; each takes what it needs.
type nodeAct struct {
	User, Channel, Text, TS, URL string
	Command, CallbackID          string
	MessageTS, ActionID, Value   string
	Values                       map[string]string
	Count                        int
	On                           bool
}

func newNodeControl(t *testing.T) *nodeControl {
	t.Helper()
	c := &nodeControl{ServeMux: http.NewServeMux(), t: t}
	c.HandleFunc("POST /worlds", c.create)
	c.HandleFunc("POST /worlds/{id}/{act}", c.act)
	return c
}

func (c *nodeControl) create(rw http.ResponseWriter, r *http.Request) {
	var cfg struct {
		PageSeed uint64 `json:"pageSeed"`
	}
	if err := json.NewDecoder(r.Body).Decode(&cfg); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w := newWorld(c.t, sandbox.Config{})
	w.RandomPages(cfg.PageSeed)
	w.AddUserGroup(sandbox.UserGroup{Name: "On call", Handle: "oncall", Users: []string{w.ann.ID}})
	c.mu.Lock()
	c.worlds = append(c.worlds, w)
	id := len(c.worlds) - 1
	c.mu.Unlock()
	answer(rw, map[string]any{
		"id": id, "api": w.srv.APIURL(), "botToken": w.BotToken(), "appToken": w.AppToken(), "signingSecret": w.SigningSecret(),
		"team": w.TeamID(), "ann": w.ann.ID, "bob": w.bob.ID, "ops": w.ops.ID,
	})
}

func (c *nodeControl) act(rw http.ResponseWriter, r *http.Request) {
	var a nodeAct
	n, err := strconv.Atoi(r.PathValue("id"))
	c.mu.Lock()
	known := err == nil && n >= 0 && n < len(c.worlds)
	var w *world
	if known {
		w = c.worlds[n]
	}
	c.mu.Unlock()
	do := nodeActs()[r.PathValue("act")]
	if w == nil || do == nil || json.NewDecoder(r.Body).Decode(&a) != nil {
		http.Error(rw, "no such world or act", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	reply, err := do(ctx, w, a)
	out := nodeReply{Text: reply.Text, TS: reply.TS, Trigger: reply.TriggerID, Action: reply.ResponseAction}
	if err != nil {
		out.Error = err.Error()
	}
	answer(rw, out)
}

func answer(rw http.ResponseWriter, v any) {
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(v)
}

// nodeActs are what people do, by name.
func nodeActs() map[string]func(context.Context, *world, nodeAct) (sandbox.Reply, error) {
	type reply = sandbox.Reply
	saw := func(m sandbox.Message, err error) (reply, error) { return reply{Text: m.Text, TS: m.TS}, err }
	return map[string]func(context.Context, *world, nodeAct) (reply, error){
		"command": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.Command(ctx, sandbox.Command{User: a.User, Channel: a.Channel, Command: a.Command, Text: a.Text})
		},
		"trigger": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			r, err := w.Command(ctx, sandbox.Command{User: a.User, Channel: a.Channel, Command: "/x"})
			if e, ok := errors.AsType[*sandbox.ActError](err); ok && e.Code == "dispatch_failed" && r.TriggerID != "" {
				err = nil // nobody listens; the trigger is good all the same
			}
			return r, err
		},
		"click": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.Click(ctx, sandbox.Click{User: a.User, Channel: a.Channel, MessageTS: a.MessageTS, ActionID: a.ActionID, Value: a.Value})
		},
		"submit": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.SubmitView(ctx, sandbox.SubmitView{User: a.User, Values: a.Values})
		},
		"shortcut": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.Shortcut(ctx, sandbox.Shortcut{User: a.User, CallbackID: a.CallbackID, Channel: a.Channel, MessageTS: a.MessageTS})
		},
		"post": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.Post(ctx, a.User, a.Channel, a.Text, "")
		},
		"react": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return w.React(ctx, a.User, a.Channel, a.TS, a.Text)
		},
		"message": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return saw(w.WaitMessage(ctx, a.Channel, a.Text))
		},
		"ephemeral": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return saw(w.WaitEphemeral(ctx, a.Channel, a.User, a.Text))
		},
		"join": func(_ context.Context, w *world, a nodeAct) (reply, error) {
			w.Join(w.BotUser().ID, a.Channel)
			return reply{}, nil
		},
		"urls": func(_ context.Context, w *world, a nodeAct) (reply, error) {
			w.SetURLs(a.URL, a.URL, a.URL)
			return reply{}, nil
		},
		"verify": func(ctx context.Context, w *world, _ nodeAct) (reply, error) { return w.VerifyEvents(ctx) },
		"sockets": func(ctx context.Context, w *world, a nodeAct) (reply, error) {
			return reply{}, w.WaitSockets(ctx, a.Count)
		},
		"rates": func(_ context.Context, w *world, a nodeAct) (reply, error) {
			w.EnforceRates(a.On)
			return reply{}, nil
		},
	}
}
