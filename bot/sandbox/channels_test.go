package sandbox_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestChannelNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	archived := w.create("archived", false)
	w.wantError(w.form("conversations.archive", "channel", archived), "")
	w.AddChannel(sandbox.Channel{Name: "hidden", Private: true, Members: []string{w.ann.ID}})
	for _, tt := range []struct{ name, channel, want string }{
		{"plain", "inc-1-it_burns", ""},
		{"80 characters", strings.Repeat("a", 80), ""},
		{"81 characters", strings.Repeat("a", 81), "invalid_name_maxlength"},
		{"empty", "", "invalid_name_required"},
		{"upper case", "Inc", "invalid_name_specials"},
		{"space", "a b", "invalid_name_specials"},
		{"dot", "a.b", "invalid_name_specials"},
		{"umlaut", "störung", "invalid_name_specials"},
		{"only punctuation", "---", "invalid_name_punctuation"},
		{"only dots", "...", "invalid_name_punctuation"},
		{"reserved", "everyone", "invalid_name"},
		{"taken", "ops", "name_taken"},
		{"taken by an archived channel", "archived", "name_taken"},
		{"taken by a private channel", "hidden", "name_taken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := w.api.CreateConversationContext(t.Context(), slack.CreateConversationParams{ChannelName: tt.channel})
			wantCode(t, err, tt.want)
		})
	}
}

func TestCreatorIsAMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("mine", true)
	c, err := w.api.GetConversationInfoContext(t.Context(), &slack.GetConversationInfoInput{ChannelID: id, IncludeNumMembers: true})
	if err != nil || c.Creator != w.BotUser().ID || !c.IsMember || !c.IsPrivate || c.NumMembers != 1 || c.Name != "mine" {
		t.Errorf("channel %+v, %v", c, err)
	}
	if got := w.Members("mine"); !slices.Equal(got, []string{w.BotUser().ID}) {
		t.Errorf("members %v", got)
	}
}

func TestPrivateChannelsDoNotExistForOutsiders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	hidden := w.AddChannel(sandbox.Channel{Name: "hidden", Private: true, Members: []string{w.ann.ID}})
	for _, method := range []string{
		"conversations.info", "conversations.history", "conversations.join", "conversations.members", "conversations.archive", "pins.list",
	} {
		w.wantError(w.form(method, "channel", hidden.ID), "channel_not_found")
	}
	w.wantError(w.form("chat.postMessage", "channel", hidden.ID, "text", "x"), "channel_not_found")
	w.wantError(w.form("conversations.history", "channel", w.ops.ID), "not_in_channel")
	w.wantError(w.form("conversations.join", "channel", w.ops.ID), "")
	w.wantError(w.form("conversations.history", "channel", w.ops.ID), "")
	if got := w.form("conversations.join", "channel", w.ops.ID); got["warning"] != "already_in_channel" {
		t.Errorf("second join: %v", got)
	}
}

func TestArchiving(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("old", false)
	ts := w.post(id, text("x"))
	w.wantError(w.form("conversations.archive", "channel", w.ops.ID), "not_in_channel")
	w.wantError(w.form("conversations.archive", "channel", id), "")
	if slices.Contains(w.Members(id), w.BotUser().ID) {
		t.Error("the bot is still a member")
	}
	for _, tt := range []struct {
		method string
		args   []string
		want   string
	}{
		{"conversations.archive", nil, "already_archived"},
		{"conversations.unarchive", nil, "not_in_channel"},
		{"conversations.join", nil, "is_archived"},
		{"conversations.history", nil, "not_in_channel"},
		{"conversations.invite", []string{"users", w.ann.ID}, "is_archived"},
		{"conversations.setTopic", []string{"topic", "x"}, "is_archived"},
		{"conversations.rename", []string{"name", "new"}, "is_archived"},
		{"chat.postMessage", []string{"text", "x"}, "is_archived"},
		{"chat.update", []string{"ts", ts, "text", "y"}, "is_inactive"},
		{"pins.add", []string{"timestamp", ts}, "not_in_channel"},
		{"reactions.add", []string{"timestamp", ts, "name", "x"}, "is_archived"},
	} {
		w.wantError(w.form(tt.method, append([]string{"channel", id}, tt.args...)...), tt.want)
	}
	list := w.form("users.conversations", "exclude_archived", "false")
	if channels, _ := list["channels"].([]any); len(channels) != 0 {
		t.Errorf("the bot is a member of %v", channels)
	}
	w.Unarchive(id)
	w.wantError(w.form("conversations.join", "channel", id), "")
	general, _ := w.Channel("general")
	w.wantError(w.form("conversations.archive", "channel", general.ID), "cant_archive_general")
}

func TestRenameAndTopic(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("one", false)
	w.Join(w.BotUser().ID, w.ops.ID)
	w.wantError(w.form("conversations.rename", "channel", w.ops.ID, "name", "new"), "not_authorized")
	w.wantError(w.form("conversations.rename", "channel", id, "name", "ops"), "name_taken")
	w.wantError(w.form("conversations.rename", "channel", id, "name", "two"), "")
	if _, ok := w.Channel("two"); !ok {
		t.Error("not renamed")
	}
	w.wantError(w.form("conversations.setTopic", "channel", id, "topic", strings.Repeat("ü", 251)), "too_long")
	w.wantError(w.form("conversations.setTopic", "channel", id, "topic", strings.Repeat("ü", 250)), "")
	w.wantError(w.form("conversations.setPurpose", "channel", id, "purpose", "a & b"), "")
	if c, _ := w.Channel(id); c.Purpose != "a &amp; b" || c.Topic == "" {
		t.Errorf("topic %q, purpose %q", c.Topic, c.Purpose)
	}
}

