package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// sample is one kind of what Slack sends, by the name of its published sample.
type sample struct {
	name string   // of the file
	core []string // paths that every payload of the kind must have
}

// samples are the kinds that the sandbox sends. The published samples hold every
// key that ever occurs, so a key or a type that is not in them is wrong; core says
// which keys an app relies on.
func samples() map[string]sample {
	envelope := func(name string, event ...string) sample {
		s := sample{name, []string{
			"token", "team_id", "api_app_id", "type", "event_id", "event_time", "event_context", "authorizations", "is_ext_shared_channel",
			"event.type", "event.event_ts",
		}}
		for _, key := range event {
			s.core = append(s.core, "event."+key)
		}
		return s
	}
	interactive := func(name string, keys ...string) sample {
		return sample{name, append(keys, "type", "team.id", "team.domain", "user.id", "user.username", "user.name", "user.team_id", "api_app_id", "token", "is_enterprise_install")}
	}
	view := []string{"view.id", "view.team_id", "view.type", "view.title", "view.callback_id", "view.private_metadata", "view.state", "view.hash", "view.root_view_id", "view.app_id", "view.bot_id"}
	message := []string{"user", "text", "ts", "channel", "channel_type"}
	notice := append([]string{"subtype"}, message...)
	hidden := []string{"subtype", "hidden", "channel", "ts", "channel_type", "previous_message.ts", "previous_message.text"}
	return map[string]sample{
		"command": {"SlashCommandPayload", []string{
			"token", "api_app_id", "team_id", "team_domain", "channel_id", "channel_name", "user_id", "user_name", "command", "text", "response_url",
			"trigger_id", "is_enterprise_install",
		}},
		"block_actions message": interactive("BlockActionPayload", "trigger_id", "response_url", "container.type", "container.message_ts", "container.channel_id",
			"container.is_ephemeral", "channel.id", "channel.name", "message.ts", "message.text", "state", "actions"),
		"block_actions view": interactive("BlockActionPayload", append([]string{"trigger_id", "container.type", "container.view_id", "actions"}, view...)...),
		"view_submission":    interactive("ViewSubmissionPayload", append([]string{"trigger_id"}, view...)...),
		"view_closed":        interactive("ViewClosedPayload", append([]string{"is_cleared"}, view...)...),
		"message_action": {"MessageShortcutPayload", []string{
			"type", "callback_id", "trigger_id", "message_ts", "response_url", "message.ts", "message.text", "channel.id", "channel.name", "team.id",
			"team.domain", "user.id", "user.name", "token", "action_ts", "is_enterprise_install",
		}},

		"message":                  envelope("MessagePayload", append([]string{"client_msg_id", "team"}, message...)...),
		"message bot":              envelope("MessagePayload", append([]string{"bot_id", "app_id", "bot_profile.id", "team"}, message...)...),
		"message message_changed":  envelope("MessageChangedPayload", append([]string{"message.ts", "message.user"}, hidden...)...),
		"message message_deleted":  envelope("MessageDeletedPayload", append([]string{"deleted_ts"}, hidden...)...),
		"message file_share":       envelope("MessageFileSharePayload", append([]string{"files"}, notice...)...),
		"message thread_broadcast": envelope("MessageThreadBroadcastPayload", append([]string{"thread_ts"}, notice...)...),
		"message channel_join":     envelope("MessageChannelJoinPayload", notice...),
		"message channel_leave":    envelope("MessageChannelLeavePayload", notice...),
		"message channel_topic":    envelope("MessageChannelTopicPayload", append([]string{"topic"}, notice...)...),
		"message channel_purpose":  envelope("MessageChannelPurposePayload", append([]string{"purpose"}, notice...)...),
		"message channel_name":     envelope("MessageChannelNamePayload", append([]string{"name", "old_name"}, notice...)...),
		"message channel_archive":  envelope("MessageChannelArchivePayload", notice...),
		"message group_topic":      envelope("MessageGroupTopicPayload", append([]string{"topic"}, notice...)...),
		"app_mention":              envelope("AppMentionPayload", "user", "text", "ts", "channel", "team"),
		"app_home_opened":          envelope("AppHomeOpenedPayload", "user", "channel", "tab", "view"),
		"channel_archive":          envelope("ChannelArchivePayload", "channel", "user"),
		"channel_unarchive":        envelope("ChannelUnarchivePayload", "channel", "user"),
		"channel_rename":           envelope("ChannelRenamePayload", "channel.id", "channel.name", "channel.created"),
		"file_shared":              envelope("FileSharedPayload", "file_id", "user_id", "channel_id", "file.id"),
		"member_joined_channel":    envelope("MemberJoinedChannelPayload", "user", "channel", "channel_type", "team"),
		"member_left_channel":      envelope("MemberLeftChannelPayload", "user", "channel", "channel_type", "team"),
		"pin_added":                envelope("PinAddedPayload", "user", "channel_id", "item.type", "item.created", "item.created_by", "item.channel", "item.message.ts", "item_user", "pin_count"),
		"pin_removed":              envelope("PinRemovedPayload", "user", "channel_id", "item.type", "item.channel", "item_user", "pin_count", "has_pins"),
		"reaction_added":           envelope("ReactionAddedPayload", "user", "reaction", "item.type", "item.channel", "item.ts", "item_user"),
		"reaction_removed":         envelope("ReactionRemovedPayload", "user", "reaction", "item.type", "item.channel", "item.ts", "item_user"),
		"user_change":              envelope("UserChangePayload", "user.id", "user.name", "user.profile", "cache_ts"),
		"tokens_revoked":           envelope("TokensRevokedPayload", "tokens"),
		"app_uninstalled":          envelope("AppUninstalledPayload"),
	}
}

