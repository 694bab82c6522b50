package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// chart is a picture of a latency that rises and falls again.
func chart(t *testing.T) []byte {
	t.Helper()
	const width, height = 480, 200
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	grid, line := image.NewUniform(color.Gray{225}), image.NewUniform(color.RGBA{179, 18, 29, 255})
	for y := 20; y < height; y += 40 {
		draw.Draw(img, image.Rect(0, y, width, y+1), grid, image.Point{}, draw.Src)
	}
	before := height - 30
	for x := range width {
		y := height - 30 - x*x%7
		if x > 150 && x < 340 {
			y -= min(x-150, 340-x, 60)*2 + x*x%11
		}
		draw.Draw(img, image.Rect(x, min(y, before), x+2, max(y, before)+2), line, image.Point{}, draw.Src)
		before = y
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPagesWork follows in a browser what people do in the channel: files they
// mark, tasks, a runbook. Files are for those who may see the incident.
func TestPagesWork(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.env = map[string]string{
			"HOUSTON_DATA_DIR": t.TempDir(),
			"HOUSTON_RUNBOOKS": `[{name: Offers, text: "# Look\n- [ ] Open the dashboard\n- [ ] Restart offers-api & watch", match: {severity: [sev1]}}]`,
		}
		h := newHouse(t, p)
		channel := h.declared("Offers are empty --severity sev1").ID
		h.slack.Join(ben, channel)
		picture := chart(t)
		for name, data := range map[string][]byte{"p99.png": picture, "<script>.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)} {
			posted, err := h.slack.Upload(t.Context(), sandbox.Upload{User: anna, Channel: channel, Name: name, Data: data})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "chart_with_upwards_trend"); err != nil {
				t.Fatal(err)
			}
		}
		h.until("both files are stored", func() bool {
			files := h.files("INC-1")
			return len(files) == 2 && files[0].State == "stored" && files[1].State == "stored"
		})
		address := map[string]string{}
		for _, f := range h.files("INC-1") {
			address[f.Name] = "/i/1/files/" + f.ID
		}
		s := h.surf(ben)
		s.reads("/i/1", fmt.Sprintf(`<img src="%s" alt="Image:" loading="lazy"><span>p99.png</span>`, address["p99.png"]))
		_, page := s.get("/i/1")
		if !strings.Contains(page, `<a href="`+address["<script>.svg"]+`"><span>&lt;script&gt;.svg</span></a>`) {
			t.Errorf("what could run is shown as an image, or not at all:\n%s", page)
		}
		if status, raw := s.get(address["p99.png"]); status != http.StatusOK || raw != string(picture) {
			t.Errorf("the picture: %d, %d bytes", status, len(raw))
		}
		if _, raw := h.call(http.MethodGet, address["p99.png"], "", map[string]string{"Accept": "text/html"}); strings.Contains(string(raw), "PNG") {
			t.Error("who is not signed in gets the picture")
		}
		if status, _ := s.get("/i/1/files/F0NONE"); status != http.StatusNotFound {
			t.Errorf("a file that is not there: %d", status)
		}

		h.say(anna, channel, "task Restart offers-api <@"+ben+"|ben>")
		s.reads("/i/1", "Restart offers-api")
		s.reads("/i/1", "in progress")
		s.reads("/i/1", "0 of 2 done")
		m := h.asked(channel, "Runbook Offers")
		if _, err := h.slack.Click(t.Context(), sandbox.Click{User: ben, Channel: channel, MessageTS: m.TS, ActionID: "runbook_tick_1"}); err != nil {
			t.Fatal(err)
		}
		s.reads("/i/1", "1 of 2 done")
		s.reads("/i/1", "Restart offers-api &amp; watch")

		before := len(h.slack.Channels())
		h.say(anna, announced, "declare Payroll leaked --private")
		h.until("a private channel is made", func() bool { return len(h.slack.Channels()) > before })
		private := h.slack.Channels()[before].ID
		h.until("the card is pinned", func() bool { return len(h.slack.Pins(private)) == 1 })
		posted, err := h.slack.Upload(t.Context(), sandbox.Upload{User: anna, Channel: private, Name: "payroll.png", Data: picture})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.slack.React(t.Context(), anna, private, posted.TS, "chart_with_upwards_trend"); err != nil {
			t.Fatal(err)
		}
		mine := h.surf(anna)
		mine.reads("/i/2", `<img src="/i/2/files/`)
		_, page = mine.get("/i/2")
		secret := regexp.MustCompile(`<img src="(/i/2/files/[^"]+)"`).FindStringSubmatch(page)[1]
		if status, _ := mine.get(secret); status != http.StatusOK {
			t.Errorf("a member of the private channel: %d", status)
		}
		if status, raw := s.get(secret); status != http.StatusNotFound || strings.Contains(raw, "Payroll") {
			t.Errorf("somebody else: %d", status)
		}
	})
}
