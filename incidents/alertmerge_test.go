package incidents

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestMergeAlerts reads like the senders' story: each step is what arrives, and
// beside it what it changes. Times are minutes of the hour.
func TestMergeAlerts(t *testing.T) {
	t.Parallel()
	minute := func(m float64) time.Time {
		if m < 0 {
			return time.Time{}
		}
		return clockAt(14, 0).Add(time.Duration(m * float64(time.Minute)))
	}
	type step struct {
		at, starts, ends float64 // ends −1: fires
		fired, resolved  int
	}
	for _, tt := range []struct {
		name  string
		steps []step
		rows  string // at the end: what fires, since when, until when
	}{
		{"fires and is resolved", []step{{1, 0, -1, 1, 0}, {5, 0, 4, 0, 1}}, "0–4"},
		{"repeats", []step{{1, 0, -1, 1, 0}, {6, 0, -1, 0, 0}, {240, 0, -1, 0, 0}}, "0–"},
		{"doubled by a pair", []step{{1, 0, -1, 1, 0}, {1.2, 0, -1, 0, 0}, {5, 0, 4, 0, 1}, {5.2, 0, 4, 0, 0}}, "0–4"},
		{"start moves on", []step{{1, 0, -1, 1, 0}, {6, 3, -1, 0, 0}}, "3–"},
		{"start moves back", []step{{4, 3, -1, 1, 0}, {6, 0, -1, 0, 0}, {8, 0, 7, 0, 1}}, "0–7"},
		{"resolved and never seen", []step{{5, 0, 4, 0, 0}}, "0–4"},
		{"resolved and never seen, twice", []step{{5, 0, 4, 0, 0}, {5.2, 0, 4, 0, 0}}, "0–4"},
		{"resolved overtakes firing", []step{{5, 0, 4, 0, 0}, {5.5, 0, -1, 0, 0}}, "0–4"},
		{"a late firing of a life that has ended", []step{{1, 0, -1, 1, 0}, {5, 0, 4, 0, 1}, {5.9, 0, -1, 0, 0}}, "0–4"},
		{"the same start told again long after", []step{{1, 0, -1, 1, 0}, {5, 0, 4, 0, 1}, {6.1, 0, -1, 1, 0}}, "0–4 0–"},
		{"fires anew at once", []step{{1, 0, -1, 1, 0}, {5, 0, 4, 0, 1}, {5.5, 4.5, -1, 1, 0}}, "0–4 4.5–"},
		{"the end of an earlier life", []step{{1, 0, -1, 1, 0}, {5, 0, 4, 0, 1}, {7, 6, -1, 1, 0}, {8, 0, 4, 0, 0}}, "0–4 6–"},
		{"resolved without an end", []step{{1, 0, -1, 1, 0}, {5, 0, -2, 0, 1}}, "0–5"},
		{"a start in the future", []step{{1, 60, -1, 1, 0}, {2, 60, -1, 0, 0}, {62, 60, 61, 0, 1}}, "60–61"},
		{"no times at all", []step{{1, -1, -1, 1, 0}, {2, -1, -1, 0, 0}, {5, -1, -2, 0, 1}, {5.5, -1, -1, 0, 0}}, "?–5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var rows []Alert
			for i, st := range tt.steps {
				a := Alert{Fingerprint: "f", Firing: st.ends == -1, StartsAt: minute(st.starts), EndsAt: minute(st.ends), Action: RouteDeclare}
				known := map[string]Alert{}
				for _, row := range rows {
					if row.Firing || !known["f"].Firing {
						known["f"] = row
					}
				}
				m := mergeAlerts(known, []Alert{a}, minute(st.at), time.Time{})
				if len(m.fired) != st.fired || len(m.resolved) != st.resolved {
					t.Errorf("step %d: got %d fired and %d resolved, want %d and %d", i, len(m.fired), len(m.resolved), st.fired, st.resolved)
				}
				if m.touched != (st.fired+st.resolved > 0) {
					t.Errorf("step %d: got touched %v", i, m.touched)
				}
				rows = saved(rows, m.save)
			}
			if got := rowsText(rows); got != tt.rows {
				t.Errorf("got rows %q, want %q", got, tt.rows)
			}
		})
	}
}

