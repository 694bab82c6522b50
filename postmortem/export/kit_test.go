package export_test

import (
	"flag"
	"os"
	"testing"
	"time"
	_ "time/tzdata" // Berlin's clocks on any machine

	"github.com/houston-sre/houston/incidents"
)

// TestMain registers -update, which rewrites the golden files.
func TestMain(m *testing.M) {
	flag.Bool("update", false, "rewrite golden files")
	flag.Parse()
	os.Exit(m.Run())
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// log builds an incident from events.
type log struct {
	t      *testing.T
	events []incidents.Event
}

func (l *log) add(actor string, at string, precision incidents.Precision, data incidents.Data) {
	l.t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err != nil {
		l.t.Fatal(err)
	}
	l.events = append(l.events, incidents.Event{
		Incident: 1, Seq: int64(len(l.events) + 1), At: when, RecordedAt: when, Precision: precision, Data: data,
		Actor: incidents.Actor{Person: incidents.Person{ID: "U" + actor, Name: actor}, Via: incidents.FromSlack},
	})
}

func instant(t *testing.T, at string, precision incidents.Precision, source incidents.Source) incidents.Instant {
	t.Helper()
	when, err := time.Parse("2006-01-02 15:04:05", at)
	if err != nil {
		t.Fatal(err)
	}
	return incidents.Instant{At: when, Precision: precision, Source: source}
}
