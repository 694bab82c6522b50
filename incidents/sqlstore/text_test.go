package sqlstore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
)

// nasty texts, each in every place a caller can put text in: no call may fail,
// and what differs must not become the same.
func nasty() map[string]string {
	return map[string]string{
		"NUL":           "a\x00b",
		"only NUL":      "\x00",
		"invalid UTF-8": "a\xff\xfeb",
		"half a rune":   "caf\xc3",
		"surrogate":     "\xed\xa0\x80",
		"emoji":         "👩🏽‍🚒 🔥",
		"quotes":        `'; DROP TABLE incidents; --"$1 ?`,
		"empty":         "",
		"long":          strings.Repeat("ü", 10_000),
		"longer":        strings.Repeat("ü", 10_001),
	}
}

func TestNastyTextGoesThrough(t *testing.T) {
	forEach(t, func(store *testStore) {
		t := store.t
		service := store.service()
		for name, text := range nasty() {
			ctx := t.Context()
			check := func(what string, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("%s in %s: %v", name, what, err)
				}
			}
			result, err := store.Declare(ctx, incidents.Once{Key: "x" + text, Digest: text}, func(number int64) (incidents.Change, error) {
				e := incidents.Event{Incident: number, Seq: 1, RecordedAt: start, At: start, Actor: ana(), Data: incidents.Declared{
					Title: text, Summary: text, Service: text, Severity: incidents.Severity(text), Status: incidents.Status(text),
					BridgeURL: text, ReportedIn: text,
				}}
				inc, err := incidents.Replay([]incidents.Event{e})
				inc.Channel = &incidents.Channel{ID: "x" + text, Name: text}
				effect := incidents.Effect{
					Key: incidents.EffectKey(number, incidents.MakeInvite, text), Kind: incidents.MakeInvite, Incident: number,
					Target: text, Generation: 1, Wanted: 1, Reason: text, Place: text, ID: text,
				}
				return incidents.Change{Incident: inc, Events: []incidents.Event{e}, Effects: []incidents.Effect{effect}}, err
			})
			check("an incident", err)
			inc, err := store.IncidentByChannel(ctx, "x"+text)
			check("a channel's id", err)
			if inc.Number != result.Incident.Number {
				t.Errorf("%s: the channel leads to %s, want %s", name, inc.Key(), result.Incident.Key())
			}
			_, err = store.Effect(ctx, incidents.EffectKey(inc.Number, incidents.MakeInvite, text))
			check("an effect", err)
			_, err = store.Claimed(ctx, incidents.EffectKind(text), text, text)
			check("a claim", err)
			_, err = service.Do(ctx, inc.Number, incidents.Note{Request: by("n" + text), Text: "x" + cutTo(text, 3000), Permalink: text})
			check("a note", err)
			check("a body", store.KeepBody(ctx, text, start, []byte(text)))
			check("a profile", store.SaveProfiles(ctx, []incidents.Profile{{Person: incidents.Person{ID: text, Name: text}}}))
			_, err = store.Profile(ctx, text)
			check("a person's id", err)
			_, err = store.Incidents(ctx, incidents.Query{Text: text, Statuses: []incidents.Status{incidents.Status(text)}})
			check("a query", err)

			d := delivery()
			d.Source, d.Receiver, d.GroupKey = text, text, text
			d.Labels = map[string]string{text: text}
			for range 2 { // the second time it is known
				d.Alerts = []incidents.Alert{
					{Fingerprint: text, Firing: true, URL: text, Labels: map[string]string{"alertname": text, text: text, "severity": "page", "service": text}},
					{Fingerprint: text + "\x00", Firing: true, Annotations: map[string]string{text: text}},
				}
				check("alerts", service.Ingest(ctx, d))
			}
			open, err := store.GroupAlerts(ctx, incidents.GroupID(text, text, text), 10)
			check("a group", err)
			want := 2
			if text == "" {
				want = 1 + 1 // the empty one gets a fingerprint of its labels
			}
			if len(open) != want {
				t.Errorf("%s: %d open alerts, want %d", name, len(open), want)
			}
		}
		if got, want := store.count(t, "profiles"), len(nasty()); got != want {
			t.Errorf("%d people of %d: some became the same", got, want)
		}
		replayAll(t, store, func(inc *incidents.Incident) { inc.Channel = nil }) // which no event told
	})
}

func cutTo(text string, n int) string {
	if r := []rune(text); len(r) > n-1 {
		return string(r[:n-1])
	}
	return text
}

// replayAll compares the row of each incident with what its events say.
func replayAll(t *testing.T, store *testStore, ignore func(*incidents.Incident)) {
	t.Helper()
	list, err := store.Incidents(context.WithoutCancel(t.Context()), incidents.Query{Private: true, Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, inc := range list {
		ignore(&inc)
		compareReplay(t, store, inc)
	}
}