func saved(rows, save []Alert) []Alert {
	for _, a := range save {
		if a.ID == 0 {
			a.ID = int64(len(rows) + 1)
			rows = append(rows, a)
		} else {
			rows[a.ID-1] = a
		}
	}
	return rows
}

func rowsText(rows []Alert) string {
	at := func(when time.Time) string {
		if when.IsZero() {
			return "?"
		}
		return fmt.Sprint(when.Sub(clockAt(14, 0)).Minutes())
	}
	var texts []string
	for _, a := range rows {
		text := at(a.StartsAt) + "–"
		if !a.Firing {
			text += at(a.EndsAt)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// TestMergeWithinOneDelivery: the same alert may stand in a body more than once.
func TestMergeWithinOneDelivery(t *testing.T) {
	t.Parallel()
	fires := func(m int) Alert {
		return Alert{Fingerprint: "f", Firing: true, StartsAt: clockAt(14, m), Action: RouteDeclare}
	}
	ended := func(m, end int) Alert {
		return Alert{Fingerprint: "f", StartsAt: clockAt(14, m), EndsAt: clockAt(14, end), Action: RouteDeclare}
	}
	open := fires(0)
	open.ID = 1
	for _, tt := range []struct {
		name            string
		rows            []Alert
		delivered       []Alert
		fired, resolved int
		want            string
	}{
		{"twice firing", nil, []Alert{fires(0), fires(0)}, 1, 0, "0–"},
		{"twice resolved", []Alert{open}, []Alert{ended(0, 4), ended(0, 4)}, 0, 1, "0–4"},
		{"both, the end last", nil, []Alert{fires(0), ended(0, 4)}, 1, 1, "0–4"},
		{"both, the end first", nil, []Alert{ended(0, 4), fires(0)}, 0, 0, "0–4"},
		{"the end of one life and the beginning of the next", []Alert{open}, []Alert{ended(0, 4), fires(5)}, 1, 1, "0–4 5–"},
		{"three lives", []Alert{open}, []Alert{ended(0, 1), fires(2), ended(2, 3), fires(4)}, 2, 2, "0–1 2–3 4–"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			known := map[string]Alert{}
			for _, row := range tt.rows {
				known[row.Fingerprint] = row
			}
			m := mergeAlerts(known, tt.delivered, clockAt(14, 6), time.Time{})
			if len(m.fired) != tt.fired || len(m.resolved) != tt.resolved {
				t.Errorf("got %d fired and %d resolved, want %d and %d", len(m.fired), len(m.resolved), tt.fired, tt.resolved)
			}
			if got := rowsText(saved(tt.rows, m.save)); got != tt.want {
				t.Errorf("got rows %q, want %q", got, tt.want)
			}
		})
	}
}

// TestMergeTellsOnlyWhatCounts: a heartbeat and what is ignored are kept and
// told to nobody.
func TestMergeTellsOnlyWhatCounts(t *testing.T) {
	t.Parallel()
	for action, counts := range map[RouteAction]bool{
		RouteDeclare: true, RouteOffer: true, RouteAttach: true, RouteHeartbeat: false, RouteIgnore: false,
	} {
		m := mergeAlerts(nil, []Alert{{Fingerprint: "f", Firing: true, Action: action}}, clockAt(14, 0), time.Time{})
		if m.touched != counts || (len(m.fired) == 1) != counts || len(m.save) != 1 {
			t.Errorf("%s: got touched %v, %d fired, %d saved, want it kept and told %v", action, m.touched, len(m.fired), len(m.save), counts)
		}
	}
}

func TestMergeKeepsWhatIsNew(t *testing.T) {
	t.Parallel()
	row := Alert{ID: 7, Fingerprint: "f", Firing: true, Annotations: map[string]string{"value": "1"}, Action: RouteDeclare}
	a := row
	a.ID, a.Annotations = 0, map[string]string{"value": "2"}
	m := mergeAlerts(map[string]Alert{"f": row}, []Alert{a}, clockAt(14, 0), time.Time{})
	if len(m.save) != 1 || m.save[0].ID != 7 || m.save[0].Annotations["value"] != "2" || m.touched {
		t.Errorf("got %+v, want row 7 with its new annotation and nobody told", m)
	}
}
