package sandbox

import (
	"strconv"
	"strings"
	"time"
)

// clock is the time of day: 3:04 PM, or 15:04 in German.
func (u *ui) clock(at time.Time) string {
	if u.Lang == "de" {
		return at.In(u.loc).Format("15:04")
	}
	return at.In(u.loc).Format("3:04 PM")
}

// day is a long date with the words for today and yesterday.
func (u *ui) day(at time.Time) string {
	switch days := u.daysAgo(at); days {
	case 0:
		return u.say("today")
	case 1:
		return u.say("yesterday")
	default:
		return u.weekday(at) + ", " + u.date(at, false)
	}
}

// daysAgo counts midnights between then and now in the person's time zone.
func (u *ui) daysAgo(at time.Time) int {
	midnight := func(t time.Time) time.Time {
		y, m, d := t.In(u.loc).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(u.now).Sub(midnight(at)).Hours() / 24)
}

func (u *ui) weekday(at time.Time) string {
	return strings.Split(u.say("weekdays"), " ")[at.In(u.loc).Weekday()]
}

// date is "November 30, 2026" or "30. November 2026", without the year on request.
func (u *ui) date(at time.Time, year bool) string {
	at = at.In(u.loc)
	month := strings.Split(u.say("months"), " ")[at.Month()-1]
	format := u.say("date_without_year")
	if year {
		format = u.say("date_with_year")
	}
	return strings.NewReplacer("{d}", strconv.Itoa(at.Day()), "{m}", month, "{y}", strconv.Itoa(at.Year())).Replace(format)
}

// dated fills in the tokens of a date reference (docs.slack.dev, date formatting).
func (u *ui) dated(at time.Time, format string) string {
	local := at.In(u.loc)
	short := strings.ReplaceAll(u.date(at, true), u.monthName(at), string([]rune(u.monthName(at))[:min(3, len([]rune(u.monthName(at))))]))
	long := u.weekday(at) + ", " + u.date(at, true)
	pretty := func(other string) string {
		if d := u.daysAgo(at); d == 0 || d == 1 {
			return strings.ToLower(u.day(at))
		}
		return other
	}
	seconds := "3:04:05 PM"
	if u.Lang == "de" {
		seconds = "15:04:05"
	}
	return strings.NewReplacer(
		"{date_num}", local.Format("2006-01-02"), "{date_slash}", local.Format("2006/01/02"),
		"{date_short_pretty}", pretty(short), "{date_long_pretty}", pretty(long), "{date_pretty}", pretty(u.date(at, true)),
		"{date_short}", short, "{date_long}", long, "{date}", u.date(at, true),
		"{time_secs}", local.Format(seconds), "{time}", u.clock(at), "{ago}", u.ago(at),
	).Replace(format)
}

func (u *ui) monthName(at time.Time) string {
	return strings.Split(u.say("months"), " ")[at.In(u.loc).Month()-1]
}

func (u *ui) ago(at time.Time) string {
	switch d := u.now.Sub(at); {
	case d < time.Minute:
		return u.say("ago_now")
	case d < time.Hour:
		return u.say("ago_minutes", int(d.Minutes()))
	case d < 24*time.Hour:
		return u.say("ago_hours", int(d.Hours()))
	default:
		return u.say("ago_days", int(d.Hours()/24))
	}
}
