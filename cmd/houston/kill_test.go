package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents/proctest"
)

// What the kill test does at least, and how soon all must be well after the
// last start.
const (
	killings  = 25
	reports   = 25
	groups    = 9 // of alerts
	wellAfter = 60 * time.Second

	// Houston makes what is optional no faster than Slack promises to take it: so
	// many topics and bookmarks a minute, which the first minute has room for.
	optionalPerMinute = 20

	// typedAnew is how often a report is typed anew, each time a new incident,
	// before what was typed last is only delivered again.
	typedAnew = 2

	// seedEnv repeats a run: it prints its seed.
	seedEnv = "HOUSTON_TEST_SEED"
)

// TestHeavyKill kills houston at random instants while people report and alerts
// come in, and Slack loses answers. In the end everything that was acknowledged
// is there, and everything outside was made exactly once.
func TestHeavyKill(t *testing.T) {
	proctest.Heavy(t)
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) {
			began := time.Now()
			k := newKiller(t, databaseURL(t, database))
			kills := k.rampage()
			last := k.launch()
			k.front.to(last.serving(t))
			started := time.Now()
			well := k.untilWell(started)
			after := time.Since(started)
			k.checkKept(well)
			last.terminate(t)
			checkTruth(t, k.env["HOUSTON_DATABASE"], k.slack)
			t.Logf("%s: %d kills, %d incidents, %d calls cut by Slack, %d effects found again; all well %.1f s after the last start; %.0f s in all",
				database, kills, len(well), k.cut(), strings.Count(k.log.String(), "found the effect of an earlier call"), after.Seconds(), time.Since(began).Seconds())
		})
	}
}

// killer runs houston, kills it, and keeps a ledger of what was acknowledged.
type killer struct {
	*house

	front  *front
	rng    *rand.Rand // of the goroutine that kills
	seed   uint64
	faults []*sandbox.Injected
	people sync.WaitGroup
	open   atomic.Int64 // senders who are not done yet

	mu     sync.Mutex
	ledger []entry
}

// entry is what a sender was promised.
type entry struct {
	title  string // of the incident
	most   int    // how many incidents may have it: 1, or as often as it was typed
	key    string // as it was acknowledged; empty for alerts
	update string // posted to it
	firing int    // alerts
}

func newKiller(t *testing.T, database string) *killer {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedEnv); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", seedEnv, err)
		}
	}
	t.Logf("repeat this with %s=%d", seedEnv, seed)
	w, api := newSlack(t)
	p := plan{database: database}
	k := &killer{
		house: &house{t: t, slack: w, env: p.environment(t, w, api), log: &lockedBuffer{}},
		front: newFront(t), seed: seed, rng: rand.New(rand.NewPCG(seed, 0)),
	}
	k.url = k.front.URL
	w.SetURLs(k.url+"/slack/commands", k.url+"/slack/interactivity", k.url+"/slack/events")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("houston's log:\n%s", k.log.String())
		}
		for _, defect := range w.Defects() {
			t.Errorf("the stand-in answered what Slack does not: %s", defect)
		}
	})
	k.unsettle()
	return k
}

// unsettle makes Slack slow, lose answers and requests, and at times sit on a
// request for so long that it is carried out when its sender is dead and another
// process is at work.
func (k *killer) unsettle() {
	k.slack.SetLatency(20 * time.Millisecond)
	k.slack.Inject(sandbox.Fault{Method: "*", Kind: sandbox.FaultDelay{Delay: 30 * time.Millisecond}, Probability: 0.5, Seed: k.seed})
	k.faults = append(k.faults, k.slack.Inject(sandbox.Fault{Method: "chat.update", Kind: sandbox.FaultDropAfter{}, Probability: 0.05, Seed: k.seed}))
	for i, method := range []string{"conversations.create", "chat.postMessage"} {
		k.slack.Inject(sandbox.Fault{Method: method, Kind: sandbox.FaultDelay{Delay: 7 * time.Second}, Probability: 0.1, Seed: k.seed + 200 + uint64(i)})
	}
	for i, method := range []string{"conversations.create", "chat.postMessage", "pins.add", "conversations.invite", "bookmarks.add"} {
		seed := k.seed + uint64(i)
		k.faults = append(k.faults,
			k.slack.Inject(sandbox.Fault{Method: method, Kind: sandbox.FaultDropAfter{}, Probability: 0.15, Seed: seed}),
			k.slack.Inject(sandbox.Fault{Method: method, Kind: sandbox.FaultDropBefore{}, Probability: 0.05, Seed: seed + 100}))
	}
}

