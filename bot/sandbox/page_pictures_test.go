package sandbox_test

import (
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestPagePictures takes pictures of the page for people to look at, into the
// folder that SANDBOX_PICTURES names.
func TestPagePictures(t *testing.T) {
	t.Parallel()
	if os.Getenv("SANDBOX_PICTURES") == "" {
		t.Skip("set SANDBOX_PICTURES to a folder to get pictures")
	}
	b := browse(t, sandbox.PageConfig{FooterText: "Made with the sandbox", FooterURL: "https://example.com/"})
	b.scene()
	b.open("/?c=ops")
	pause := chromedp.Sleep(300 * time.Millisecond)
	b.do(pause)
	b.shot("light-en.png")
	b.leave(func() { b.click(`button[value="dark"]`) })
	b.do(pause)
	b.shot("dark-en.png")
	b.leave(func() { b.click(`button[value="de"]`) })
	b.click(".replies")
	b.do(pause)
	b.shot("dark-de-thread.png")
	b.keys("#text", "/ship ")
	b.do(pause)
	b.shot("dark-de-completion.png")
	b.leave(func() { b.click(`button[value="light"]`) })
	b.do(chromedp.EmulateViewport(700, 800), pause)
	b.shot("narrow-thread.png")
	b.open("/?c=ops")
	b.shot("narrow.png")
	b.do(chromedp.EmulateViewport(1280, 820))
	b.keys("#text", "/ship form")
	b.enter()
	b.do(chromedp.WaitVisible(chromedp.CSS("dialog:modal")))
	b.keys(`input[name="v:title"]`, "bad")
	b.click("[data-submit]")
	b.do(chromedp.WaitVisible(chromedp.CSS(".problem")), pause)
	b.shot("modal-light-de.png")
	b.click(`dialog [data-close]`)
	b.gone("dialog.modal")
	b.leave(func() { b.click(".side .line") })
	b.do(chromedp.WaitVisible(chromedp.CSS(".home h3")), pause)
	b.shot("home-light-de.png")
}

// scene fills the channel.
func (b *browser) scene() {
	b.t.Helper()
	ctx := b.t.Context()
	say := func(user, text, thread string) string {
		r, err := b.Post(ctx, user, b.ops.ID, text, thread)
		if err != nil {
			b.t.Fatal(err)
		}
		return r.TS
	}
	say(b.bob.ID, "Morning! The *second crane* is back, see https://example.com/cranes :tada:", "")
	first := say(b.ann.ID, "Great. <@"+b.bob.ID+">, could you look at the third one as well?\nIt makes a noise:\n```\ncrane-3  WARN  bearing temperature 82°C\ncrane-3  WARN  bearing temperature 85°C\n```", "")
	say(b.bob.ID, "On it :eyes:", first)
	say(b.bob.ID, "Bearing it is. I have ordered a new one.", first)
	say(b.ann.ID, "> as long as it turns, it turns\nI would rather not wait for that one.", "")
	if _, err := b.React(ctx, b.bob.ID, b.ops.ID, first, "pushpin"); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.React(ctx, b.ann.ID, b.ops.ID, first, "pushpin"); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.Command(ctx, sandbox.Command{User: b.ann.ID, Channel: b.ops.ID, Command: "/ship"}); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.Command(ctx, sandbox.Command{User: b.ann.ID, Channel: b.ops.ID, Command: "/ship", Text: "whisper the harbour master knows"}); err != nil {
		b.t.Fatal(err)
	}
	if err := b.api.AddPinContext(ctx, b.ops.ID, slack.NewRefToMessage(b.ops.ID, first)); err != nil {
		b.t.Fatal(err)
	}
	for title, link := range map[string]string{"Harbour map": "https://example.com/map"} {
		if _, err := b.api.AddBookmarkContext(ctx, b.ops.ID, slack.AddBookmarkParameters{Title: title, Type: "link", Link: link, Emoji: ":round_pushpin:"}); err != nil {
			b.t.Fatal(err)
		}
	}
	if _, err := b.Post(ctx, b.bob.ID, "general", "Lunch at twelve, <@"+b.ann.ID+">?", ""); err != nil {
		b.t.Fatal(err)
	}
}
