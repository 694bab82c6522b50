package pages

import (
	"fmt"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// moment is a time as a page shows it: in the reader's zone, with UTC beside.
type moment struct {
	Machine string // for the datetime attribute
	Local   string // 2026-03-29 16:05
	Short   string // 16:05 today, else the day before it
	Zone    string // CEST, or +0530 where a zone has no letters
	UTC     string // 14:05 UTC, with the day where that is another one
	About   string // "about" and the like, empty for exact times
}

// moment of a time; nil for the zero time, which is unknown.
func (v *visit) moment(at time.Time) *moment {
	if at.IsZero() {
		return nil
	}
	local, utc := at.In(v.zone), at.UTC()
	m := &moment{
		Machine: utc.Format(time.RFC3339), Local: local.Format("2006-01-02 15:04"), Short: local.Format("15:04"),
		Zone: local.Format("MST"),
	}
	if _, offset := local.Zone(); offset == 0 {
		m.Zone = "UTC"
		return m // saying it twice helps nobody
	}
	m.UTC = utc.Format("15:04 UTC")
	if local.Format(time.DateOnly) != utc.Format(time.DateOnly) {
		m.UTC = utc.Format("2006-01-02 15:04 UTC")
	}
	return m
}

// instant is the moment of a key time, with how exactly it is known.
func (v *visit) instant(i incidents.Instant) *moment {
	m := v.moment(i.At)
	if m == nil {
		return nil
	}
	switch i.Precision {
	case incidents.Approx:
		m.About = v.text.Text("web_about")
	case incidents.ToDay:
		m.Local, m.UTC = i.At.In(v.zone).Format(time.DateOnly), ""
	default:
	}
	return m
}

// span says how long something took, in its two largest units: 2 h 5 min.
func span(d time.Duration) string {
	d = max(d, 0)
	switch minutes := int(d / time.Minute); {
	case minutes < 1:
		return "< 1 min"
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	case minutes < 24*60:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	default:
		return fmt.Sprintf("%d d %d h", minutes/(24*60), minutes/60%24)
	}
}
