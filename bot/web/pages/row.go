package pages

import (
	"time"

	"github.com/houston-sre/houston/incidents"
)

// row is an incident in a list.
type row struct {
	Number       int64
	Key          string
	Title        string
	Severity     tag
	Status       tag
	Service      string
	Commander    string
	Declared     *moment
	Took         string // until it was over, or until now
	Open         bool
	Private      bool
	Drill        bool
	AlertsFiring int
}

// tag is a value of a small fixed set: how it is called and how it looks.
type tag struct{ Value, Word string }

func (v *visit) row(inc incidents.Incident, now time.Time) row {
	r := row{
		Number: inc.Number, Key: inc.Key(), Title: inc.Title, Service: inc.Service,
		Severity: v.severity(inc.Severity), Status: v.status(inc.Status), Open: inc.Status.Open(),
		Declared: v.moment(inc.Times[incidents.DeclaredAt].At), Private: inc.Private, Drill: inc.Drill,
		AlertsFiring: inc.AlertsFiring(),
	}
	if commander, ok := inc.Commander(); ok {
		r.Commander = commander.Name
	}
	if began := startOf(inc); !began.IsZero() {
		end := now
		if over := inc.Times[incidents.ResolvedAt].At; !over.IsZero() && !r.Open {
			end = over
		}
		r.Took = span(end.Sub(began))
	}
	return r
}

// startOf is when an incident began, as far as is known.
func startOf(inc incidents.Incident) time.Time {
	if impact := inc.Times[incidents.ImpactStart].At; !impact.IsZero() {
		return impact
	}
	return inc.Times[incidents.DeclaredAt].At
}

func (v *visit) rows(list []incidents.Incident, now time.Time) []row {
	rows := make([]row, 0, len(list))
	for _, inc := range list {
		rows = append(rows, v.row(inc, now))
	}
	return rows
}
