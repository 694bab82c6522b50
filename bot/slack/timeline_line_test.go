package slack

import (
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

func TestParseNote(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-03-10 13:30:20") // 14:30 in Berlin
	for _, tt := range []struct {
		name, line, text, at, until string
		key, refused                bool
	}{
		{name: "no time", line: "Restarted offers", text: "Restarted offers"},
		{name: "a moment", line: "Restarted offers at 14:05", text: "Restarted offers", at: "2026-03-10 13:05:00"},
		{name: "a span", line: "Restarted offers at 14:05 until 14:20", text: "Restarted offers", at: "2026-03-10 13:05:00", until: "2026-03-10 13:20:00"},
		{name: "from and to", line: "Restarted offers from 14:05 to 14:20", text: "Restarted offers", at: "2026-03-10 13:05:00", until: "2026-03-10 13:20:00"},
		{name: "German", line: "Neu gestartet von 14:05 bis 14:20 Uhr", text: "Neu gestartet", at: "2026-03-10 13:05:00", until: "2026-03-10 13:20:00"},
		{name: "until now", line: "Looked at logs at 14:05 until now", text: "Looked at logs", at: "2026-03-10 13:05:00", until: "2026-03-10 13:30:20"},
		{name: "over midnight", line: "Backup at yesterday 23:50 until 00:10", text: "Backup", at: "2026-03-09 22:50:00", until: "2026-03-09 23:10:00"},
		{name: "within yesterday", line: "Backup at yesterday 13:00 until 13:30", text: "Backup", at: "2026-03-09 12:00:00", until: "2026-03-09 12:30:00"},
		{name: "a day", line: "Backup at 2026-03-08 13:00 until 2026-03-09 13:00", text: "Backup", at: "2026-03-08 12:00:00", until: "2026-03-09 12:00:00"},
		{name: "an end alone", line: "Wait until 14:20", text: "Wait until 14:20"},
		{name: "words", line: "From bad to worse", text: "From bad to worse"},
		{name: "a place", line: "Moved from a to b at 14:05", text: "Moved from a to b", at: "2026-03-10 13:05:00"},
		{name: "key", line: "It was the pool --key", text: "It was the pool", key: true},
		{name: "a phone's dash", line: "It was the pool at 14:05 until 14:20 —Key", text: "It was the pool", at: "2026-03-10 13:05:00", until: "2026-03-10 13:20:00", key: true},
		{name: "wichtig", line: "Der Pool war es um 14:05 --wichtig", text: "Der Pool war es", at: "2026-03-10 13:05:00", key: true},
		{name: "key as a word", line: "Rotated the --key file", text: "Rotated the --key file"},
		{name: "nothing but the mark", line: "--key", key: true},
		{name: "an end that can not be", line: "Restarted at 14:05 until 25:00", refused: true},
		{name: "a beginning that can not be", line: "Restarted at 25:00", refused: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseNote(tt.line, now, zone(t, "Europe/Berlin"))
			if (err != nil) != tt.refused || err != nil && incidents.KindOf(err) != incidents.Invalid {
				t.Fatalf("got error %v, want refused %t", err, tt.refused)
			}
			if err != nil {
				return
			}
			if got.text != tt.text || got.key != tt.key {
				t.Errorf("got %+v, want the text %q and key %t", got, tt.text, tt.key)
			}
			for name, pair := range map[string]struct {
				got  time.Time
				want string
			}{"at": {got.at, tt.at}, "until": {got.until, tt.until}} {
				want := time.Time{}
				if pair.want != "" {
					want = utc(t, pair.want)
				}
				if !pair.got.Equal(want) {
					t.Errorf("%s is %s, want %s", name, pair.got, want)
				}
			}
		})
	}
}
