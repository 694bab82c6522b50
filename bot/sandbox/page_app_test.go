package sandbox_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// toy is a small Slack app, a workspace it is installed in, and the page.
type toy struct {
	*sandbox.Workspace
	t        *testing.T
	srv      *sandbox.Server
	api      *slack.Client
	page     *sandbox.Page
	ann, bob sandbox.User
	ops      sandbox.Channel
}

func newToy(t *testing.T, cfg sandbox.PageConfig) *toy {
	t.Helper()
	w := sandbox.New(sandbox.Config{AppName: "shipper", TeamName: "Harbour", AckTimeout: 700 * time.Millisecond})
	a := &toy{Workspace: w, t: t}
	a.ann = w.AddUser(sandbox.User{Name: "ann", RealName: "Ann Meyer", TZ: "Europe/Berlin"})
	a.bob = w.AddUser(sandbox.User{Name: "bob", RealName: "Bob Özil", TZ: "Europe/Berlin"})
	w.AddUser(sandbox.User{Name: "cleo", RealName: "Cleo Vance", TZ: "Europe/Berlin"})
	a.ops = w.AddChannel(sandbox.Channel{Name: "ops", Topic: "What runs, and what does not", Members: []string{a.ann.ID, a.bob.ID, w.BotUser().ID}})
	w.AddChannel(sandbox.Channel{Name: "harbour-security", Private: true, Members: []string{a.ann.ID}})
	w.AddChannel(sandbox.Channel{Name: "random", Members: []string{a.bob.ID}})
	cfg.Commands = []sandbox.CommandHint{{
		Name: "/ship", Usage: "[words]", Description: "Ship something",
		Options: []sandbox.CommandOption{
			{Name: "form", Description: "Open the form"},
			{Name: "status", Usage: "<state>", Description: "Say where it is"},
			{Name: "slow", Description: "Answer too late"},
			{Name: "whisper", Usage: "<text>", Description: "Answer only to you"},
		},
	}}
	cfg.Shortcuts = []sandbox.ShortcutHint{{CallbackID: "note", Name: "Take a note", Message: true}, {CallbackID: "open_form", Name: "Ship something"}}
	cfg.DefaultUser, cfg.DefaultChannel = "ann", "ops"
	cfg.Reactions = []string{"pushpin", "white_check_mark", "eyes"}
	a.page = w.Page(cfg)
	srv, err := sandbox.ServePage(w, "127.0.0.1:0", a.page)
	if err != nil {
		t.Fatal(err)
	}
	a.srv = srv
	a.api = slack.New(w.BotToken(), slack.OptionAPIURL(srv.APIURL()))
	app := httptest.NewServer(http.HandlerFunc(a.serve))
	w.SetURLs(app.URL+"/commands", app.URL+"/interactivity", app.URL+"/events")
	t.Cleanup(func() {
		app.CloseClientConnections()
		app.Close()
		if err := srv.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}

func (a *toy) serve(rw http.ResponseWriter, r *http.Request) {
	ctx := context.WithoutCancel(r.Context()) // what it was asked for goes on
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.t.Errorf("read request: %v", err)
	}
	form, _ := url.ParseQuery(string(body)) // events are JSON and no form
	switch r.URL.Path {
	case "/commands":
		a.command(ctx, rw, r, form)
	case "/interactivity":
		var in slack.InteractionCallback
		if err := json.Unmarshal([]byte(form.Get("payload")), &in); err != nil {
			a.t.Errorf("read payload: %v", err)
		}
		a.interact(ctx, rw, in)
	case "/events":
		a.event(ctx, body)
	}
}

func (a *toy) command(ctx context.Context, rw http.ResponseWriter, r *http.Request, form url.Values) {
	word, rest, _ := strings.Cut(form.Get("text"), " ")
	switch word {
	case "form":
		a.open(ctx, form.Get("trigger_id"))
	case "slow":
		<-r.Context().Done()
	case "whisper":
		writeAnswer(rw, map[string]any{"text": "Between us: " + rest})
	default:
		writeAnswer(rw, map[string]any{"response_type": "in_channel", "text": "Shipment", "blocks": json.RawMessage(shipment("waiting"))})
	}
}

func writeAnswer(rw http.ResponseWriter, v any) {
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(v)
}

func (a *toy) open(ctx context.Context, trigger string) {
	var view slack.ModalViewRequest
	if err := json.Unmarshal([]byte(shippingForm), &view); err != nil {
		a.t.Errorf("form: %v", err)
	}
	if _, err := a.api.OpenViewContext(ctx, trigger, view); err != nil {
		a.t.Errorf("open: %v", err)
	}
}

func (a *toy) interact(ctx context.Context, rw http.ResponseWriter, in slack.InteractionCallback) {
	var err error
	switch in.Type {
	case slack.InteractionTypeBlockActions:
		action := in.ActionCallback.BlockActions[0]
		switch {
		case action.ActionID == "more_fields":
			_, err = a.api.PushViewContext(ctx, in.TriggerID, slack.ModalViewRequest{
				Type: "modal", Title: plain("Second page"), Close: plain("Go back"),
				Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewSectionBlock(mrkdwn("One over the other"), nil, nil)}},
			})
		case in.Container.MessageTs != "" && action.ActionID == "approve":
			_, _, _, err = a.api.UpdateMessageContext(ctx, in.Channel.ID, in.Container.MessageTs, slack.MsgOptionText("Shipment", false), rawBlocks(shipment("on its way")))
		default:
			chosen := action.Value + action.SelectedOption.Value + action.SelectedUser
			_, _, err = a.api.PostMessageContext(ctx, a.ops.ID, slack.MsgOptionText("<@"+in.User.ID+"> used *"+action.ActionID+"* "+chosen, false))
		}
	case slack.InteractionTypeViewSubmission:
		values := in.View.State.Values
		if values["title"]["title"].Value == "bad" {
			writeAnswer(rw, map[string]any{"response_action": "errors", "errors": map[string]string{"title": "That is no name for a ship"}})
			return
		}
		_, _, err = a.api.PostMessageContext(ctx, a.ops.ID, slack.MsgOptionText(
			"Form: "+values["title"]["title"].Value+" / "+values["size"]["size"].SelectedOption.Value+" / "+values["words"]["words"].Value, false))
	case slack.InteractionTypeMessageAction:
		_, _, err = a.api.PostMessageContext(ctx, in.Channel.ID, slack.MsgOptionText("Noted: "+in.Message.Text, false), slack.MsgOptionTS(in.Message.Timestamp))
	case slack.InteractionTypeShortcut:
		a.open(ctx, in.TriggerID)
	default:
		a.t.Errorf("interaction %s was not expected", in.Type)
	}
	if err != nil {
		a.t.Errorf("%s: %v", in.Type, err)
	}
}

