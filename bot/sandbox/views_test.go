package sandbox_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func plain(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
}

func form(callback string) slack.ModalViewRequest {
	title := slack.NewInputBlock("title", plain("Title"), nil, slack.NewPlainTextInputBlockElement(nil, "title"))
	severity := slack.NewInputBlock("severity", plain("Severity"), nil, &slack.SelectBlockElement{
		Type: slack.OptTypeStatic, ActionID: "severity",
		Options:       []*slack.OptionBlockObject{slack.NewOptionBlockObject("sev1", plain("One"), nil), slack.NewOptionBlockObject("sev3", plain("Three"), nil)},
		InitialOption: slack.NewOptionBlockObject("sev3", plain("Three"), nil),
	})
	severity.Optional = true
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plain("Declare"), Submit: plain("Go"), CallbackID: callback, PrivateMetadata: "{}",
		Blocks: slack.Blocks{BlockSet: []slack.Block{title, severity}}, NotifyOnClose: true,
	}
}

// open opens a modal by a command of ann's.
func (w *world) open(view slack.ModalViewRequest) *slack.ViewResponse {
	w.t.Helper()
	reply, err := w.Command(w.t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
	if err != nil {
		w.t.Fatal(err)
	}
	v, err := w.api.OpenViewContext(w.t.Context(), reply.TriggerID, view)
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

func TestTriggers(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Now()}
	w := newWorld(t, sandbox.Config{Now: c.now})
	newApp(t, w.Workspace, nil)
	trigger := func() string {
		reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
		if err != nil {
			t.Fatal(err)
		}
		return reply.TriggerID
	}
	used, late := trigger(), trigger()
	for _, tt := range []struct{ name, trigger, want string }{
		{"first", used, ""}, {"again", used, "exchanged_trigger_id"}, {"unknown", "1.2.3", "invalid_trigger_id"},
	} {
		_, err := w.api.OpenViewContext(t.Context(), tt.trigger, form("a"))
		wantCode(t, err, tt.want)
	}
	c.add(3*time.Second + time.Millisecond)
	_, err := w.api.OpenViewContext(t.Context(), late, form("a"))
	wantCode(t, err, "expired_trigger_id")
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	answer := make(chan string, 1)
	a := newApp(t, w.Workspace, func(rw http.ResponseWriter, r request) {
		if r.path == "/interactivity" {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = rw.Write([]byte(<-answer))
		}
	})
	v := w.open(form("declare"))
	_, err := w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID})
	if e := err; e == nil || !strings.HasPrefix(e.Error(), "missing_input") {
		t.Errorf("got %v", err)
	}
	_, err = w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "x", "severity": "sev9"}})
	wantCode(t, err, "option_not_found")
	_, err = w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "x", "colour": "red"}})
	wantCode(t, err, "block_not_found")
	_, err = w.SubmitView(t.Context(), sandbox.SubmitView{User: w.bob.ID, ViewID: v.ID, Values: map[string]string{"title": "x"}})
	wantCode(t, err, "view_not_found")

	answer <- `{"response_action":"errors","errors":{"title":"too short"}}`
	reply, err := w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "x"}})
	if err != nil || reply.ResponseAction != "errors" {
		t.Fatalf("%+v, %v", reply, err)
	}
	if m := w.Modals(w.ann.ID); len(m) != 1 || m[0].Errors["title"] != "too short" || m[0].CallbackID != "declare" {
		t.Errorf("modals %+v", m)
	}
	r := a.next(t, "/interactivity")
	verify(t, w, r)
	var got slack.InteractionCallback
	if err := got.UnmarshalJSON(mustPayload(t, r)); err != nil {
		t.Fatal(err)
	}
	values := got.View.State.Values
	if got.Type != slack.InteractionTypeViewSubmission || values["title"]["title"].Value != "x" || values["severity"]["severity"].SelectedOption.Value != "sev3" {
		t.Errorf("payload %+v", values)
	}
	answer <- `{"response_action":"errors","errors":{"colour":"no such"}}`
	_, err = w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "x"}})
	if e := err; e == nil || !strings.HasPrefix(e.Error(), "invalid_errors") {
		t.Errorf("got %v", err)
	}
	answer <- ``
	if _, err = w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "long enough"}}); err != nil {
		t.Fatal(err)
	}
	if m := w.Modals(w.ann.ID); len(m) != 0 {
		t.Errorf("still open: %+v", m)
	}
}

