package slack

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slack-go/slack/slackutilsx"
)

func knownNames(id string) string {
	return map[string]string{"U1": "Anna Schmidt", "W2": "Bao"}[id]
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw, want string }{
		{"nothing", "", ""},
		{"plain text", "Checkout answers 500", "Checkout answers 500"},
		{"entities", "a &amp; b &lt; c &gt; d", "a & b < c > d"},
		{"an entity is undone once", "&amp;lt;b&amp;gt;", "&lt;b&gt;"},
		{"a user we know", "ask <@U1> now", "ask @Anna Schmidt now"},
		{"our name wins over the label", "<@U1|anna.s>", "@Anna Schmidt"},
		{"an enterprise user", "<@W2>", "@Bao"},
		{"a user we do not know", "<@U9|carl>", "@carl"},
		{"a user nobody knows", "<@U9>", "@U9"},
		{"a channel", "see <#C1|payments>", "see #payments"},
		{"a private channel", "see <#C1|>", "see #C1"},
		{"here", "<!here> look", "@here look"},
		{"here with a label", "<!here|here> look", "@here look"},
		{"a group", "<!subteam^S1|@sre>", "@sre"},
		{"a group without a label", "<!subteam^S1>", "@S1"},
		{"a date", "<!date^1392734382^{date}|Feb 18>", "Feb 18"},
		{"a link", "<https://example.com/a?b=1&amp;c=2>", "https://example.com/a?b=1&c=2"},
		{"a link with a label", "<https://example.com/|the graph>", "the graph (https://example.com/)"},
		{"a link Slack made", "<http://example.com|example.com>", "example.com"},
		{"a link Slack made of a host", "<http://example.com/|example.com>", "example.com"},
		{"a mail address", "<mailto:a@example.com|a@example.com>", "a@example.com"},
		{"an upper-case scheme", "<HTTPS://EXAMPLE.com>", "HTTPS://EXAMPLE.com"},
		{"typed brackets", "value <foo> is missing", "value <foo> is missing"},
		{"an open bracket", "a <b", "a <b"},
		{"empty markup", "<> <@> <#> <!>", "<> <@> <#> <!>"},
		{"an emoji", ":pushpin: restart", "📌 restart"},
		{"an emoji with a skin tone", ":+1::skin-tone-3: good", "👍 good"},
		{"an emoji of the workspace", ":kreditsmart:", ":kreditsmart:"},
		{"a time is no emoji", "at 10:30:45", "at 10:30:45"},
		{"no emoji inside a link", "<https://example.com/:fire:/>", "https://example.com/:fire:/"},
		{"control characters", "a\x00b\x1b[31mc\r\nd\te", "ab[31mc\nd\te"},
		{"broken UTF-8", "a\xffb", "a\uFFFDb"},
		{"quotes", `it's "quoted" “smart”`, `it's "quoted" “smart”`},
		{"German", "Überweisung ß hängt", "Überweisung ß hängt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := plain(tt.raw, knownNames); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"<@U1> &amp; <#C1|x>", "<!subteam^S1|@x>", ":pushpin:", "<https://a|b>", "<<>>", "\x00", "&amp;lt;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := plain(raw, knownNames)
		if !utf8.ValidString(got) || strings.ContainsRune(got, 0) {
			t.Errorf("plain(%q) = %q is nothing a database takes", raw, got)
		}
		// What people type comes back as they typed it, escaped by Slack on the way.
		if utf8.ValidString(raw) && !strings.ContainsAny(raw, ":") && !strings.ContainsFunc(raw, isControl) {
			if back := plain(slackutilsx.EscapeMessage(raw), knownNames); back != raw {
				t.Errorf("%q came back as %q", raw, back)
			}
		}
	})
}

func isControl(r rune) bool { return r < 32 || (r >= 0x7f && r < 0xa0) }