func (a *toy) event(ctx context.Context, body []byte) {
	var envelope struct {
		Event struct {
			Type, User, Reaction string
			Item                 struct{ Channel, TS string }
		}
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		a.t.Errorf("read event: %v", err)
	}
	e := envelope.Event
	switch {
	case e.Type == "app_home_opened":
		_, err := a.api.PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: e.User, View: slack.HomeTabViewRequest{
			Type: "home", Blocks: slack.Blocks{BlockSet: []slack.Block{
				slack.NewHeaderBlock(plain("Ahoy")), slack.NewSectionBlock(mrkdwn("Your ships, <@"+e.User+">."), nil, nil),
				slack.NewActionBlock("h", slack.NewButtonBlockElement("from_home", "1", plain("Launch"))),
			}},
		}})
		if err != nil {
			a.t.Errorf("publish: %v", err)
		}
	case e.Type == "reaction_added" && e.Reaction == "pushpin" && e.User != a.BotUser().ID:
		err := a.api.AddReactionContext(ctx, "eyes", slack.NewRefToMessage(e.Item.Channel, e.Item.TS))
		if err != nil && err.Error() != "already_reacted" {
			a.t.Errorf("react: %v", err)
		}
	}
}

func mrkdwn(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, s, false, false)
}

func rawBlocks(raw string) slack.MsgOption {
	var blocks slack.Blocks
	_ = json.Unmarshal([]byte(raw), &blocks) // a constant
	return slack.MsgOptionBlocks(blocks.BlockSet...)
}

// shipment is a message with a bit of everything.
func shipment(state string) string {
	return `[
{"type":"header","text":{"type":"plain_text","text":":rocket: Shipment 4711"}},
{"type":"section","text":{"type":"mrkdwn","text":"*The cargo* is _fragile_ and ~cheap~: see <https://example.com/cargo|its papers> and ` + "`crate-7`" + `.\n>Handle with care\n• one\n• two"},
 "accessory":{"type":"overflow","action_id":"over","options":[{"text":{"type":"plain_text","text":"Turn round"},"value":"turn"},{"text":{"type":"plain_text","text":"Sink"},"value":"sink"}]}},
{"type":"section","fields":[{"type":"mrkdwn","text":"*State*\n` + state + `"},{"type":"mrkdwn","text":"*Due*\n<!date^1796000000^{date_short} at {time}|later>"},{"type":"mrkdwn","text":"*Harbour*\nHamburg"},{"type":"mrkdwn","text":"*Pilot*\n<@U0SB000001>"}]},
{"type":"actions","block_id":"act","elements":[
 {"type":"button","action_id":"approve","style":"primary","text":{"type":"plain_text","text":"Approve"},"value":"yes"},
 {"type":"button","action_id":"stop","style":"danger","text":{"type":"plain_text","text":"Stop"},"value":"no","confirm":{"title":{"type":"plain_text","text":"Stop it?"},"text":{"type":"mrkdwn","text":"The *whole* shipment stays here."},"confirm":{"type":"plain_text","text":"Stop"},"deny":{"type":"plain_text","text":"Go on"},"style":"danger"}},
 {"type":"static_select","action_id":"speed","placeholder":{"type":"plain_text","text":"Speed"},"options":[{"text":{"type":"plain_text","text":"Slow"},"value":"slow"},{"text":{"type":"plain_text","text":"Fast"},"value":"fast"}]},
 {"type":"users_select","action_id":"who","placeholder":{"type":"plain_text","text":"Hand over to"}}]},
{"type":"divider"},
{"type":"context","elements":[{"type":"mrkdwn","text":":large_green_circle: all well · next word in *20 min*"}]}
]`
}

