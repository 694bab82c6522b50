package sandbox_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	bearer := func(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
	const form, json = "application/x-www-form-urlencoded", "application/json; charset=utf-8"
	for _, tt := range []struct {
		name, method, contentType, body string
		header                          http.Header
		want                            string
	}{
		{"token in the form", "auth.test", form, "token=" + w.BotToken(), nil, ""},
		{"token in the header", "auth.test", form, "", bearer(w.BotToken()), ""},
		{"token in the header, JSON body", "auth.test", json, "{}", bearer(w.BotToken()), ""},
		{"token in a JSON body counts not", "auth.test", json, `{"token":"` + w.BotToken() + `"}`, nil, "not_authed"},
		{"token in the query counts not", "auth.test?token=" + w.BotToken(), form, "", nil, "not_authed"},
		{"no token", "auth.test", form, "", nil, "not_authed"},
		{"unknown token", "auth.test", form, "token=xoxb-other", nil, "invalid_auth"},
		{"app token for a bot's method", "auth.test", form, "token=" + w.AppToken(), nil, "not_allowed_token_type"},
		{"bot token for an app's method", "apps.connections.open", form, "", bearer(w.BotToken()), "not_allowed_token_type"},
		{"app token in the header", "apps.connections.open", json, "", bearer(w.AppToken()), ""},
		{"app token in the form counts not", "apps.connections.open", form, "token=" + w.AppToken(), nil, "not_authed"},
		{"no such method", "chat.shout", form, "token=" + w.BotToken(), nil, "unknown_method"},
		{"odd charset", "auth.test", "application/x-www-form-urlencoded; charset=utf-16", "token=" + w.BotToken(), nil, "invalid_charset"},
		{"plain body", "auth.test", "text/plain", "hello", bearer(w.BotToken()), "invalid_post_type"},
		{"broken JSON", "chat.postMessage", json, "{", bearer(w.BotToken()), "invalid_arguments"},
		{"JSON where it is taken", "conversations.create", json, `{"name":"from-json","is_private":true}`, bearer(w.BotToken()), ""},
		{"JSON where it is not taken", "conversations.info", json, `{"channel":"` + w.ops.ID + `"}`, bearer(w.BotToken()), "invalid_arguments"},
		{"missing argument", "chat.postMessage", form, "text=x&token=" + w.BotToken(), nil, "invalid_arguments"},
		{"api.test echoes", "api.test", form, "error=my_error", nil, "my_error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := *w
			w.t = t
			w.wantError(w.call(tt.method, tt.contentType, tt.body, tt.header), tt.want)
		})
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		scopes []string
		method string
		args   []string
		needed string // empty: granted
	}{
		{"public channel", []string{"channels:manage"}, "conversations.create", []string{"name", "a"}, ""},
		{"private needs its own", []string{"channels:manage"}, "conversations.create", []string{"name", "a", "is_private", "true"}, "groups:write"},
		{"private channel", []string{"groups:write"}, "conversations.create", []string{"name", "a", "is_private", "true"}, ""},
		{"public from groups:write", []string{"groups:write"}, "conversations.create", []string{"name", "a"}, "channels:manage"},
		{"none at all", []string{}, "chat.postMessage", []string{"channel", "general", "text", "x"}, "chat:write"},
		{"list of private channels", []string{"channels:read"}, "users.conversations", []string{"types", "public_channel,private_channel"}, "groups:read"},
		{"own name", []string{"chat:write", "chat:write.public"}, "chat.postMessage", []string{"channel", "general", "text", "x", "username", "Bo"}, "chat:write.customize"},
		{"e-mail", []string{"users:read"}, "users.lookupByEmail", []string{"email", "ann@example.com"}, "users:read.email"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{Scopes: tt.scopes})
			got := w.form(tt.method, tt.args...)
			if tt.needed == "" {
				w.wantError(got, "")
				return
			}
			w.wantError(got, "missing_scope")
			if got["needed"] != tt.needed || got["provided"] == nil {
				t.Errorf("needed %v, provided %v; want needed %s", got["needed"], got["provided"], tt.needed)
			}
		})
	}
}

func TestPostingToAPublicChannelFromOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{Scopes: []string{"chat:write"}})
	w.wantError(w.form("chat.postMessage", "channel", w.ops.ID, "text", "x"), "not_in_channel")
	w.Join(w.BotUser().ID, w.ops.ID)
	w.wantError(w.form("chat.postMessage", "channel", w.ops.ID, "text", "x"), "")

	all := newWorld(t, sandbox.Config{})
	all.wantError(all.form("chat.postMessage", "channel", all.ops.ID, "text", "x"), "")
	all.wantError(all.form("chat.postMessage", "channel", "#ops", "text", "by name"), "")
	all.wantError(all.form("chat.update", "channel", "#ops", "ts", "1.000000", "text", "by name"), "channel_not_found")
}