func TestUpdateAndPushViews(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	view := form("one")
	view.Blocks.BlockSet = append(view.Blocks.BlockSet, slack.NewActionBlock("", button("more", "")))
	v := w.open(view)
	changed, err := w.api.UpdateViewContext(t.Context(), form("two"), "", v.Hash, v.ID)
	if err != nil || changed.ID != v.ID || changed.Hash == v.Hash || changed.CallbackID != "two" {
		t.Fatalf("%+v, %v", changed, err)
	}
	_, err = w.api.UpdateViewContext(t.Context(), form("three"), "", v.Hash, v.ID)
	wantCode(t, err, "hash_conflict")
	_, err = w.api.UpdateViewContext(t.Context(), form("three"), "", "", "VNONE")
	wantCode(t, err, "not_found")
	if _, err := w.api.UpdateViewContext(t.Context(), view, "", "", v.ID); err != nil {
		t.Fatal(err)
	}
	under := v.ID
	for _, want := range []string{"", "", "push_limit_reached"} {
		reply, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, ViewID: under, ActionID: "more"})
		if err != nil {
			t.Fatal(err)
		}
		pushed, err := w.api.PushViewContext(t.Context(), reply.TriggerID, view)
		wantCode(t, err, want)
		if err == nil {
			under = pushed.ID
		}
	}
	if got := a.next(t, "/interactivity").payload(t); got["view"] == nil {
		t.Errorf("payload %v", got)
	}
	if _, err := w.CloseView(t.Context(), w.ann.ID, under); err != nil {
		t.Fatal(err)
	}
	if m := w.Modals(w.ann.ID); len(m) != 2 || m[0].ID != v.ID {
		t.Errorf("modals %+v", m)
	}
}

func TestBadViewsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	newApp(t, w.Workspace, nil)
	reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	bad := form("a")
	bad.Title = plain(strings.Repeat("a", 25))
	_, err = w.api.OpenViewContext(t.Context(), reply.TriggerID, bad)
	wantCode(t, err, "invalid_arguments")
	if m := asSlackError(t, err).ResponseMetadata.Messages; len(m) != 1 || !strings.Contains(m[0], "[json-pointer:/view/title/text]") {
		t.Errorf("messages %q", m)
	}
	noSubmit := form("a")
	noSubmit.Submit = nil
	_, err = w.api.OpenViewContext(t.Context(), reply.TriggerID, noSubmit)
	wantCode(t, err, "invalid_arguments")
	if _, err = w.api.OpenViewContext(t.Context(), reply.TriggerID, form("a")); err != nil {
		t.Errorf("a refused view used the trigger up: %v", err)
	}
}

func TestHomeAndShortcuts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	home := slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewDividerBlock()}}}
	if _, err := w.api.PublishViewContext(t.Context(), slack.PublishViewContextRequest{UserID: w.ann.ID, View: home}); err != nil {
		t.Fatal(err)
	}
	if h, ok := w.Home(w.ann.ID); !ok || h.Type != "home" {
		t.Errorf("home %+v", h)
	}
	if _, err := w.OpenHome(t.Context(), w.ann.ID); err != nil {
		t.Fatal(err)
	}
	if event, _ := a.nextEvent(t, "app_home_opened", ""); event["view"] == nil {
		t.Errorf("event %v", event)
	}
	w.Join(w.BotUser().ID, w.ops.ID)
	m, err := w.Post(t.Context(), w.ann.ID, "ops", "it burns", "")
	if err != nil {
		t.Fatal(err)
	}
	reply, err := w.Shortcut(t.Context(), sandbox.Shortcut{User: w.bob.ID, CallbackID: "declare_from_message", Channel: "ops", MessageTS: m.TS})
	if err != nil {
		t.Fatal(err)
	}
	got := a.next(t, "/interactivity").payload(t)
	message, _ := got["message"].(map[string]any)
	if got["type"] != "message_action" || message["text"] != "it burns" || got["response_url"] != reply.ResponseURL {
		t.Errorf("payload %v", got)
	}
	if _, err := w.Shortcut(t.Context(), sandbox.Shortcut{User: w.bob.ID, CallbackID: "declare"}); err != nil {
		t.Fatal(err)
	}
	if got := a.next(t, "/interactivity").payload(t); got["type"] != "shortcut" || got["callback_id"] != "declare" {
		t.Errorf("payload %v", got)
	}
}