// TestPayloadsAreShapedAsPublished compares everything that the sandbox sends
// with the samples of slackapi/java-slack-sdk.
func TestPayloadsAreShapedAsPublished(t *testing.T) {
	t.Parallel()
	proctest.Shared(t, "contracts/slack-samples/MessagePayload.json") // or skips
	for name, got := range sentPayloads(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ok := samples()[name]
			if !ok {
				if !slices.Contains([]string{"shortcut", "channel_created", "message group_join"}, name) {
					t.Error("is sent and not compared")
				}
				return // no sample was published
			}
			want := decode(t, proctest.Shared(t, "contracts/slack-samples/"+s.name+".json"))
			for _, path := range misshapen("", got, want) {
				if !sentAllTheSame(name, path) {
					t.Errorf("%s is in no sample, or of another type", path)
				}
			}
			for _, path := range s.core {
				if !hasPath(got, path) {
					t.Errorf("%s is missing", path)
				}
			}
		})
	}
}

// sentAllTheSame says whether a key is sent although the sample does not have it.
func sentAllTheSame(kind, path string) bool {
	switch path {
	case "response_urls": // docs.slack.dev, view_submission payload
		return kind == "view_submission"
	case "event.app_id", "event.bot_id", "event.bot_profile":
		// The samples of Slack's Java SDK show bots by their classic subtype; docs.slack.dev,
		// "Retrieving messages" and recorded events have who posted on every message of an app.
		return strings.HasPrefix(kind, "message ")
	case "event.event_ts": // docs.slack.dev/apis/events-api: in every inner event
		return true
	case "event.message.reply_users", "event.previous_message.reply_users", "message.reactions[].users":
		// The message as conversations.history has it; the SDK does not read these.
		return true
	default:
		return false
	}
}

func hasPath(v any, path string) bool {
	for key := range strings.SplitSeq(path, ".") {
		o, _ := v.(map[string]any)
		next, ok := o[key]
		if !ok {
			return false
		}
		v = next
	}
	return true
}

// misshapen lists the paths of got that the sample does not have or has with
// another type. Null goes for every type. What apps write themselves (blocks,
// attachments, metadata) and objects keyed by IDs are not looked into.
func misshapen(path string, got, want any) []string {
	if got == nil || want == nil {
		return nil
	}
	if g, w := fmt.Sprintf("%T", got), fmt.Sprintf("%T", want); g != w {
		return []string{path}
	}
	switch got := got.(type) {
	case []any:
		list, _ := want.([]any)
		if len(list) == 0 {
			return nil
		}
		var out []string
		for _, item := range got {
			out = append(out, misshapen(path+"[]", item, list[0])...)
		}
		return out
	case map[string]any:
		o, _ := want.(map[string]any)
		var out []string
		for key, item := range got {
			at := strings.TrimPrefix(path+"."+key, ".")
			sample, ok := o[key]
			switch {
			case slices.Contains([]string{"blocks", "attachments", "event_payload", "values", "shares"}, key):
			case !ok:
				out = append(out, at)
			default:
				out = append(out, misshapen(at, item, sample)...)
			}
		}
		slices.Sort(out)
		return out
	default:
		return nil
	}
}

// sentPayloads plays everything that makes the sandbox send something and gives
// one payload of each kind.
func sentPayloads(t *testing.T) map[string]map[string]any {
	t.Helper()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, func(rw http.ResponseWriter, _ request) { rw.WriteHeader(http.StatusOK) })
	playEverything(t, w)
	if err := w.WaitQuiet(soon(t)); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]any{}
	for {
		select {
		case r := <-a.got:
			kind, payload := kindOf(t, r)
			out[kind] = payload
		default:
			for kind := range samples() {
				if out[kind] == nil {
					t.Errorf("no %s was sent", kind)
				}
			}
			return out
		}
	}
}

