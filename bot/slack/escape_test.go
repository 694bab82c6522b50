package slack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"nobody is pinged", "<!channel> <@U1> & co", "&lt;!channel&gt; &lt;@U1&gt; &amp; co"},
		{"already escaped text is text", "&lt;", "&amp;lt;"},
		{"control characters go", "a\x00b\x1b[31mc\nd", "ab[31mc\nd"},
		{"no UTF-8", "a\xffb", "ab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := escape(tt.in); got != tt.want {
				t.Errorf("escape(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCutEscapedBreaksNoEntity(t *testing.T) {
	t.Parallel()
	for n := 1; n < 40; n++ {
		got := cutEscaped(strings.Repeat("<&>", 20), n)
		if utf8.RuneCountInString(got) > n {
			t.Errorf("cutEscaped to %d gives %d characters: %q", n, utf8.RuneCountInString(got), got)
		}
		rest := strings.NewReplacer("&amp;", "", "&lt;", "", "&gt;", "", "…", "").Replace(got)
		if n >= 7 && rest != "" {
			t.Errorf("cutEscaped to %d left half an entity: %q", n, got)
		}
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, url, want string }{
		{"https", "https://meet.example.com/a?b=1&c=2", "<https://meet.example.com/a?b=1&amp;c=2|call>"},
		{"script", "javascript:alert(1)", "javascript:alert(1)"},
		{"breaking out", "https://a|b> <!channel>", "https://a|b&gt; &lt;!channel&gt;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := link(tt.url, "call"); got != tt.want {
				t.Errorf("link(%q) = %q, want %q", tt.url, got, tt.want)
			}
		})
	}
}
