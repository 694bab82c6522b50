package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// QuietHoursConfig says when nobody is asked anything that can wait: postmortem
// drafts, action items, and whatever concerns no sev1 or sev2.
type QuietHoursConfig struct {
	Start string   `mapstructure:"start"` // HH:MM; equal to End: no part of a day is quiet
	End   string   `mapstructure:"end"`   // HH:MM, of the next day when it is before Start
	Days  []string `mapstructure:"days"`  // mon … sun: quiet all day
	Zone  string   `mapstructure:"zone"`  // IANA name; empty: that of the person asked, in channels time_zone
}

// weekdays are the words of quiet_hours.days, in Go's order.
func weekdays() []string { return []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"} }

func (q QuietHoursConfig) validate(all *complaints) {
	for _, part := range []struct{ key, value string }{{"quiet_hours.start", q.Start}, {"quiet_hours.end", q.End}} {
		if _, err := timeOfDay(part.value); err != nil {
			all.add(part.key, "%q is no time of day; write HH:MM in quotes, such as \"22:00\"", part.value)
		}
	}
	for i, day := range q.Days {
		if !slices.Contains(weekdays(), day) {
			all.add(fmt.Sprintf("quiet_hours.days[%d]", i), "%q is no day; write some of %s", day, strings.Join(weekdays(), ", "))
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(q.Days)))) == len(weekdays()) {
		all.add("quiet_hours.days", "all days are quiet, so that nobody would ever be asked; leave some out")
	}
	if _, err := time.LoadLocation(q.Zone); err != nil || q.Zone == "Local" {
		all.add("quiet_hours.zone", "%q is no time zone; write a name such as Europe/Berlin, or leave it out", q.Zone)
	}
}

// hours is what the domain asks; the configuration is valid.
func (q QuietHoursConfig) hours() (incidents.QuietHours, error) {
	start, err := timeOfDay(q.Start)
	if err != nil {
		return incidents.QuietHours{}, err
	}
	end, err := timeOfDay(q.End)
	if err != nil {
		return incidents.QuietHours{}, err
	}
	quiet := incidents.QuietHours{Start: start, End: end}
	for _, day := range q.Days {
		quiet.Days = append(quiet.Days, time.Weekday(slices.Index(weekdays(), day)))
	}
	if q.Zone != "" {
		if quiet.Zone, err = time.LoadLocation(q.Zone); err != nil {
			return incidents.QuietHours{}, fmt.Errorf("load quiet_hours.zone: %w", err)
		}
	}
	return quiet, nil
}

func timeOfDay(text string) (time.Duration, error) {
	at, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("read a time of day: %w", err)
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute, nil
}

// nudges says when people are asked. Zones come from the directory, once there
// is one.
func (a *app) nudges() (*incidents.NudgePolicy, error) {
	policy := incidents.DefaultNudges()
	var err error
	if policy.Quiet, err = a.config.QuietHours.hours(); err != nil {
		return nil, err
	}
	policy.Zone = func(id string) *time.Location {
		if id == "" || a.people == nil {
			return a.zone
		}
		return a.people.Zone(id)
	}
	policy.Lead = func(id string) incidents.Person {
		return a.config.Postmortem.lead(id, func(group string) ([]string, bool) {
			if a.people == nil {
				return nil, false
			}
			return a.people.Members(group)
		})
	}
	return &policy, nil
}
