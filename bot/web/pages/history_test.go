package pages

import (
	"strings"
	"testing"
)

func TestDiffTellsWholeWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, before, after, want string }{
		{"nothing before", "", "Load had grown", "+Load had grown+"},
		{"nothing after", "Load had grown", "", "-Load had grown-"},
		{"a word", "Some brokers saw it", "All brokers saw it", "-Some-+All+ brokers saw it"},
		{"the same", "Brokers\n\nsaw it", "Brokers\n\nsaw it", "Brokers\n\nsaw it"},
		{"beside the surrogates", "\U0001F525 a", "\U0001F525 b", "\U0001F525 -a-+b+"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b, old, now strings.Builder
			for _, p := range diff(tt.before, tt.after) {
				mark := ""
				switch {
				case p.Came:
					mark = "+"
				case p.Went:
					mark = "-"
				}
				b.WriteString(mark + p.Text + mark)
				if !p.Came {
					old.WriteString(p.Text)
				}
				if !p.Went {
					now.WriteString(p.Text)
				}
			}
			if b.String() != tt.want {
				t.Errorf("got %q, want %q", b.String(), tt.want)
			}
			if old.String() != tt.before || now.String() != tt.after {
				t.Errorf("the diff loses words: %q, %q", old.String(), now.String())
			}
		})
	}
}
