package slack

import (
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func utc(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestParseWhen(t *testing.T) {
	t.Parallel()
	const (
		berlin = "Europe/Berlin"
		winter = "2026-03-10 13:30:20" // 14:30:20 in Berlin
	)
	for _, tt := range []struct {
		name, text, zone, now string
		want                  string // UTC; empty: refused
	}{
		{"now", "now", berlin, winter, winter},
		{"minutes ago", "5m ago", berlin, winter, "2026-03-10 13:25:20"},
		{"minutes in words", "5 minutes ago", berlin, winter, "2026-03-10 13:25:20"},
		{"hours ago", "2h ago", berlin, winter, "2026-03-10 11:30:20"},
		{"hours and minutes", "1h30m ago", berlin, winter, "2026-03-10 12:00:20"},
		{"hours and minutes apart", "1 hour 30 min ago", berlin, winter, "2026-03-10 12:00:20"},
		{"days ago", "1d ago", berlin, winter, "2026-03-09 13:30:20"},
		{"jetzt", "Jetzt", berlin, winter, winter},
		{"vor Minuten", "vor 5 min", berlin, winter, "2026-03-10 13:25:20"},
		{"vor Stunden und Minuten", "vor 1 Stunde 30 Minuten", berlin, winter, "2026-03-10 12:00:20"},
		{"vor einer Weile", "vor 5 Ewigkeiten", berlin, winter, ""},
		{"gestern", "gestern 23:50", berlin, winter, "2026-03-09 22:50:00"},
		{"gestern um", "gestern um 23:50 Uhr", berlin, winter, "2026-03-09 22:50:00"},
		{"heute", "heute 09:00", berlin, winter, "2026-03-10 08:00:00"},
		{"um", "um 14:05 Uhr", berlin, winter, "2026-03-10 13:05:00"},
		{"gestern ohne Zeit", "gestern", berlin, winter, ""},
		{"no unit", "5 ago", berlin, winter, ""},
		{"an unknown unit", "5 parsecs ago", berlin, winter, ""},
		{"more than there was", "99999999999h ago", berlin, winter, ""},
		{"no ago", "5m", berlin, winter, ""},
		{"a time of day", "14:05", berlin, winter, "2026-03-10 13:05:00"},
		{"a time of day with seconds", "14:05:30", berlin, winter, "2026-03-10 13:05:30"},
		{"this very minute", "14:30", berlin, winter, "2026-03-10 13:30:00"},
		{"the next minute on a faster clock", "14:31", berlin, winter, "2026-03-10 13:31:00"},
		{"later today is yesterday", "14:32", berlin, winter, "2026-03-09 13:32:00"},
		{"just after midnight", "23:50", berlin, "2026-03-09 23:10:00", "2026-03-09 22:50:00"},
		{"one digit", "9:05", berlin, winter, "2026-03-10 08:05:00"},
		{"afternoon", "2:05 pm", berlin, winter, "2026-03-10 13:05:00"},
		{"midnight by half a clock", "12:10am", berlin, winter, "2026-03-09 23:10:00"},
		{"noon by half a clock", "12:10pm", berlin, winter, "2026-03-10 11:10:00"},
		{"thirteen by half a clock", "13:10pm", berlin, winter, ""},
		{"in UTC", "13:05 UTC", berlin, winter, "2026-03-10 13:05:00"},
		{"with a Z", "13:05Z", berlin, winter, "2026-03-10 13:05:00"},
		{"yesterday", "yesterday 23:50", berlin, winter, "2026-03-09 22:50:00"},
		{"Yesterday", "Yesterday  23:50", berlin, winter, "2026-03-09 22:50:00"},
		{"today", "today 09:00", berlin, winter, "2026-03-10 08:00:00"},
		{"today, still to come", "today 23:00", berlin, winter, "2026-03-10 22:00:00"},
		{"a date", "2026-03-08 10:00", berlin, winter, "2026-03-08 09:00:00"},
		{"a date with T", "2026-03-08T10:00", berlin, winter, "2026-03-08 09:00:00"},
		{"RFC 3339", "2026-03-08T10:00:00+05:30", berlin, winter, "2026-03-08 04:30:00"},
		{"no such date", "2026-02-30 10:00", berlin, winter, ""},
		{"no such hour", "25:00", berlin, winter, ""},
		{"no such minute", "14:60", berlin, winter, ""},
		{"words", "a while ago", berlin, winter, ""},
		{"nothing", "", berlin, winter, ""},
		{"half an hour's zone", "19:00", "Asia/Kolkata", winter, "2026-03-10 13:30:00"},

		{"before the clocks go forward", "01:59", berlin, "2026-03-29 01:10:00", "2026-03-29 00:59:00"},
		{"after the clocks went forward", "03:05", berlin, "2026-03-29 01:10:00", "2026-03-29 01:05:00"},
		{"an hour that never was", "02:30", berlin, "2026-03-29 01:10:00", ""},
		{"an hour that never was, by date", "2026-03-29 02:30", berlin, "2026-03-30 10:00:00", ""},
		{"an hour that was yesterday", "yesterday 02:30", berlin, "2026-03-29 10:00:00", "2026-03-28 01:30:00"},
		{"a repeated hour, the first time round", "02:30", berlin, "2026-10-25 00:40:00", "2026-10-25 00:30:00"},
		{"a repeated hour, the second time round", "02:30", berlin, "2026-10-25 01:40:00", "2026-10-25 01:30:00"},
		{"a repeated hour, between the two", "02:30", berlin, "2026-10-25 01:20:00", "2026-10-25 00:30:00"},
		{"a repeated hour, the day after", "yesterday 02:30", berlin, "2026-10-26 12:00:00", "2026-10-25 01:30:00"},
		{"half an hour is repeated", "01:45", "Australia/Lord_Howe", "2026-04-04 15:20:00", "2026-04-04 15:15:00"},
		{"a midnight that never was", "yesterday 00:30", "Africa/Cairo", "2026-04-25 12:00:00", ""},
		{"the day of that midnight", "2026-04-24 10:00", "Africa/Cairo", "2026-04-25 12:00:00", "2026-04-24 07:00:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseWhen(tt.text, utc(t, tt.now), zone(t, tt.zone))
			if tt.want == "" {
				if incidents.KindOf(err) != incidents.Invalid {
					t.Errorf("got %s, %v, want a refusal", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := utc(t, tt.want); !got.Equal(want) {
				t.Errorf("got %s, want %s", got.UTC(), want)
			}
		})
	}
}

func TestSplitAt(t *testing.T) {
	t.Parallel()
	now := utc(t, "2026-03-10 13:30:20")
	for _, tt := range []struct {
		name, line, text, at string
		refused              bool
	}{
		{name: "no time", line: "Restarted offers", text: "Restarted offers"},
		{name: "a time", line: "Restarted offers at 14:05", text: "Restarted offers", at: "2026-03-10 13:05:00"},
		{name: "At", line: "Restarted offers At 14:05 ", text: "Restarted offers", at: "2026-03-10 13:05:00"},
		{name: "yesterday", line: "Deploy at yesterday 23:50", text: "Deploy", at: "2026-03-09 22:50:00"},
		{name: "um", line: "Dienst neu gestartet um 14:05", text: "Dienst neu gestartet", at: "2026-03-10 13:05:00"},
		{name: "um gestern", line: "Deployment um gestern 23:50", text: "Deployment", at: "2026-03-09 22:50:00"},
		{name: "um as a word", line: "Es geht um Angebote", text: "Es geht um Angebote"},
		{name: "ago", line: "Deploy at 5m ago", text: "Deploy", at: "2026-03-10 13:25:20"},
		{name: "the last at counts", line: "Looked at logs at 14:05", text: "Looked at logs", at: "2026-03-10 13:05:00"},
		{name: "at in a word", line: "Restarted İstanbul that 14:05", text: "Restarted İstanbul that 14:05"},
		{name: "a letter whose lower case is longer", line: "İİİ at 14:05", text: "İİİ", at: "2026-03-10 13:05:00"},
		{name: "at what", line: "Latency is at 5s", text: "Latency is at 5s"},
		{name: "at now", line: "What we look at now", text: "What we look at now"},
		{name: "at a number", line: "Error rate at 10.30", text: "Error rate at 10.30"},
		{name: "a time in the middle", line: "At 14:05 we restarted", text: "At 14:05 we restarted"},
		{name: "only a time", line: "at 14:05", text: "", at: "2026-03-10 13:05:00"},
		{name: "a time that can not be", line: "Restarted at 25:00", refused: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text, at, err := splitAt(tt.line, now, zone(t, "Europe/Berlin"))
			if (err != nil) != tt.refused {
				t.Fatalf("got error %v, want refused %t", err, tt.refused)
			}
			if text != tt.text {
				t.Errorf("got text %q, want %q", text, tt.text)
			}
			want := time.Time{}
			if tt.at != "" {
				want = utc(t, tt.at)
			}
			if !at.Equal(want) {
				t.Errorf("got time %s, want %s", at, want)
			}
		})
	}
}

func FuzzParseWhen(f *testing.F) {
	for _, seed := range []string{"5m ago", "14:05", "yesterday 23:50", "2026-03-29 02:30", "2:05 pm", "x at 14:05"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		now := utc(t, "2026-10-25 00:40:00")
		at, err := parseWhen(text, now, zone(t, "Europe/Berlin"))
		if err == nil && at.IsZero() {
			t.Errorf("%q means no time and no error", text)
		}
		if _, _, err := splitAt(text, now, time.UTC); err != nil && incidents.KindOf(err) != incidents.Invalid {
			t.Errorf("%q: %v is no answer for a user", text, err)
		}
	})
}
