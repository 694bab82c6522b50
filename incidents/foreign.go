package incidents

import (
	"context"
	"slices"
	"time"
)

// ForeignSilence records that somebody silenced an alert of the incident at its
// Alertmanager, past Houston.
type ForeignSilence struct {
	Silence string    `json:"silence"` // Alertmanager's id of it
	Source  string    `json:"source"`
	By      string    `json:"by"`
	Comment string    `json:"comment,omitempty"`
	Until   time.Time `json:"until"`
	Alert   string    `json:"alert"` // name of an alert that it covers
}

// Type is the name the event is stored under.
func (ForeignSilence) Type() string { return "foreign_silence" }

// Entry of a silence of somebody else's.
func (d ForeignSilence) Entry() (EntryKind, string) { return Action, d.Told().String() }

// Told is the entry of a silence of somebody else's.
func (d ForeignSilence) Told() Phrase {
	text := Phrasef("%s was silenced at Alertmanager until %s by %s", d.Alert, clockText(d.Until), d.By)
	if d.Comment != "" {
		text = Phrasef("%s: %s", text, cut(d.Comment, 300))
	}
	return text
}

func (d ForeignSilence) apply(inc *Incident, _ Event) {
	inc.Foreign = append(slices.Clone(inc.Foreign), d.Silence)
}

// NoteSilences records silences that others made, each once.
func (s *Service) NoteSilences(ctx context.Context, number int64, silences []ForeignSilence) error {
	_, err := s.store.Update(ctx, number, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, AlertGroup{Alertmanager: true}.actor(), s.now())
		for _, f := range silences {
			if inc.Status.Open() && !slices.Contains(d.inc.Foreign, f.Silence) {
				d.record(f)
			}
		}
		return d.change(), nil
	})
	return err
}

// NoteSilenceEnded records that somebody ended a silence of Houston's at its
// Alertmanager: it is not made again.
func (s *Service) NoteSilenceEnded(ctx context.Context, number, id int64) error {
	_, err := s.store.Update(ctx, number, Once{}, func(inc Incident) (Change, error) {
		d := newDecision(s.config, inc, AlertGroup{Alertmanager: true}.actor(), s.now())
		for _, silence := range inc.Silences {
			if silence.ID == id && !silence.Ended {
				d.record(SilenceEnded{Silence: id, Matchers: silence.Matchers, Elsewhere: true})
				d.tell()
				d.runSilence(id)
			}
		}
		return d.change(), nil
	})
	return err
}

// WatchedAlert is an open alert of a source, to be compared with what its
// Alertmanager knows.
type WatchedAlert struct {
	Group       string
	Fingerprint string
	Name        string
	Incident    int64 // 0: none
}
