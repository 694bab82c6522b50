package slack_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

func TestDeclare(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		before := w.calls()
		reply := w.answers(t, w.ann, w.ops.ID, "declare Broker's list & <offers> are empty —severity sev2 --service offers",
			"*INC-1* declared as sev2: Broker's list &amp; &lt;offers&gt; are empty", "https://meet.example.com/a&amp;b", "#inc-1-…", "invited")
		if made := w.calls() - before; made != 0 {
			t.Errorf("the answer cost %d calls of Slack, want none", made)
		}
		inc := w.incident(t, 1)
		if inc.Title != "Broker's list & <offers> are empty" || inc.Severity != incidents.Sev2 || inc.Service != "offers" || inc.Private || inc.Drill {
			t.Errorf("got %+v", inc)
		}
		if want := (incidents.Person{ID: w.ann.ID, Name: "ann"}); inc.Reporter.Person != want || inc.ReportedIn != w.ops.ID {
			t.Errorf("got reporter %+v in %s, want %+v in %s", inc.Reporter, inc.ReportedIn, want, w.ops.ID)
		}
		again, err := reply.Redeliver(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		if again.Text != reply.Text {
			t.Errorf("the second delivery was answered %q, the first %q", again.Text, reply.Text)
		}
		if n := w.count(t); n != 1 {
			t.Errorf("got %d incidents, want 1", n)
		}
	})
}

func TestTheSameCommandByBothTransportsActsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{socket: true})
	reply := w.say(t, w.ann, w.ops.ID, "declare Checkout is down")
	form := url.Values{
		"command": {"/incident"}, "text": {"declare Checkout is down"}, "user_id": {w.ann.ID}, "channel_id": {w.ops.ID},
		"trigger_id": {reply.TriggerID}, "response_url": {reply.ResponseURL},
	}
	status, body := w.post(t, "/slack/commands", form.Encode(), time.Now(), w.SigningSecret())
	if status != http.StatusOK || !strings.Contains(body, "INC-1") {
		t.Errorf("got %d %s", status, body)
	}
	if n := w.count(t); n != 1 {
		t.Errorf("got %d incidents, want 1", n)
	}
}

// post sends a request signed by hand and gives status and body.
func (w *world) post(t *testing.T, path, body string, at time.Time, secret string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(at.Unix(), 10))
	if secret != "" {
		req.Header.Set("X-Slack-Signature", sandbox.Sign(secret, at.Unix(), []byte(body)))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func TestDeclareRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	for _, tt := range []struct {
		name, text string
		parts      []string
	}{
		{"help", "help", []string{"/incident help timeline", "*It is over*", "`mitigated`"}},
		{"Help", "Help me", []string{"/incident help timeline"}},
		{"help on a command", "help Timeline", []string{"`/incident timeline &lt;text&gt; [at 14:05 [until 14:20]] [--key]`", "Like: `/incident timeline Restarted", "INC-1"}},
		{"help on a slip", "help timline", []string{"`/incident timeline &lt;text&gt; [at 14:05 [until 14:20]] [--key]`"}},
		{"no title", "declare", []string{"needs a title", "--severity sev2"}},
		{"no title but options", "declare --private", []string{"title comes first", "/incident declare Checkout"}},
		{"an unknown severity", "declare Checkout down --severity high", []string{"no severity", "sev1", "Write it like: `/incident declare &lt;title&gt;"}},
		{"an option in the middle", "declare Leak --private of data", []string{"stand at the end"}},
		{"a title too long", "declare " + strings.Repeat("x", 201), []string{"201 characters", "200"}},
		{"a slip", "statsu", []string{"Did you mean `status`?", "`/incident status &lt;investigating|identified|monitoring|resolved&gt; [text]`"}},
		{"a title that begins like a chart", "chart does not load", []string{"No incident is open", "`/incident declare chart does not load`"}},
		{"an incident's command elsewhere", "resolve", []string{"No incident is open", "/incident resolve INC-1"}},
		{"a title that begins like a command", "status page is down", []string{"No incident is open", "`/incident declare status page is down`"}},
		{"an incident that is not there", "resolve INC-77", []string{"There is no INC-77"}},
	} {
		t.Log(tt.name)
		w.answers(t, w.ann, w.ops.ID, tt.text, tt.parts...)
	}
	if n := w.count(t); n != 0 {
		t.Errorf("got %d incidents, want none", n)
	}
	if errs := w.logs.at(slog.LevelError); len(errs) > 0 {
		t.Errorf("what users mistype was logged as errors: %q", errs)
	}
}

