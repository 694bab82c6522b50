package slack

import (
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents"
)

func TestParseUntil(t *testing.T) {
	t.Parallel()
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 27, 14, 30, 0, 0, zurich)
	for text, want := range map[string]string{
		"":                       "2026-03-27 15:00",
		"2h":                     "2026-03-27 16:30",
		"for 1h 15m":             "2026-03-27 15:45",
		"until 16:00":            "2026-03-27 16:00",
		"16:00":                  "2026-03-27 16:00",
		"until 09:00":            "2026-03-28 09:00",
		"Until tomorrow 9:15":    "2026-03-28 09:15",
		"tomorrow":               "2026-03-28 09:00",
		"bis morgen 9:15":        "2026-03-28 09:15",
		"bis 18:00":              "2026-03-27 18:00",
		"until 2026-03-29 10:00": "2026-03-29 10:00", // the clock goes ahead in between
		"until 2026-03-29":       "2026-03-29 09:00",
		"a while":                "invalid",
		"until 25:00":            "invalid",
		"until 2026-02-30 10:00": "invalid",
		"until 2026-03-29 ten":   "invalid",
		"until 5m":               "invalid",
		"99999999999999999999h":  "invalid",
	} {
		got := "invalid"
		at, err := parseUntil(text, now, zurich)
		switch {
		case err == nil:
			got = at.In(zurich).Format("2006-01-02 15:04")
		case incidents.KindOf(err) != incidents.Invalid:
			t.Errorf("%q: got error %v", text, err)
		}
		if got != want {
			t.Errorf("%q means %s, want %s", text, got, want)
		}
	}
}
