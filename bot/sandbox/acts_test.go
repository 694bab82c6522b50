package sandbox_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestSign is the vector of docs.slack.dev/authentication/verifying-requests-from-slack.
func TestSign(t *testing.T) {
	t.Parallel()
	const body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
		"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands" +
		"%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	const want = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	if got := sandbox.Sign("8f742231b10e8888abcd99yyyzzz85a5", 1531420618, []byte(body)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// verify checks a request the way an app does.
func verify(t *testing.T, w *world, r request) {
	t.Helper()
	v, err := slack.NewSecretsVerifier(r.header, w.SigningSecret())
	if err != nil {
		t.Fatalf("signature: %v", err)
	}
	_, _ = v.Write(r.body)
	if err := v.Ensure(); err != nil {
		t.Errorf("signature: %v", err)
	}
}

func TestCommandIsSignedAndRedelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	hidden := w.AddChannel(sandbox.Channel{Name: "secret", Private: true, Members: []string{w.ann.ID}})
	a := newApp(t, w.Workspace, nil)
	reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: hidden.ID, Command: "/incident", Text: "lead @bob in #ops, or #secret. & <now>"})
	if err != nil {
		t.Fatal(err)
	}
	first := a.next(t, "/commands")
	verify(t, w, first)
	form, err := url.ParseQuery(string(first.body))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"team_id": w.TeamID(), "channel_id": hidden.ID, "channel_name": "privategroup", "user_id": w.ann.ID, "user_name": "ann",
		"command": "/incident", "is_enterprise_install": "false", "trigger_id": reply.TriggerID, "response_url": reply.ResponseURL,
		"text": "lead <@" + w.bob.ID + "> in <#" + w.ops.ID + "|ops>, or <#" + hidden.ID + "|>. &amp; &lt;now&gt;",
	}
	for k, v := range want {
		if got := form.Get(k); got != v {
			t.Errorf("%s is %q, want %q", k, got, v)
		}
	}
	if _, err := reply.Redeliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := a.next(t, "/commands")
	for _, h := range []string{"X-Slack-Signature", "X-Slack-Request-Timestamp"} {
		if first.header.Get(h) != second.header.Get(h) {
			t.Errorf("%s differs", h)
		}
	}
	if diff := cmp.Diff(string(first.body), string(second.body)); diff != "" {
		t.Errorf("not the same bytes:\n%s", diff)
	}
}

func TestCommandAnswers(t *testing.T) {
	t.Parallel()
	const json = "application/json; charset=utf-8"
	for _, tt := range []struct {
		name, contentType, body string
		status                  int
		wantCode, wantText      string
		ephemerals, messages    int
	}{
		{"empty", "", "", 200, "", "", 0, 0},
		{"plain text", "text/plain", "hello", 200, "", "hello", 1, 0},
		{"JSON", json, `{"text":"hello"}`, 200, "", "hello", 1, 0},
		{"JSON for all", json, `{"text":"hello","response_type":"in_channel"}`, 200, "", "hello", 0, 1},
		{"JSON as text is shown raw", "text/plain", `{"text":"hello"}`, 200, "", `{"text":"hello"}`, 1, 0},
		{"empty object", json, `{}`, 200, "", "", 0, 0},
		{"unauthorised", "text/plain", "no", 401, "http_service_error", "", 0, 0},
		{"bad blocks", json, `{"blocks":[{"type":"shout"}]}`, 200, "invalid_blocks", "", 0, 0},
		{"broken JSON", json, `{`, 200, "invalid_payload", "", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			newApp(t, w.Workspace, func(rw http.ResponseWriter, _ request) {
				rw.Header().Set("Content-Type", tt.contentType)
				rw.WriteHeader(tt.status)
				_, _ = rw.Write([]byte(tt.body))
			})
			reply, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
			wantCode(t, err, tt.wantCode)
			if reply.Status != tt.status || reply.Text != tt.wantText {
				t.Errorf("status %d, text %q", reply.Status, reply.Text)
			}
			if e, m := len(w.Ephemerals("ops", w.ann.ID)), len(w.Messages("ops")); e != tt.ephemerals || m != tt.messages {
				t.Errorf("%d ephemeral, %d messages; want %d, %d", e, m, tt.ephemerals, tt.messages)
			}
		})
	}
}

func TestCommandTimesOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{AckTimeout: 50 * time.Millisecond})
	release := make(chan struct{})
	newApp(t, w.Workspace, func(http.ResponseWriter, request) { <-release })
	defer close(release)
	_, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
	wantCode(t, err, "operation_timeout")
}

func TestWhoMayActWhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	newApp(t, w.Workspace, nil)
	hidden := w.AddChannel(sandbox.Channel{Name: "secret", Private: true, Members: []string{w.bob.ID}})
	old := w.AddChannel(sandbox.Channel{Name: "old", Members: []string{w.ann.ID}})
	w.Archive("old")
	gone := w.AddUser(sandbox.User{Name: "gone", Deleted: true})
	guest := w.AddUser(sandbox.User{Name: "guest", Guest: true})
	for _, tt := range []struct{ name, user, channel, want string }{
		{"fine", w.ann.ID, w.ops.ID, ""},
		{"private, not a member", w.ann.ID, hidden.ID, "channel_not_found"},
		{"archived", w.ann.ID, old.ID, "is_archived"},
		{"deactivated", gone.ID, w.ops.ID, "account_inactive"},
		{"unknown", "UNONE", w.ops.ID, "user_not_found"},
		{"guest outside", guest.ID, w.ops.ID, "channel_not_found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := w.Command(t.Context(), sandbox.Command{User: tt.user, Channel: tt.channel, Command: "/x"})
			wantCode(t, err, tt.want)
		})
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	_, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x"})
	if e := err; e == nil || !strings.HasPrefix(e.Error(), "dispatch_failed") {
		t.Errorf("got %v", err)
	}
	reply, err := w.Post(t.Context(), w.ann.ID, "ops", "hello", "")
	if err != nil || reply.Delivered() || reply.TS == "" {
		t.Errorf("post %+v, %v", reply, err)
	}
}

func TestChecksOfURLs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, func(rw http.ResponseWriter, r request) {
		if r.path == "/events" {
			challenge, _ := decode(t, r.body)["challenge"].(string)
			_, _ = rw.Write([]byte(challenge))
		}
	})
	if _, err := w.SSLCheck(t.Context()); err != nil {
		t.Error(err)
	}
	if form, _ := url.ParseQuery(string(a.next(t, "/commands").body)); form.Get("ssl_check") != "1" {
		t.Errorf("form %v", form)
	}
	if _, err := w.VerifyEvents(t.Context()); err != nil {
		t.Error(err)
	}
	verify(t, w, a.next(t, "/events"))
	newApp(t, w.Workspace, nil) // gives nothing back
	if _, err := w.VerifyEvents(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "challenge_failed") {
		t.Errorf("got %v", err)
	}
}

func button(action, value string) *slack.ButtonBlockElement {
	return slack.NewButtonBlockElement(action, value, slack.NewTextBlockObject(slack.PlainTextType, action, false, false))
}

func TestClick(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	id := w.create("c", false)
	w.Join(w.ann.ID, id)
	menu := slack.NewOptionsSelectBlockElement("static_select", nil, "menu",
		slack.NewOptionBlockObject("sev1", slack.NewTextBlockObject(slack.PlainTextType, "One", false, false), nil))
	ts := w.post(id, slack.MsgOptionBlocks(slack.NewActionBlock("bar", button("take", "v1"), menu)))
	reply, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "take"})
	if err != nil {
		t.Fatal(err)
	}
	r := a.next(t, "/interactivity")
	verify(t, w, r)
	var got slack.InteractionCallback
	if err := got.UnmarshalJSON(mustPayload(t, r)); err != nil {
		t.Fatal(err)
	}
	if got.Type != slack.InteractionTypeBlockActions || got.Container.MessageTs != ts || got.Message.Timestamp != ts || got.Channel.ID != id ||
		got.User.ID != w.ann.ID || got.TriggerID != reply.TriggerID || got.ResponseURL != reply.ResponseURL {
		t.Errorf("payload %+v", got)
	}
	action := got.ActionCallback.BlockActions[0]
	if action.ActionID != "take" || action.BlockID != "bar" || action.Value != "v1" || action.ActionTs == "" {
		t.Errorf("action %+v", action)
	}
	if _, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "menu", Value: "sev1"}); err != nil {
		t.Fatal(err)
	}
	if err := got.UnmarshalJSON(mustPayload(t, a.next(t, "/interactivity"))); err != nil || got.ActionCallback.BlockActions[0].SelectedOption.Value != "sev1" {
		t.Errorf("choice %+v, %v", got.ActionCallback.BlockActions[0], err)
	}
	for _, tt := range []struct {
		name  string
		click sandbox.Click
		want  string
	}{
		{"no such button", sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "give"}, "action_not_found"},
		{"no such block", sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "take", BlockID: "foo"}, "action_not_found"},
		{"no such value", sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "take", Value: "v2"}, "action_not_found"},
		{"no such option", sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "menu", Value: "sev9"}, "option_not_found"},
		{"no such message", sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: "1.000000", ActionID: "take"}, "message_not_found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := w.Click(t.Context(), tt.click)
			wantCode(t, err, tt.want)
		})
	}
}

