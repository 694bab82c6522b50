package sandbox_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/houston-sre/houston/bot/sandbox"
)

// A person's hands, from the first message to the home tab, in a real browser.
func TestPageByHand(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{Language: "en"})
	ctx := t.Context()

	b.keys("#text", "Hello *harbour*, @bo")
	b.says("#completion [role=option]", "Bob Özil")
	b.enter() // takes the suggestion
	b.gone("#completion:not([hidden])")
	b.enter()
	b.says(".message .text strong", "harbour")
	b.says(".message .mention", "@Bob Özil")
	b.see(`document.getElementById("text").value === ""`)

	b.key("ArrowUp", 38, 0) // in an empty field: edit what was said last
	b.see(`document.activeElement.matches(".editing textarea")`)
	b.see(`document.activeElement.value === "Hello *harbour*, @bob"`)
	b.keys(".editing textarea", " and all")
	b.enter()
	b.says(".message .text", "and all (edited)")

	b.keys("#text", "/sh")
	b.says("#completion [aria-selected=true]", "/ship")
	b.key("Tab", 9, 0)
	b.see(`document.getElementById("text").value === "/ship "`)
	b.key("ArrowDown", 40, 0)
	b.says("#completion [aria-selected=true]", "/ship status")
	b.key("Escape", 27, 0)
	b.enter()
	b.says(".block.header h3", "Shipment 4711")
	b.says(".fields", "waiting")

	b.click(`[data-action="approve"]`)
	b.says(".fields", "on its way")

	b.click(`[data-action="stop"]`)
	b.see(`document.getElementById("ask").open`)
	b.says("#ask h2", "Stop it?")
	b.click("#ask [data-no]")
	b.see(`!document.getElementById("ask").open`)
	b.click(`[data-action="stop"]`)
	b.click("#ask [data-yes]")
	b.says(".message .text", "used stop no")

	b.do(chromedp.SetValue(chromedp.CSS(`select[data-action="speed"]`), "fast"))
	b.says(".message .text", "used speed fast")
	b.click(".block.section details.menu > summary")
	b.click(`.block.section .popup button`)
	b.says(".message .text", "used over turn")

	b.keys("#text", "/ship whisper psst")
	b.enter()
	b.says(".message.private .text", "Between us: psst")
	b.click(".message.private .dismiss button")
	b.gone(".message.private")
	b.keys("#text", "/ship slow")
	b.key("Escape", 27, 0)
	b.enter()
	b.says(".message.private .text", "operation_timeout")
	b.keys("#text", "/unknown thing")
	b.enter()
	b.says(".message.private .text", "/unknown is not a command")

	// Somebody else writes in another channel.
	if _, err := b.Post(ctx, b.bob.ID, "general", "Lunch, <@"+b.ann.ID+">?", ""); err != nil {
		t.Fatal(err)
	}
	b.says(".side a.unread .badge", "1")
	b.see(`document.title.startsWith("(") && document.title.includes("#ops")`)
	b.key("k", 75, 2)
	b.keys("#switcher input", "gene")
	b.leave(b.enter)
	b.says(".head h2", "#general")
	b.gone(".side a.unread")

	b.leave(func() { b.click(".side .line") })
	b.says(".home h3", "Ahoy")
	b.click(`.home [data-action="from_home"]`)
	b.says(".side a.unread .name", "ops")
}

func TestPageModal(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{})
	b.keys("#text", "/ship form")
	b.key("Escape", 27, 0)
	b.enter()
	b.see(`document.querySelector("dialog.modal:modal")`)
	b.says("dialog.modal h2", "Ship something")
	b.see(`document.activeElement.name === "v:title"`)
	b.click("[data-submit]") // the browser itself asks for the name
	b.see(`document.querySelector("dialog.modal:modal input:invalid")`)

	b.keys(`[name="v:title"]`, "bad")
	b.keys(`[name="v:words"]`, "first line\nsecond")
	b.do(chromedp.SetValue(chromedp.CSS(`[name="v:size"]`), "l"))
	b.click("[data-submit]")
	b.says("dialog.modal .problem", "That is no name for a ship")
	b.see(`document.querySelector('[name="v:title"]').getAttribute("aria-invalid") === "true"`)
	b.see(`document.querySelector('[name="v:words"]').value === "first line\nsecond"`)

	b.click(`dialog [data-action="more_fields"]`) // one view over the other
	b.says("dialog.modal h2", "Second page")
	b.key("Escape", 27, 0)
	b.says("dialog.modal h2", "Ship something")

	b.do(chromedp.SetValue(chromedp.CSS(`[name="v:title"]`), "Gorch Fock"), chromedp.SetValue(chromedp.CSS(`[name="v:size"]`), "l"))
	b.do(chromedp.SetValue(chromedp.CSS(`[name="v:words"]`), "ahoy"))
	b.click("[data-submit]")
	b.gone("dialog.modal")
	b.says(".message .text", "Form: Gorch Fock / l / ahoy")

	b.click(".composer details.menu > summary")
	b.click(`.composer button[value="open_form"]`)
	b.see(`document.querySelector("dialog.modal:modal")`)
	b.click("dialog [data-close]")
	b.gone("dialog.modal")
}

