package sandbox_test

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

func TestRefer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	hidden := w.AddChannel(sandbox.Channel{Name: "secret", Private: true})
	group := w.AddUserGroup(sandbox.UserGroup{Name: "On call", Handle: "oncall"})
	w.AddUserGroup(sandbox.UserGroup{Name: "Old", Handle: "old", Disabled: true})
	names := strings.NewReplacer("ANN", w.ann.ID, "OPS", w.ops.ID, "SECRET", hidden.ID, "GROUP", group.ID)
	for _, tt := range []struct{ name, text, want string }{
		{"a person", "@ann, look", "<@ANN>, look"},
		{"a group", "ping @oncall", "ping <!subteam^GROUP|@oncall>"},
		{"a group that is no more", "ping @old", "ping @old"},
		{"all", "@here and @channel", "<!here> and <!channel>"},
		{"channels", "#ops or #secret.", "<#OPS|ops> or <#SECRET|>."},
		{"nobody", "@nobody in #nowhere, ann@example.com", "@nobody in #nowhere, ann@example.com"},
		{"characters", "a & b < c", "a &amp; b &lt; c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := names.Replace(tt.want)
			got := w.Refer(tt.text)
			if got != want || w.Refer(got) != want {
				t.Errorf("got %q, then %q, want %q", got, w.Refer(got), want)
			}
		})
	}
}

func TestUserGroupsChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	g := w.AddUserGroup(sandbox.UserGroup{Name: "On call", Handle: "oncall", Users: []string{w.ann.ID}})
	members := func() []string {
		t.Helper()
		users, err := w.api.GetUserGroupMembersContext(t.Context(), g.ID)
		if err != nil {
			t.Fatal(err)
		}
		return users
	}
	if got := members(); len(got) != 1 || got[0] != w.ann.ID {
		t.Errorf("members %v, want ann", got)
	}
	g.Users = []string{w.bob.ID}
	if !w.SetUserGroup(g) {
		t.Fatal("the group is unknown")
	}
	event, _ := a.nextEvent(t, "subteam_updated", "")
	if subteam := event["subteam"].(map[string]any); subteam["id"] != g.ID || subteam["users"].([]any)[0] != w.bob.ID {
		t.Errorf("event %v", event)
	}
	if got := members(); len(got) != 1 || got[0] != w.bob.ID {
		t.Errorf("members %v, want bob", got)
	}
	if got := w.UserGroups(); len(got) != 1 || got[0].Users[0] != w.bob.ID {
		t.Errorf("UserGroups %+v", got)
	}
	g.Disabled = true
	w.SetUserGroup(g)
	w.wantError(w.form("usergroups.users.list", "usergroup", g.ID), "no_such_subteam")
	if w.SetUserGroup(sandbox.UserGroup{ID: "S0NONE"}) {
		t.Error("a group that is not there was changed")
	}
}
