package sandbox

import (
	"html/template"
	"strings"
	"testing"
	"time"
)

// reader is somebody in Berlin who looks at the page on 30 November 2026.
func reader(t *testing.T, language string) *ui {
	t.Helper()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	w := New(Config{Now: func() time.Time { return now }})
	t.Cleanup(w.Close)
	ann := w.AddUser(User{ID: "U1", Name: "ann", RealName: "Ann <Meyer>"})
	w.AddChannel(Channel{ID: "C1", Name: "ops", Members: []string{ann.ID}})
	w.AddChannel(Channel{ID: "C2", Name: "secret", Private: true})
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	u := &ui{seat: seat{As: ann.ID, Lang: language}, p: w.Page(PageConfig{}), me: ann, loc: berlin, users: map[string]User{ann.ID: ann}, channels: map[string]Channel{}, now: now}
	for _, c := range w.Channels() {
		u.channels[c.ID] = c
	}
	return u
}

func TestPageMrkdwn(t *testing.T) {
	t.Parallel()
	const blank = ` target="_blank" rel="noopener noreferrer"`
	tests := []struct{ name, text, want string }{
		{"marks", "*bold* _italic_ ~gone~ `code`", "<strong>bold</strong> <em>italic</em> <s>gone</s> <code>code</code>"},
		{"marks in one another", "*bold _and italic_*", "<strong>bold <em>and italic</em></strong>"},
		{"no marks inside words", "snake_case_name 2*3*4 a~b~", "snake_case_name 2*3*4 a~b~"},
		{"no marks around spaces", "* not bold *", "* not bold *"},
		{"code has no marks", "`*x* &lt;b&gt;`", "<code>*x* &lt;b&gt;</code>"},
		{"code block", "see\n```\na &lt; b\n*c*\n```", "see<pre>a &lt; b\n*c*</pre>"},
		{"open code block is text", "```x", "```x"},
		{"lines", "one\ntwo", "one<br>two"},
		{"quote", "&gt; wise\n&gt; words\nmine", "<blockquote>wise<br>words</blockquote>mine"},
		{"list", "• one\n• *two*", "<ul><li>one</li><li><strong>two</strong></li></ul>"},
		{"link", "<https://example.com/?a=1&amp;b=2|papers>", `<a href="https://example.com/?a=1&amp;b=2"` + blank + `>papers</a>`},
		{"bare link", "<https://example.com>", `<a href="https://example.com"` + blank + `>https://example.com</a>`},
		{"script link is text", "<javascript:alert(1)|x>", "&lt;javascript:alert(1)|x&gt;"},
		{"mention", "<@U1>", `<span class="mention mine">@Ann &lt;Meyer&gt;</span>`},
		{"unknown person", "<@U9|bo> <@U8>", `<span class="mention">@bo</span> <span class="mention">@U8</span>`},
		{"channel", "<#C1|ops>", `<a class="mention" href="/?as=U1&amp;c=C1">#ops</a>`},
		{"private channel keeps its name", "<#C2|secret>", `<span class="mention">private channel</span>`},
		{"everybody", "<!here>", `<span class="mention mine">@here</span>`},
		{"group", "<!subteam^S1|@crew>", `<span class="mention">@crew</span>`},
		{"emoji", ":fire:", `<span class="emoji" role="img" aria-label="fire" title=":fire:">🔥</span>`},
		{"unknown emoji", ":no_such: 10:30:00", ":no_such: 10:30:00"},
		{"date", "<!date^1796000000^{date_short} at {time}|later>", `<time datetime="2026-11-30T00:53:20Z">Nov 30, 2026 at 1:53 AM</time>`},
		{"broken date", "<!date^x^y|later &lt;b&gt;>", "later &lt;b&gt;"},
		{"hostile markup", `<script>alert(1)</script>`, "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"hostile quotes", `<https://example.com/"onmouseover="x|"y">`, `<a href="https://example.com/&#34;onmouseover=&#34;x"` + blank + `>&#34;y&#34;</a>`},
		{"hostile image in a mark", `*<img src=x onerror=alert(1)>*`, "<strong>&lt;img src=x onerror=alert(1)&gt;</strong>"},
		{"hostile special", `<!"><img src=x>`, `<span class="mention">@&#34;</span>&lt;img src=x&gt;`},
		{"reference to nothing", "<|x> <@> <!>", `&lt;|x&gt; &lt;@&gt; &lt;!&gt;`},
		{"broken UTF-8", "a\xffb", "a\xffb"},
	}
	u := reader(t, "en")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := string(u.mrkdwn(test.text)); got != test.want {
				t.Errorf("mrkdwn(%q)\n got %s\nwant %s", test.text, got, test.want)
			}
		})
	}
}

