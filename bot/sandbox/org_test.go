package sandbox_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

const enterprise = "E0SB000001"

func TestEnterprisePayloads(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{EnterpriseID: enterprise, EnterpriseName: "Acme"})
	a := newApp(t, w.Workspace, nil)
	if !strings.HasPrefix(w.ann.ID, "W") {
		t.Errorf("ann is %s, want an ID that begins with W", w.ann.ID)
	}
	if _, err := w.Command(t.Context(), sandbox.Command{User: w.ann.ID, Channel: "ops", Command: "/x", Text: "lead @bob"}); err != nil {
		t.Fatal(err)
	}
	form, err := url.ParseQuery(string(a.next(t, "/commands").body))
	if err != nil {
		t.Fatal(err)
	}
	if form.Get("enterprise_id") != enterprise || form.Get("enterprise_name") != "Acme" || form.Get("is_enterprise_install") != "false" ||
		form.Get("text") != "lead <@"+w.bob.ID+">" {
		t.Errorf("command %v", form)
	}

	if _, err := w.Shortcut(t.Context(), sandbox.Shortcut{User: w.ann.ID, CallbackID: "declare"}); err != nil {
		t.Fatal(err)
	}
	got := a.next(t, "/interactivity").payload(t)
	want := map[string]any{"id": enterprise, "name": "Acme"}
	if diff := cmp.Diff(want, got["enterprise"]); diff != "" || got["is_enterprise_install"] != false {
		t.Errorf("enterprise %s of %v", diff, got)
	}
	if team := got["team"].(map[string]any); team["enterprise_id"] != enterprise || team["id"] != w.TeamID() {
		t.Errorf("team %v", team)
	}

	w.create("c", false)
	_, envelope := a.nextEvent(t, "channel_created", "")
	authorization := envelope["authorizations"].([]any)[0].(map[string]any)
	if envelope["enterprise_id"] != enterprise || envelope["context_enterprise_id"] != enterprise || envelope["context_team_id"] != w.TeamID() ||
		authorization["enterprise_id"] != enterprise {
		t.Errorf("envelope %v", envelope)
	}
	me, err := w.api.AuthTestContext(t.Context())
	if err != nil || me.EnterpriseID != enterprise {
		t.Errorf("auth.test %+v, %v", me, err)
	}
	u, err := w.api.GetUserInfoContext(t.Context(), w.ann.ID)
	if err != nil || u.Enterprise.EnterpriseID != enterprise || u.Enterprise.Teams[0] != w.TeamID() {
		t.Errorf("users.info %+v, %v", u, err)
	}
}

func TestOrgTokensSayWhichTeam(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{EnterpriseID: enterprise, OrgInstall: true})
	for _, method := range []string{"conversations.list", "users.list", "users.conversations", "usergroups.list", "bots.info"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			w.wantError(w.form(method), "missing_argument")
			w.wantError(w.form(method, "team_id", "T0ELSEWHERE"), "team_access_not_granted")
			w.wantError(w.form(method, "team_id", w.TeamID()), "")
		})
	}
	w.wantError(w.form("conversations.create", "name", "c"), "missing_argument")
	got := w.form("conversations.create", "name", "c", "team_id", w.TeamID())
	w.wantError(got, "")
	id, _ := got["channel"].(map[string]any)["id"].(string)
	w.wantError(w.form("chat.postMessage", "channel", id, "text", "the channel says it"), "")
}

func TestSlackConnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	eve := w.AddUser(sandbox.User{Name: "eve", Stranger: true})
	bot := w.BotUser().ID
	own := w.AddChannel(sandbox.Channel{Name: "own", Members: []string{bot, w.ann.ID}})
	ext := w.AddChannel(sandbox.Channel{Name: "ext", ExtShared: true, Members: []string{bot, w.ann.ID}})

	w.wantError(w.form("conversations.invite", "channel", own.ID, "users", eve.ID), "no_external_invite_permission")
	w.wantError(w.form("conversations.invite", "channel", ext.ID, "users", eve.ID), "")
	c, err := w.api.GetConversationInfoContext(t.Context(), &slack.GetConversationInfoInput{ChannelID: ext.ID})
	if err != nil || !c.IsExtShared || !c.IsShared || len(c.ConnectedTeamIDs) != 1 || c.ConnectedTeamIDs[0] != eve.TeamID {
		t.Errorf("conversations.info %+v, %v", c, err)
	}

	for _, tt := range []struct {
		name, user, channel, team string
		shared                    bool
	}{
		{"a member at home", w.ann.ID, own.ID, w.TeamID(), false},
		{"a member in the shared channel", w.ann.ID, ext.ID, w.TeamID(), true},
		{"a stranger in the shared channel", eve.ID, ext.ID, eve.TeamID, true},
	} {
		r, err := w.Post(t.Context(), tt.user, tt.channel, tt.name, "")
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		event, envelope := a.nextEvent(t, "message", "")
		if event["ts"] != r.TS || event["team"] != tt.team || envelope["is_ext_shared_channel"] != tt.shared || envelope["team_id"] != w.TeamID() {
			t.Errorf("%s: %v in %v", tt.name, event, envelope)
		}
		if _, err := w.React(t.Context(), tt.user, tt.channel, r.TS, "eyes"); err != nil {
			t.Fatal(err)
		}
		if _, envelope := a.nextEvent(t, "reaction_added", ""); envelope["is_ext_shared_channel"] != tt.shared {
			t.Errorf("%s: reaction in %v", tt.name, envelope)
		}
	}
	_, err = w.Post(t.Context(), eve.ID, own.ID, "let me in", "")
	wantCode(t, err, "not_in_channel")

	users, err := w.api.GetUsersContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range users {
		if u.ID == eve.ID {
			t.Error("users.list has people from elsewhere")
		}
	}
	if u, err := w.api.GetUserInfoContext(t.Context(), eve.ID); err != nil || !u.IsStranger || u.TeamID != eve.TeamID {
		t.Errorf("users.info %+v, %v", u, err)
	}
}
