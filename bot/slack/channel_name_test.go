package slack

import (
	"regexp"
	"strings"
	"testing"
)

func TestChannelName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		title   string
		private bool
		try     int
		want    string
	}{
		{"plain", "Checkout answers 500", false, 1, "inc-12-checkout-answers-500"},
		{"quotes and signs", `Payment's "API" / 50% ⚠`, false, 1, "inc-12-payments-api-50"},
		{"umlauts", "Ärger mit Größe übel", false, 1, "inc-12-aerger-mit-groesse-uebel"},
		{"japanese", "障害", false, 1, "inc-12-zhang-hai"},
		{"only emoji", "🔥🔥", false, 1, "inc-12"},
		{"only punctuation", "-- !! --", false, 1, "inc-12"},
		{"empty", "", false, 1, "inc-12"},
		{"private tells nothing", "Breach of customer data", true, 1, "inc-12"},
		{"second try", "Checkout", false, 2, "inc-12-checkout-2"},
		{"private second try", "Checkout", true, 3, "inc-12-3"},
		{"channel mention", "<!channel> down", false, 1, "inc-12-channel-down"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := ChannelName(12, tt.title, tt.private, tt.try); got != tt.want {
				t.Errorf("ChannelName(12, %q, %v, %d) = %q, want %q", tt.title, tt.private, tt.try, got, tt.want)
			}
		})
	}
}

func TestChannelNameFits(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`^[a-z0-9_-]{1,80}$`)
	for _, title := range []string{strings.Repeat("a", 79), strings.Repeat("äß", 200), strings.Repeat("x ", 100), strings.Repeat("障", 100)} {
		for _, try := range []int{1, 2, 20} {
			got := ChannelName(123456, title, false, try)
			if !allowed.MatchString(got) {
				t.Errorf("ChannelName of %q… = %q, which Slack refuses", title[:10], got)
			}
		}
	}
	if a, b := ChannelName(1, strings.Repeat("a", 200), false, 1), ChannelName(1, strings.Repeat("a", 200), false, 2); a == b {
		t.Errorf("two tries give the same name %q", a)
	}
}

func FuzzChannelName(f *testing.F) {
	f.Add("Checkout", 1)
	f.Add("\u202e\x00🔥", 7)
	allowed := regexp.MustCompile(`^inc-9[a-z0-9_-]{0,75}$`)
	f.Fuzz(func(t *testing.T, title string, try int) {
		if try < 1 || try > maxTries {
			t.Skip("no such try")
		}
		if got := ChannelName(9, title, false, try); !allowed.MatchString(got) {
			t.Errorf("ChannelName(9, %q, false, %d) = %q", title, try, got)
		}
	})
}
