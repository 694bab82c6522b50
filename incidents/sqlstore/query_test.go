package sqlstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestIncidents(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		for _, c := range []incidents.Declare{
			{Title: "Offers are empty", Service: "broker-api", Severity: incidents.Sev1},
			{Title: "Scoring is slow", Service: "scoring"},
			{Title: "Offers, again: Störung im Maklerportal 🔥", Severity: incidents.Sev1},
			{Title: "Offers leak", Private: true},
			{Title: "Zahlungen ΑΘΗΝΑ 東京 отказ"},
		} {
			c.Request = by("")
			if _, err := store.service().Declare(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.service().Do(t.Context(), 2, incidents.Resolve{Request: by("")}); err != nil {
			t.Fatal(err)
		}
		if _, err := store.service().Do(t.Context(), 1, incidents.Rename{Request: by(""), Title: "Brokers see no offers"}); err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			name  string
			query incidents.Query
			want  []int64
		}{
			{"all that are not private", incidents.Query{}, []int64{5, 3, 2, 1}},
			{"private too", incidents.Query{Private: true}, []int64{5, 4, 3, 2, 1}},
			{"a page", incidents.Query{Limit: 2}, []int64{5, 3}},
			{"the next page", incidents.Query{Limit: 2, Before: 3}, []int64{2, 1}},
			{"by status", incidents.Query{Statuses: []incidents.Status{incidents.Resolved, incidents.Closed}}, []int64{2}},
			{"by severity", incidents.Query{Severities: []incidents.Severity{incidents.Sev1}}, []int64{3, 1}},
			{"by both", incidents.Query{
				Severities: []incidents.Severity{incidents.Sev3}, Statuses: []incidents.Status{incidents.Investigating},
			}, []int64{5}},
			{"a word", incidents.Query{Text: "offers"}, []int64{3, 1}},
			{"a word of a private one", incidents.Query{Text: "leak"}, nil},
			{"a word of a private one, allowed", incidents.Query{Text: "leak", Private: true}, []int64{4}},
			{"the beginning of a word", incidents.Query{Text: "OFF"}, []int64{3, 1}},
			{"the end of a word", incidents.Query{Text: "ffers"}, nil},
			{"all words must match", incidents.Query{Text: "offers again"}, []int64{3}},
			{"one does not", incidents.Query{Text: "offers slow"}, nil},
			{"of title and service", incidents.Query{Text: "brokers api"}, []int64{1}},
			{"the old title is forgotten", incidents.Query{Text: "empty"}, nil},
			{"umlaut", incidents.Query{Text: "STÖRUNG"}, []int64{3}},
			{"umlaut in two code points", incidents.Query{Text: "Sto\u0308rung"}, []int64{3}},
			{"Greek", incidents.Query{Text: "αθη"}, []int64{5}},
			{"Cyrillic", incidents.Query{Text: "ОТКАЗ"}, []int64{5}},
			{"Japanese", incidents.Query{Text: "東"}, []int64{5}},
			{"emoji", incidents.Query{Text: "🔥"}, []int64{3}},
			{"signs mean nothing", incidents.Query{Text: "%_' -- offers?*"}, []int64{3, 1}},
			{"no word at all", incidents.Query{Text: "?!"}, []int64{5, 3, 2, 1}},
			{"NUL and invalid UTF-8", incidents.Query{Text: "off\x00\xff"}, []int64{3, 1}},
		}
		for _, tt := range tests {
			list, err := store.Incidents(t.Context(), tt.query)
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			var got []int64
			for _, inc := range list {
				got = append(got, inc.Number)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}

func TestUnknownIncident(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		_, err := store.Incident(t.Context(), 7)
		want := incidents.NotFoundIncident(7)
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("load (-want +got):\n%s", diff)
		}
		if _, err := store.Events(t.Context(), 7); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("events gave %v, want not found", err)
		}
		_, err = store.service().Do(t.Context(), 7, incidents.Repair{Request: by("k")})
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("update (-want +got):\n%s", diff)
		}
	})
}

func TestEventsAreFinal(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		store.declare(t, "Down")
		for _, statement := range []string{`UPDATE events SET at = 0`, `DELETE FROM events`} {
			if _, err := store.DB().ExecContext(t.Context(), statement); err == nil {
				t.Errorf("%s went through", statement)
			}
		}
	})
}

// The store checks that what it is told follows on what it has.
func TestSaveRefusesAGap(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		inc := store.declare(t, "Down")
		events, err := store.Events(t.Context(), inc.Number)
		if err != nil {
			t.Fatal(err)
		}
		for name, spoil := range map[string]func(*incidents.Change){
			"an event too few":     func(c *incidents.Change) { c.Incident.Seq++ },
			"an event left out":    func(c *incidents.Change) { c.Incident.Seq, c.Events[0].Seq = 3, 3 },
			"an event there is":    func(c *incidents.Change) { c.Incident.Seq, c.Events[0].Seq = 1, 1 },
			"a number there isn't": func(c *incidents.Change) { c.Incident.Number, c.Incident.Seq, c.Events[0].Seq = 9, 2, 2 },
		} {
			_, err := store.Update(t.Context(), inc.Number, incidents.Once{}, func(inc incidents.Incident) (incidents.Change, error) {
				e := events[0]
				e.Seq = inc.Seq + 1
				inc.Seq = e.Seq
				c := incidents.Change{Incident: inc, Events: []incidents.Event{e}}
				spoil(&c)
				return c, nil
			})
			if err == nil {
				t.Errorf("%s was stored", name)
			}
		}
		if got := store.count(t, "events"); got != len(events) {
			t.Errorf("%d events, want %d", got, len(events))
		}
	})
}