func TestWhoMayDeclare(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	late := w.AddUser(sandbox.User{Name: "late"})   // after the directory was read
	ghost := w.AddUser(sandbox.User{Name: "ghost"}) // nobody tells who this is
	bot := w.AddUser(sandbox.User{Name: "ci", Bot: true})
	foreign := w.AddUser(sandbox.User{Name: "foreign", Stranger: true})
	w.Join(late.ID, w.ops.ID)

	w.answers(t, w.guest, w.ops.ID, "declare Guest", "Guests can not declare")
	w.answers(t, foreign, w.ops.ID, "declare Foreign", "Guests can not declare")
	w.answers(t, bot, w.ops.ID, "declare Bot", "nothing was done")
	outage := w.Inject(sandbox.Fault{Method: "users.info", Kind: sandbox.FaultStatus{}})
	w.answers(t, ghost, w.ops.ID, "declare Ghost", "did not tell who you are")
	outage.Remove()
	slow := w.Inject(sandbox.Fault{Method: "users.info", Kind: sandbox.FaultDelay{Delay: 5 * time.Second}})
	if reply := w.answers(t, ghost, w.ops.ID, "declare Ghost", "did not tell who you are"); reply.Latency > 2500*time.Millisecond {
		t.Errorf("the answer took %s", reply.Latency)
	}
	slow.Remove()
	if n := w.count(t); n != 0 {
		t.Fatalf("got %d incidents, want none", n)
	}
	w.answers(t, late, w.ops.ID, "declare Late", "*INC-1*")
	w.answers(t, ghost, w.ops.ID, "declare Ghost", "*INC-2*")
}

func TestPrivateAndDrill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	reply := w.answers(t, w.ann, w.ops.ID, "declare Leak of keys --private", "*INC-1*", "private: Leak of keys", "#inc-1 ")
	if strings.Contains(reply.Text, "#inc-1-") {
		t.Errorf("a private channel has no words: %q", reply.Text)
	}
	w.answers(t, w.ann, w.ops.ID, "drill Region is gone --severity sev1", "drill", "Region is gone")
	if inc := w.incident(t, 1); !inc.Private || inc.Drill {
		t.Errorf("got %+v", inc)
	}
	if inc := w.incident(t, 2); inc.Private || !inc.Drill || inc.Severity != incidents.Sev1 {
		t.Errorf("got %+v", inc)
	}
}

func TestCommandsOfAnIncident(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Checkout is down", false)
	steps := []struct {
		text  string
		parts []string
		check func(inc incidents.Incident) bool
	}{
		{"status identified pool & <queue> full", []string{"INC-1 is now *identified*"}, func(i incidents.Incident) bool { return i.Status == incidents.Identified }},
		{"status identified", []string{"identified already"}, nil},
		{"status on fire", []string{"no status"}, nil},
		{"severity SEV-1", []string{"*sev1*"}, func(i incidents.Incident) bool { return i.Severity == incidents.Sev1 }},
		{"update We restart <#C1|x> :fire:\nand wait", []string{"update is in"}, func(i incidents.Incident) bool { return strings.HasSuffix(i.LastUpdate, "🔥\nand wait") }},
		{"lead", []string{"ann has the role commander"}, func(i incidents.Incident) bool { return i.Roles[incidents.Commander].ID == w.ann.ID }},
		{"lead @bob", []string{"bob has the role commander"}, func(i incidents.Incident) bool { return i.Roles[incidents.Commander].ID == w.bob.ID }},
		{"lead @bob", []string{"already"}, nil},
		{"lead me", []string{"ann has"}, func(i incidents.Incident) bool { return i.Roles[incidents.Commander].ID == w.ann.ID }},
		{"lead @nobodyhere", []string{"nobody called"}, nil},
		{"role comms Bob Stone", []string{"bob has the role communications"}, func(i incidents.Incident) bool { return i.Roles[incidents.Communications].ID == w.bob.ID }},
		{"role communications nobody", []string{"is free"}, func(i incidents.Incident) bool { return i.Roles[incidents.Communications].ID == "" }},
		{"role janitor @bob", []string{"no role"}, nil},
		{"timeline Restarted offers at 5m ago", []string{"Added", " at "}, nil},
		{"timeline x at 25:00", []string{"no time I can read"}, nil},
		{"rename Checkout & payments are down", []string{"Checkout &amp; payments"}, func(i incidents.Incident) bool { return i.Title == "Checkout & payments are down" }},
		{"decline", []string{"Only an incident in triage"}, nil},
		{"mitigated soon", []string{"no time I can read"}, nil},
		{"mitigated 5m", []string{"mitigated since"}, func(i incidents.Incident) bool {
			return i.Status == incidents.Monitoring && time.Since(i.Times[incidents.MitigatedAt].At) > 4*time.Minute
		}},
		{"repair", []string{"makes again"}, nil},
		{"resolve inc-1 Pool doubled", []string{"*resolved*"}, func(i incidents.Incident) bool { return i.Status == incidents.Resolved }},
		{"resolve", []string{"resolved already"}, nil},
		{"reopen It is back", []string{"*investigating*"}, func(i incidents.Incident) bool { return i.Status == incidents.Investigating }},
	}
	for _, step := range steps {
		w.answers(t, w.ann, channel.ID, step.text, step.parts...)
		if now := w.incident(t, inc.Number); step.check != nil && !step.check(now) {
			t.Errorf("after %q: %+v", step.text, now)
		}
	}
	changed := w.events(t, inc.Number, "status_changed")
	if got := changed[0].Data.(incidents.StatusChanged).Text; got != "pool & <queue> full" {
		t.Errorf("got text %q stored", got)
	}
	noted := w.events(t, inc.Number, "noted")
	if len(noted) != 1 || noted[0].Data.(incidents.Noted).Text != "Restarted offers" || noted[0].RecordedAt.Sub(noted[0].At) < 4*time.Minute {
		t.Errorf("got notes %+v", noted)
	}

	w.answers(t, w.bob, w.ops.ID, "severity INC-1 sev4", "INC-1 is now *sev4*")
	w.answers(t, w.guest, w.ops.ID, "severity INC-1 sev2", "There is no INC-1")
	w.answers(t, w.guest, channel.ID, "severity sev2", "As a guest")
	w.answers(t, w.guest, channel.ID, "timeline I see errors too", "Added to the timeline")
}

