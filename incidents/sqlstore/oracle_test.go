package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// compareReplay is the oracle: an incident is nothing but its events.
func compareReplay(t *testing.T, store *testStore, inc incidents.Incident) {
	t.Helper()
	events, err := store.Events(t.Context(), inc.Number)
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := incidents.Replay(events) // fails on a gap
	if err != nil {
		t.Errorf("replay %s: %v", inc.Key(), err)
		return
	}
	if diff := cmp.Diff(replayed, inc, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s is not what its events say (-events +row):\n%s", inc.Key(), diff)
	}
}

// Lives are played until each kind of event has happened.
const leastLives, mostLives = 5, 10

// TestReplayOracle plays random lives of incidents and asks the oracle after
// each step. A failure names the seed.
func TestReplayOracle(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		var missing []string
		for seed := range uint64(mostLives) {
			if missing = unseen(t, store); seed >= leastLives && len(missing) == 0 {
				break
			}
			p := &player{
				t: t, store: store, rand: rand.New(rand.NewPCG(seed, 1)),
				service: store.service(func(c *incidents.Config) {
					c.MaxDeclaredPerMinute, c.Invite, c.Nudges = 3, []string{"U1", "U9"}, sleepless()
					c.PostmortemFor, c.ArchiveAfter = []incidents.Severity{incidents.Sev1}, time.Minute
					around(c)
				}),
				before: map[int64]incidents.Incident{}, policy: sleepless(),
			}
			p.papers = postmortem.NewService(postmortem.Config{Incidents: p.service, Store: store, Clock: store.clock})
			if seed == 0 {
				p.rare()
			}
			for step := range 200 {
				p.step(fmt.Sprintf("seed %d, step %d", seed, step))
			}
		}
		if len(missing) > 0 {
			t.Errorf("of these kinds no event happened: %q; have the player make them", missing)
		}
	})
}

// player does what people, alert senders and workers do, in any order.
type player struct {
	t       *testing.T
	store   *testStore
	service *incidents.Service
	papers  *postmortem.Service
	policy  *incidents.NudgePolicy
	rand    *rand.Rand
	before  map[int64]incidents.Incident
}

// sleepless has people asked at any hour, and soon.
func sleepless() *incidents.NudgePolicy {
	policy := incidents.DefaultNudges()
	policy.Quiet = incidents.QuietHours{}
	policy.Commander, policy.Communications, policy.Stale = time.Minute, time.Minute, 10*time.Minute
	return &policy
}

func pick[T any](p *player, values ...T) T { return values[p.rand.IntN(len(values))] }

func (p *player) number() int64 { return 1 + p.rand.Int64N(max(1, int64(len(p.before)))) }

func (p *player) step(name string) {
	p.store.clock.move(time.Duration(p.rand.IntN(90_000_000)) * time.Microsecond)
	action, err := p.act()
	p.check(name, action, err)
}

// check asks the oracle about all that an action has changed.
func (p *player) check(name, action string, err error) {
	if err != nil && incidents.KindOf(err) == "" && !errors.Is(err, incidents.ErrStale) {
		p.t.Fatalf("%s: %s: %v", name, action, err)
	}
	list, err := p.store.Incidents(p.t.Context(), incidents.Query{Private: true, Limit: 10_000})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, inc := range list {
		was := p.before[inc.Number]
		p.before[inc.Number] = inc
		if cmp.Equal(was, inc) {
			continue
		}
		if inc.Seq <= was.Seq {
			p.t.Fatalf("%s: %s changed %s without an event:\n%s", name, action, inc.Key(), cmp.Diff(was, inc))
		}
		compareReplay(p.t, p.store, inc)
		p.compareNudges(inc)
	}
	if p.t.Failed() {
		p.t.Fatalf("%s: after %s", name, action)
	}
}

