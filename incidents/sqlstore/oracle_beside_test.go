package sqlstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// around is what a player has around the incidents: a pager, an Alertmanager, a
// runbook and a dead man's switch.
func around(c *incidents.Config) {
	c.PageTargets, c.Alertmanagers = []string{"lead"}, []string{"default"}
	c.Runbooks = []incidents.Runbook{{Name: "Pool", Steps: []incidents.RunbookStep{{Text: "Look"}, {Text: "Restart"}}, Services: []string{"offers"}}}
	c.Routes = []incidents.Route{{
		Name: "heart", Action: incidents.RouteHeartbeat, Interval: time.Minute,
		Conditions: []incidents.Condition{{Text: "alertname=Watchdog", Holds: func(labels map[string]string) bool { return labels["alertname"] == "Watchdog" }}},
	}}
}

// beside does what happens beside the incident's own course: tasks, pages,
// silences, hearts, changes, the status page, and all that comes afterwards.
func (p *player) beside(ctx context.Context) (string, error) {
	switch p.rand.IntN(4) {
	case 0:
		return p.outside(ctx)
	case 1:
		return p.paper(ctx)
	default:
		number, command := p.besideCommand()
		_, err := p.service.Do(ctx, number, command)
		return fmt.Sprintf("%T", command), err
	}
}

// having gives an incident of a state that few are in, or any when none is.
func (p *player) having(fits func(incidents.Incident) bool) incidents.Incident {
	start, n := p.number(), int64(len(p.before))
	for i := range n {
		if inc := p.before[1+(start+i)%n]; fits(inc) {
			return inc
		}
	}
	return p.before[start]
}

