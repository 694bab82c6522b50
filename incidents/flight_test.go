package incidents

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// flown is a stage on which somebody acts while an effect is under way.
type flown struct{ *stage }

func takeOff(t *testing.T, config Config) flown {
	t.Helper()
	return flown{newStage(t, config)}
}

func (f flown) do(number int64, c Command) {
	f.t.Helper()
	if _, err := f.Do(f.t.Context(), number, c); err != nil {
		f.t.Fatal(err)
	}
}

func (f flown) effect(kind EffectKind, target string) Effect {
	return f.memory.effects[EffectKey(1, kind, target)]
}

func byAda() Request { return Request{Actor: ada(), In: "C1"} }

// TestEndedBeforeItsChannelWasThere: what ended it is told in the channel once
// that stands, and the channel goes into the archive as any other.
func TestEndedBeforeItsChannelWasThere(t *testing.T) {
	t.Parallel()
	f := takeOff(t, Config{ArchiveAfter: time.Hour})
	for _, title := range []string{"Scoring is slow", "Offers are missing"} {
		if _, err := f.Declare(t.Context(), Declare{Request: Request{Actor: ada(), In: "C0"}, Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Merge(t.Context(), Merge{Request: Request{Actor: ada()}, Number: 1, Into: 2}); err != nil {
		t.Fatal(err)
	}
	ended := f.incident(1).Ended
	told := f.effect(MakePost, number(ended))
	if told.Key == "" || told.State() != Owed {
		t.Errorf("what is to be told is %+v", told)
	}
	if f.effect(MakeArchive, number(ended)).Key != "" {
		t.Error("there is no channel yet that could be archived")
	}
	if _, err := f.ChannelMade(t.Context(), f.effect(MakeChannel, ""), Channel{ID: "C1"}); err != nil {
		t.Fatal(err)
	}
	if archive := f.effect(MakeArchive, number(ended)); !archive.NextAt.Equal(f.clock.at.Add(time.Hour)) {
		t.Errorf("the archiving is %+v", archive)
	}
}

func number(n int64) string { return strings.TrimPrefix(Key(n), "INC-") }

// TestReopenedWhileItsChannelIsBeingArchived: whichever of Slack's event and its
// answer comes first, there is one new channel.
func TestReopenedWhileItsChannelIsBeingArchived(t *testing.T) {
	t.Parallel()
	archived := func(f flown) {
		f.do(1, NoteChannel{Request: Request{Actor: Houston()}, Channel: "C1", Archived: new(true)})
	}
	reopened := func(f flown) { f.do(1, Reopen{Request: byAda()}) }
	answered := func(f flown) {
		if err := f.ChannelPutAway(f.t.Context(), f.effect(MakeArchive, number(f.closed())), "C1"); err != nil {
			f.t.Fatal(err)
		}
	}
	for name, order := range map[string][]func(flown){
		"the answer alone":                  {reopened, answered},
		"the answer, then the event":        {reopened, answered, archived},
		"the event, then the answer":        {reopened, archived, answered},
		"the event before it was reopened":  {archived, reopened, answered},
		"the answer before it was reopened": {answered, reopened, archived},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := takeOff(t, Config{ArchiveAfter: time.Hour})
			f.declared()
			f.do(1, Resolve{Request: byAda()})
			f.do(1, Close{Request: byAda()})
			f.memory.jobs = nil
			for _, step := range order {
				step(f)
			}
			opens := 0
			for _, job := range f.memory.jobs {
				if _, ok := job.(OpenChannel); ok {
					opens++
				}
			}
			fresh := f.effect(MakeChannel, "")
			if opens != 1 || fresh.Generation < 2 || fresh.Made() {
				t.Errorf("%d channels are being opened, the last is %+v", opens, fresh)
			}
		})
	}
	t.Run("people archive the channel of an open one", func(t *testing.T) {
		t.Parallel()
		f := takeOff(t, Config{})
		f.declared()
		archived(f)
		if fresh := f.effect(MakeChannel, ""); fresh.Generation > 1 {
			t.Errorf("a new channel is made against their will: %+v", fresh)
		}
	})
}

// TestToldIntoTheArchive: what was told while the channel went into the archive
// is told in the new one.
func TestToldIntoTheArchive(t *testing.T) {
	t.Parallel()
	f := takeOff(t, Config{ArchiveAfter: time.Hour})
	f.declared()
	f.do(1, Resolve{Request: byAda()})
	f.do(1, Close{Request: byAda()})
	f.do(1, Reopen{Request: byAda(), Text: "It is back"})
	told := ""
	for _, e := range f.memory.events[1] {
		if changed, ok := e.Data.(StatusChanged); ok && changed.From == Closed {
			told = number(e.Seq)
		}
	}
	lost := f.effect(MakePost, told)
	lost.Attempts, lost.Failed, lost.Reason = 1, true, "the channel is archived"
	f.memory.effects[lost.Key] = lost
	if err := f.ChannelPutAway(t.Context(), f.effect(MakeArchive, number(f.closed())), "C1"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ChannelMade(t.Context(), f.effect(MakeChannel, ""), Channel{ID: "C2", Name: "inc-1-2"}); err != nil {
		t.Fatal(err)
	}
	if again := f.effect(MakePost, told); again.State() != Owed || again.Generation < 2 {
		t.Errorf("got %+v, want it owed in the new channel", again)
	}
}

// closed gives the Seq of the event that closed incident 1.
func (f flown) closed() int64 {
	for _, e := range f.memory.events[1] {
		if changed, ok := e.Data.(StatusChanged); ok && changed.To == Closed {
			return e.Seq
		}
	}
	return 0
}

// TestMergedWhileGoingPrivate: what somebody is making private is not copied
// into a public incident.
func TestMergedWhileGoingPrivate(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	if _, err := s.Do(t.Context(), 2, MakePrivate{Request: Request{Actor: ada()}}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Merge(t.Context(), Merge{Request: Request{Actor: ada()}, Number: 2, Into: 1})
	if KindOf(err) != Conflict || len(s.newest(1, 2)) != 0 {
		t.Errorf("got %v and %v, want a refusal", err, s.newest(1, 2))
	}
}

// TestNobodyWorksOnAMergedIncident: what is done in the channel of the one that
// ended would reach nobody.
func TestNobodyWorksOnAMergedIncident(t *testing.T) {
	t.Parallel()
	s := pair(t, nil)
	if _, err := s.Merge(t.Context(), Merge{Request: Request{Actor: ada()}, Number: 2, Into: 1}); err != nil {
		t.Fatal(err)
	}
	req := Request{Actor: ada(), In: "C2"}
	for _, c := range []Command{
		SetSeverity{Request: req, Severity: Sev1},
		Assign{Request: req, Role: Commander, Person: Person{ID: "U5"}},
		SetRoles{Request: req, Roles: map[Role]Person{Scribe: {ID: "U5"}}},
		Update{Request: req, Text: "We look"},
		SetStatus{Request: req, Status: Monitoring},
		PublishNotice{Request: req, Status: NoticeInvestigating, Text: "We look"},
		AddAction{Request: req, Text: "Split the pool"},
		AddTask{Request: req, Text: "Look"},
		Note{Request: req, Text: "Restarted"},
		Rename{Request: req, Title: "Another"},
		SetBridge{Request: req, URL: "https://meet.example.com/1"},
		Reopen{Request: req},
		Resolve{Request: req},
		Mitigate{Request: req},
		Close{Request: req},
		Decline{Request: req},
	} {
		_, err := s.Do(t.Context(), 2, c)
		if KindOf(err) != Conflict || !strings.Contains(err.Error(), "was merged into INC-1") {
			t.Errorf("%T is answered %v", c, err)
		}
	}
}

// TestWhoLeftIsInvitedAgain: an invitation is made once for each time that
// somebody gets a role, also to who takes it elsewhere.
func TestWhoLeftIsInvitedAgain(t *testing.T) {
	t.Parallel()
	f := takeOff(t, Config{})
	f.declared()
	before := int64(0)
	invited := func() bool {
		wanted := f.effect(MakeInvite, "U5").Wanted
		defer func() { before = wanted }()
		return wanted > before
	}
	f.do(1, Assign{Request: byAda(), Role: Commander, Person: Person{ID: "U5"}})
	if !invited() {
		t.Error("the commander is not invited")
	}
	f.do(1, Assign{Request: byAda(), Role: Commander})
	f.do(1, Assign{Request: byAda(), Role: Scribe, Person: Person{ID: "U5"}})
	if !invited() {
		t.Error("who has left since is not invited again")
	}
	five := Actor{Person: Person{ID: "U5"}, Via: FromSlack, Standing: Member}
	f.do(1, Assign{Request: Request{Actor: five, In: "C1"}, Role: Commander, Person: five.Person})
	if invited() {
		t.Error("who takes a role in the channel is in it already")
	}
	f.do(1, Assign{Request: Request{Actor: five, In: "C0"}, Role: Operations, Person: five.Person})
	if !invited() {
		t.Error("who takes a role elsewhere does not get into the channel")
	}
}

// TestFileOfAnEntryThatIsGone: a file that was being fetched as its entry went is
// deleted again.
func TestFileOfAnEntryThatIsGone(t *testing.T) {
	t.Parallel()
	message := Message{"C1", "1.000001"}
	for name, c := range map[string]Command{
		"the mark is taken away":       Release{Request: byAda(), Message: message},
		"the message is deleted":       Deleted{Request: Request{Actor: Houston()}, Message: message},
		"and then its mark taken away": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := takeOff(t, Config{})
			f.declared()
			f.do(1, Capture{
				Request: byAda(), Message: message, Author: ada().Person, Text: "See", At: f.clock.at,
				Files: []File{{ID: "F1", Name: "a.png"}, {ID: "F2", Name: "b.png"}},
			})
			seq, _ := f.incident(1).CapturedAs(message)
			fetched := func(id string) bool {
				before := f.effect(MakeErase, number(seq.Seq)).Wanted
				if err := f.FileFetched(t.Context(), f.effect(MakeFetch, FetchTarget(seq.Seq, id)), strings.Repeat("a", 64)); err != nil {
					t.Fatal(err)
				}
				return f.effect(MakeErase, number(seq.Seq)).Wanted > before
			}
			if fetched("F1") {
				t.Error("the file of an entry that stands is deleted")
			}
			if c == nil {
				f.do(1, Deleted{Request: Request{Actor: Houston()}, Message: message})
				c = Release{Request: byAda(), Message: message}
			}
			f.do(1, c)
			if !fetched("F2") {
				t.Error("the file stays although its entry is gone")
			}
		})
	}
}

// TestWhatStandsInAChannelMoves: in a new channel stand the open tasks, the
// runbooks and the open question again.
func TestWhatStandsInAChannelMoves(t *testing.T) {
	t.Parallel()
	policy := DefaultNudges()
	f := takeOff(t, Config{Nudges: &policy, Runbooks: []Runbook{{Name: "first", Steps: []RunbookStep{{Text: "Look"}}}}})
	f.declared()
	f.do(1, AddTask{Request: byAda(), Text: "Look at the pool"})
	f.do(1, AddTask{Request: byAda(), Text: "Ask the broker"})
	f.do(1, ChangeTask{Request: byAda(), ID: 2, State: TaskDone})
	f.clock.forward(6 * time.Minute)
	asked := Nudge{Incident: 1, Kind: NudgeCommander}
	if err := f.askNudge(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	question := NudgeTarget(asked.Name(), 1)
	f.do(1, MakePrivate{Request: byAda()})
	if err := f.PrivateChannelMade(t.Context(), f.effect(MakePrivateChannel, ""), Channel{ID: "G1"}); err != nil {
		t.Fatal(err)
	}
	generation := f.effect(MakeCard, "").Generation
	for _, e := range []Effect{f.effect(MakeTask, "1"), f.effect(MakeRunbook, "1"), f.effect(MakeNudge, question)} {
		if e.Generation != generation || e.Made() {
			t.Errorf("not made anew: %+v", e)
		}
	}
	if e := f.effect(MakeTask, "2"); e.Generation == generation {
		t.Errorf("a finished task is told again: %+v", e)
	}
	f.do(1, Resolve{Request: Request{Actor: ada(), In: "G1"}})
	f.do(1, NoteChannel{Request: Request{Actor: Houston()}, Channel: "G1", Archived: new(true)})
	before := f.effect(MakeTask, "1").Wanted
	f.do(1, Reopen{Request: Request{Actor: ada(), In: "G1"}})
	if e := f.effect(MakeTask, "1"); e.Wanted != before {
		t.Errorf("a message in the archive is to be edited: %+v", e)
	}
	if !slices.ContainsFunc(f.memory.jobs, func(j Job) bool { _, ok := j.(OpenChannel); return ok }) {
		t.Error("no new channel is opened")
	}
}
