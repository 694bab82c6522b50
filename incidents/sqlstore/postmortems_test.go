package sqlstore_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// desk is a store with the service for postmortems on it.
type desk struct {
	*testStore

	incidents *incidents.Service
	papers    *postmortem.Service
}

func newDesk(store *testStore, with ...func(*incidents.Config)) *desk {
	service := store.service(with...)
	return &desk{store, service, postmortem.NewService(postmortem.Config{Incidents: service, Store: store, Clock: store.clock})}
}

func (d *desk) do(c incidents.Command) {
	d.t.Helper()
	if _, err := d.incidents.Do(d.t.Context(), 1, c); err != nil {
		d.t.Fatal(err)
	}
}

// as is a member of the workspace.
func as(id string) incidents.Request {
	return incidents.Request{Actor: incidents.Actor{Person: incidents.Person{ID: id, Name: "Person " + id}, Via: incidents.FromSlack, Standing: incidents.Member}}
}

func (d *desk) save(who string, base int64, fields ...string) (postmortem.Saved, error) {
	patch := postmortem.Written{}
	for i := 0; i < len(fields); i += 2 {
		patch[fields[i]] = json.RawMessage(fields[i+1])
	}
	return d.papers.Save(d.t.Context(), 1, postmortem.Save{Request: as(who), Base: base, Patch: patch})
}

func (d *desk) move(who string, to incidents.PostmortemState, reason string) error {
	_, err := d.papers.Move(d.t.Context(), 1, postmortem.Move{Request: as(who), To: to, Reason: reason})
	return err
}

func (d *desk) sheet() postmortem.Sheet {
	d.t.Helper()
	sheet, err := d.papers.Sheet(d.t.Context(), 1, as("U1"))
	if err != nil {
		d.t.Fatal(err)
	}
	return sheet
}

func TestTwoPeopleWriteAtOnce(t *testing.T) {
	forEach(t, func(store *testStore) {
		t, d := store.t, newDesk(store)
		store.declare(t, "Offers are missing")
		if s := d.sheet(); s.Document.Rev != 0 || s.Document.Section(postmortem.Summary).Written {
			t.Errorf("got revision %d, want a draft that nobody has written in", s.Document.Rev)
		}
		if saved, err := d.save("U1", 0, "summary", `"Brokers saw no offers."`); err != nil || saved.Rev != 1 {
			t.Fatalf("got %+v, %v", saved, err)
		}
		saved, err := d.save("U2", 0, "lucky", `"It was noon."`)
		if err != nil || saved.Rev != 2 || !saved.Merged {
			t.Fatalf("another field upon the old revision: got %+v, %v, want both kept", saved, err)
		}
		doc := d.sheet().Document
		if doc.Section(postmortem.Summary).Text != "Brokers saw no offers." || doc.Section(postmortem.Lucky).Text != "It was noon." {
			t.Errorf("got %+v, want both texts", doc.Sections)
		}
		_, err = d.save("U2", 0, "summary", `"Nobody saw offers."`)
		clash, ok := errors.AsType[*postmortem.ClashError](err)
		if !ok || incidents.KindOf(err) != incidents.Conflict {
			t.Fatalf("the same field upon the old revision: got %v, want a clash", err)
		}
		want := []postmortem.Clash{{Field: "summary", Theirs: json.RawMessage(`"Brokers saw no offers."`), Yours: json.RawMessage(`"Nobody saw offers."`)}}
		if diff := cmp.Diff(want, clash.Clashes); diff != "" || clash.Rev != 2 {
			t.Errorf("revision %d, clashes (-want +got):\n%s", clash.Rev, diff)
		}
		if _, err := d.save("U2", 2, "summary", "null"); err != nil {
			t.Fatal(err)
		}
		if s := d.sheet(); s.Document.Section(postmortem.Summary).Written || s.Document.Rev != 3 {
			t.Error("a field given back is still somebody's")
		}
		if saved, err := d.save("U1", 3, "lucky", `"It was noon."`); err != nil || saved.Rev != 3 || len(saved.Fields) != 0 {
			t.Errorf("the same again: got %+v, %v, want nothing stored", saved, err)
		}
		if _, err := d.save("U1", 3, "measures", `[{"what":"users","value":"many"}]`); incidents.KindOf(err) != incidents.Invalid {
			t.Errorf("got %v, want what may not be stored refused", err)
		}
		history, err := d.papers.History(t.Context(), 1, as("U1"))
		if err != nil || len(history) != 3 || history[0].Rev != 3 || history[2].By.ID != "U1" || !slices.Equal(history[1].Fields, []string{"lucky"}) {
			t.Errorf("got history %+v, %v", history, err)
		}
		compareReplay(t, store, d.sheet().Incident)
	})
}