func TestPageThreadsAndReactions(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{})
	r, err := b.Post(t.Context(), b.bob.ID, b.ops.ID, "The crane is stuck", "")
	if err != nil {
		t.Fatal(err)
	}
	message := `[data-ts="` + r.TS + `"]`
	hover := func() { b.do(chromedp.ScrollIntoView(chromedp.CSS(message)), chromedp.Focus(chromedp.CSS(message))) }
	b.says(message, "The crane is stuck")
	hover()
	b.click(message + ` .actions button[value="pushpin"]`)
	b.says(message+" .reaction[aria-pressed=true]", "📌")
	b.says(message+" .reaction[aria-pressed=false]", "👀") // the app's answer to the event
	b.click(message + ` .reaction[value="pushpin"]`)
	b.gone(message + ` .reaction[value="pushpin"]`)
	b.click(message + " .reaction.more")
	b.keys("#picker input", "rocket")
	b.click(`#picker [data-emoji="rocket"]`)
	b.says(message+" .reaction[aria-pressed=true]", "🚀")

	hover()
	b.click(message + " .actions [data-thread]")
	b.keys("#reply", "I can hear it")
	b.enter()
	b.says("#part-thread .message", "I can hear it")
	b.says("#part-main .replies", "1 reply")

	hover()
	b.click("#part-main " + message + " .actions details.menu > summary")
	b.click("#part-main " + message + ` .popup button[value="note"]`)
	b.says("#part-thread .message", "Noted: The crane is stuck")
	b.says("#part-main .replies", "2 replies")
	b.click("[data-close-thread]")
	b.see(`document.getElementById("part-thread").hidden`)

	// What is typed stays while the page changes around it.
	b.keys("#text", "half a sent")
	if _, err := b.Post(t.Context(), b.bob.ID, b.ops.ID, "It moves again", ""); err != nil {
		t.Fatal(err)
	}
	b.says(".message", "It moves again")
	b.see(`document.activeElement.id === "text" && document.activeElement.value === "half a sent"`)
}

func TestPageSwitches(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{Language: "en"})
	b.says(".side h2", "Direct messages")
	b.leave(func() { b.click(`button[value="de"]`) })
	b.see(`document.documentElement.lang === "de"`)
	b.says(".side h2", "Direktnachrichten")
	b.see(`document.getElementById("text").placeholder === "Nachricht an #ops"`)

	dark := `getComputedStyle(document.body).backgroundColor === "rgb(24, 28, 34)"`
	b.see("!(" + dark + ")")
	b.leave(func() { b.click(`button[value="dark"]`) })
	b.see(dark)

	b.says(".side .name", "harbour-security")
	b.leave(func() { b.do(chromedp.SetValue(chromedp.CSS("#as"), b.bob.ID)) })
	b.see(dark) // the choices stay
	b.see(`![...document.querySelectorAll(".side .name")].some(e => e.textContent === "harbour-security")`)
	b.keys("#text", "Bob here")
	b.enter()
	b.says(".message", "Bob Özil")

	b.open("/?as=" + b.ann.ID + "&c=random")
	b.says(".closed", "#random")
	b.leave(func() { b.click(".closed button") })
	b.see(`document.getElementById("text")`)
}

func TestPageHostile(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{})
	const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'><b>`
	b.AddUser(sandbox.User{Name: "eve", RealName: hostile})
	if _, err := b.Post(t.Context(), b.bob.ID, b.ops.ID, hostile, ""); err != nil {
		t.Fatal(err)
	}
	b.post(hostile)
	b.keys("#text", hostile)
	b.enter()
	b.see(`[...document.querySelectorAll(".message .text")].filter(e => e.textContent.includes("onerror")).length >= 6`)
	b.see(`![...document.querySelectorAll(".message img, .message b, .message script")].some(e => !e.closest(".by"))`)
	b.see(`[...document.querySelectorAll("#as option")].length >= 3`)
	b.see(`document.title !== "owned" && !document.querySelector("img[onerror]")`)
}

// Where a person may write changes while he looks: he is invited, or the channel
// is archived.
func TestPageComposerIsLive(t *testing.T) {
	t.Parallel()
	b := browse(t, sandbox.PageConfig{Language: "en"})
	b.leave(func() { b.open("/?c=random") })
	b.says(".closed button", "Join")
	b.Join(b.ann.ID, "random")
	b.gone(".closed")
	b.keys("#text", "Here I am")
	b.says(".composer .hint", "Enter")
	if _, err := b.Post(t.Context(), b.bob.ID, "random", "Welcome!", ""); err != nil {
		t.Fatal(err)
	}
	b.says(".message .text", "Welcome!")
	b.see(`document.getElementById("text").value === "Here I am"`)
	b.Archive("random")
	b.says(".closed", "archived")
}
