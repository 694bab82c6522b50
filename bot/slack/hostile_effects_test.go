package slack_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/bot/slack"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// effects makes everything that is owed by now, and gives the kinds of what is made.
func (e *enemy) effects(t *testing.T) []incidents.EffectKind {
	t.Helper()
	text, err := templates.Load("de")
	if err != nil {
		t.Fatal(err)
	}
	files := bot.NewFiles(t.TempDir())
	e.draw(t, files)
	outbound := slack.NewOutbound(slack.OutboundConfig{
		Client: e.client, Store: e.store, Text: text, Announce: "ops", Command: "/incident", PublicURL: "https://houston.example.com",
		Name:     func(string) string { return e.upTo(80) },
		Document: func(context.Context, int64, string) (string, []byte, error) { return e.upTo(200), []byte(e.words), nil },
		OpenFile: files.Open, Digest: slack.DigestConfig{Channel: "ops", Actions: e.store.ActionItems},
	})
	runner := bot.NewRunner(bot.Config{Service: e.service, Clock: incidents.SystemClock{}, Makers: outbound.Makers(), Log: e.logs.logger()})
	var kinds []incidents.EffectKind
	for number := range int64(e.count(t) + 1) { // 0 has the offers
		if number > 0 {
			_ = runner.OpenChannel(t.Context(), number) // what fails stands in the calls
		}
		effects, err := e.store.Effects(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		for _, effect := range effects {
			_ = runner.RunEffect(t.Context(), incidents.RunEffect{Effect: effect.Key, Version: effect.Wanted})
			if after, err := e.store.Effect(t.Context(), effect.Key); err == nil && after.Made() {
				kinds = append(kinds, effect.Kind)
			}
		}
	}
	if _, err := outbound.Makers()[incidents.MakeTell].Make(t.Context(), bot.Work{
		Effect: incidents.Effect{Kind: incidents.MakeTell, Key: "INC-1/tell", Incident: e.inc.Number, Target: e.ann.ID}, Incident: e.incident(t, e.inc.Number),
	}); err == nil {
		kinds = append(kinds, incidents.MakeTell)
	}
	if made, err := outbound.Makers()[incidents.MakeDigest].Make(t.Context(), bot.Work{
		Effect: incidents.Effect{Kind: incidents.MakeDigest, Key: "digest/2030-01-07", Target: "2030-01-07", Wanted: 1},
	}); err != nil {
		t.Errorf("post the digest: %v", err)
	} else if made.Place != "" {
		kinds = append(kinds, incidents.MakeDigest)
	}
	return append(kinds, e.nudges(t, outbound)...)
}

// draw puts a chart of a hostile query into the timeline, once there is a channel.
func (e *enemy) draw(t *testing.T, files *bot.Files) {
	t.Helper()
	if e.incident(t, e.inc.Number).Channel == nil {
		return
	}
	digest, err := files.Save(strings.NewReader("a picture"), 100)
	if err != nil {
		t.Fatal(err)
	}
	actor := incidents.Actor{Person: incidents.Person{ID: e.ann.ID, Name: e.upTo(80)}, Via: incidents.FromSlack, Standing: incidents.Member}
	chart := incidents.Chart{
		Expr: e.upTo(incidents.MaxExpr), Source: e.upTo(80), Start: time.Now().Add(-time.Hour), End: time.Now(),
		File: incidents.File{Name: "chart.png", Type: "image/png", Size: 9, Digest: digest},
	}
	if _, err := e.service.Do(t.Context(), e.inc.Number, incidents.AddChart{Request: incidents.Request{Actor: actor}, Chart: chart}); err != nil {
		t.Errorf("draw a chart: %v", err)
	}
}

// nudges asks every question there is about the incident.
func (e *enemy) nudges(t *testing.T, outbound *slack.Outbound) []incidents.EffectKind {
	t.Helper()
	inc := e.incident(t, e.inc.Number)
	inc.Nudges = map[string]incidents.Nudged{}
	var kinds []incidents.EffectKind
	for _, kind := range []incidents.NudgeKind{
		incidents.NudgeCommander, incidents.NudgeUpdate, incidents.NudgeCommunications, incidents.NudgeStale, incidents.NudgeDraft,
		incidents.NudgeWriting, incidents.NudgeReview,
		incidents.NudgeAction, incidents.NudgeActionSoon, incidents.NudgeVerify, incidents.NudgeOverdue,
	} {
		nudge := incidents.Nudge{Incident: inc.Number, Kind: kind}
		ofItem := strings.HasPrefix(string(kind), "action_")
		if ofItem {
			nudge.Target = "1"
		}
		inc.Nudges[nudge.Name()] = incidents.Nudged{
			Round: 1, Asks: 1, AskedAt: time.Now(), Open: true, Person: incidents.Person{ID: e.ann.ID, Name: e.upTo(80)},
			Direct: kind == incidents.NudgeDraft || ofItem,
		}
		target := incidents.NudgeTarget(nudge.Name(), 1)
		work := bot.Work{Incident: inc, Effect: incidents.Effect{
			Kind: incidents.MakeNudge, Key: "INC-1/nudge/" + target, Incident: inc.Number, Target: target, StartedAt: time.Now(),
		}}
		maker := outbound.Makers()[incidents.MakeNudge]
		made, err := maker.Make(t.Context(), work)
		if err != nil {
			t.Errorf("ask %s: %v", nudge.Name(), err)
			continue
		}
		closed := inc.Nudges[nudge.Name()]
		closed.Open, closed.Outcome, closed.By = false, incidents.NudgeDone, closed.Person
		inc.Nudges[nudge.Name()] = closed
		work.Effect.ID, work.Effect.Place = made.ID, made.Place
		if _, err := maker.(bot.Refresher).Refresh(t.Context(), work); err != nil {
			t.Errorf("close %s: %v", nudge.Name(), err)
		}
		kinds = append(kinds, incidents.MakeNudge)
	}
	return kinds
}