// TestRedraftKeepsWhatPeopleWrote: new events change the draft, never a person's
// words.
func TestRedraftKeepsWhatPeopleWrote(t *testing.T) {
	forEach(t, func(store *testStore) {
		t, d := store.t, newDesk(store)
		store.declare(t, "Offers are missing")
		if _, err := d.save("U1", 0, "response", `"We restarted three services."`); err != nil {
			t.Fatal(err)
		}
		d.do(incidents.Note{Request: by(""), Text: "Restarted scoring"})
		d.do(incidents.Rename{Request: by(""), Title: "Brokers see no offers"})
		doc := d.sheet().Document
		if got := doc.Section(postmortem.Response).Text; got != "We restarted three services." {
			t.Errorf("got %q, want the person's text", got)
		}
		if got := doc.Section(postmortem.Summary).Text; !strings.Contains(got, "Brokers see no offers") {
			t.Errorf("got %q, want the draft to follow the events", got)
		}
	})
}

// TestReviewToPublication goes the whole way, each gate in words.
func TestReviewToPublication(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		d := newDesk(store, func(c *incidents.Config) { c.Permissions.Publish = []string{"U3"} })
		store.declare(t, "Offers are missing")
		refused := func(err error, words ...string) {
			t.Helper()
			for _, w := range words {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("got %v, want %q in it", err, w)
				}
			}
		}
		refused(d.move("U1", incidents.PostmortemInReview, ""), "once it is resolved")
		d.do(incidents.Mitigate{Request: as("U1")})
		d.do(incidents.Assign{Request: as("U1"), Role: incidents.Commander, Person: incidents.Person{ID: "U1", Name: "Person U1"}})
		d.do(incidents.Resolve{Request: as("U1")})
		refused(d.move("U1", incidents.PostmortemApproved, ""), "can not become approved")
		refused(d.move("U1", incidents.PostmortemInReview, ""), "Write the summary", "impact in at least one number", "contributing factor", "lucky", "when the impact began")
		start := store.clock.Now().Add(-time.Hour)
		d.setTime(incidents.ImpactStart, start)
		if _, err := d.save("U1", 0, "summary", `"Brokers saw no offers. Person U1 ended it."`, "lucky", `"Nowhere."`, "factors", `[{"text":"A shared pool"}]`,
			"measures", `[{"what":"brokers","value":"120","kind":"users"}]`); err != nil {
			t.Fatal(err)
		}
		refused(d.move("U1", incidents.PostmortemInReview, ""), "Take Person U1 out of the summary")
		if _, err := d.save("U1", 1, "summary", `"Brokers saw no offers for an hour. A restart ended it."`); err != nil {
			t.Fatal(err)
		}
		if err := d.move("U1", incidents.PostmortemInReview, ""); err != nil {
			t.Fatal(err)
		}
		refused(d.move("U2", incidents.PostmortemApproved, ""), "Take or drop the proposed action item 1", "p0 or p1")
		owner, due, p1, when := incidents.Person{ID: "U2", Name: "Person U2"}, "2026-04-01", incidents.P1, "a test fires it"
		d.do(incidents.ChangeAction{Request: as("U1"), ID: 1, Owner: &owner, Due: &due, Priority: &p1})
		refused(d.move("U2", incidents.PostmortemApproved, ""), "lacks what can be seen when it is done")
		d.do(incidents.ChangeAction{Request: as("U1"), ID: 1, DoneWhen: &when})
		refused(d.move("U1", incidents.PostmortemApproved, ""), "other than the owner")
		renamed := as("U1")
		renamed.Actor.Name = "Somebody else" // by another name it is the owner still
		_, err := d.papers.Move(t.Context(), 1, postmortem.Move{Request: renamed, To: incidents.PostmortemApproved})
		refused(err, "other than the owner")
		if err := d.move("U2", incidents.PostmortemApproved, ""); err != nil {
			t.Fatal(err)
		}
		refused(d.move("U2", incidents.PostmortemPublished, ""), "permissions.publish")
		if err := d.move("U3", incidents.PostmortemPublished, ""); err != nil {
			t.Fatal(err)
		}
		inc := d.sheet().Incident
		if inc.Status != incidents.Closed || inc.Postmortem.Edition != 1 || inc.Postmortem.Approver.ID != "U2" || inc.Times[incidents.ClosedAt].At.IsZero() {
			t.Errorf("got %s, %+v, want it closed by the publication", inc.Status, inc.Postmortem)
		}
		_, err = d.save("U1", 2, "lucky", `"x"`)
		refused(err, "Reopen it to change it")
		doc, publication, err := d.papers.Published(t.Context(), 1, 0, as("U2"))
		if err != nil || doc.Edition != 1 || doc.State != incidents.PostmortemPublished || publication.Hash != postmortem.Hash(publication.Document) || publication.Hash != inc.Postmortem.Hash {
			t.Errorf("got edition %d %s, hash %s, %v", doc.Edition, doc.State, publication.Hash, err)
		}
		d.do(incidents.Rename{Request: as("U1"), Title: "Another title"})
		if again, _, err := d.papers.Published(t.Context(), 1, 1, as("U2")); err != nil || again.Facts.Title != "Offers are missing" {
			t.Errorf("got title %q, %v, want the frozen one", again.Facts.Title, err)
		}
		if err := d.move("U1", incidents.PostmortemDraft, "The numbers were wrong"); err != nil {
			t.Fatal(err)
		}
		if got, err := d.papers.Current(t.Context(), 1, as("U2")); err != nil || got.State != incidents.PostmortemDraft || got.Facts.Title != "Another title" {
			t.Errorf("reopened: got %s %q, %v", got.State, got.Facts.Title, err)
		}
		refused(d.move("U1", incidents.PostmortemWaived, ""), "Say why INC-1 needs no postmortem")
		if err := d.move("U1", incidents.PostmortemWaived, "A test"); err != nil {
			t.Fatal(err)
		}
		compareReplay(t, store, d.sheet().Incident)
	})
}

