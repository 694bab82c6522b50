package sqlstore_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestPasses(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		now := store.clock.Now()
		session := incidents.Pass{Hash: "aa", Kind: incidents.SessionPass, Person: "U1", MadeAt: now, Expires: now.Add(time.Hour)}
		link := incidents.Pass{Hash: "bb", Kind: incidents.LinkPass, Person: "U1", MadeAt: now, Expires: now.Add(time.Minute)}
		for _, p := range []incidents.Pass{session, link} {
			if err := store.SavePass(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
		got, err := store.Pass(t.Context(), incidents.SessionPass, "aa", now)
		if diff := cmp.Diff(session, got); err != nil || diff != "" {
			t.Errorf("the session: %v (-want +got)\n%s", err, diff)
		}
		for _, tt := range []struct {
			name string
			kind incidents.PassKind
			hash string
			at   time.Time
		}{
			{"another kind", incidents.LinkPass, "aa", now},
			{"another secret", incidents.SessionPass, "ab", now},
			{"after its time", incidents.SessionPass, "aa", session.Expires},
		} {
			if _, err := store.Pass(t.Context(), tt.kind, tt.hash, tt.at); incidents.KindOf(err) != incidents.NotFound {
				t.Errorf("%s opened: %v", tt.name, err)
			}
		}

		var taken atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := store.TakePass(t.Context(), incidents.LinkPass, "bb", now); err == nil {
					taken.Add(1)
				} else if incidents.KindOf(err) != incidents.NotFound {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if taken.Load() != 1 {
			t.Errorf("a link for one use was used %d times", taken.Load())
		}

		if err := store.DropPasses(t.Context(), "U1", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Pass(t.Context(), incidents.SessionPass, "aa", now); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("the session of somebody whose passes were taken back: %v", err)
		}
	})
}

func TestAudit(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		for _, c := range []incidents.Declare{{Title: "Offers are empty"}, {Title: "Secret", Private: true}} {
			c.Request = by("")
			if _, err := service.Declare(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := service.Do(t.Context(), 1, incidents.Rename{Request: by(""), Title: "Brokers see no offers"}); err != nil {
			t.Fatal(err)
		}
		list := func(query incidents.AuditQuery) []incidents.AuditLine {
			t.Helper()
			lines, err := store.Audit(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			return lines
		}
		open := list(incidents.AuditQuery{})
		for _, line := range open {
			if line.Incident != 1 || line.Title != "Brokers see no offers" {
				t.Errorf("a line of %d, %q", line.Incident, line.Title)
			}
		}
		if len(open) < 2 || open[0].Data.Type() != "renamed" {
			t.Fatalf("the latest is not first: %v", open)
		}
		if all := list(incidents.AuditQuery{Visible: incidents.Visible{Private: true}}); len(all) <= len(open) {
			t.Errorf("%d lines with the private incident, %d without", len(all), len(open))
		}
		if lines := list(incidents.AuditQuery{Type: "renamed"}); len(lines) != 1 {
			t.Errorf("by type: %v", lines)
		}
		if lines := list(incidents.AuditQuery{Person: by("").Actor.ID}); len(lines) == 0 {
			t.Error("by person: nothing")
		}
		if lines := list(incidents.AuditQuery{Person: by("").Actor.ID[:1]}); len(lines) != 0 {
			t.Errorf("by the beginning of a person's id: %v", lines)
		}
		first := list(incidents.AuditQuery{Limit: 1})
		last := first[0]
		rest := list(incidents.AuditQuery{Before: incidents.AuditCursor{RecordedAt: last.RecordedAt, Incident: last.Incident, Seq: last.Seq}})
		if len(rest) != len(open)-1 {
			t.Errorf("after the first of %d there are %d", len(open), len(rest))
		}
		versions, err := store.Versions(t.Context(), []int64{1, 2, 99})
		if err != nil || versions[1] != last.Seq || versions[2] == 0 || len(versions) != 2 {
			t.Errorf("versions: %v, %v", versions, err)
		}
	})
}