// besideCommand gives a command and the number of an incident that it fits.
func (p *player) besideCommand() (int64, incidents.Command) {
	now, req := p.store.clock.Now(), by("")
	text := pick(p, "Look at the pool", "Näher\x00es")
	message := incidents.Message{Channel: "C", TS: "9.000009"}
	has := func(fits func(incidents.Incident) bool) int64 { return p.having(fits).Number }
	open := has(func(inc incidents.Incident) bool { return inc.Status.Open() })
	task := has(func(inc incidents.Incident) bool { return len(inc.OpenTasks()) > 0 })
	runbook := has(func(inc incidents.Incident) bool { return len(inc.Runbooks) > 0 })
	noticed := has(func(inc incidents.Incident) bool { return inc.Notice != nil })
	cleared := has(func(inc incidents.Incident) bool {
		return inc.Status.Open() && inc.Quiet() && inc.Clear != nil && inc.Clear.Answered == incidents.Person{}
	})
	silenced := has(func(inc incidents.Incident) bool { return inc.Status.Open() && len(inc.Silences) > 0 })
	gap := has(func(inc incidents.Incident) bool { return len(inc.Gaps) > 0 })
	action := has(func(inc incidents.Incident) bool { return len(inc.Actions) > 0 })
	channel := p.having(func(inc incidents.Incident) bool {
		return inc.Channel != nil && inc.Channel.Archived == (p.rand.IntN(2) == 0)
	})
	public := has(func(inc incidents.Incident) bool { return inc.Status.Open() && inc.Channel != nil && !inc.Private })
	away := has(func(inc incidents.Incident) bool {
		return !inc.Status.Open() && inc.Channel != nil && inc.Channel.Archived
	})
	drafted := has(func(inc incidents.Incident) bool { return inc.Postmortem.Open() })
	first := 1 + p.rand.Int64N(2)
	type chosen struct {
		number  int64
		command incidents.Command
	}
	c := pick(
		p,
		chosen{open, incidents.AddTask{Request: req, Text: text, Owner: pick(p, incidents.Person{}, ana().Person)}},
		chosen{task, incidents.ChangeTask{Request: req, ID: first, State: pick(p, incidents.TaskInProgress, incidents.TaskDone, incidents.TaskDropped, incidents.TaskMoved)}},
		chosen{runbook, incidents.Tick{Request: req, Runbook: 1, Step: first, Done: pick(p, true, true, false)}},
		chosen{open, incidents.PublishNotice{Request: req, Status: pick(p, incidents.NoticeInvestigating, incidents.NoticeResolved), Text: text}},
		chosen{noticed, incidents.WithdrawNotice{Request: req}},
		chosen{cleared, incidents.GoOn{Request: req}},
		chosen{silenced, incidents.Unsilence{Request: req}},
		chosen{channel.Number, incidents.Export{Request: req, Format: pick(p, incidents.ExportFormats()...)}},
		chosen{open, incidents.AddGap{Request: req, Signal: text, Expr: "up == 0", For: "5m"}},
		chosen{gap, incidents.ChangeGap{Request: req, ID: 1, State: new(pick(p, incidents.GapOpen, incidents.GapAccepted)), Reason: &text}},
		chosen{gap, incidents.CheckedGap{Request: req, ID: 1, Check: incidents.GapCheck{Verdict: pick(p, incidents.CheckFires, incidents.CheckDoesNotFire), Reason: "r"}}},
		chosen{action, incidents.ChangeAction{Request: req, ID: 1, Text: &text, Due: new(pick(p, "", "2026-05-06"))}},
		chosen{action, incidents.MoveAction{Request: req, ID: 1, To: pick(p, incidents.ActionInProgress, incidents.ActionDone, incidents.ActionDropped), Note: text}},
		chosen{open, incidents.StaffPostmortem{Request: req, Owner: &incidents.Person{ID: pick(p, "U1", "U2"), Name: "Bo"}, Reviewers: &[]incidents.Person{{ID: "U3", Name: "Cy"}}}},
		chosen{drafted, incidents.PlanReview{Request: req, At: now.Add(time.Hour)}},
		chosen{open, incidents.Capture{Request: req, Message: message, Text: text, At: now, Mark: incidents.MarkAction, Files: []incidents.File{{ID: "F2", Name: "b.png"}}}},
		chosen{has(func(inc incidents.Incident) bool { _, ok := inc.CapturedAs(message); return ok }), incidents.Release{Request: req, Message: message, Mark: incidents.MarkAction}},
		chosen{public, incidents.MakePrivate{Request: req}},
		chosen{public, incidents.AddChart{Request: req, Chart: incidents.Chart{Expr: "up", Source: "default", Start: now.Add(-time.Hour), End: now, File: incidents.File{ID: "chart"}}}},
		chosen{open, incidents.SetBridge{Request: req, URL: pick(p, "https://meet.example.com/a", "https://meet.example.com/b")}},
		chosen{away, incidents.Reopen{Request: req}},
		chosen{channel.Number, noteChannel(req, channel)},
		chosen{channel.Number, incidents.NoteChannel{Request: req, Channel: channelID(channel), Name: "inc-" + pick(p, "a", "b"), At: fmt.Sprintf("%d.000001", now.Unix())}},
	)
	return c.number, c.command
}

// noteChannel is what people do to a channel.
func noteChannel(req incidents.Request, inc incidents.Incident) incidents.Command {
	return incidents.NoteChannel{Request: req, Channel: channelID(inc), Archived: new(inc.Channel != nil && !inc.Channel.Archived)}
}

func channelID(inc incidents.Incident) string {
	if inc.Channel == nil {
		return ""
	}
	return inc.Channel.ID
}

