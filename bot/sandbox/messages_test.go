package sandbox_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	ts := w.post(id, text("x"), slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "card", EventPayload: map[string]any{"key": "k1"}}))
	reply := w.post(id, text("in a thread"), slack.MsgOptionTS(ts), slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "reply", EventPayload: map[string]any{"n": 1}}))
	for _, all := range []bool{true, false} {
		h, err := w.api.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{ChannelID: id, IncludeAllMetadata: all})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Messages[0].Metadata; (got.EventType == "card" && got.EventPayload["key"] == "k1") != all {
			t.Errorf("include_all_metadata %v: %+v", all, got)
		}
		r, _, _, err := w.api.GetConversationRepliesContext(t.Context(), &slack.GetConversationRepliesParameters{ChannelID: id, Timestamp: ts, IncludeAllMetadata: all})
		if err != nil || len(r) != 2 || r[0].Timestamp != ts || r[1].Timestamp != reply {
			t.Fatalf("replies %+v, %v", r, err)
		}
		if got := r[1].Metadata.EventType; (got == "reply") != all {
			t.Errorf("include_all_metadata %v in a thread: %q", all, got)
		}
	}
	w.wantError(w.form("chat.postMessage", "channel", id, "text", "x", "metadata", `{"event_type":"x"}`), "invalid_metadata_format")
	w.wantError(w.form("chat.postMessage", "channel", id, "text", "x", "metadata", `{"event_type":"x","event_payload":{"a":"`+strings.Repeat("a", 17_000)+`"}}`), "metadata_too_large")
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	var stamps []string
	for i := range 5 {
		stamps = append(stamps, w.post(id, text(fmt.Sprint(i))))
	}
	w.post(id, text("reply"), slack.MsgOptionTS(stamps[0]))
	var got []string
	cursor := ""
	for {
		h, err := w.api.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{ChannelID: id, Limit: 2, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range h.Messages {
			if m.SubType == "" {
				got = append(got, m.Text)
			}
		}
		if len(got) == 2 {
			w.post(id, text("meanwhile")) // shifts no page
		}
		if cursor = h.ResponseMetaData.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"4", "3", "2", "1", "0"}, got); diff != "" {
		t.Errorf("newest first, no replies (-want +got):\n%s", diff)
	}
	for i := 1; i < len(stamps); i++ {
		if stamps[i] <= stamps[i-1] || len(stamps[i]) != 17 {
			t.Errorf("timestamps do not increase: %q", stamps)
		}
	}
	for _, tt := range []struct {
		name, oldest, latest, inclusive string
		want                            int
	}{
		{"between", stamps[1], stamps[3], "", 1},
		{"between, inclusive", stamps[1], stamps[3], "true", 3},
		{"since", stamps[3], "", "", 2}, // 4 and "meanwhile"
	} {
		h := w.form("conversations.history", "channel", id, "oldest", tt.oldest, "latest", tt.latest, "inclusive", tt.inclusive)
		if list, _ := h["messages"].([]any); len(list) != tt.want {
			t.Errorf("%s: %d messages, want %d", tt.name, len(list), tt.want)
		}
	}
	w.wantError(w.form("conversations.history", "channel", id, "oldest", "yesterday"), "invalid_ts_oldest")
	w.wantError(w.form("conversations.history", "channel", id, "latest", "x"), "invalid_ts_latest")
	w.wantError(w.form("conversations.history", "channel", id, "cursor", "x"), "invalid_cursor")
	w.wantError(w.form("conversations.replies", "channel", id, "ts", "1.000000"), "thread_not_found")
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	block := slack.MsgOptionBlocks(slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, "block", false, false), nil, nil))
	tests := []struct {
		name       string
		options    []slack.MsgOption
		wantText   string
		wantBlocks bool
		wantEdited bool
	}{
		{"text alone takes the blocks away", []slack.MsgOption{text("new")}, "new", false, true},
		{"text and blocks", []slack.MsgOption{text("new"), block}, "new", true, false},
		{"blocks alone keep the text", []slack.MsgOption{block}, "old", true, false},
		{"an empty list clears", []slack.MsgOption{slack.MsgOptionBlocks()}, "old", false, true},
		{"metadata alone keeps both", []slack.MsgOption{slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "b", EventPayload: map[string]any{}})}, "old", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			id := w.create("c", false)
			ts := w.post(id, text("old"), block, slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "a", EventPayload: map[string]any{}}))
			if _, _, _, err := w.api.UpdateMessageContext(t.Context(), id, ts, tt.options...); err != nil {
				t.Fatal(err)
			}
			m, _ := w.Message(id, ts)
			if m.Text != tt.wantText || (m.Blocks != nil) != tt.wantBlocks || (m.EditedTS != "") != tt.wantEdited || m.Edits != 1 {
				t.Errorf("text %q, blocks %s, edited %q, edits %d", m.Text, m.Blocks, m.EditedTS, m.Edits)
			}
			if m.Metadata == nil {
				t.Error("the metadata is gone")
			}
		})
	}
}

func TestUpdateRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	w.Join(w.ann.ID, id)
	theirs, err := w.Post(t.Context(), w.ann.ID, id, "mine", "")
	if err != nil {
		t.Fatal(err)
	}
	ts := w.post(id, text("ours"))
	hidden, err := w.api.PostEphemeralContext(t.Context(), id, w.ann.ID, text("only you"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, ts, text, want string }{
		{"another's", theirs.TS, "x", "cant_update_message"},
		{"ephemeral", hidden, "x", "message_not_found"},
		{"none", "1.000000", "x", "message_not_found"},
		{"nothing to say", ts, "", "no_text"},
		{"4,001 characters", ts, strings.Repeat("x", 4001), "msg_too_long"},
		{"4,000 characters", ts, strings.Repeat("x", 4000), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, _, err := w.api.UpdateMessageContext(t.Context(), id, tt.ts, text(tt.text))
			wantCode(t, err, tt.want)
		})
	}
	w.wantError(w.form("chat.delete", "channel", id, "ts", theirs.TS), "cant_delete_message")
}

func TestPosting(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	w.wantError(w.form("chat.postMessage", "channel", id, "text", " "), "no_text")
	w.wantError(w.form("chat.postMessage", "channel", "CNONE", "text", "x"), "channel_not_found")
	w.wantError(w.form("chat.postMessage", "channel", id, "blocks", "{"), "invalid_blocks_format")
	w.wantError(w.form("chat.postMessage", "channel", id, "text", "x", "markdown_text", "y"), "markdown_text_conflict")
	w.wantError(w.form("chat.postMessage", "channel", id, "text", "x", "thread_ts", "1.000000"), "cannot_reply_to_message")
	w.wantError(w.form("chat.postMessage", "channel", id, "attachments", "["+strings.Repeat("{},", 100)+"{}]"), "too_many_attachments")
	got := w.form("chat.postMessage", "channel", id, "blocks", `[{"type":"header","text":{"type":"plain_text","text":"`+strings.Repeat("a", 151)+`"}}]`)
	w.wantError(got, "invalid_blocks")
	want := map[string]any{"messages": []any{"[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]"}}
	if diff := cmp.Diff(want, got["response_metadata"]); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	var sections []string
	for range 5 {
		sections = append(sections, `{"type":"section","text":{"type":"mrkdwn","text":"`+strings.Repeat("a", 2700)+`"}}`)
	}
	w.wantError(w.form("chat.postMessage", "channel", id, "blocks", "["+strings.Join(sections, ",")+"]"), "msg_blocks_too_long")
	long := w.post(id, text(strings.Repeat("ü", 40_001)))
	if m, _ := w.Message(id, long); len([]rune(m.Text)) != 40_000 {
		t.Errorf("stored %d characters", len([]rune(m.Text)))
	}
	w.wantError(w.form("chat.postEphemeral", "channel", id, "user", w.ann.ID, "text", "x"), "user_not_in_channel")
}

func TestStoredTextDiffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	for _, tt := range []struct{ name, sent, stored string }{
		{"ampersand", "a & b", "a &amp; b"},
		{"escaped already", "a &amp; b &lt;c&gt;", "a &amp; b &lt;c&gt;"},
		{"angle brackets", "1 < 2 > 0 <b>", "1 &lt; 2 &gt; 0 &lt;b&gt;"},
		{"references stay", "<@U123> <#C1|ops> <!here> <https://x.de|x>", "<@U123> <#C1|ops> <!here> <https://x.de|x>"},
		{"bare link", "see https://x.de/a?b=1&c=2.", "see <https://x.de/a?b=1&amp;c=2>."},
		{"emoji", "📌 done", ":pushpin: done"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ts := w.post(id, text(tt.sent), slack.MsgOptionDisableLinkUnfurl())
			if m, _ := w.Message(id, ts); m.Text != tt.stored {
				t.Errorf("stored %q, want %q", m.Text, tt.stored)
			}
		})
	}
	ts := w.post(id, slack.MsgOptionBlocks(slack.NewHeaderBlock(slack.NewTextBlockObject(slack.PlainTextType, "R&D 🔥", false, false))))
	if m, _ := w.Message(id, ts); !strings.Contains(string(m.Blocks), `R\u0026amp;D :fire:`) {
		t.Errorf("stored block %s", m.Blocks)
	}
}

