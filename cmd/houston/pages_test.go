package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// surfer is a person's browser without a script.
type surfer struct {
	h      *house
	client *http.Client
}

// surf signs a person in by the link that Slack gives, as the person would.
func (h *house) surf(user string) *surfer {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	s := &surfer{h, &http.Client{Jar: jar}}
	answer := h.say(user, announced, "web")
	link := regexp.MustCompile(`<(http[^|]+)\|`).FindStringSubmatch(answer)
	if link == nil {
		h.t.Fatalf("/incident web was answered: %s", answer)
	}
	_, secret, _ := strings.Cut(link[1], "secret=")
	status, page := s.send(http.MethodPost, "/signin/link", url.Values{"secret": {secret}})
	if status != http.StatusOK {
		h.t.Fatalf("the link signed nobody in: %d %s", status, page)
	}
	return s
}

// get reads a page.
func (s *surfer) get(path string) (int, string) {
	s.h.t.Helper()
	return s.send(http.MethodGet, path, nil)
}

func (s *surfer) send(method, path string, form url.Values) (int, string) {
	s.h.t.Helper()
	req, err := http.NewRequestWithContext(s.h.t.Context(), method, s.h.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.h.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.h.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.h.t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// reads waits until a page has a text.
func (s *surfer) reads(path, text string) {
	s.h.t.Helper()
	s.h.until(path+" shows "+text, func() bool {
		status, page := s.get(path)
		return status == http.StatusOK && strings.Contains(page, text)
	})
}

// TestPagesFromSlack signs in by a link from Slack and follows an incident in a
// browser; who may not see a private incident finds nothing of it.
func TestPagesFromSlack(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are empty --severity sev1")
		s := h.surf(ben)
		s.reads("/", "Offers are empty")
		h.say(ben, channel.ID, "timeline Restarted the broker")
		s.reads("/i/1", "Restarted the broker")
		s.reads("/incidents?q=offers&severity=sev1", "INC-1")
		s.reads("/audit", "channel_opened")

		shared := h.slack.AddChannel(sandbox.Channel{Name: "shared", Creator: anna, Members: []string{anna, guest}})
		if answer := h.say(guest, shared.ID, "web"); strings.Contains(answer, "http") {
			t.Errorf("a guest got a link: %s", answer)
		}

		h.say(anna, announced, "declare Payroll leaked --private")
		mine := h.surf(anna)
		mine.reads("/i/2", "Payroll leaked")
		mine.reads("/", "Payroll leaked") // its channel is there by now, or will be
		for _, path := range []string{"/", "/incidents", "/incidents?q=payroll", "/incidents.csv", "/incidents.json", "/audit", "/i/2"} {
			if _, page := s.get(path); strings.Contains(page, "Payroll") {
				t.Errorf("%s shows the private incident to somebody else", path)
			}
		}
		if status, _ := s.get("/i/2"); status != http.StatusNotFound {
			t.Errorf("somebody else's private incident is answered with %d", status)
		}

		h.slack.Deactivate(ben)
		h.until("who was deactivated is signed out", func() bool {
			_, page := s.get("/")
			return strings.Contains(page, "Sign in to Houston")
		})
	})
}

// TestPagesLive reads the stream of an incident: it tells of a change, and ends
// by itself when Houston stops.
func TestPagesLive(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		channel := h.declared("Offers are empty")
		s := h.surf(ben)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+"/i/1/live", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if kind := res.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Fatalf("the stream is %s", kind)
		}
		lines := bufio.NewScanner(res.Body)
		h.say(ben, channel.ID, "timeline Restarted the broker")
		told := false
		for !told && lines.Scan() {
			told = lines.Text() == "event: changed"
		}
		if !told {
			t.Fatalf("the stream ended before it told of a change: %v", lines.Err())
		}
		began := time.Now()
		h.stop()
		for lines.Scan() {
			continue
		}
		if lines.Err() != nil {
			t.Errorf("the stream was torn: %v", lines.Err())
		}
		if took := time.Since(began); took > stopFor {
			t.Errorf("Houston took %s to stop while somebody watched", took)
		}
	})
}
