package slack

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/houston-sre/houston/templates"
)

func TestCutLeavesCharactersWhole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		n        int
		want     string
	}{
		{"what fits", "äöü", 3, "äöü"},
		{"letters", "abcdef", 4, "abc…"},
		{"a flag", "ab🇨🇭🇩🇪", 5, "ab🇨🇭…"},
		{"a family", "ab👨‍👩‍👧‍👦cd", 6, "ab…"},
		{"an accent of its own", "abe\u0301e\u0301e\u0301", 6, "abe\u0301…"},
		{"one character that is longer than all", strings.Repeat("e", 1) + strings.Repeat("\u0301", 500), 10, "e" + strings.Repeat("\u0301", 8) + "…"},
		{"right to left", "שלום עולם", 6, "שלום …"},
	} {
		got := cut(tt.in, tt.n)
		if got != tt.want || utf8.RuneCountInString(got) > tt.n {
			t.Errorf("%s: cut to %d gives %q, want %q", tt.name, tt.n, got, tt.want)
		}
	}
}

func TestCutMarkupLeavesMarkupWhole(t *testing.T) {
	t.Parallel()
	text := "a &amp; b <@U0123ABC> c <https://example.com/x|here> d"
	for n := 2; n <= len(text); n++ {
		got := cutMarkup(text, n)
		if utf8.RuneCountInString(got) > n {
			t.Errorf("cut to %d gives %d characters", n, utf8.RuneCountInString(got))
		}
		if strings.Count(got, "<") != strings.Count(got, ">") || strings.HasSuffix(strings.TrimSuffix(got, "…"), "&am") {
			t.Errorf("cut to %d leaves half a markup: %q", n, got)
		}
	}
}

func TestCleanPingsNobody(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"@here @Channel, (@everyone)": "@\u2060here @\u2060Channel, (@\u2060everyone)",
		"me@hereby.example":           "me@hereby.example",
		"\u202egnihtyna\u2066":        "gnihtyna",
		"a\u200bb\ufeffc\u0085d":      "abcd",
		"👨‍👩‍👧":                       "👨‍👩‍👧",
		"line\u2028line":              "line\nline",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFitSaysWhereTheWholeIs(t *testing.T) {
	t.Parallel()
	texts, err := templates.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		whole
		text, want string
	}{
		{"what fits", whole{}, "<b>", "&lt;b&gt;"},
		{"with pages", whole{url: "https://houston.example.com"}, "aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaa… <https://houston.example.com/i/INC-7|the whole text>"},
		{"without", whole{command: "/incident"}, "aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaa… _(the whole text: `/incident export`)_"},
	} {
		if got := tt.fit(texts, 7, tt.text, 10); string(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