func kindOf(t *testing.T, r request) (string, map[string]any) {
	t.Helper()
	switch r.path {
	case "/commands":
		form, err := url.ParseQuery(string(r.body))
		if err != nil {
			t.Fatal(err)
		}
		payload := map[string]any{}
		for k := range form {
			payload[k] = form.Get(k)
			if k == "is_enterprise_install" { // a boolean as text on the wire, a boolean in the sample
				payload[k] = form.Get(k) == "true"
			}
		}
		return "command", payload
	case "/interactivity":
		payload := r.payload(t)
		kind, _ := payload["type"].(string)
		if kind == "block_actions" {
			container, _ := payload["container"].(map[string]any)
			kind += fmt.Sprint(" ", container["type"])
		}
		return kind, payload
	default:
		payload := decode(t, r.body)
		event, _ := payload["event"].(map[string]any)
		kind, _ := event["type"].(string)
		if sub, _ := event["subtype"].(string); sub != "" {
			kind += " " + sub
		} else if kind == "message" && event["bot_id"] != nil {
			kind += " bot"
		}
		return kind, payload
	}
}

// playEverything does one of each.
func playEverything(t *testing.T, w *world) {
	t.Helper()
	ctx := t.Context()
	must := func(r sandbox.Reply, err error) sandbox.Reply {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ok := func(answer map[string]any) {
		t.Helper()
		w.wantError(answer, "")
	}
	id, hidden := w.create("inc-1", false), w.create("inc-2", true)
	w.Join(w.ann.ID, id)
	w.Join(w.bob.ID, id)
	ts := w.post(id, text("card"), slack.MsgOptionBlocks(slack.NewActionBlock("acts", button("go", "1"), picker("severity", "sev1"))),
		slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "x", EventPayload: map[string]any{"key": "1"}}))
	ok(w.form("pins.add", "channel", id, "timestamp", ts))
	ok(w.form("pins.remove", "channel", id, "timestamp", ts))
	ok(w.form("chat.postMessage", "channel", id, "text", "to all", "thread_ts", ts, "reply_broadcast", "true"))
	for _, channel := range []string{id, hidden} {
		ok(w.form("conversations.setTopic", "channel", channel, "topic", "t"))
	}
	ok(w.form("conversations.setPurpose", "channel", id, "purpose", "p"))
	home, err := json.Marshal(slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewDividerBlock()}}})
	if err != nil {
		t.Fatal(err)
	}
	ok(w.form("views.publish", "user_id", w.ann.ID, "view", string(home)))
	must(w.OpenHome(ctx, w.ann.ID))

	said := must(w.Post(ctx, w.ann.ID, id, "hello <@"+w.BotUser().ID+">", "")).TS
	must(w.Post(ctx, w.bob.ID, id, "in a thread", said))
	must(w.Edit(ctx, w.ann.ID, id, said, "hello again"))
	must(w.React(ctx, w.bob.ID, id, said, "pushpin"))
	must(w.Shortcut(ctx, sandbox.Shortcut{User: w.ann.ID, CallbackID: "add", Channel: id, MessageTS: said}))
	must(w.Unreact(ctx, w.bob.ID, id, said, "pushpin"))
	must(w.Delete(ctx, w.ann.ID, id, said))
	must(w.Upload(ctx, sandbox.Upload{User: w.ann.ID, Channel: id, Text: "graph", Name: "graph.png", Data: []byte("\x89PNG\r\n\x1a\n")}))
	must(w.Click(ctx, sandbox.Click{User: w.ann.ID, Channel: id, MessageTS: ts, ActionID: "go"}))
	must(w.Shortcut(ctx, sandbox.Shortcut{User: w.ann.ID, CallbackID: "declare"}))

	view := form("declare")
	view.Blocks.BlockSet = append(view.Blocks.BlockSet, slack.NewActionBlock("acts", button("go", "1")))
	v := w.open(view)
	must(w.Click(ctx, sandbox.Click{User: w.ann.ID, ViewID: v.ID, ActionID: "go"}))
	must(w.SubmitView(ctx, sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "x"}}))
	must(w.CloseView(ctx, w.ann.ID, w.open(view).ID))

	w.Leave(w.bob.ID, id)
	w.Rename(id, "inc-1-offers")
	w.Archive(id)
	w.Unarchive(id)
	w.Deactivate(w.bob.ID)
	must(w.Uninstall(ctx))
}
