package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTyped types what people type: with slips, elsewhere than in the incident's
// channel, and with times as they are said in the zone of whoever says them.
func TestTyped(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers answer 500 --severity sev3").ID
		for _, step := range []struct {
			in, text string
			want     []string
		}{
			{channel, "statsu identified", []string{"Did you mean `status`?", "Nothing was done"}},
			{channel, "status identfied", []string{`"identfied" is no status`, "/incident status"}},
			{channel, "mitigated in 5m", []string{"is no time I can read", "yesterday 23:50"}},
			{channel, "timeline Looked at the pool yesterday at 23:50", []string{"INC-1", "23:50 CE"}},
			{channel, "snooze 30m", []string{"asks about INC-1 again"}},
			{channel, "gaps add p99 of offers above 60 s", []string{"monitoring gap 1"}},
			{channel, "gaps", []string{"p99 of offers above 60 s"}},
			{channel, "bridge", []string{"https://meet.jit.si/inc-1-"}},
			{channel, "bridge war-room", []string{"is no link to a video call"}},
			{channel, "bridge https://meet.example.com/war-room", []string{"https://meet.example.com/war-room"}},
			{channel, "repair", []string{"makes again what is missing"}},
			{announced, "list", []string{"INC-1", "Offers answer 500"}},
			{announced, "status identified", []string{"Which incident"}},
			{announced, "status INC-1 identified The pool is full", []string{"INC-1", "*identified*"}},
			{announced, "INC-1 severity sev1", []string{"INC-1", "*sev1*"}},
			{announced, "catchup INC-1", []string{"*INC-1* Offers answer 500", "*sev1*", "https://meet.example.com/war-room"}},
			{announced, "INC-7", []string{"There is no INC-7"}},
			{announced, "help statuspage", []string{"`/incident statuspage", "Like:"}},
			{announced, "help frobnicate", []string{"`frobnicate` is no command", "`declare`"}},
			{channel, "resolve 15m ago", []string{"INC-1", "*resolved*"}},
		} {
			answer := h.say(anna, step.in, step.text)
			for _, want := range step.want {
				if !strings.Contains(answer, want) {
					t.Errorf("/incident %s is answered %q, want %q in it", step.text, answer, want)
				}
			}
		}
		var inc struct {
			Times map[string]struct{ At time.Time }
		}
		h.api("/incidents/INC-1", &inc)
		if ago := time.Since(inc.Times["resolved"].At); ago < 15*time.Minute || ago > 17*time.Minute {
			t.Errorf("resolved %s ago, want a quarter of an hour", ago)
		}
		zone, err := time.LoadLocation("Europe/Zurich") // Anna's
		if err != nil {
			t.Fatal(err)
		}
		var timeline struct {
			Entries []struct {
				Text string
				At   time.Time
			}
		}
		h.api("/incidents/INC-1/timeline", &timeline)
		var at []string
		for _, e := range timeline.Entries {
			if strings.HasPrefix(e.Text, "Looked at the pool") {
				at = append(at, e.At.In(zone).Format("2006-01-02 15:04"))
			}
		}
		yesterday := time.Now().In(zone).AddDate(0, 0, -1).Format(time.DateOnly) + " 23:50"
		if !slices.Equal(at, []string{yesterday}) {
			t.Errorf("the entry stands at %v, want %s in her zone", at, yesterday)
		}
	})
}