func TestInvite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		users   func(*world) []string
		force   bool
		want    string
		invited int
		failed  int
	}{
		{"good people", func(w *world) []string { return []string{w.ann.ID, w.bob.ID, w.ann.ID} }, false, "", 2, 0},
		{"nobody", func(*world) []string { return nil }, false, "no_user", 0, 0},
		{"unknown, all or nothing", func(w *world) []string { return []string{w.ann.ID, "UNONE"} }, false, "user_not_found", 0, 1},
		{"unknown, forced", func(w *world) []string { return []string{w.ann.ID, "UNONE"} }, true, "", 1, 1},
		{"oneself", func(w *world) []string { return []string{w.BotUser().ID} }, false, "cant_invite_self", 0, 1},
		{"deactivated, the rest comes in", func(w *world) []string {
			w.Deactivate(w.bob.ID)
			return []string{w.bob.ID, w.ann.ID}
		}, false, "cant_invite", 1, 1},
		{"guest who may be in one channel", func(w *world) []string {
			g := w.AddUser(sandbox.User{Name: "guest", UltraRestricted: true})
			w.Join(g.ID, w.ops.ID)
			return []string{g.ID}
		}, false, "ura_max_channels", 0, 1},
		{"guest with room", func(w *world) []string {
			g := w.AddUser(sandbox.User{Name: "guest", Guest: true, MaxChannels: 2})
			w.Join(g.ID, w.ops.ID)
			return []string{g.ID}
		}, false, "", 1, 0},
		{"stranger", func(w *world) []string {
			return []string{w.AddUser(sandbox.User{Name: "s", Stranger: true}).ID}
		}, false, "no_external_invite_permission", 0, 1},
		{"only failures, forced", func(*world) []string { return []string{"U1", "U2"} }, true, "user_not_found", 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{})
			id := w.create("new", false)
			got := w.form("conversations.invite", "channel", id, "users", strings.Join(tt.users(w), ","), "force", map[bool]string{true: "true"}[tt.force])
			w.wantError(got, tt.want)
			if failed, _ := got["errors"].([]any); len(failed) != tt.failed {
				t.Errorf("errors %v, want %d", got["errors"], tt.failed)
			}
			if n := len(w.Members(id)) - 1; n != tt.invited {
				t.Errorf("%d invited, want %d", n, tt.invited)
			}
		})
	}
}

// TestInviteErrorsReachSlackGo checks the shape of errors against the client.
func TestInviteErrorsReachSlackGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("new", false)
	if _, err := w.api.InviteUsersToConversationContext(t.Context(), id, w.ann.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.api.InviteUsersToConversationContext(t.Context(), id, w.ann.ID)
	wantCode(t, err, "already_in_channel")
	e := asSlackError(t, err)
	if len(e.Errors) != 1 || e.Errors[0].ConversationsInviteResponseError == nil || e.Errors[0].ConversationsInviteResponseError.User != w.ann.ID {
		t.Errorf("errors %+v", e.Errors)
	}
	w.wantError(w.form("conversations.invite", "channel", w.ops.ID, "users", w.ann.ID), "not_in_channel")
}

func TestKickAndLeave(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("c", true)
	w.Join(w.ann.ID, id)
	w.wantError(w.form("conversations.kick", "channel", id, "user", w.BotUser().ID), "cant_kick_self")
	w.wantError(w.form("conversations.kick", "channel", id, "user", w.bob.ID), "not_in_channel")
	w.wantError(w.form("conversations.kick", "channel", id, "user", "UNONE"), "user_not_found")
	w.wantError(w.form("conversations.kick", "channel", id, "user", w.ann.ID), "")
	w.wantError(w.form("conversations.leave", "channel", id), "last_member")
	w.Join(w.ann.ID, id)
	w.wantError(w.form("conversations.leave", "channel", id), "")
	w.wantError(w.form("conversations.leave", "channel", id), "channel_not_found")
}

func TestOpenDirect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	c, _, _, err := w.api.OpenConversationContext(t.Context(), &slack.OpenConversationParameters{Users: []string{w.ann.ID}})
	if err != nil {
		t.Fatal(err)
	}
	w.post(c.ID, text("psst"))
	w.post(w.ann.ID, text("again")) // a user's ID posts to the same place
	d, ok := w.Direct(w.ann.ID)
	if !ok || d.ID != c.ID || len(w.Messages(d.ID)) != 2 {
		t.Errorf("direct %+v %v: %+v", d, ok, w.Messages(d.ID))
	}
	w.Deactivate(w.bob.ID)
	w.wantError(w.form("conversations.open", "users", w.bob.ID), "user_disabled")
	w.wantError(w.form("conversations.open"), "users_list_not_supplied")
	w.wantError(w.form("conversations.setTopic", "channel", c.ID, "topic", "x"), "method_not_supported_for_channel_type")
}
