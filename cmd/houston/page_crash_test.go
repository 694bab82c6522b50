package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// TestPageSurvivesACrash kills Houston between PagerDuty's taking a page and the
// record of it: the next one asks again by the same key, which wakes nobody.
func TestPageSurvivesACrash(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		stand := &pagers{}
		taken, die := make(chan struct{}), make(chan struct{})
		var once sync.Once
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			stand.ServeHTTP(httptest.NewRecorder(), r)
			once.Do(func() { close(taken); <-die })
			w.WriteHeader(http.StatusAccepted)
		}))
		defer server.Close()
		w, api := newSlack(t)
		front := newFront(t)
		p.env = map[string]string{
			"HOUSTON_PAGER_PROVIDER": "pagerduty", "HOUSTON_PAGER_PAGERDUTY_URL": server.URL, "HOUSTON_PAGER_PAGERDUTY_ROUTING_KEY": "K",
		}
		h := &house{t: t, slack: w, env: p.environment(t, w, api), log: &lockedBuffer{}, url: front.URL}
		w.SetURLs(h.url+"/slack/commands", h.url+"/slack/interactivity", h.url+"/slack/events")
		first := h.launch()
		front.to(first.serving(t))
		channel := h.declared("Offers fail")
		h.say(anna, channel.ID, "page")
		<-taken
		first.kill()
		close(die)
		second := h.launch()
		front.to(second.serving(t))
		h.finds(channel.ID, "Paged default")
		if n, keys := stand.of("event_action", "trigger"); n != 2 || len(keys) != 1 {
			t.Errorf("%d triggers with %d keys, want 2 with one key: one page", n, len(keys))
		}
		told := 0
		for _, m := range w.Messages(channel.ID) {
			if strings.Contains(m.Text, "Paged default") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the channel is told %d times, want once", told)
		}
		second.terminate(t)
	})
}
