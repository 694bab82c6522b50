package slack_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	slackapi "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
)

func TestDirectoryReadsPageByPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{prepare: func(w *world) {
		w.PageSize(2)
		for _, name := range []string{"carl", "dora", "emil"} {
			w.AddUser(sandbox.User{Name: name})
		}
		w.Inject(sandbox.Fault{Method: "users.list", Times: 1, After: 1, Kind: sandbox.FaultRateLimit{RetryAfter: time.Second}})
	}})
	for _, name := range []string{"ann", "carl", "dora", "emil"} {
		if _, err := w.directory.Find(t.Context(), "@"+name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.eventually(t, "people are stored", func() bool {
		profiles, err := w.store.Profiles(t.Context())
		return err == nil && len(profiles) >= 6
	})
}

func TestDirectoryStandings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	ultra := w.AddUser(sandbox.User{Name: "ultra", UltraRestricted: true})
	other := w.AddUser(sandbox.User{Name: "other", TeamID: "T999"})
	foreign := w.AddUser(sandbox.User{Name: "foreign", Stranger: true})
	gone := w.AddUser(sandbox.User{Name: "gone", Deleted: true})
	bot := w.AddUser(sandbox.User{Name: "ci", Bot: true})
	for _, tt := range []struct {
		name string
		id   string
		want incidents.Standing
	}{
		{"a member", w.ann.ID, incidents.Member},
		{"a guest", w.guest.ID, incidents.Guest},
		{"a guest of one channel", ultra.ID, incidents.Guest},
		{"somebody of another workspace", other.ID, incidents.Stranger},
		{"a stranger", foreign.ID, incidents.Stranger},
		{"nobody", "U00000000", incidents.Stranger},
		{"a deactivated account", gone.ID, incidents.Unproven},
		{"a bot", bot.ID, incidents.Unproven},
		{"Slack's own bot", "USLACKBOT", incidents.Stranger},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			actor := w.directory.Actor(t.Context(), tt.id, "fallback")
			if actor.Standing != tt.want || actor.ID != tt.id || actor.Via != incidents.FromSlack || actor.Name == "" {
				t.Errorf("got %+v %q, want %q", actor, actor.Standing, tt.want)
			}
		})
	}
}

func TestDirectoryOutlivesARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{groups: []string{"SSRE"}, prepare: func(w *world) {
		w.AddUserGroup(sandbox.UserGroup{ID: "SSRE", Users: []string{w.ann.ID}})
	}})
	w.eventually(t, "ann is stored", func() bool {
		p, err := w.store.Profile(t.Context(), w.ann.ID)
		return err == nil && len(p.Groups) == 1
	})
	for _, method := range []string{"users.list", "users.info", "auth.test", "usergroups.users.list"} {
		w.Inject(sandbox.Fault{Method: method, Kind: sandbox.FaultStatus{}})
	}
	again := w.startDirectory(t, []string{"SSRE"})
	got := again.Actor(t.Context(), w.ann.ID, "")
	want := incidents.Actor{Person: incidents.Person{ID: w.ann.ID, Name: "ann"}, Via: incidents.FromSlack, Standing: incidents.Member, Groups: []string{"SSRE"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("actor (-want +got):\n%s", diff)
	}
	w.eventually(t, "the failure is told", func() bool { return len(w.logs.at(slog.LevelWarn)) > 0 })
}

func TestDirectoryWithoutTheScopeForGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{
		groups:  []string{"SSRE"},
		sandbox: sandbox.Config{Scopes: []string{"users:read", "chat:write", "commands"}},
	})
	if actor := w.directory.Actor(t.Context(), w.ann.ID, ""); actor.Standing != incidents.Member {
		t.Errorf("got %q: people must be known without the groups", actor.Standing)
	}
	if _, ok := w.directory.Members("SSRE"); ok {
		t.Error("members of a group are known that could not be read")
	}
}

func TestDirectoryLearns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	event := func(updated int64, name string) slackapi.User {
		return slackapi.User{ID: "UNEW", TeamID: w.TeamID(), Name: "new", TZ: "Europe/Paris", Updated: slackapi.JSONTime(updated), Profile: slackapi.UserProfile{DisplayName: name}}
	}
	w.directory.Learn(event(20, "Nora"))
	w.directory.Learn(event(10, "An old name that came late"))
	if got := w.directory.Name("UNEW"); got != "Nora" {
		t.Errorf("got %q, want Nora", got)
	}
	if got := w.directory.Zone("UNEW").String(); got != "Europe/Paris" {
		t.Errorf("got zone %s", got)
	}
	if got := w.directory.Zone("UNKNOWN").String(); got != "UTC" {
		t.Errorf("got zone %s for somebody unknown", got)
	}
	w.eventually(t, "Nora is stored", func() bool {
		p, err := w.store.Profile(t.Context(), "UNEW")
		return err == nil && p.Name == "Nora"
	})
}

func TestDirectoryFinds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	for _, u := range []slackapi.User{
		{ID: "U1", Name: "anna.s", RealName: "Anna Schmidt", Profile: slackapi.UserProfile{DisplayName: "Anna"}},
		{ID: "U2", Name: "anna.k", RealName: "Anna Kurz", Profile: slackapi.UserProfile{DisplayName: "Anna"}},
		{ID: "U3", Name: "annabot", IsBot: true, Profile: slackapi.UserProfile{DisplayName: "Anna"}},
		{ID: "U4", Name: "gone", Deleted: true, Profile: slackapi.UserProfile{DisplayName: "Gone"}},
	} {
		w.directory.Learn(u)
	}
	for _, tt := range []struct {
		name, mention string
		id            string
		refused       string
	}{
		{"a mention", "<@U1>", "U1", ""},
		{"a mention with a label", " <@U1|anna.s> ", "U1", ""},
		{"a mention of somebody unknown", "<@U99|zoe>", "U99", ""},
		{"a user name", "@anna.k", "U2", ""},
		{"a user name in capitals", "@ANNA.K", "U2", ""},
		{"a real name", "@Anna Schmidt", "U1", ""},
		{"a bare name", "Anna Kurz", "U2", ""},
		{"a name of two people", "@Anna", "", "Anna (@anna.k), Anna (@anna.s). Use the user name"},
		{"nobody", "@zoe", "", "nobody called"},
		{"no name", "@", "", "Say who"},
		{"a bot", "<@U3>", "", "is a bot"},
		{"a bot's name", "@annabot", "", "nobody called"},
		{"a deactivated account by name", "@Gone", "", "nobody called"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := w.directory.Find(t.Context(), tt.mention)
			if tt.refused != "" {
				if incidents.KindOf(err) == "" || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("got %+v, %v, want %q", got, err, tt.refused)
				}
				return
			}
			if err != nil || got.ID != tt.id || got.Name == "" {
				t.Errorf("got %+v, %v, want %s", got, err, tt.id)
			}
		})
	}
}

func TestDirectoryRefreshes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	d := slack.NewDirectory(slack.DirectoryConfig{Client: w.client, Store: w.store, Log: w.logs.logger(), Refresh: 20 * time.Millisecond})
	d.Start(t.Context())
	t.Cleanup(d.Wait)
	late := w.AddUser(sandbox.User{Name: "late"})
	w.eventually(t, "a new member is known", func() bool { return d.Name(late.ID) == "late" })
}