func (d *desk) setTime(key incidents.KeyTime, at time.Time) {
	d.t.Helper()
	d.do(incidents.EditFacts{Request: as("U1"), Times: map[incidents.KeyTime]incidents.Instant{key: {At: at, Precision: incidents.ToMinute}}})
}

// TestFollowUpsAreFound reads the lists across incidents.
func TestFollowUpsAreFound(t *testing.T) {
	forEach(t, func(store *testStore) {
		t, d := store.t, newDesk(store)
		store.declare(t, "Offers are missing")
		store.declare(t, "Offers are late")
		ben := incidents.Person{ID: "U2", Name: "Ben"}
		d.do(incidents.AddAction{Request: as("U1"), Text: "Later", Due: "2026-05-01", Owner: ben})
		d.do(incidents.AddAction{Request: as("U1"), Text: "Some day"})
		d.do(incidents.AddAction{Request: as("U1"), Text: "Soon", Due: "2026-03-10", Owner: ben, Type: incidents.RepairIt})
		if _, err := d.incidents.Declare(t.Context(), incidents.Declare{Request: as("U1"), Title: "Secret", Private: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.incidents.Do(t.Context(), 3, incidents.AddAction{Request: as("U1"), Text: "Hidden", Due: "2026-03-03"}); err != nil {
			t.Fatal(err)
		}
		actions := func(q incidents.ActionQuery) []string {
			t.Helper()
			list, err := store.ActionItems(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			texts := []string{}
			for _, l := range list {
				texts = append(texts, l.Incident.Key()+" "+l.Item.Text)
			}
			return texts
		}
		for name, tt := range map[string]struct {
			query incidents.ActionQuery
			want  []string
		}{
			"all":        {incidents.ActionQuery{}, []string{"INC-1 Soon", "INC-1 Later", "INC-1 Some day"}},
			"private":    {incidents.ActionQuery{Private: true, Limit: 1}, []string{"INC-3 Hidden"}},
			"overdue":    {incidents.ActionQuery{Unfinished: true, DueBefore: "2026-03-11"}, []string{"INC-1 Soon"}},
			"one person": {incidents.ActionQuery{Owner: "U2"}, []string{"INC-1 Soon", "INC-1 Later"}},
			"a team":     {incidents.ActionQuery{Owners: []string{"U3", "U2"}}, []string{"INC-1 Soon", "INC-1 Later"}},
			"no team":    {incidents.ActionQuery{Owners: []string{}}, []string{}},
			"elsewhere":  {incidents.ActionQuery{Incident: 2}, []string{}},
			"by state":   {incidents.ActionQuery{States: []incidents.ActionState{incidents.ActionDone}}, []string{}},
		} {
			if diff := cmp.Diff(tt.want, actions(tt.query)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		when := "all services answer"
		d.do(incidents.ChangeAction{Request: as("U1"), ID: 3, DoneWhen: &when})
		d.do(incidents.MoveAction{Request: as("U2"), ID: 3, To: incidents.ActionDone, Note: "they do"})
		if diff := cmp.Diff([]string{"INC-1 Soon"}, actions(incidents.ActionQuery{States: []incidents.ActionState{incidents.ActionDone}})); diff != "" {
			t.Errorf("done (-want +got):\n%s", diff)
		}
		d.do(incidents.Resolve{Request: as("U1")})
		gaps, err := store.Gaps(t.Context(), incidents.GapQuery{States: []incidents.GapState{incidents.GapOpen}, Kinds: []incidents.GapKind{incidents.GapNoAlert}})
		if err != nil || len(gaps) != 1 || gaps[0].Gap.Signal != "Offers are missing" {
			t.Errorf("got gaps %+v, %v", gaps, err)
		}
		owed, err := store.Postmortems(t.Context(), incidents.PostmortemQuery{Open: true})
		if err != nil || len(owed) != 1 || owed[0].Number != 1 {
			t.Errorf("got owed postmortems %+v, %v, want that of the resolved incident", owed, err)
		}
		if _, err := d.papers.Move(t.Context(), 1, postmortem.Move{Request: as("U1"), To: incidents.PostmortemWaived, Reason: "a test"}); err != nil {
			t.Fatal(err)
		}
		if owed, err := store.Postmortems(t.Context(), incidents.PostmortemQuery{Open: true}); err != nil || len(owed) != 0 {
			t.Errorf("got %d postmortems, %v, want none owed any more", len(owed), err)
		}
	})
}