func mustPayload(t *testing.T, r request) []byte {
	t.Helper()
	form, err := url.ParseQuery(string(r.body))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(form.Get("payload"))
}

func TestClickOnEphemeral(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	id := w.create("c", false)
	w.Join(w.ann.ID, id)
	w.Join(w.bob.ID, id)
	ts, err := w.api.PostEphemeralContext(t.Context(), id, w.ann.ID, text("only you"), slack.MsgOptionBlocks(slack.NewActionBlock("", button("yes", ""))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WaitEphemeral(soon(t), id, w.ann.ID, "only you"); err != nil {
		t.Error(err)
	}
	_, err = w.Click(t.Context(), sandbox.Click{User: w.bob.ID, Channel: id, MessageTS: ts, ActionID: "yes"})
	wantCode(t, err, "message_not_found")
	reply, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "yes"})
	if err != nil {
		t.Fatal(err)
	}
	got := a.next(t, "/interactivity").payload(t)
	container, _ := got["container"].(map[string]any)
	if container["is_ephemeral"] != true || got["message"] != nil {
		t.Errorf("payload %v", got)
	}
	if err := slack.PostWebhookContext(t.Context(), reply.ResponseURL, &slack.WebhookMessage{Text: "thanks", ReplaceOriginal: true, ResponseType: "in_channel"}); err != nil {
		t.Fatal(err)
	}
	if e := w.Ephemerals(id, w.ann.ID); len(e) != 1 || e[0].Text != "thanks" || e[0].Blocks != nil || len(w.Messages(id)) != 0 {
		t.Errorf("ephemerals %+v, messages %+v", e, w.Messages(id))
	}
}

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func respond(t *testing.T, u, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var b strings.Builder
	if _, err := copyBody(&b, resp); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, b.String()
}

func TestResponseURL(t *testing.T) {
	t.Parallel()
	c := &clock{t: time.Now()}
	w := newWorld(t, sandbox.Config{Now: c.now})
	newApp(t, w.Workspace, nil)
	id := w.create("c", false)
	w.Join(w.ann.ID, id)
	ts := w.post(id, text("card"), slack.MsgOptionBlocks(slack.NewActionBlock("", button("b", ""))))
	reply, err := w.Click(t.Context(), sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, body string
		status     int
		answer     string
	}{
		{"bad blocks cost no use", `{"blocks":[{"type":"shout"}]}`, 400, "invalid_blocks"},
		{"nothing", `{}`, 400, "no_text"},
		{"ephemeral by default", `{"text":"a"}`, 200, "ok"},
		{"for all", `{"text":"b","response_type":"in_channel"}`, 200, "ok"},
		{"replace", `{"text":"new card","replace_original":true}`, 200, "ok"},
		{"delete", `{"delete_original":true}`, 200, "ok"},
		{"fifth", `{"text":"e"}`, 200, "ok"},
		{"sixth", `{"text":"f"}`, 404, "used_url"},
	} {
		status, answer := respond(t, reply.ResponseURL, tt.body)
		if status != tt.status || answer != tt.answer {
			t.Errorf("%s: %d %q, want %d %q", tt.name, status, answer, tt.status, tt.answer)
		}
		if tt.name == "replace" {
			if m, _ := w.Message(id, ts); m.Text != "new card" || m.Blocks != nil {
				t.Errorf("replaced %+v", m)
			}
		}
	}
	if e, m := w.Ephemerals(id, w.ann.ID), w.Messages(id); len(e) != 2 || len(m) != 1 || m[0].Text != "b" {
		t.Errorf("ephemerals %+v, messages %+v", e, m)
	}
	reply, err = w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: id, Command: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	c.add(31 * time.Minute)
	if status, answer := respond(t, reply.ResponseURL, `{"text":"late"}`); status != 404 || answer != "expired_url" {
		t.Errorf("late: %d %q", status, answer)
	}
	if len(w.Calls("response_url")) != 9 {
		t.Errorf("%d calls", len(w.Calls("response_url")))
	}
}

func TestEventsOfPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	silent, err := w.Post(t.Context(), w.ann.ID, w.ops.ID, "nobody listens", "")
	if err != nil || silent.Delivered() {
		t.Errorf("the bot is not in the channel: %+v, %v", silent, err)
	}
	w.Join(w.BotUser().ID, w.ops.ID)
	reply, err := w.Post(t.Context(), w.ann.ID, w.ops.ID, "hello <@"+w.BotUser().ID+"> & all", "")
	if err != nil {
		t.Fatal(err)
	}
	event, envelope := a.nextEvent(t, "message", "")
	if event["user"] != w.ann.ID || event["ts"] != reply.TS || event["text"] != "hello <@"+w.BotUser().ID+"> &amp; all" || event["channel_type"] != "channel" {
		t.Errorf("event %v", event)
	}
	if envelope["type"] != "event_callback" || envelope["event_id"] == "" || envelope["authorizations"] == nil {
		t.Errorf("envelope %v", envelope)
	}
	a.nextEvent(t, "app_mention", "")
	if _, err := w.React(t.Context(), w.bob.ID, "ops", reply.TS, "pushpin"); err != nil {
		t.Fatal(err)
	}
	event, envelope = a.nextEvent(t, "reaction_added", "")
	if event["reaction"] != "pushpin" || event["item_user"] != w.ann.ID || event["user"] != w.bob.ID {
		t.Errorf("event %v", event)
	}
	_, err = w.React(t.Context(), w.bob.ID, "ops", reply.TS, ":pushpin:")
	wantCode(t, err, "already_reacted")
	gone, err := w.Unreact(t.Context(), w.bob.ID, "ops", reply.TS, "pushpin")
	if err != nil {
		t.Fatal(err)
	}
	_, first := a.nextEvent(t, "reaction_removed", "")
	if _, err := gone.Redeliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, second := a.nextEvent(t, "reaction_removed", "")
	if first["event_id"] != second["event_id"] || first["event_id"] == envelope["event_id"] {
		t.Errorf("event ids %v, %v, %v", envelope["event_id"], first["event_id"], second["event_id"])
	}
	if _, err := w.Edit(t.Context(), w.ann.ID, "ops", reply.TS, "changed"); err != nil {
		t.Fatal(err)
	}
	event, _ = a.nextEvent(t, "message", "message_changed")
	if before, _ := event["previous_message"].(map[string]any); before["ts"] != reply.TS || event["user"] != nil {
		t.Errorf("event %v", event)
	}
	if _, err := w.Delete(t.Context(), w.ann.ID, "ops", reply.TS); err != nil {
		t.Fatal(err)
	}
	if event, _ = a.nextEvent(t, "message", "message_deleted"); event["deleted_ts"] != reply.TS {
		t.Errorf("event %v", event)
	}
}

func TestEventsOfTheBot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{Events: []string{"message", "pin_added", "member_joined_channel"}})
	a := newApp(t, w.Workspace, nil)
	id := w.create("c", true)
	ts := w.post(id, text("x"))
	event, _ := a.nextEvent(t, "message", "")
	if event["bot_id"] != w.BotID() || event["channel_type"] != "group" {
		t.Errorf("event %v", event)
	}
	w.wantError(w.form("pins.add", "channel", id, "timestamp", ts), "")
	if event, _ = a.nextEvent(t, "pin_added", ""); event["channel_id"] != id {
		t.Errorf("event %v", event)
	}
	w.wantError(w.form("conversations.invite", "channel", id, "users", w.ann.ID), "")
	event, _ = a.nextEvent(t, "member_joined_channel", "")
	if event["user"] == w.BotUser().ID { // its own joining may be told late: events come in any order
		event, _ = a.nextEvent(t, "member_joined_channel", "")
	}
	if event["user"] != w.ann.ID || event["inviter"] != w.BotUser().ID || event["channel_type"] != "G" {
		t.Errorf("event %v", event)
	}
	w.wantError(w.form("conversations.archive", "channel", id), "")
	if err := w.WaitQuiet(soon(t)); err != nil {
		t.Fatal(err)
	}
	for len(a.got) > 0 {
		if r := <-a.got; strings.Contains(string(r.body), `"type":"group_archive"`) {
			t.Error("got an event that nobody subscribed to")
		}
	}
}

func TestWaitEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := w.WaitChannel(ctx, "none"); err == nil {
		t.Error("found a channel that is not there")
	}
	go w.AddChannel(sandbox.Channel{Name: "soon-there"})
	if c, err := w.WaitChannel(soon(t), "soon-"); err != nil || c.Name != "soon-there" {
		t.Errorf("%+v, %v", c, err)
	}
}
