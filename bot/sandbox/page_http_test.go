package sandbox_test

import (
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// reply is what came back.
type reply struct {
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    string
}

// get fetches a path of the page and gives the answer.
func (a *toy) get(path string) reply {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodGet, a.srv.URL+path, http.NoBody)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.send(req)
}

// submit posts a form as a browser without script does.
func (a *toy) submit(path string, header http.Header, pairs ...string) reply {
	a.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, a.srv.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		a.t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return a.send(req)
}

func (a *toy) send(req *http.Request) reply {
	a.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, resp.Cookies(), string(body)}
}

func TestPageOverHTTP(t *testing.T) {
	t.Parallel()
	host := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(rw, "host "+r.URL.Path) })
	a := newToy(t, sandbox.PageConfig{Bar: func(string) template.HTML { return `<b id="next">Next</b>` }, Host: host})

	resp := a.get("/")
	page := resp.body
	policy := resp.header.Get("Content-Security-Policy")
	if resp.status != http.StatusOK || !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("page: %d with policy %q", resp.status, policy)
	}
	if !strings.Contains(page, `id="next"`) {
		t.Error("the host's bar is not on the page")
	}
	for _, sign := range []string{" style=", "onclick=", "//cdn", "<style"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	if resp := a.get("/api/api.test"); resp.status != http.StatusOK || !strings.Contains(resp.body, `"ok":true`) {
		t.Errorf("the Web API is gone: %d %s", resp.status, resp.body)
	}
	if body := a.get("/host/next").body; body != "host /host/next" {
		t.Errorf("host: %q", body)
	}
	for path, want := range map[string]int{"/part/side": 200, "/part/nothing": 404, "/assets/page.js": 200, "/assets/words.json": 404, "/assets/": 404, "/file/F1/x": 404, "/nowhere": 404} {
		if resp := a.get(path); resp.status != want {
			t.Errorf("%s: %d, want %d", path, resp.status, want)
		}
	}
}

// Without the script each act is a form that comes back to the page.
func TestPageWithoutScript(t *testing.T) {
	t.Parallel()
	a := newToy(t, sandbox.PageConfig{})
	resp := a.submit("/act/post", nil, "as", a.bob.ID, "c", a.ops.ID, "text", "plain <form>")
	if resp.status != http.StatusSeeOther {
		t.Fatalf("post: %d", resp.status)
	}
	if page := a.get(resp.header.Get("Location")).body; !strings.Contains(page, "plain &lt;form&gt;") {
		t.Error("the message is not on the page")
	}
	messages := a.Messages(a.ops.ID)
	if got := messages[len(messages)-1]; got.User != a.bob.ID || got.Text != "plain &lt;form&gt;" {
		t.Errorf("stored %q by %s", got.Text, got.User)
	}
	resp = a.submit("/act/react", nil, "as", a.bob.ID, "c", a.ops.ID, "ts", "1.000000", "emoji", "eyes")
	if page := a.get(resp.header.Get("Location")).body; !strings.Contains(page, "The message is gone.") {
		t.Error("the person is not told what went wrong")
	}
}

func TestPageRefusesOtherSites(t *testing.T) {
	t.Parallel()
	a := newToy(t, sandbox.PageConfig{})
	resp := a.submit("/act/post", http.Header{"Sec-Fetch-Site": {"cross-site"}}, "as", a.bob.ID, "c", a.ops.ID, "text", "from elsewhere")
	if resp.status != http.StatusForbidden || len(a.Messages(a.ops.ID)) != 0 {
		t.Errorf("a form of another site was taken: %d", resp.status)
	}
}

// Nobody sees or reaches a private channel, a draft or an ephemeral message of others.
func TestPageKeepsPrivateThings(t *testing.T) {
	t.Parallel()
	a := newToy(t, sandbox.PageConfig{})
	secret, _ := a.Channel("harbour-security")
	if _, err := a.Post(t.Context(), a.ann.ID, secret.ID, "the code is 4711", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Command(t.Context(), sandbox.Command{User: a.ann.ID, Channel: a.ops.ID, Command: "/ship", Text: "whisper psst"}); err != nil {
		t.Fatal(err)
	}
	for _, channel := range []string{secret.ID, a.ops.ID} {
		page := a.get("/?as=" + a.bob.ID + "&c=" + channel).body
		for _, word := range []string{"4711", "harbour-security", "psst"} {
			if strings.Contains(page, word) {
				t.Errorf("Bob sees %q in %s", word, channel)
			}
		}
	}
	if page := a.get("/?as=" + a.ann.ID + "&c=" + secret.ID).body; !strings.Contains(page, "4711") {
		t.Error("Ann does not see her own channel")
	}
	resp := a.submit("/act/post", nil, "as", a.bob.ID, "c", secret.ID, "text", "let me in")
	for _, c := range a.Channels() {
		for _, m := range a.Messages(c.ID) {
			if strings.Contains(m.Text, "let me in") {
				t.Errorf("Bob's message to a channel he is not in went to %s (%d)", c.Name, resp.status)
			}
		}
	}
}

func TestPageUnderAPrefix(t *testing.T) {
	t.Parallel()
	a := newToy(t, sandbox.PageConfig{Prefix: "/chat/", Language: "de"})
	resp := a.get("/chat/")
	page := resp.body
	if resp.status != http.StatusOK || !strings.Contains(page, `href="/chat/assets/base.css`) || !strings.Contains(page, `lang="de"`) {
		t.Errorf("page under a prefix: %d", resp.status)
	}
	if resp := a.get("/chat/assets/base.css"); resp.status != http.StatusOK {
		t.Errorf("style under a prefix: %d", resp.status)
	}
	resp = a.submit("/chat/prefs", nil, "lang", "en", "theme", "dark")
	if len(resp.cookies) != 2 || !strings.HasPrefix(resp.header.Get("Location"), "/chat/?") {
		t.Errorf("prefs: %v to %s", resp.cookies, resp.header.Get("Location"))
	}
}