// compareNudges holds the rows of nudges to what the incident wants.
func (p *player) compareNudges(inc incidents.Incident) {
	var want []string
	for _, n := range p.policy.Plan(inc, p.store.clock.Now()) {
		want = append(want, fmt.Sprintf("%s %s %d", n.Name(), n.Direct, n.DueAt.UnixMicro()))
	}
	rows, err := p.store.DB().QueryContext(p.t.Context(), `SELECT kind, target, direct, due_at FROM nudges WHERE incident = $1`, inc.Number)
	if err != nil {
		p.t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var n incidents.Nudge
		var due int64
		if err := rows.Scan(&n.Kind, &n.Target, &n.Direct, &due); err != nil {
			p.t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %d", n.Name(), n.Direct, due))
	}
	if err := rows.Err(); err != nil {
		p.t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("the nudges of %s are not what it wants (-wanted +rows):\n%s", inc.Key(), diff)
	}
}

func (p *player) act() (string, error) {
	ctx := p.t.Context()
	switch p.rand.IntN(40) {
	case 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36:
		return p.beside(ctx)
	case 19:
		return "ask what is due", p.service.AskDue(ctx)
	case 12, 13, 37, 38, 39:
		return p.lead(ctx)
	case 14:
		_, err := p.service.Do(ctx, p.number(), incidents.MakePrivate{Request: by("")})
		return "make private", err
	case 15, 16, 17:
		command := p.capture()
		_, err := p.service.Do(ctx, p.number(), command)
		return fmt.Sprintf("%T", command), err
	case 18:
		_, _, err := p.service.Redact(ctx, p.number(), incidents.Redact{Request: by(""), Seq: p.rand.Int64N(60), Reason: "r"})
		return "redact", err
	case 20, 21:
		_, err := p.service.AmendEntry(ctx, p.number(), incidents.AmendEntry{Request: by(""), Seq: p.rand.Int64N(60), Significant: new(p.rand.IntN(2) == 0)})
		return "amend", err
	case 10:
		_, err := p.service.Merge(ctx, incidents.Merge{Request: by(""), Number: p.number(), Into: p.number()})
		return "merge", err
	case 11:
		_, err := p.service.Link(ctx, incidents.Link{Request: by(""), Number: p.number(), To: p.number()})
		return "link", err
	case 0:
		_, err := p.service.Declare(ctx, incidents.Declare{
			Request: by(pick(p, "", fmt.Sprint("command/", p.rand.IntN(5)))), Title: pick(p, "Down", "Offers 🔥", "Störung"),
			Service: pick(p, "", "offers", "scoring"), Private: pick(p, false, false, true), Drill: pick(p, false, false, true),
			Severity: pick(p, "", incidents.Sev1), ImpactStart: pick(p, time.Time{}, p.store.clock.Now().Add(-time.Hour)),
		})
		return "declare", err
	case 1, 2:
		return "ingest", p.service.Ingest(ctx, p.delivery())
	case 3:
		id := incidents.GroupID("default", "houston", pick(p, "a", "b", "c"))
		if p.rand.IntN(3) == 0 {
			return "dismiss an offer", p.service.DismissOffer(ctx, by(""), id)
		}
		_, err := p.service.AcceptOffer(ctx, by(""), id)
		return "accept an offer", err
	case 4, 5, 6:
		return p.work(ctx)
	default:
		command := p.command()
		_, err := p.service.Do(ctx, p.number(), command)
		return fmt.Sprintf("%T", command), err
	}
}

func (p *player) command() incidents.Command {
	now := p.store.clock.Now()
	req := by(pick(p, "", fmt.Sprint("click/", p.rand.IntN(20))))
	at := pick(p, time.Time{}, now.Add(-5*time.Minute))
	text := pick(p, "", "We found it", "Näheres später \x00\xff")
	return pick[incidents.Command](
		p,
		incidents.SetStatus{Request: req, Status: pick(p, incidents.Statuses()...), Text: text},
		incidents.Resolve{Request: req, Text: text, At: at},
		incidents.Mitigate{Request: req, At: at},
		incidents.Reopen{Request: req, Text: text},
		incidents.Reopen{Request: req},
		incidents.Decline{Request: req, Text: text},
		incidents.SetSeverity{Request: req, Severity: pick(p, incidents.Severities()...)},
		incidents.Update{Request: req, Text: "u" + text},
		incidents.Assign{Request: req, Role: pick(p, incidents.Roles()...), Person: pick(p, incidents.Person{}, ana().Person, incidents.Person{ID: "U2", Name: "Bo"})},
		incidents.Note{Request: req, Text: "n" + text, At: at, Kind: pick(p, "", incidents.Hypothesis)},
		incidents.Rename{Request: req, Title: pick(p, "Down", "Up", "Störung")},
		incidents.Repair{Request: req},
		incidents.Close{Request: req, Text: text},
		incidents.MakePrivate{Request: req},
		incidents.Snooze{Request: req, Nudge: pick(p, "", "no_commander", "stale"), Until: now.Add(pick(p, -time.Minute, time.Minute, 20*time.Minute))},
		incidents.AddAction{Request: req, Text: "a" + text, Owner: ana().Person, Due: pick(p, "", "2026-03-02")},
		p.edit(req),
	)
}

// edit is one of the commands that change several things in one go.
func (p *player) edit(req incidents.Request) incidents.Command {
	now := p.store.clock.Now()
	text := pick(p, "", "Brokers see no offers", "\x00")
	return pick[incidents.Command](
		p,
		incidents.Update{
			Request: req, Text: text, Status: pick(p, append(incidents.Statuses(), "")...), Impact: pick(p, nil, &text),
			Next: pick(p, 0, 30*time.Minute), Publish: pick(p, true, false),
		},
		incidents.EditFacts{
			Request: req, Title: pick(p, nil, &text), Severity: pick(p, nil, new(incidents.Sev2)), Summary: pick(p, nil, &text),
			Service: pick(p, nil, new("offers")), Detection: pick(p, nil, new(incidents.ByCustomer)),
			Times: map[incidents.KeyTime]incidents.Instant{incidents.ImpactStart: {At: pick(p, time.Time{}, now.Add(-time.Hour))}},
		},
		incidents.SetRoles{Request: req, Summary: text, Roles: map[incidents.Role]incidents.Person{
			incidents.Commander: pick(p, incidents.Person{}, ana().Person), incidents.Scribe: {ID: "U3", Name: "Cy"},
		}},
		incidents.SetBridge{Request: req, URL: pick(p, "https://meet.example.com/a", "https://meet.example.com/b", "no link")},
	)
}

// capture does what two people do with two messages.
func (p *player) capture() incidents.Command {
	req := by("")
	req.Actor.ID = pick(p, req.Actor.ID, "U2")
	message := incidents.Message{Channel: "C", TS: pick(p, "1.000001", "1.000002")}
	mark := pick(p, incidents.MarkTimeline, incidents.MarkEvidence, incidents.MarkInternal, incidents.MarkAction)
	files := pick(p, nil, []incidents.File{{ID: "F1", Name: "a.png"}})
	captured := incidents.Capture{Request: req, Message: message, Text: "We found it \x00\xff", At: p.store.clock.Now(), Mark: mark, Files: files}
	return pick[incidents.Command](
		p, captured, captured,
		incidents.Release{Request: req, Message: message, Mark: mark},
		incidents.Edited{Request: req, Message: message, Text: pick(p, "", "Näheres später")},
		incidents.Deleted{Request: req, Message: message},
	)
}

func (p *player) delivery() incidents.Delivery {
	now := p.store.clock.Now()
	d := delivery()
	d.GroupKey = pick(p, "a", "b", "c")
	for range 1 + p.rand.IntN(4) {
		a := firing("Down", strconv.Itoa(p.rand.IntN(4)), "severity", pick(p, "critical", "warning", "none"), "service", pick(p, "offers", "scoring"))
		a.StartsAt = pick(p, time.Time{}, time.Unix(0, 0), now.Add(-time.Minute), now)
		if p.rand.IntN(2) == 0 {
			a = resolved(a, pick(p, time.Time{}, now))
		}
		d.Alerts = append(d.Alerts, a)
	}
	return d
}

// work does one owed effect as a worker would.
func (p *player) work(ctx context.Context) (string, error) {
	number := p.number()
	if p.rand.IntN(8) == 0 {
		effects, err := p.store.Effects(ctx, number)
		if err != nil || len(effects) == 0 {
			return "renew", err
		}
		e := pick(p, effects...)
		return "renew", p.service.Renew(ctx, number, e.Generation+1, []incidents.Effect{e})
	}
	effects, err := p.store.Effects(ctx, number)
	if err != nil || len(effects) == 0 {
		return "look for work", err
	}
	return p.make(ctx, pick(p, effects...))
}

// lead makes what much else waits for: a channel, or its end.
func (p *player) lead(ctx context.Context) (string, error) {
	number := p.number()
	if p.rand.IntN(2) == 0 {
		number = p.having(func(inc incidents.Incident) bool { return inc.GoingPrivate != nil }).Number
	}
	effects, err := p.store.Effects(ctx, number)
	if err != nil {
		return "look for a channel", err
	}
	for _, e := range effects {
		switch e.Kind {
		case incidents.MakeChannel, incidents.MakePrivateChannel, incidents.MakeArchive, incidents.MakeName, incidents.MakePage, incidents.MakeFetch:
			if e.State() == incidents.Owed && p.rand.IntN(2) == 0 {
				p.store.clock.move(time.Minute)
				return p.make(ctx, e)
			}
		default:
		}
	}
	return "lead", nil
}

// make does an owed effect of an incident as a worker would.
func (p *player) make(ctx context.Context, owed incidents.Effect) (string, error) {
	number, now := owed.Incident, p.store.clock.Now()
	e, taken, err := p.store.TakeEffect(ctx, owed.Key, now, time.Minute)
	if err != nil || !taken {
		return "take an effect", err
	}
	if e.State() != incidents.Owed {
		return "take an effect", fmt.Errorf("took %s, which is %s", e.Key, e.State())
	}
	if err := p.store.BeginAttempt(ctx, e, now); err != nil {
		return "begin an attempt", err
	}
	id := fmt.Sprintf("X%d", p.rand.Uint64())
	switch outcome := p.rand.IntN(10); {
	case outcome < 4:
		e.Reason, e.NextAt, e.Failed = "Slack is slow", now.Add(time.Second), outcome == 0
		return "fail at " + e.Key, p.service.EffectFailing(ctx, e)
	case outcome == 4:
		return "die at " + e.Key, nil // the lease runs out
	case e.Kind == incidents.MakeChannel:
		_, err = p.service.ChannelMade(ctx, e, incidents.Channel{ID: id, Name: "inc"})
	case e.Kind == incidents.MakePrivateChannel:
		err = p.service.PrivateChannelMade(ctx, e, incidents.Channel{ID: id, Name: "inc"})
	case e.Kind == incidents.MakeName, e.Kind == incidents.MakeArchive:
		inc, loadErr := p.store.Incident(ctx, number)
		if loadErr != nil || inc.Channel == nil {
			return "make " + e.Key, loadErr
		}
		if e.Kind == incidents.MakeName {
			err = p.service.ChannelNamed(ctx, e, inc.Channel.ID, id, e.Wanted)
		} else {
			err = p.service.ChannelPutAway(ctx, e, inc.Channel.ID)
		}
	case e.Kind == incidents.MakeFetch:
		err = p.service.FileFetched(ctx, e, id)
	case e.Kind == incidents.MakePage:
		told, shown := incidents.PageSent, int64(1)
		if e.Made() {
			told, shown = incidents.PageResolved, e.Wanted
		}
		err = p.service.PageMade(ctx, e, id, told, shown)
	case e.Kind == incidents.MakeCard:
		_, err = p.service.CardMade(ctx, e, incidents.Message{Channel: "C", TS: id}, e.Wanted)
	default:
		err = p.service.EffectMade(ctx, e, id, "C", e.Wanted)
	}
	return "make " + e.Key, err
}