func TestPageDates(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 29, 22, 5, 7, 0, time.UTC) // 23:05:07 in Berlin, yesterday
	const format = "{date_num}|{date}|{date_long}|{date_pretty}|{time}|{time_secs}|{ago}"
	for language, want := range map[string]string{
		"en": "2026-11-29|November 29, 2026|Sunday, November 29, 2026|yesterday|11:05 PM|11:05:07 PM|10 h ago",
		"de": "2026-11-29|29. November 2026|Sonntag, 29. November 2026|gestern|23:05|23:05:07|vor 10 Std.",
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if got := reader(t, language).dated(at, format); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestPageMarkdown(t *testing.T) {
	t.Parallel()
	u := reader(t, "en")
	got := string(u.markdown("# Head <b>\n**bold** and *italic* [papers](https://example.com)\n- one\n```\n**raw** <i>\n```"))
	for _, want := range []string{
		`<p class="heading">Head &lt;b&gt;</p>`, "<strong>bold</strong> and <em>italic</em>", `<a href="https://example.com"`,
		"<ul><li>one</li></ul>", "<pre>**raw** &lt;i&gt;</pre>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

// Whatever a message's text is, what is drawn holds no tag but the few of ours.
func FuzzPageMrkdwn(f *testing.F) {
	for _, seed := range []string{"*a* <b|c> `d` &lt;", "<@U1><#C1|x><!date^1^{time}^javascript:x|y>", "```<script>```", "&gt; <https://a\"b|c>"} {
		f.Add(seed)
	}
	w := New(Config{})
	f.Cleanup(w.Close)
	u := &ui{p: w.Page(PageConfig{}), loc: time.UTC, users: map[string]User{}, channels: map[string]Channel{}}
	allowed := map[string]bool{}
	for tag := range strings.FieldsSeq("a span strong em s code pre br blockquote ul li time p hr") {
		allowed[tag] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, html := range []template.HTML{u.mrkdwn(text), u.markdown(text), u.plain(text)} {
			for _, piece := range strings.Split(string(html), "<")[1:] {
				tag, _, closed := strings.Cut(piece, ">")
				name, attributes, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
				if !closed || !allowed[name] {
					t.Errorf("%q draws the tag %q: %s", text, name, html)
				}
				if strings.Contains(attributes, " on") && strings.Count(attributes, `"`)%2 != 0 || strings.Contains(attributes, `href="javascript`) {
					t.Errorf("%q draws the attributes %s", text, attributes)
				}
			}
		}
	})
}

// Each text has its German; each key that the templates name is there, or
// drawing them fails.
func TestPageWords(t *testing.T) {
	t.Parallel()
	l := newLook()
	for key, both := range l.words {
		if both[0] == "" || both[1] == "" {
			t.Errorf("%s: %q has no translation", key, both)
		}
		if strings.Count(both[0], "%") != strings.Count(both[1], "%") {
			t.Errorf("%s: %q take different arguments", key, both)
		}
	}
	for _, list := range []string{"weekdays", "months"} {
		if en, de := strings.Fields(l.words[list][0]), strings.Fields(l.words[list][1]); len(en) != len(de) || len(en) < 7 {
			t.Errorf("%s: %v and %v", list, en, de)
		}
	}
	if _, err := reader(t, "en").T("no such words"); err == nil {
		t.Error("a text that there is not was given")
	}
}
