package sqlstore_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestKeepBody(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		body := []byte("{\"alerts\":[\"\x00\xff\"]}")
		for _, keep := range []struct {
			source string
			after  time.Duration
			body   []byte
		}{
			{"default", 0, body},
			{"default", 50 * time.Minute, body},
			{"default", 100 * time.Minute, body}, // within an hour of the one before
			{"other", 100 * time.Minute, body},
			{"default", 100 * time.Minute, nil},
			{"default", 161 * time.Minute, body},
		} {
			if err := store.KeepBody(t.Context(), keep.source, start.Add(keep.after), keep.body); err != nil {
				t.Fatal(err)
			}
		}
		var received int
		var firstAt, lastAt int64
		var packed []byte
		err := store.DB().QueryRowContext(t.Context(),
			`SELECT received, first_at, last_at, body FROM webhook_bodies ORDER BY id LIMIT 1`).Scan(&received, &firstAt, &lastAt, &packed)
		if err != nil {
			t.Fatal(err)
		}
		if received != 3 || firstAt != start.UnixMicro() || lastAt != start.Add(100*time.Minute).UnixMicro() {
			t.Errorf("received %d times from %d to %d", received, firstAt, lastAt)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("the body came back as %q, %v", got, err)
		}
		if got := store.count(t, "webhook_bodies"); got != 4 {
			t.Errorf("%d bodies are kept, want 4", got)
		}
	})
}

func TestProfiles(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		ana := incidents.Profile{
			Person: incidents.Person{ID: "U1", Name: "Ana"}, Standing: incidents.Member,
			TimeZone: "Europe/Berlin", Locale: "de-DE", Groups: []string{"S1"},
		}
		bo := incidents.Profile{Person: incidents.Person{ID: "U2", Name: "Bo"}, Standing: incidents.Guest, Bot: true}
		gone := bo
		gone.Deleted = true
		for _, profiles := range [][]incidents.Profile{{ana, bo}, {bo, gone}, nil} {
			if err := store.SaveProfiles(t.Context(), profiles); err != nil {
				t.Fatal(err)
			}
		}
		got, err := store.Profiles(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]incidents.Profile{ana, gone}, got); diff != "" {
			t.Errorf("people (-want +got):\n%s", diff)
		}
		one, err := store.Profile(t.Context(), "U1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ana, one); diff != "" {
			t.Errorf("one person (-want +got):\n%s", diff)
		}
		if _, err := store.Profile(t.Context(), "U3"); incidents.KindOf(err) != incidents.NotFound {
			t.Errorf("an unknown person gave %v, want not found", err)
		}
	})
}