func TestACommandOfAnIncidentActsOnce(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		inc, channel := w.opened(t, "Checkout is down", false)
		reply := w.answers(t, w.ann, channel.ID, "timeline Restarted", "Added")
		again, err := reply.Redeliver(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reply.Text, again.Text); diff != "" {
			t.Errorf("another answer (-first +second):\n%s", diff)
		}
		if n := len(w.events(t, inc.Number, "noted")); n != 1 {
			t.Errorf("got %d notes, want 1", n)
		}
	})
}

func TestTimesAreInTheWritersZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Checkout is down", false)
	kolkata, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	want := time.Now().Add(-10 * time.Minute).Truncate(time.Minute)
	w.answers(t, w.bob, channel.ID, "timeline Restarted at "+want.In(kolkata).Format("15:04"), want.In(kolkata).Format("15:04")+" IST")
	if noted := w.events(t, inc.Number, "noted"); len(noted) != 1 || !noted[0].At.Equal(want) {
		t.Errorf("got %+v, want one note at %s", noted, want)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.answers(t, w.ann, w.ops.ID, "list", "No incident is open")
	_, channel := w.opened(t, "Checkout <is> down", false)
	w.opened(t, "Secret leak", true)
	_, over := w.opened(t, "Long over", false)
	w.answers(t, w.ann, over.ID, "resolve", "resolved")
	reply := w.answers(t, w.bob, w.ops.ID, "list", "Open incidents: 1", "*INC-1* sev3 investigating: Checkout &lt;is&gt; down <#"+channel.ID+">")
	for _, hidden := range []string{"Secret", "INC-2", "Long over"} {
		if strings.Contains(reply.Text, hidden) {
			t.Errorf("the list shows %q: %q", hidden, reply.Text)
		}
	}
	w.answers(t, w.guest, w.ops.ID, "list", "Guests see")
	for range 20 {
		w.say(t, w.ann, w.ops.ID, "declare "+strings.Repeat("<&>", 60))
	}
	long := w.answers(t, w.bob, w.ops.ID, "list", "Open incidents: 21", "INC-23")
	if n := len([]rune(long.Text)); n > 4000 {
		t.Errorf("the list has %d characters", n)
	}
}

func TestPrivateIncidentsAreForThoseWhoMaySee(t *testing.T) {
	t.Parallel()
	var group sandbox.UserGroup
	w := newWorld(t, setup{
		permissions: incidents.Permissions{SeePrivate: []string{"SSECURITY"}}, groups: []string{"SSECURITY", "U123"},
		prepare: func(w *world) {
			group = w.AddUserGroup(sandbox.UserGroup{ID: "SSECURITY", Handle: "security", Users: []string{w.bob.ID}})
		},
	})
	eve := w.AddUser(sandbox.User{Name: "eve"})
	w.opened(t, "Secret leak", true)
	w.eventually(t, "bob's groups", func() bool { return len(w.directory.Actor(t.Context(), w.bob.ID, "").Groups) == 1 })
	if ids, ok := w.directory.Members(group.ID); !ok || !cmp.Equal(ids, []string{w.bob.ID}) {
		t.Errorf("got members %q %t", ids, ok)
	}
	w.answers(t, w.bob, w.ops.ID, "list", "Secret leak")
	w.answers(t, eve, w.ops.ID, "list", "No incident is open")
	w.answers(t, eve, w.ops.ID, "severity INC-1 sev1", "There is no INC-1")
	w.answers(t, w.bob, w.ops.ID, "severity INC-1 sev1", "INC-1 is now *sev1*")
}

func TestInternalErrorsAreToldInWordsAndLoggedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	reply := w.answers(t, w.ann, w.ops.ID, "declare Secret title", "Houston could not do that", "Nothing was changed")
	if strings.Contains(reply.Text, "sql") {
		t.Errorf("the answer is technical: %q", reply.Text)
	}
	if errs := w.logs.at(slog.LevelError); len(errs) != 1 {
		t.Errorf("got %d errors logged, want 1: %q", len(errs), errs)
	}
	if strings.Contains(w.logs.text.String(), "Secret title") {
		t.Error("the log holds what the user typed")
	}
}
