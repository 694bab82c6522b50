package slack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
)

func TestActionItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers missing", false)
	w.answers(t, w.ann, channel.ID, "action Give slow requests a pool of their own <@"+w.bob.ID+"> due 2030-01-31", "Action item 1 of INC-1")
	w.answers(t, w.ann, w.ops.ID, "action INC-1 Alert on slow &amp; failed requests", "Action item 2 of INC-1")
	w.answers(t, w.ann, channel.ID, "action Later due 31.1.2030", "2030-01-31")
	w.answers(t, w.ann, channel.ID, "action @bob", "needs a text")
	w.answers(t, w.ann, channel.ID, "action Do it @nosuchperson", "nobody called")
	want := []incidents.ActionItem{
		{ID: 1, Text: "Give slow requests a pool of their own", Type: incidents.Prevent, Owner: incidents.Person{ID: w.bob.ID, Name: "bob"}, Due: "2030-01-31"},
		{ID: 2, Text: "Alert on slow & failed requests", Type: incidents.Prevent},
	}
	if diff := cmp.Diff(want, w.incident(t, inc.Number).Actions); diff != "" {
		t.Errorf("action items (-want +got):\n%s", diff)
	}
}

func TestStatuspage(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		inc, channel := w.opened(t, "Pool exhausted on offers-db", false)
		w.answers(t, w.ann, channel.ID, "statuspage fine All is well", "no status of a notice")
		w.answers(t, w.ann, channel.ID, "statuspage identified", "needs a text")
		reply := w.answers(t, w.ann, channel.ID, "statuspage investigating Offers | Some offers &amp; prices are missing",
			"*investigating*", "*Offers*", "Some offers &amp; prices are missing")
		if again, err := reply.Redeliver(deadline(t)); err != nil || again.Text != reply.Text {
			t.Errorf("delivered again it was answered %q, %v", again.Text, err)
		}
		if n := w.incident(t, inc.Number).Notice; n == nil || n.Title != "Offers" || len(n.Updates) != 1 || n.Updates[0].Text != "Some offers & prices are missing" {
			t.Fatalf("got notice %+v", n)
		}
		w.answers(t, w.ann, channel.ID, "resolve", "*resolved*", "status page still says *investigating*")
		shown := w.Ephemerals(channel.ID, w.ann.ID)
		for _, m := range shown {
			if !strings.Contains(string(m.Blocks), slack.ActionStatuspageUndo) {
				continue
			}
			if _, err := w.Click(deadline(t), sandbox.Click{User: w.ann.ID, Channel: channel.ID, MessageTS: m.TS, ActionID: slack.ActionStatuspageUndo}); err != nil {
				t.Fatal(err)
			}
			break
		}
		w.edge.Wait()
		if n := w.incident(t, inc.Number).Notice; n != nil {
			t.Errorf("got notice %+v after the undo, want none", n)
		}
		w.answers(t, w.ann, channel.ID, "statuspage undo", "nothing on the status page")
		w.answers(t, w.ann, channel.ID, "statuspage resolved All offers are back", "*resolved*")
		w.answers(t, w.ann, channel.ID, "statuspage undo", "nothing on the status page any more")
	})
}

func TestCatchup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Offers <missing>", false)
	w.say(t, w.bob, channel.ID, "lead")
	for range 12 {
		w.say(t, w.ann, channel.ID, "timeline Restarted a service")
	}
	w.say(t, w.ann, channel.ID, "update We look into the pool")
	kolkata, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	for name, user := range map[string]sandbox.User{"member": w.bob, "guest": w.guest} {
		reply := w.answers(t, user, channel.ID, "catchup", "*INC-1* Offers &lt;missing&gt;", "*sev3*", "*investigating*", "Commander: bob",
			"Last update: We look into the pool", "Restarted a service", "_(ann)_")
		if n := strings.Count(reply.Text, "Restarted a service"); n != 7 {
			t.Errorf("%s: %d entries of 12 shown beside the update, want 7", name, n)
		}
		if n := len([]rune(reply.Text)); n > 3000 {
			t.Errorf("%s: %d characters, want at most 3000", name, n)
		}
	}
	clock := time.Now().In(kolkata).Format("15:04")
	before := time.Now().Add(-time.Minute).In(kolkata).Format("15:04")
	if text := w.say(t, w.bob, channel.ID, "catchup").Text; !strings.Contains(text, clock) && !strings.Contains(text, before) {
		t.Errorf("got %q, want times in the zone of the one who asks", text)
	}
	w.answers(t, w.guest, w.ops.ID, "catchup INC-1", "There is no INC-1")
	w.answers(t, w.ann, w.ops.ID, "catchup", "Which incident")
}

func TestExportIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers missing", false)
	w.answers(t, w.ann, channel.ID, "export pdf", "md, html, json")
	w.answers(t, w.ann, channel.ID, "export", "comes into the incident's channel")
	asked := w.events(t, inc.Number, "export_asked")
	if len(asked) != 1 {
		t.Fatalf("got %d exports, want 1", len(asked))
	}
}
