package main

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// takeOver is how soon what a killed replica owed is made by another: its
// leases of 10 s run out, the sweep comes by every 3 s, and then there is the
// work. A machine that is busy with other things gets a few seconds more.
const takeOver = 18 * time.Second

// replicas are two processes on one database behind one address.
type replicas struct {
	*house

	front *front
	both  [2]*process
	urls  [2]string
}

// newReplicas starts both at the same moment on an empty database, so that they
// race for the migrations.
func newReplicas(t *testing.T) *replicas {
	t.Helper()
	w, api := newSlack(t)
	p := plan{database: pgtest.Schema(t)}
	r := &replicas{
		house: &house{t: t, slack: w, env: p.environment(t, w, api), log: &lockedBuffer{}},
		front: newFront(t),
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("both logs:\n%s", r.log.String())
		}
		for _, defect := range w.Defects() {
			t.Errorf("the stand-in answered what Slack does not: %s", defect)
		}
	})
	for i := range r.both {
		r.both[i] = r.launch()
	}
	for i, p := range r.both {
		r.urls[i] = p.serving(t)
	}
	r.url = r.front.URL
	r.front.to(r.urls[:]...)
	w.SetURLs(r.url+"/slack/commands", r.url+"/slack/interactivity", r.url+"/slack/events")
	r.until("the people are known", func() bool { return len(w.Calls("users.list")) > 1 })
	return r
}

// keys finds the incidents that answers name, each once.
func keys(texts ...string) []string {
	found := regexp.MustCompile(`INC-\d+`).FindAllString(strings.Join(texts, " "), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// untilWell waits until nothing is wrong outside and gives how long that took.
func (r *replicas) untilWell(incidents int, limit time.Duration) time.Duration {
	r.t.Helper()
	began := time.Now()
	for {
		all := r.listed()
		wrong := wrongOutside(r.slack, all)
		if len(all) != incidents {
			wrong = append(wrong, fmt.Sprintf("there are %d incidents, want %d", len(all), incidents))
		}
		if len(wrong) == 0 {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			r.t.Fatalf("not well within %s:\n%s", limit, strings.Join(wrong, "\n"))
		}
		<-time.After(50 * time.Millisecond)
	}
}

// deliver posts a webhook once and gives the status.
func (r *replicas) deliver(body string) int {
	status, _ := r.call(http.MethodPost, "/webhooks/alertmanager", body, map[string]string{"Authorization": "Bearer " + webhookToken})
	return status
}

// usable is how many channels a process has made usable.
func (r *replicas) usable(url string) string {
	r.t.Helper()
	front := r.url
	r.url = url
	_, metrics := r.call(http.MethodGet, "/metrics", "", nil)
	r.url = front
	found := regexp.MustCompile(`(?m)^houston_declare_to_usable_channel_seconds_count (\d+)$`).FindSubmatch(metrics)
	if found == nil {
		r.t.Fatalf("%s/metrics does not count usable channels", url)
	}
	return string(bytes.Clone(found[1]))
}

// TestReplicas has two replicas share one database. Whatever is delivered to
// either, or to both at the same moment, acts once.
func TestReplicas(t *testing.T) {
	t.Parallel()
	r := newReplicas(t)
	const each = 8

	// In turns: a command to the one, the next to the other.
	for i := range each {
		if answer := r.say(anna, announced, fmt.Sprintf("declare Offers fail %d", i)); len(keys(answer)) != 1 {
			t.Fatalf("declared in turns, the answer is %q", answer)
		}
	}
	// To both at the same moment, as a balancer that tries again may do.
	r.front.toAll(true)
	for i := range each {
		r.say(anna, announced, fmt.Sprintf("declare Logins fail %d", i))
	}
	doubled := r.front.took()
	if len(doubled) != each {
		t.Errorf("%d commands went to both, want %d", len(doubled), each)
	}
	for _, said := range doubled {
		if named := keys(said...); len(said) != 2 || len(named) != 1 || said[0] != said[1] {
			t.Errorf("both replicas got the same command and answered %q", said)
		}
	}
	// A pair of Alertmanagers delivers to both replicas at once.
	const groups = 4
	for i := range groups {
		statuses := make(chan int, 2)
		for _, peer := range []string{"am-0", "am-1"} {
			go func() { statuses <- r.deliver(alertBody(fmt.Sprintf("Probe%02dFails", i), peer, 2)) }()
		}
		for range 2 {
			if status := <-statuses; status != http.StatusOK {
				t.Errorf("a webhook was answered %d", status)
			}
		}
	}
	r.untilWell(2*each+groups, patience)

	// What follows the report, to both as well.
	for _, c := range r.slack.Channels() {
		if strings.HasPrefix(c.Name, "inc-") {
			r.say(ben, c.ID, "update All hands on it")
		}
	}
	r.until("each update is told", func() bool {
		told := 0
		for marker := range marked(r.slack) {
			if strings.Contains(marker, "/post/") {
				told++
			}
		}
		return told >= 2*each+groups
	})
	r.front.toAll(false)
	r.untilWell(2*each+groups, patience)

	shares := []string{r.usable(r.urls[0]), r.usable(r.urls[1])}
	t.Logf("usable channels made by either replica: %s and %s", shares[0], shares[1])
	if slices.Contains(shares, "0") {
		t.Errorf("the replicas made %s and %s channels usable: the work is not shared", shares[0], shares[1])
	}
	for _, inc := range r.listed() {
		if inc.Detection == "alert" && inc.AlertsFiring != 2 {
			t.Errorf("%s has %d alerts firing, want 2", inc.Key, inc.AlertsFiring)
		}
	}
	for _, p := range r.both {
		p.terminate(t)
	}
	checkTruth(t, r.env["HOUSTON_DATABASE"], r.slack)
}

// TestHeavyReplicaKilled kills one of two replicas in the middle of the work.
func TestHeavyReplicaKilled(t *testing.T) {
	proctest.Heavy(t)
	r := newReplicas(t)
	r.slack.SetLatency(300 * time.Millisecond)
	const each = 6
	for i := range each {
		r.say(anna, announced, fmt.Sprintf("declare Offers fail %d", i))
	}
	busy := func() bool { return len(r.slack.Calls("chat.postMessage")) > 0 }
	r.until("calls are under way", busy)
	r.both[0].kill()
	r.front.to(r.urls[1])
	took := r.untilWell(each, takeOver+patience)
	t.Logf("all well %.1f s after one of two replicas was killed", took.Seconds())
	if took > takeOver {
		t.Errorf("that is more than %s", takeOver)
	}
	r.both[1].terminate(t)
	checkTruth(t, r.env["HOUSTON_DATABASE"], r.slack)
}

// A SQLite file takes one process, which is said in words; it is free again as
// soon as that one was killed.
func TestSQLiteMeansOneReplica(t *testing.T) {
	t.Parallel()
	w, api := newSlack(t)
	h := &house{t: t, slack: w, env: plan{}.environment(t, w, api), log: &lockedBuffer{}}
	first := h.launch()
	first.serving(t)
	second := h.launch()
	select {
	case <-second.ended:
	case <-time.After(patience):
		t.Fatal("a second process serves the same file")
	}
	want := fmt.Sprintf("another Houston (process %d) has the database", first.cmd.Process.Pid)
	if log := second.log.String(); second.status != 1 || !strings.Contains(log, want) || !strings.Contains(log, "SQLite means one replica") {
		t.Errorf("the second process ended with status %d and said %q, want %q", second.status, log, want)
	}
	first.kill()
	h.launch().serving(t)
}