// cut is how many calls lost their answer or never arrived.
func (k *killer) cut() int {
	n := 0
	for _, fault := range k.faults {
		n += fault.Count()
	}
	return n
}

// rampage starts houston and kills it until everything was sent in and the kills
// are enough. A fifth of the kills hit the start, migrations included; the
// others hit the work for what comes in as soon as it serves. When the kills are
// enough and somebody is still waiting, as on a machine that is busy with other
// things, each life is longer than the one before.
func (k *killer) rampage() (kills int) {
	sent := 0
	for kills < killings || sent < reports || k.open.Load() > 0 {
		if kills > 4*killings {
			k.t.Fatalf("after %d kills %d senders are still not acknowledged", kills, k.open.Load())
		}
		p := k.launch()
		if k.rng.IntN(5) == 0 {
			k.pause(p, 400*time.Millisecond)
		} else {
			k.front.to(p.serving(k.t))
			if sent < reports {
				k.send(sent)
				sent++
			}
			k.pause(p, 700*time.Millisecond+300*time.Millisecond*time.Duration(max(0, kills-killings)))
		}
		p.kill()
		k.front.to()
		kills++
	}
	k.people.Wait()
	return kills
}

// pause waits a random time, at most so long.
func (k *killer) pause(p *process, most time.Duration) {
	k.t.Helper()
	select {
	case <-time.After(time.Duration(k.rng.Int64N(int64(most)))):
	case <-p.ended:
		k.t.Fatalf("houston ended by itself with status %d:\n%s", p.status, p.log.String())
	}
}

// send has the next senders begin.
func (k *killer) send(n int) {
	begin := func(who func(context.Context, *rand.Rand)) {
		rng := rand.New(rand.NewPCG(k.seed, k.rng.Uint64()))
		k.open.Add(1)
		k.people.Go(func() {
			defer k.open.Add(-1)
			who(k.t.Context(), rng)
		})
	}
	begin(func(ctx context.Context, rng *rand.Rand) { k.report(ctx, rng, n) })
	if group := n / 2; n%2 == 0 && group < groups {
		begin(func(ctx context.Context, _ *rand.Rand) { k.page(ctx, group) })
	}
}

// report is a person who declares an incident, sends the command again until it
// is acknowledged, and then posts an update in the same way.
func (k *killer) report(ctx context.Context, rng *rand.Rand, n int) {
	e := entry{title: fmt.Sprintf("Offers fail in zone %02d", n), most: 1}
	anew := rng.IntN(3) == 0
	said, tries := k.insist(ctx, rng, anew, "declare "+e.title, regexp.MustCompile(`\*(INC-\d+)\* declared`))
	if anew {
		e.most = min(tries, typedAnew)
	}
	e.key, e.update = said[1], fmt.Sprintf("Zone %02d is being looked at", n)
	k.insist(ctx, rng, false, "update "+e.key+" "+e.update, regexp.MustCompile(`update is in the timeline`))
	k.note(e)
}

// insist sends a command until it is acknowledged. What was not is delivered
// again or, anew, typed again, and each of these may have been done. At times an
// acknowledged command is delivered once more and must be answered the same.
func (k *killer) insist(ctx context.Context, rng *rand.Rand, anew bool, text string, acknowledged *regexp.Regexp) (said []string, tries int) {
	var reply sandbox.Reply
	var err error
	for ctx.Err() == nil {
		tries++
		if tries == 1 || anew && tries <= typedAnew {
			reply, err = k.slack.Command(ctx, sandbox.Command{User: anna, Channel: announced, Command: "/incident", Text: text})
		} else {
			reply, err = reply.Redeliver(ctx)
		}
		if said := acknowledged.FindStringSubmatch(reply.Text); err == nil && said != nil {
			if again, err := reply.Redeliver(ctx); rng.IntN(3) == 0 && err == nil && again.Text != reply.Text {
				k.t.Errorf("/incident %s was answered %q, and delivered again %q", text, reply.Text, again.Text)
			}
			return said, tries
		}
		<-time.After(time.Duration(20+rng.IntN(100)) * time.Millisecond)
	}
	k.t.Errorf("/incident %s was never acknowledged: %q, %v", text, reply.Text, err)
	return make([]string, 2), tries
}

// page is a pair of Alertmanagers that deliver a group of alerts, which then
// grows, each until it is acknowledged.
func (k *killer) page(ctx context.Context, group int) {
	e := entry{title: fmt.Sprintf("Probe%02dFails", group), most: 1}
	for e.firing < 2 {
		e.firing++
		var pair sync.WaitGroup
		for _, peer := range []string{"am-0", "am-1"} {
			pair.Go(func() { k.deliver(ctx, alertBody(e.title, peer, e.firing)) })
		}
		pair.Wait()
	}
	k.note(e)
}

