package sqlstore_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/proctest"
	"github.com/houston-sre/houston/incidents/sqlstore/pgtest"
)

// fillList puts n incidents into an empty store, as a list needs them: half of
// them resolved, one in fifty sev1, with words that all, few and one have.
func (s *testStore) fillList(t *testing.T, n int) {
	t.Helper()
	series := fmt.Sprintf(`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d)`, n)
	const yes, no = `TRUE`, `FALSE`
	for _, statement := range []string{
		series + ` INSERT INTO incidents (number, seq, status, is_open, severity, service, private, drill, via, title, declared_at, updated_at, state)
			SELECT n, 1, CASE n % 2 WHEN 0 THEN 'resolved' ELSE 'closed' END, CASE n % 500 WHEN 0 THEN ` + yes + ` ELSE ` + no + ` END,
				CASE n % 50 WHEN 0 THEN 'sev1' ELSE 'sev3' END, 'offers', ` + no + `, ` + no + `, 'slack', 'Offers', n, n,
				'{"number":' || n || ',"seq":1,"title":"Offers are empty ' || n || '","severity":"sev3","status":"resolved","detection":"employee","reporter":{"id":"U1","name":"Ana","via":"slack"},"updated_at":"2026-01-01T00:00:00Z"}' FROM n`,
		series + ` INSERT INTO words (word, incident) SELECT 'offers', n FROM n`,
		series + ` INSERT INTO words (word, incident) SELECT 'group' || (n % 100), n FROM n`,
		series + ` INSERT INTO words (word, incident) SELECT 'only' || n, n FROM n`,
	} {
		if _, err := s.DB().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.DB().ExecContext(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
}

// TestHeavyList holds the list of incidents to its promise: with 100,000
// incidents a page answers within 1.2 times what it takes with 100, measured in
// one run on both databases.
func TestHeavyList(t *testing.T) {
	proctest.Heavy(t)
	forEach(t, func(large *testStore) {
		t := large.t
		large.fillList(t, 100_000)
		small := openSQLite(t)
		if large.IsPostgres() {
			small = openStore(t, pgtest.Schema(t))
		}
		small.fillList(t, 100)
		for _, tt := range []struct {
			name  string
			query incidents.Query
			alike bool // both stores find as much
		}{
			{"the first page", incidents.Query{}, true},
			{"a later page", incidents.Query{Before: 60}, true},
			{"half of them", incidents.Query{Statuses: []incidents.Status{incidents.Resolved}}, true},
			{"a word of all", incidents.Query{Text: "offers"}, true},
			{"open ones", incidents.Query{Open: true}, false},
			{"one in fifty", incidents.Query{Severities: []incidents.Severity{incidents.Sev1}}, false},
			{"a status of none", incidents.Query{Statuses: []incidents.Status{incidents.Triage}}, false},
			{"a word of one in a hundred", incidents.Query{Text: "group7"}, false},
			{"a word of one", incidents.Query{Text: "only77"}, false},
			{"a word of one among the open", incidents.Query{Text: "only77", Open: true}, false},
			{"a word of none", incidents.Query{Text: "nothing"}, false},
		} {
			tt.query.Limit = 51
			few, many := small.times(t, tt.query), large.times(t, tt.query)
			t.Logf("%-32s 100: %8s  100,000: %8s  (%.2f times)", tt.name, few, many, float64(many)/float64(few))
			// What a page takes is measured in milliseconds; less is noise.
			if tt.alike && many > few*12/10+500*time.Microsecond {
				t.Errorf("%s takes %s among 100 and %s among 100,000", tt.name, few, many)
			}
			if many > 50*time.Millisecond {
				t.Errorf("%s takes %s among 100,000", tt.name, many)
			}
		}
	})
}

// times is the median of what a query takes.
func (s *testStore) times(t *testing.T, query incidents.Query) time.Duration {
	t.Helper()
	took := make([]time.Duration, 0, 40)
	for range cap(took) {
		began := time.Now()
		if _, err := s.Incidents(t.Context(), query); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2]
}
