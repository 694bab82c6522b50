package incidents

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pair is a stage with two incidents in their channels C1 and C2, INC-2 of
// which an alert group belongs to.
func pair(t *testing.T, change func(one, other *Incident)) *stage {
	t.Helper()
	s := &stage{t: t, memory: newMemory(), clock: &hand{clockAt(14, 0)}}
	s.Service = NewService(Config{Store: s.memory, Clock: s.clock, Announce: true, ArchiveAfter: time.Hour})
	if change == nil {
		t.Cleanup(s.checkReplay)
	}
	for i, title := range []string{"Offers are missing", "Scoring is slow"} {
		number := int64(i + 1)
		if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: ada()}, Title: title, ImpactStart: clockAt(13, 30-10*i)}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ChannelMade(t.Context(), s.memory.effects[EffectKey(number, MakeChannel, "")], Channel{ID: "C" + string(rune('0'+number)), Name: "c"}); err != nil {
			t.Fatal(err)
		}
	}
	one, other := s.incident(1).Clone(), s.incident(2).Clone()
	if change != nil {
		change(&one, &other)
		s.memory.incidents[1], s.memory.incidents[2] = one, other
	}
	s.memory.groups["g"] = AlertGroup{ID: "g", Incident: 2}
	return s
}

func TestMergeMovesWhatTheOtherHad(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	do := func(command Command) {
		t.Helper()
		if _, err := s.Do(t.Context(), 2, command); err != nil {
			t.Fatal(err)
		}
	}
	req := Request{Actor: ada()}
	do(Note{Request: req, Text: "Restarted scoring", Kind: Action, Permalink: "https://chat.example.com/p1"})
	do(Capture{Request: req, Message: Message{"C2", "1.000001"}, Author: ada().Person, Text: "A customer's name", At: clockAt(13, 50), Mark: MarkInternal})
	do(Assign{Request: req, Role: Commander, Person: Person{"U7", "Cleo"}})
	do(AddAction{Request: req, Text: "Split the pool"})
	do(Update{Request: req, Text: "We look", Next: 30 * time.Minute})
	do(PublishNotice{Request: req, Status: NoticeInvestigating, Text: "We look into it"})
	if err := s.Store().Ingest(t.Context(), AlertGroup{ID: "g"}, nil, func(tx GroupTx) error {
		return (&ingestion{service: s.Service, tx: tx, group: AlertGroup{ID: "g", Incident: 2, Firing: 3}, now: s.clock.Now()}).tell(s.incident(2))
	}); err != nil {
		t.Fatal(err)
	}

	result, err := s.Merge(t.Context(), Merge{Request: req, Number: 2, Into: 1})
	if err != nil {
		t.Fatal(err)
	}
	loser, winner := result.Incident, s.incident(1)
	if loser.EndedAt.IsZero() || !loser.UpdateDue.IsZero() {
		t.Errorf("it ended at %s, its next update is due %s", loser.EndedAt, loser.UpdateDue)
	}
	if loser.Status != Merged || loser.MergedInto != 1 || loser.AlertsFiring() != 0 || loser.Notice != nil || loser.Times[ClosedAt].At.IsZero() {
		t.Errorf("the one that ended is %+v", loser)
	}
	if winner.AlertsFiring() != 3 || winner.Notice == nil || !slices.Equal(winner.Absorbed, []int64{2}) {
		t.Errorf("the one that goes on is %+v", winner)
	}
	if got := winner.Times[ImpactStart].At; !got.Equal(clockAt(13, 20)) {
		t.Errorf("impact began at %s, want the earlier of the two", got)
	}
	if len(winner.Actions) != 1 || winner.Actions[0].Text != "Split the pool" {
		t.Errorf("action items are %+v", winner.Actions)
	}
	if g := s.memory.groups["g"]; g.Incident != 1 {
		t.Errorf("the alert group belongs to %d", g.Incident)
	}
	var texts []string
	for _, entry := range Timeline(s.memory.events[1]) {
		if strings.HasPrefix(entry.Text, "INC-2: ") && entry.Kind == Action {
			texts = append(texts, entry.Actor.Name+" "+entry.Text+" "+entry.Permalink)
		}
		if strings.Contains(entry.Text, "customer") && !entry.Internal {
			t.Error("what was for the inside only is not any more")
		}
	}
	if diff := cmp.Diff([]string{"Ada INC-2: Restarted scoring https://chat.example.com/p1"}, texts); diff != "" {
		t.Errorf("actions of the other timeline (-want +got):\n%s", diff)
	}
	for _, key := range []string{"INC-1/invite/U7", "INC-2/archive/" + itoa(loser.Ended)} {
		if _, ok := s.memory.effects[key]; !ok {
			t.Errorf("%s is not owed", key)
		}
	}
	if at := s.memory.effects["INC-2/archive/"+itoa(loser.Ended)].NextAt; !at.Equal(s.clock.Now().Add(time.Hour)) {
		t.Errorf("the channel is archived at %s", at)
	}
}