// deliver posts a webhook until it is acknowledged, as Alertmanager does.
func (k *killer) deliver(ctx context.Context, body string) {
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url+"/webhooks/alertmanager", strings.NewReader(body))
		if err != nil {
			k.t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+webhookToken)
		if res, err := http.DefaultClient.Do(req); err == nil {
			_ = res.Body.Close()
			if res.StatusCode < 300 {
				return
			}
		}
		<-time.After(50 * time.Millisecond)
	}
}

// alertBody is a group of so many alerts as one peer of a pair delivers it.
func alertBody(name, peer string, firing int) string {
	var alerts []string
	for i := range firing {
		alerts = append(alerts, fmt.Sprintf(`{"status":"firing","labels":{"alertname":%q,"severity":"critical","instance":"probe-%d"},
			"annotations":{},"startsAt":"2026-03-01T03:00:0%dZ","endsAt":"0001-01-01T00:00:00Z","fingerprint":"%s-%d"}`, name, i, i, name, i))
	}
	return fmt.Sprintf(`{"version":"4","receiver":"houston","status":"firing","externalURL":"http://%s:9093",
		"groupKey":"{}:{alertname=\"%s\"}","groupLabels":{"alertname":%q},"alerts":[%s]}`, peer, name, name, strings.Join(alerts, ","))
}

func (k *killer) note(e entry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ledger = append(k.ledger, e)
}

// untilWell waits until nothing is wrong any more: wellAfter, and a minute more
// for each further optionalPerMinute incidents that owe the same part.
func (k *killer) untilWell(started time.Time) []listed {
	k.t.Helper()
	var last []string
	most, soon := 0, wellAfter
	for {
		all := k.listed()
		if most = max(most, mostOwed(all)); most > optionalPerMinute {
			soon = wellAfter + time.Duration((most-1)/optionalPerMinute)*time.Minute
		}
		wrong := append(wrongOutside(k.slack, all), k.stale(all)...)
		if len(wrong) == 0 {
			k.t.Logf("at most %d incidents owed the same part; the last that was not well: %s", most, strings.Join(last, "; "))
			return all
		}
		last = wrong
		if time.Since(started) > soon {
			k.t.Fatalf("%s after the last start, when %d owed the same part:\n%s", soon, most, strings.Join(wrong, "\n"))
		}
		<-time.After(100 * time.Millisecond)
	}
}

// mostOwed is how many incidents owe the part that the most of them owe.
func mostOwed(all []listed) (most int) {
	owing := map[string]int{}
	for _, inc := range all {
		for _, owed := range inc.Owed {
			part, _, _ := strings.Cut(owed, ":")
			owing[part]++
			most = max(most, owing[part])
		}
	}
	return most
}

// stale says which cards do not show the update that was posted.
func (k *killer) stale(all []listed) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	updates := map[string]string{}
	for _, e := range k.ledger {
		updates[e.key] = e.update
	}
	var stale []string
	for _, inc := range all {
		if update := updates[inc.Key]; inc.Channel != nil && !strings.Contains(k.card(inc.Channel.ID), update) {
			stale = append(stale, fmt.Sprintf("the card of %s does not show %q", inc.Key, update))
		}
	}
	return stale
}

// checkKept looks for everything that was acknowledged.
func (k *killer) checkKept(all []listed) {
	k.t.Helper()
	titled, keys := map[string][]listed{}, map[string]listed{}
	for _, inc := range all {
		titled[inc.Title] = append(titled[inc.Title], inc)
		keys[inc.Key] = inc
	}
	for _, e := range k.ledger {
		found := titled[e.title]
		if len(found) < 1 || len(found) > e.most {
			k.t.Errorf("%d incidents are called %q, want 1 to %d", len(found), e.title, e.most)
			continue
		}
		if e.firing > 0 && found[0].AlertsFiring != e.firing {
			k.t.Errorf("%s has %d alerts firing, want %d", found[0].Key, found[0].AlertsFiring, e.firing)
		}
		if e.key == "" {
			continue
		}
		if keys[e.key].Title != e.title {
			k.t.Errorf("%s was acknowledged for %q and is %q", e.key, e.title, keys[e.key].Title)
		}
		_, timeline := k.call(http.MethodGet, "/api/v1/incidents/"+e.key+"/timeline", "", map[string]string{"Authorization": "Bearer " + apiToken})
		if n := strings.Count(string(timeline), e.update); n != 1 {
			k.t.Errorf("the timeline of %s has the update %q %d times", e.key, e.update, n)
		}
	}
}
