package sandbox_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestRandomPages walks lists whose pages have every length: nothing is lost,
// nothing comes twice, and a short page is not the last.
func TestRandomPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	for i := range 12 {
		w.create(fmt.Sprintf("c-%02d", i), false)
	}
	channel := w.create("talk", false)
	for i := range 12 {
		w.post(channel, text(fmt.Sprintf("m-%02d", i)))
	}
	list := func() (names []string, lengths []int) {
		for cursor := ""; ; {
			page, next, err := w.api.GetConversationsContext(t.Context(), &slack.GetConversationsParameters{Limit: 5, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			lengths = append(lengths, len(page))
			for _, c := range page {
				names = append(names, c.Name)
			}
			if cursor = next; next == "" {
				return names, lengths
			}
		}
	}
	history := func() (texts []string) {
		for cursor := ""; ; {
			page, err := w.api.GetConversationHistoryContext(t.Context(), &slack.GetConversationHistoryParameters{ChannelID: channel, Limit: 4, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page.Messages {
				texts = append(texts, m.Text)
			}
			if cursor = page.ResponseMetaData.NextCursor; cursor == "" {
				return texts
			}
		}
	}
	wantNames, _ := list()
	wantTexts := history()

	w.RandomPages(7)
	names, lengths := list()
	if !slices.Equal(names, wantNames) {
		t.Errorf("channels %v, want %v", names, wantNames)
	}
	if slices.Max(lengths) > 5 || !slices.ContainsFunc(lengths[:len(lengths)-1], func(n int) bool { return n < 5 }) {
		t.Errorf("pages of %v, want short ones before the last", lengths)
	}
	if texts := history(); !slices.Equal(texts, wantTexts) {
		t.Errorf("messages %v, want %v", texts, wantTexts)
	}

	w.RandomPages(7)
	if _, again := list(); !slices.Equal(again, lengths) {
		t.Errorf("the same seed gave pages of %v and of %v", lengths, again)
	}
	w.RandomPages(0)
	if _, plain := list(); !slices.Equal(plain[:2], []int{5, 5}) {
		t.Errorf("pages of %v once it has ended, want full ones", plain)
	}
}
