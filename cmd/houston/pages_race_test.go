package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// formIn reads the hidden fields of the form of a page that is sent to an address.
func formIn(t *testing.T, page, action string) url.Values {
	t.Helper()
	_, form, found := strings.Cut(page, `method="post" action="`+action+`"`)
	form, _, closed := strings.Cut(form, "</form>")
	if !found || !closed {
		t.Fatalf("there is no form to %s:\n%s", action, page)
	}
	values := url.Values{}
	for _, field := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
		values.Set(field[1], strings.ReplaceAll(field[2], "&amp;", "&"))
	}
	return values
}

// TestPagesAtOnce has people save the same form of one page at the same moment,
// each something else: one is stored, and whoever else wrote is told and keeps
// what was typed.
func TestPagesAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		channel := h.declared("Offers are empty --severity sev2")
		h.say(anna, channel.ID, "resolve The third restart helped")
		var people []*surfer
		for i := range 6 {
			people = append(people, h.surf([]string{anna, ben}[i%2]))
		}
		people[0].reads("/gaps?incident=INC-1", "Offers are empty")
		for _, form := range []struct {
			name, page, action, field string
			typed                     func(n int) string
			also                      url.Values
		}{
			{"a key time", "/i/1", "/i/1/times", "impact_start", func(n int) string { return fmt.Sprintf("2026-01-0%dT10:00", n+1) }, nil},
			{"an action item's done-when", "/actions?incident=INC-1", "/i/1/actions/1/facts", "done_when", func(n int) string { return fmt.Sprintf("replay %d fires", n) }, nil},
			{"an action item's state", "/actions?incident=INC-1&state=all", "/i/1/actions/1", "note", func(n int) string { return fmt.Sprintf("reason %d", n) }, url.Values{"state": {"wont_do"}}},
			{"the people", "/i/1/postmortem", "/i/1/postmortem/people", "reviewers", func(n int) string { return []string{"Anna Reporter", "Ben Responder"}[n%2] }, nil},
			{"the review", "/i/1/postmortem", "/i/1/postmortem/meeting", "at", func(n int) string { return fmt.Sprintf("2099-01-0%dT10:00", n+1) }, url.Values{"minutes": {"30"}}},
			{"a section", "/i/1/postmortem/edit", "/i/1/postmortem/edit", "summary", func(n int) string { return fmt.Sprintf("Summary %d.", n) }, nil},
			{"an accepted gap", "/gaps?incident=INC-1", "/i/1/gaps/1", "reason", func(n int) string { return fmt.Sprintf("accepted %d", n) }, nil},
		} {
			_, page := people[0].get(form.page)
			shown := formIn(t, page, form.action)
			type answer struct {
				status      int
				page, typed string
			}
			answers := make([]answer, len(people))
			var all sync.WaitGroup
			for n, s := range people {
				if form.field == "reviewers" && n > 1 {
					break // who writes the same has nothing to lose
				}
				all.Go(func() {
					values := url.Values{}
					for _, from := range []url.Values{shown, form.also} {
						for name := range from {
							values[name] = slices.Clone(from[name])
						}
					}
					values.Set(form.field, form.typed(n))
					status, page := s.send(http.MethodPost, form.action, values)
					answers[n] = answer{status, page, form.typed(n)}
				})
			}
			all.Wait()
			stored := 0
			for _, a := range answers {
				switch {
				case a.typed == "":
				case a.status == http.StatusOK:
					stored++
				case a.status != http.StatusConflict || !strings.Contains(a.page, a.typed):
					t.Errorf("%s: who was too late is answered with %d, and %q is kept: %t", form.name, a.status, a.typed, strings.Contains(a.page, a.typed))
				}
			}
			if stored != 1 {
				t.Errorf("%s was stored %d times", form.name, stored)
			}
		}
	})
}