// shippingForm is a modal with every kind of input.
const shippingForm = `{"type":"modal","callback_id":"ship","title":{"type":"plain_text","text":"Ship something"},"submit":{"type":"plain_text","text":"Ship"},"blocks":[
{"type":"input","block_id":"title","label":{"type":"plain_text","text":"Name"},"hint":{"type":"plain_text","text":"As painted on the hull"},"element":{"type":"plain_text_input","action_id":"title","max_length":80,"placeholder":{"type":"plain_text","text":"What is it called?"}}},
{"type":"input","block_id":"size","label":{"type":"plain_text","text":"Size"},"element":{"type":"static_select","action_id":"size","initial_option":{"text":{"type":"plain_text","text":"Small"},"value":"s"},"options":[{"text":{"type":"plain_text","text":"Small"},"value":"s"},{"text":{"type":"plain_text","text":"Large"},"value":"l"}]}},
{"type":"input","block_id":"words","optional":true,"label":{"type":"plain_text","text":"Words"},"element":{"type":"plain_text_input","action_id":"words","multiline":true}},
{"type":"section","block_id":"more","text":{"type":"mrkdwn","text":"There is *more* to say."},"accessory":{"type":"button","action_id":"more_fields","text":{"type":"plain_text","text":"Say more"}}},
{"type":"input","block_id":"who","optional":true,"label":{"type":"plain_text","text":"Pilot"},"element":{"type":"users_select","action_id":"who","placeholder":{"type":"plain_text","text":"Choose a person"}}},
{"type":"input","block_id":"crew","optional":true,"label":{"type":"plain_text","text":"Crew"},"element":{"type":"multi_users_select","action_id":"crew","placeholder":{"type":"plain_text","text":"Choose people"}}},
{"type":"input","block_id":"where","optional":true,"label":{"type":"plain_text","text":"Channel"},"element":{"type":"channels_select","action_id":"where"}},
{"type":"input","block_id":"day","optional":true,"label":{"type":"plain_text","text":"Day"},"element":{"type":"datepicker","action_id":"day","initial_date":"2026-11-30"}},
{"type":"input","block_id":"time","optional":true,"label":{"type":"plain_text","text":"Time"},"element":{"type":"timepicker","action_id":"time","initial_time":"10:30"}},
{"type":"input","block_id":"way","optional":true,"label":{"type":"plain_text","text":"Way"},"element":{"type":"radio_buttons","action_id":"way","options":[{"text":{"type":"plain_text","text":"North"},"value":"n"},{"text":{"type":"mrkdwn","text":"South"},"value":"s","description":{"type":"plain_text","text":"Longer, and warmer"}}]}},
{"type":"input","block_id":"extras","optional":true,"label":{"type":"plain_text","text":"Extras"},"element":{"type":"checkboxes","action_id":"extras","options":[{"text":{"type":"plain_text","text":"Insurance"},"value":"i"},{"text":{"type":"plain_text","text":"Ice"},"value":"c"}]}},
{"type":"input","block_id":"papers","optional":true,"label":{"type":"plain_text","text":"Papers"},"element":{"type":"file_input","action_id":"papers"}}
]}`

// post posts words as the app in every kind of block that holds text.
func (a *toy) post(words string) {
	a.t.Helper()
	in := func(kind string) map[string]any { return map[string]any{"type": kind, "text": words} }
	raw, err := json.Marshal([]map[string]any{
		{"type": "section", "text": in("mrkdwn"), "fields": []any{in("plain_text")}},
		{"type": "section", "text": in("plain_text")},
		{"type": "context", "elements": []any{in("mrkdwn")}},
		{"type": "markdown", "text": words},
		{"type": "rich_text", "elements": []any{map[string]any{"type": "rich_text_section", "elements": []any{map[string]any{"type": "text", "text": words}}}}},
		{"type": "actions", "elements": []any{map[string]any{"type": "button", "action_id": words, "value": words, "text": map[string]any{"type": "plain_text", "text": "<b onclick=x>"}}}},
	})
	if err != nil {
		a.t.Fatal(err)
	}
	form := url.Values{"token": {a.BotToken()}, "channel": {a.ops.ID}, "text": {words}, "blocks": {string(raw)}}
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, a.srv.APIURL()+"chat.postMessage", strings.NewReader(form.Encode()))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), `"ok":true`) {
		a.t.Fatalf("post: %s %v", body, err)
	}
}