func TestPins(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	ts := w.post(id, text("x"))
	w.wantError(w.form("pins.add", "channel", id), "no_item_specified")
	w.wantError(w.form("pins.add", "channel", id, "timestamp", "soon"), "bad_timestamp")
	w.wantError(w.form("pins.add", "channel", id, "timestamp", "1.000000"), "message_not_found")
	w.wantError(w.form("pins.add", "channel", w.ops.ID, "timestamp", ts), "not_in_channel")
	w.wantError(w.form("pins.add", "channel", id, "timestamp", ts), "")
	w.wantError(w.form("pins.add", "channel", id, "timestamp", ts), "already_pinned")
	items, _, err := w.api.ListPinsContext(t.Context(), id)
	if err != nil || len(items) != 1 || items[0].Message.Timestamp != ts {
		t.Errorf("pins %+v, %v", items, err)
	}
	if m, _ := w.Message(id, ts); !m.Pinned {
		t.Error("the message is not marked")
	}
	w.wantError(w.form("pins.remove", "channel", id, "timestamp", ts), "")
	w.wantError(w.form("pins.remove", "channel", id, "timestamp", ts), "no_pin")
	w.wantError(w.form("pins.add", "channel", id, "timestamp", ts), "")
	w.wantError(w.form("chat.delete", "channel", id, "ts", ts), "")
	if len(w.Pins(id)) != 0 {
		t.Error("a deleted message is still pinned")
	}
}

func TestBookmarks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	b, err := w.api.AddBookmarkContext(t.Context(), id, slack.AddBookmarkParameters{Title: "Call", Type: "link", Link: "https://meet.example.com/x", Emoji: ":phone:"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, title, link, kind, emoji, want string }{
		{"other scheme", "x", "ftp://x.de", "link", "", "invalid_link"},
		{"no link", "x", "", "link", "", "invalid_link"},
		{"long link", "x", "https://x.de/" + strings.Repeat("a", 2048), "link", "", "invalid_link"},
		{"other type", "x", "https://x.de", "folder", "", "invalid_bookmark_type"},
		{"emoji without colons", "x", "https://x.de", "link", "phone", "invalid_emoji"},
		{"long title", strings.Repeat("a", 257), "https://x.de", "link", "", "invalid_arguments"},
		{"no title", "", "https://x.de", "link", "", "invalid_arguments"},
	} {
		w.t.Log(tt.name)
		w.wantError(w.form("bookmarks.add", "channel_id", id, "title", tt.title, "link", tt.link, "type", tt.kind, "emoji", tt.emoji), tt.want)
	}
	title := "Call now"
	if _, err := w.api.EditBookmarkContext(t.Context(), id, b.ID, slack.EditBookmarkParameters{Title: &title}); err != nil {
		t.Fatal(err)
	}
	list, err := w.api.ListBookmarksContext(t.Context(), id)
	if err != nil || len(list) != 1 || list[0].Title != title || list[0].Link != "https://meet.example.com/x" {
		t.Errorf("bookmarks %+v, %v", list, err)
	}
	w.wantError(w.form("bookmarks.remove", "channel_id", id, "bookmark_id", "BkNONE"), "not_found")
	w.wantError(w.form("bookmarks.remove", "channel_id", id, "bookmark_id", b.ID), "")
	if len(w.Bookmarks(id)) != 0 {
		t.Error("not removed")
	}
}

func TestReactions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	ts := w.post(id, text("x"))
	item := slack.NewRefToMessage(id, ts)
	if err := w.api.AddReactionContext(t.Context(), "eyes", item); err != nil {
		t.Fatal(err)
	}
	wantCode(t, w.api.AddReactionContext(t.Context(), "eyes", item), "already_reacted")
	wantCode(t, w.api.AddReactionContext(t.Context(), ":eyes:", item), "invalid_name")
	got, err := w.api.GetReactionsContext(t.Context(), item, slack.GetReactionsParameters{})
	if err != nil || len(got.Reactions) != 1 || got.Reactions[0].Count != 1 {
		t.Errorf("reactions %+v, %v", got, err)
	}
	if err := w.api.RemoveReactionContext(t.Context(), "eyes", item); err != nil {
		t.Fatal(err)
	}
	wantCode(t, w.api.RemoveReactionContext(t.Context(), "eyes", item), "no_reaction")
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", false)
	f, err := w.api.UploadFileContext(t.Context(), slack.UploadFileParameters{
		Filename: "chart.txt", FileSize: 5, Content: "graph", Channel: id, Title: "Chart", InitialComment: "look",
	})
	if err != nil {
		t.Fatal(err)
	}
	if data, ok := w.File(f.ID); !ok || string(data) != "graph" {
		t.Errorf("file %q, %v", data, ok)
	}
	info, _, _, err := w.api.GetFileInfoContext(t.Context(), f.ID, 0, 0)
	if err != nil || len(info.Shares.Public[id]) != 1 {
		t.Fatalf("info %+v, %v", info, err)
	}
	m, ok := w.Message(id, info.Shares.Public[id][0].Ts)
	if !ok || m.Text != "look" || len(m.Files) != 1 {
		t.Errorf("message %+v", m)
	}
	var b strings.Builder
	if err := w.api.GetFileContext(t.Context(), info.URLPrivate, &b); err != nil || b.String() != "graph" {
		t.Errorf("download %q, %v", b.String(), err)
	}
	w.wantError(w.form("files.getUploadURLExternal", "filename", "x", "length", "0"), "missing_argument")
	w.wantError(w.form("files.completeUploadExternal", "files", `[{"id":"FNONE"}]`), "file_not_found")
}