func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	ended := func(status Status) func(one, other *Incident) {
		return func(_, other *Incident) { other.Status = status }
	}
	for _, tt := range []struct {
		name   string
		change func(one, other *Incident)
		merge  Merge
		kind   ErrorKind
		says   string
	}{
		{name: "itself", merge: Merge{Number: 1, Into: 1}, kind: Invalid, says: "itself"},
		{name: "unknown", merge: Merge{Number: 1, Into: 9}, kind: NotFound},
		{name: "merged already", change: func(_, other *Incident) { other.Status, other.MergedInto = Merged, 7 }, merge: Merge{Number: 2, Into: 1}, kind: Conflict, says: "merged into INC-7 already"},
		{name: "into a merged one", change: func(_, other *Incident) { other.Status, other.MergedInto = Merged, 7 }, merge: Merge{Number: 1, Into: 2}, kind: Conflict, says: "Merge into that one"},
		{name: "closed", change: ended(Closed), merge: Merge{Number: 2, Into: 1}, kind: Conflict, says: "`reopen`"},
		{name: "into a resolved one", change: ended(Resolved), merge: Merge{Number: 1, Into: 2}, kind: Conflict, says: "`reopen`"},
		{name: "a private one into a public one", change: func(_, other *Incident) { other.Private = true }, merge: Merge{Number: 2, Into: 1}, kind: Conflict, says: "private"},
		{name: "one he does not see", change: func(_, other *Incident) { other.Private, other.Reporter.ID = true, "U5" }, merge: Merge{Number: 1, Into: 2}, kind: NotFound},
		{name: "a drill", change: func(_, other *Incident) { other.Drill = true }, merge: Merge{Number: 2, Into: 1}, kind: Conflict, says: "drill"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := pair(t, tt.change)
			tt.merge.Request = Request{Actor: ada()}
			_, err := s.Merge(t.Context(), tt.merge)
			if KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v (%s), want kind %q saying %q", err, KindOf(err), tt.kind, tt.says)
			}
		})
	}
}

func TestGuestsDoNotMergeOrLink(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	guest := ada()
	guest.Standing = Guest
	for name, do := range map[string]func(context.Context, Request) (Result, error){
		"merge": func(ctx context.Context, req Request) (Result, error) {
			return s.Merge(ctx, Merge{Request: req, Number: 1, Into: 2})
		},
		"link": func(ctx context.Context, req Request) (Result, error) {
			return s.Link(ctx, Link{Request: req, Number: 1, To: 2})
		},
	} {
		if _, err := do(t.Context(), Request{Actor: guest, In: "C1"}); err == nil {
			t.Errorf("%s: a guest may", name)
		}
	}
}

func TestLinkIsMutual(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	link := Link{Request: Request{Actor: ada()}, Number: 1, To: 2}
	if _, err := s.Link(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	if one, other := s.incident(1).Links, s.incident(2).Links; !slices.Equal(one, []int64{2}) || !slices.Equal(other, []int64{1}) {
		t.Errorf("links are %v and %v", one, other)
	}
	if _, err := s.Link(t.Context(), link); KindOf(err) != Conflict {
		t.Errorf("the same again: %v", err)
	}
}

// TestMergeEndsThePagesOfTheOther holds that nobody goes on being woken for an
// incident that ended by a merge.
func TestMergeEndsThePagesOfTheOther(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	s.Service = NewService(Config{Store: s.memory, Clock: s.clock, PageTargets: []string{"ops"}})
	req := Request{Actor: ada()}
	if _, err := s.Page(t.Context(), 2, PageOut{Request: req, Target: "ops"}); err != nil {
		t.Fatal(err)
	}
	effect := s.memory.effects["INC-2/page/ops"]
	if err := s.PageMade(t.Context(), effect, "P1", PageSent, 1); err != nil {
		t.Fatal(err)
	}
	result, err := s.Merge(t.Context(), Merge{Request: req, Number: 2, Into: 1})
	if err != nil {
		t.Fatal(err)
	}
	if wanted := s.memory.effects["INC-2/page/ops"].Wanted; wanted < result.Incident.Ended {
		t.Errorf("the page is wanted at event %d, the incident ended at %d: nobody resolves it", wanted, result.Incident.Ended)
	}
}
