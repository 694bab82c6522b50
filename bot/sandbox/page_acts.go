package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// anAct is something a person does on the page. The string is an address to go
// to afterwards, empty to stay.
type anAct func(u *ui, r *http.Request) (string, error)

func (p *Page) acts() map[string]anAct {
	return map[string]anAct{
		"post": postAct, "edit": editAct, "delete": deleteAct, "react": reactAct, "click": clickAct, "shortcut": shortcutAct,
		"home": homeAct, "join": joinAct, "read": readAct, "dismiss": dismissAct, "submit": submitAct, "close": closeAct,
	}
}

const (
	maxActBody   = 32 << 20 // with files
	maxActMemory = 4 << 20
)

// act does something and answers with JSON {"ok","error","go"} where the page's
// script asks for it, and otherwise by showing the page again.
func (p *Page) act(do anAct) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(rw, r.Body, maxActBody)
		if err := r.ParseMultipartForm(maxActMemory); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			http.Error(rw, "unreadable form", http.StatusBadRequest)
			return
		}
		u := p.seat(r)
		next, err := "", error(&ActError{Code: "channel_not_found"}) // never act in another channel instead
		if !u.astray {
			next, err = do(u, r)
		}
		problem := ""
		if err != nil {
			problem = u.explain(err)
		}
		if strings.Contains(r.Header.Get("Accept"), "application/json") {
			writeJSON(rw, http.StatusOK, object{"ok": err == nil, "error": problem, "go": next})
			return
		}
		if problem != "" {
			p.tell(u.As, u.Channel, problem)
		}
		if next == "" {
			next = u.address()
		}
		http.Redirect(rw, r, next, http.StatusSeeOther)
	}
}

// postAct writes a message, or types a command when it starts with a slash.
func postAct(u *ui, r *http.Request) (string, error) {
	text := strings.TrimSpace(strings.ReplaceAll(r.FormValue("text"), "\r\n", "\n"))
	if text == "" {
		return "", nil
	}
	if strings.HasPrefix(text, "/") {
		return "", u.command(r.Context(), text)
	}
	w := u.p.w
	w.st.mu.Lock()
	text = w.st.refer(escape(text))
	w.st.mu.Unlock()
	reply, err := w.Post(r.Context(), u.As, u.Channel, text, u.Thread)
	if reply.TS != "" {
		err = nil // it stands; that the app missed the event is not the person's trouble
		u.p.markRead(u.As, u.Channel)
	}
	return "", err
}

// command types a command; what goes wrong is told by Slackbot in the channel.
func (u *ui) command(ctx context.Context, text string) error {
	name, rest, _ := strings.Cut(text, " ")
	known := len(u.p.cfg.Commands) == 0 || slices.ContainsFunc(u.p.cfg.Commands, func(c CommandHint) bool { return c.Name == name })
	var complaint string
	switch {
	case u.Thread != "":
		complaint = u.say("err.thread_command", name)
	case !known:
		complaint = u.say("err.no_command", name)
	default:
		if _, err := u.p.w.Command(ctx, Command{User: u.As, Channel: u.Channel, Command: name, Text: strings.TrimSpace(rest)}); err != nil {
			complaint = u.say("err.command", name) + " " + u.explain(err)
		}
	}
	if complaint != "" && u.Thread != "" {
		return &complaintError{complaint}
	}
	if complaint != "" {
		u.p.tell(u.As, u.Channel, complaint)
	}
	return nil
}

func editAct(u *ui, r *http.Request) (string, error) {
	w := u.p.w
	w.st.mu.Lock()
	text := w.st.refer(escape(strings.TrimSpace(r.FormValue("text"))))
	w.st.mu.Unlock()
	reply, err := w.Edit(r.Context(), u.As, u.Channel, r.FormValue("ts"), text)
	return "", unlessDone(reply, err)
}

func deleteAct(u *ui, r *http.Request) (string, error) {
	reply, err := u.p.w.Delete(r.Context(), u.As, u.Channel, r.FormValue("ts"))
	return "", unlessDone(reply, err)
}

// reactAct puts an emoji on a message, or takes it away where it is the person's.
func reactAct(u *ui, r *http.Request) (string, error) {
	ts, emoji := r.FormValue("ts"), r.FormValue("emoji")
	reply, err := u.p.w.React(r.Context(), u.As, u.Channel, ts, emoji)
	if e, ok := errors.AsType[*ActError](err); ok && e.Code == "already_reacted" {
		reply, err = u.p.w.Unreact(r.Context(), u.As, u.Channel, ts, emoji)
	}
	return "", unlessDone(reply, err)
}

// unlessDone forgets that the app missed the event of something that was done.
func unlessDone(reply Reply, err error) error {
	if reply.Delivered() {
		return nil
	}
	return err
}

// press is what a button or a menu of Block Kit sends.
type press struct {
	Block  string `json:"b"`
	Action string `json:"a"`
	Value  string `json:"v"`
}

func clickAct(u *ui, r *http.Request) (string, error) {
	var what press
	if err := json.Unmarshal([]byte(r.FormValue("press")), &what); err != nil {
		return "", fmt.Errorf("read the click: %w", err)
	}
	click := Click{User: u.As, ViewID: r.FormValue("view"), BlockID: what.Block, ActionID: what.Action, Value: what.Value}
	if click.ViewID == "" {
		click.Channel, click.MessageTS = u.Channel, r.FormValue("ts")
	}
	_, err := u.p.w.Click(r.Context(), click)
	return "", err
}

func shortcutAct(u *ui, r *http.Request) (string, error) {
	s := Shortcut{User: u.As, CallbackID: r.FormValue("callback"), MessageTS: r.FormValue("ts")}
	if s.MessageTS != "" {
		s.Channel = u.Channel
	}
	_, err := u.p.w.Shortcut(r.Context(), s)
	return "", err
}

// homeAct opens the app's home tab; the app then publishes it.
func homeAct(u *ui, r *http.Request) (string, error) {
	_, err := u.p.w.OpenHome(r.Context(), u.As)
	return u.address("c", placeHome, "t", "", "n", ""), err
}

func joinAct(u *ui, _ *http.Request) (string, error) {
	if c, ok := u.channels[u.Channel]; ok && !c.Private && !u.me.guest() {
		u.p.w.Join(u.As, u.Channel)
	}
	return "", nil
}

func readAct(u *ui, _ *http.Request) (string, error) {
	u.p.markRead(u.As, u.Channel)
	return "", nil
}

func dismissAct(u *ui, r *http.Request) (string, error) {
	u.p.dismiss(u.As, r.FormValue("ts"))
	return "", nil
}