// outside is what pagers, Alertmanagers and deployment tools tell.
func (p *player) outside(ctx context.Context) (string, error) {
	now := p.store.clock.Now()
	burning := p.having(func(inc incidents.Incident) bool { return inc.Status.Open() && inc.AlertsFiring() > 0 }).Number
	switch p.rand.IntN(9) {
	case 0, 1:
		_, err := p.service.Page(ctx, p.number(), incidents.PageOut{Request: by("")})
		return "page", err
	case 2:
		page := p.having(func(inc incidents.Incident) bool { return inc.Pages["lead"].State == incidents.PageSent }).Pages["lead"]
		return "answer a page", p.service.TakePage(ctx, incidents.PageSignal{Key: page.Key, State: pick(p, incidents.PageAcknowledged, incidents.PageResolved), By: "Lea"})
	case 3:
		_, err := p.service.SilenceAlerts(ctx, burning, by(""), "", pick(p, 0, time.Hour))
		return "silence", err
	case 4:
		kept := func(s incidents.Silence) bool { return !s.Ended }
		silenced := p.having(func(inc incidents.Incident) bool { return inc.Status.Open() && slices.ContainsFunc(inc.Silences, kept) })
		if i := slices.IndexFunc(silenced.Silences, kept); i >= 0 {
			s := silenced.Silences[i]
			p.store.clock.move(max(0, s.Until.Add(-time.Minute).Sub(now)))
			return "keep a silence", p.service.KeepSilence(ctx, incidents.KeepSilence{Incident: silenced.Number, Silence: s.ID})
		}
		return "keep no silence", nil
	case 5:
		return "note a silence", p.service.NoteSilences(ctx, burning, []incidents.ForeignSilence{{Silence: fmt.Sprint("s", p.rand.IntN(3)), Source: "default", By: "bob", Until: now.Add(time.Hour), Alert: "Down"}})
	case 6:
		for i := range 2 + p.rand.IntN(3) {
			d := delivery(firing("Watchdog", "1"))
			if d.GroupKey = "heart"; i == 3 {
				d.Alerts[0] = resolved(d.Alerts[0], now)
			}
			if err := p.service.Ingest(ctx, d); err != nil {
				return "beat", err
			}
		}
		return "beat", nil
	case 7:
		c := incidents.ChangeEvent{
			Source: "api", External: fmt.Sprint("c", p.rand.IntN(4)), Kind: incidents.ChangeDeployment, Title: "Deploy offers", Service: "offers",
			State: incidents.ChangeRunning, StartedAt: now.Add(-10 * time.Minute), UpdatedAt: now,
		}
		if p.rand.IntN(2) == 0 {
			c.State, c.EndedAt = incidents.ChangeSucceeded, now
		}
		_, _, err := p.service.TakeChange(ctx, incidents.Once{}, c)
		return "tell a change", err
	default:
		return "link changes", p.service.LinkChanges(ctx)
	}
}

// paper does what people do to a postmortem.
func (p *player) paper(ctx context.Context) (string, error) {
	paper := p.having(func(inc incidents.Incident) bool { return !inc.Status.Open() && inc.Severity == incidents.Sev1 })
	number := paper.Number
	if p.rand.IntN(2) == 0 {
		_, err := p.papers.Save(ctx, number, postmortem.Save{
			Request: by(""), Base: paper.Postmortem.Rev,
			Patch: postmortem.Written{"summary": json.RawMessage(pick(p, `"Brokers saw no offers."`, `"Nobody did."`, "null"))},
		})
		return "write a postmortem", err
	}
	_, err := p.papers.Move(ctx, number, postmortem.Move{
		Request: by(""), To: pick(p, incidents.PostmortemWaived, incidents.PostmortemDraft, incidents.PostmortemInReview), Reason: "A drill of the oracle",
	})
	return "move a postmortem", err
}

// unseen lists the kinds of events that have not happened yet.
func unseen(t *testing.T, store *testStore) (kinds []string) {
	t.Helper()
	for _, kind := range eventKinds(t) {
		if store.count(t, "events WHERE type = '"+kind+"'") == 0 {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// eventKinds reads from the source which events there are: those that
// incidents.Decode knows, by the names that they are stored under.
func eventKinds(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			source.Write(raw)
		}
	}
	names := map[string]string{}
	for _, found := range regexp.MustCompile(`func \((?:\w+ )?(\w+)\) Type\(\) string\s*\{\s*return "(\w+)"`).FindAllStringSubmatch(source.String(), -1) {
		names[found[1]] = found[2]
	}
	var kinds []string
	for _, found := range regexp.MustCompile(`case (\w+)\{\}\.Type\(\):`).FindAllStringSubmatch(source.String(), -1) {
		kinds = append(kinds, names[found[1]])
	}
	if len(kinds) < 60 {
		t.Fatalf("found %d kinds of events in the source, want all that there are", len(kinds))
	}
	return kinds
}
