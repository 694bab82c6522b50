package bridge

import (
	"net/url"
	"regexp"
	"testing"
)

func TestJitsi(t *testing.T) {
	t.Parallel()
	link := Jitsi("https://meet.example.com/")
	seen := map[string]bool{}
	shape := regexp.MustCompile(`^https://meet\.example\.com/inc-7-[a-z0-9]{26}$`)
	for range 1000 {
		got := link(7)
		if !shape.MatchString(got) {
			t.Fatalf("Jitsi link = %q, want it to match %s", got, shape)
		}
		if _, err := url.Parse(got); err != nil {
			t.Fatalf("Jitsi link %q is no URL: %v", got, err)
		}
		if seen[got] {
			t.Fatalf("Jitsi link %q came twice", got)
		}
		seen[got] = true
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	if got, want := Link("https://call.example.com/war-room")(3), "https://call.example.com/war-room"; got != want {
		t.Errorf("Link = %q, want %q", got, want)
	}
}
