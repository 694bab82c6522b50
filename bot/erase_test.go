package bot

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// library is what an Eraser reads: events by incident, and effects.
type library struct {
	events  map[int64][]incidents.Event
	effects []incidents.Effect
	merged  map[int64]int64
}

func (l library) Events(_ context.Context, number int64) ([]incidents.Event, error) {
	return l.events[number], nil
}

func (l library) Effects(_ context.Context, number int64) ([]incidents.Effect, error) {
	var list []incidents.Effect
	for _, e := range l.effects {
		if e.Incident == number {
			list = append(list, e)
		}
	}
	return list, nil
}

func (l library) Incident(_ context.Context, number int64) (incidents.Incident, error) {
	return incidents.Incident{Number: number, MergedInto: l.merged[number]}, nil
}

func (l library) MadeAs(_ context.Context, kind incidents.EffectKind, id string) ([]incidents.Effect, error) {
	var list []incidents.Effect
	for _, e := range l.effects {
		if e.Kind == kind && e.ID == id {
			list = append(list, e)
		}
	}
	return list, nil
}

// TestEraser deletes what no entry has any more, waits for what is being fetched,
// and leaves what another incident shows, or one that took the entry along.
func TestEraser(t *testing.T) {
	t.Parallel()
	noted := func(seq int64) incidents.Event {
		return incidents.Event{Seq: seq, Data: incidents.Noted{Kind: incidents.Observation, Text: "a", Files: []incidents.File{{ID: "F1"}}}}
	}
	for name, tt := range map[string]struct {
		build func(l *library, digest string)
		gone  bool
		waits bool
	}{
		"nobody has it": {func(*library, string) {}, true, false},
		"it is being fetched": {func(l *library, _ string) {
			l.effects = append(l.effects, incidents.Effect{Kind: incidents.MakeFetch, Incident: 1, Target: "1/F2", Wanted: 1})
		}, false, true},
		"another entry has it": {func(l *library, digest string) {
			l.events[1] = append(l.events[1], noted(4), incidents.Event{Seq: 5, Data: incidents.FileStored{Seq: 4, ID: "F1", Digest: digest}})
		}, false, false},
		"another incident has it": {func(l *library, digest string) {
			l.events[2] = []incidents.Event{noted(1), {Seq: 2, Data: incidents.FileStored{Seq: 1, ID: "F1", Digest: digest}}}
			l.effects = append(l.effects, incidents.Effect{Kind: incidents.MakeFetch, Incident: 2, Target: "1/F1", ID: digest, Wanted: 1, Shown: 1})
		}, false, false},
		"a merge took it along": {func(l *library, digest string) {
			l.events[3] = []incidents.Event{{Seq: 1, Data: incidents.Adopted{Number: 1, Kind: incidents.Observation, Text: "a", Files: []incidents.File{{ID: "F1", Digest: digest}}}}}
			l.merged[1] = 3
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := NewFiles(t.TempDir())
			digest, err := files.Save(strings.NewReader("abc"), 10)
			if err != nil {
				t.Fatal(err)
			}
			l := &library{merged: map[int64]int64{}, events: map[int64][]incidents.Event{1: {
				noted(1), {Seq: 2, Data: incidents.FileStored{Seq: 1, ID: "F1", Digest: digest}}, {Seq: 3, Data: incidents.Redacted{Seq: 1, Hidden: true}},
			}}, effects: []incidents.Effect{{Kind: incidents.MakeFetch, Incident: 1, Target: "1/F1", ID: digest, Wanted: 1, Shown: 1}}}
			tt.build(l, digest)
			work := Work{Incident: incidents.Incident{Number: 1}, Effect: incidents.Effect{Kind: incidents.MakeErase, Target: "1", Wanted: 3}}
			for range 2 { // a repeat does no harm
				made, err := Eraser{Store: l, Files: files}.Make(t.Context(), work)
				if failure := (*Failure)(nil); errors.As(err, &failure) != tt.waits || (tt.waits && !failure.Waiting) || (!tt.waits && made.Shown != 3) {
					t.Fatalf("got %+v, %v", made, err)
				}
			}
			file, err := files.Open(digest)
			if err == nil {
				_ = file.Close()
			}
			if errors.Is(err, os.ErrNotExist) != tt.gone {
				t.Errorf("opening the file gives %v", err)
			}
		})
	}
}