// TestEmailNeedsItsScope checks that profiles hold no address without the scope.
func TestEmailNeedsItsScope(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		scopes []string
		want   any
	}{
		{"with", []string{"users:read", "users:read.email"}, "ann@example.com"},
		{"without", []string{"users:read"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{Scopes: tt.scopes})
			user, _ := w.form("users.info", "user", w.ann.ID)["user"].(map[string]any)
			profile, _ := user["profile"].(map[string]any)
			if profile["email"] != tt.want {
				t.Errorf("email %v, want %v", profile["email"], tt.want)
			}
		})
	}
}

func TestCallsAreRecordedWithoutTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	w.form("users.info", "user", "UNOBODY")
	calls := w.Calls("users.info")
	if len(calls) != 1 || calls[0].Error != "user_not_found" || calls[0].Args["user"] != "UNOBODY" || calls[0].End.Before(calls[0].Start) {
		t.Fatalf("calls: %+v", calls)
	}
	if _, ok := calls[0].Args["token"]; ok {
		t.Error("the token is in the record")
	}
	if len(w.Calls("*")) != 1 {
		t.Errorf("all calls: %+v", w.Calls("*"))
	}
}

func TestPaging(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		w.create(name, name == "c")
	}
	walk := func(limit string) (names []string, pages int) {
		cursor := ""
		for {
			pages++
			got := w.form("users.conversations", "types", "public_channel,private_channel", "limit", limit, "cursor", cursor)
			w.wantError(got, "")
			list, _ := got["channels"].([]any)
			for _, item := range list {
				c, _ := item.(map[string]any)
				name, _ := c["name"].(string)
				names = append(names, name)
			}
			meta, _ := got["response_metadata"].(map[string]any)
			if cursor, _ = meta["next_cursor"].(string); cursor == "" {
				return names, pages
			}
		}
	}
	if names, pages := walk("2"); len(names) != 5 || pages != 3 {
		t.Errorf("limit 2: %q in %d pages, want 5 in 3", names, pages)
	}
	w.PageSize(1)
	if names, pages := walk("1000"); len(names) != 5 || pages != 5 {
		t.Errorf("page size 1: %q in %d pages, want 5 in 5", names, pages)
	}
	w.wantError(w.form("users.conversations", "cursor", "garbage"), "invalid_cursor")
	w.wantError(w.form("users.conversations", "limit", "1001"), "invalid_limit")
	w.wantError(w.form("users.conversations", "types", "public"), "invalid_types")
}

func TestUsersAndGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	w.AddUser(sandbox.User{Name: "stranger", Stranger: true})
	g := w.AddUserGroup(sandbox.UserGroup{Name: "SRE", Handle: "sre", Users: []string{w.ann.ID}})
	users, err := w.api.GetUsersContext(t.Context())
	if err != nil || len(users) != 3 { // bot, ann, bob
		t.Errorf("users %d, %v", len(users), err)
	}
	if u, err := w.api.GetUserByEmailContext(t.Context(), "ANN@example.com"); err != nil || u.ID != w.ann.ID {
		t.Errorf("by e-mail: %+v, %v", u, err)
	}
	w.Deactivate(w.ann.ID)
	_, err = w.api.GetUserByEmailContext(t.Context(), "ann@example.com")
	wantCode(t, err, "users_not_found")
	if u, err := w.api.GetUserInfoContext(t.Context(), w.ann.ID); err != nil || !u.Deleted {
		t.Errorf("deactivated: %+v, %v", u, err)
	}
	members, err := w.api.GetUserGroupMembersContext(t.Context(), g.ID)
	if err != nil || len(members) != 1 {
		t.Errorf("group: %v, %v", members, err)
	}
	_, err = w.api.GetUserGroupMembersContext(t.Context(), "SNONE")
	wantCode(t, err, "no_such_subteam")
	if groups, err := w.api.GetUserGroupsContext(t.Context()); err != nil || len(groups) != 1 || groups[0].Handle != "sre" {
		t.Errorf("groups: %+v, %v", groups, err)
	}
	if _, err := w.api.GetTeamInfoContext(t.Context()); err != nil {
		t.Error(err)
	}
	if who, err := w.api.AuthTestContext(t.Context()); err != nil || who.BotID != w.BotID() || who.UserID != w.BotUser().ID {
		t.Errorf("auth.test: %+v, %v", who, err)
	}
}

// TestGET serves the one method of ours that slack-go calls by GET.
func TestGET(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("links", false)
	ts := w.post(id, text("x"))
	link, err := w.api.GetPermalinkContext(t.Context(), permalinkOf(id, ts))
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(link); err != nil || u.Path == "" {
		t.Errorf("link %q", link)
	}
	_, err = w.api.GetPermalinkContext(t.Context(), permalinkOf(id, "1.000000"))
	wantCode(t, err, "message_not_found")
}
