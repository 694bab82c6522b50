package pages_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// step takes a postmortem on, whatever it lacks.
func (k *kit) step(number int64, to incidents.PostmortemState) {
	k.t.Helper()
	inc, err := k.store.Incident(k.t.Context(), number)
	if err != nil {
		k.t.Fatal(err)
	}
	req := incidents.Request{Actor: k.actor(ben), In: "C1"}
	service := postmortem.NewService(postmortem.Config{Incidents: k.service, Store: k.store, Clock: k.clock})
	doc, err := service.Current(k.t.Context(), number, incidents.Request{Actor: incidents.Houston()})
	if err != nil {
		k.t.Fatal(err)
	}
	k.do(number, incidents.MovePostmortem{
		Request: req, To: to, Reason: "A new trace was found", Rev: inc.Postmortem.Rev,
		Freeze: func(_ incidents.Incident, edition int64) ([]byte, string, error) {
			doc.State, doc.Edition = incidents.PostmortemPublished, edition
			raw, err := doc.Marshal()
			return raw, postmortem.Hash(raw), err
		},
	})
}

func TestEditions(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	form := b.get(editor).form("editor")
	form.Set("summary", "Ben Responder saw that brokers got no offers.")
	b.send(http.MethodPost, editor, form).shows("Saved.")
	b.get("/i/1/postmortem/editions/1").shows("Not found")
	k.step(1, incidents.PostmortemInReview)
	k.step(1, incidents.PostmortemApproved)
	k.step(1, incidents.PostmortemPublished)
	k.step(1, incidents.PostmortemDraft)
	form = b.get(editor).form("editor")
	form.Set("summary", "The second telling.")
	b.send(http.MethodPost, editor, form).shows("Saved.")
	k.step(1, incidents.PostmortemInReview)
	k.step(1, incidents.PostmortemApproved)
	k.step(1, incidents.PostmortemPublished)

	first := b.get("/i/1/postmortem/editions/1")
	first.wellFormed()
	one, err := k.store.Publication(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	first.shows("Ben Responder saw that brokers got no offers.", "Edition 1, frozen: "+k.server.URL+"/i/1/postmortem/editions/1", "SHA-256 "+one.Hash, "Edition 2")
	b.get("/i/1/postmortem").shows("The second telling.", k.server.URL+"/i/1/postmortem/editions/2")
	if old := b.get("/i/1/postmortem?edition=1"); old.path != "/i/1/postmortem/editions/1" {
		t.Errorf("an address of before leads to %s", old.path)
	}

	// Whoever has the file can compute the hash of it again.
	for edition := range int64(2) {
		address := fmt.Sprintf("/i/1/postmortem.json?edition=%d", edition+1)
		stored, err := k.store.Publication(t.Context(), 1, edition+1)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256([]byte(b.get(address).body)); hex.EncodeToString(sum[:]) != stored.Hash {
			t.Errorf("%s is not what was frozen", address)
		}
	}
	first.shows("of its JSON file")

	public := b.get("/i/1/postmortem/editions/1/public")
	public.wellFormed()
	var doc postmortem.Document
	err = json.Unmarshal(one.Document, &doc)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := postmortem.PublicOf(doc).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	public.shows("saw that brokers got no offers.", "Public version", "SHA-256 "+postmortem.Hash(raw), "/i/1/postmortem/editions/1/public", "This postmortem was written for")
	for _, p := range public.elements("article") {
		if strings.Contains(textOf(p), "Ben") {
			t.Errorf("the public version names Ben: %s", textOf(p))
		}
	}
	for _, file := range []string{"md", "html", "json"} {
		if page := b.get("/i/1/postmortem." + file + "?edition=1&version=public"); page.status != http.StatusOK || strings.Contains(page.body, "Ben") {
			t.Errorf("the public version as %s: %d %s", file, page.status, page.body)
		}
		if page := b.get("/i/1/postmortem." + file + "?edition=1"); !strings.Contains(page.body, "Ben Responder saw") {
			t.Errorf("the first edition as %s: %s", file, page.body)
		}
	}
	for _, path := range []string{"editions/3", "editions/0", "editions/x", "editions/-1/public"} {
		if page := b.get("/i/1/postmortem/" + path); page.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, page.status)
		}
	}
	if page := b.get("/i/1/postmortem.md?version=public"); page.status != http.StatusConflict {
		t.Errorf("the public version of no edition: %d", page.status)
	}

	// Nothing of it is open to the world.
	stranger := k.browser()
	for _, path := range []string{"/i/1/postmortem/editions/1", "/i/1/postmortem/editions/1/public", "/i/1/postmortem.md?edition=1&version=public"} {
		stranger.get(path).hides("brokers got no offers")
	}

	var feed struct {
		Entries []struct {
			ID   string `xml:"id"`
			Link struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(b.get("/postmortems.atom").body), &feed); err != nil || len(feed.Entries) != 2 {
		t.Fatalf("the feed: %+v, %v", feed, err)
	}
	b.get(strings.TrimPrefix(feed.Entries[1].Link.Href, k.server.URL)).shows("Ben Responder saw that brokers got no offers.")

	by := incidents.Request{Actor: k.actor(ben)}
	k.declare(incidents.Declare{Title: "Payroll leaked", Private: true})
	k.channel(2, "C1")
	k.people.mu.Lock()
	k.people.private[ben] = []string{"C1"}
	k.people.mu.Unlock()
	by.In = "C1"
	k.do(2, incidents.Resolve{Request: by})
	for _, to := range []incidents.PostmortemState{incidents.PostmortemInReview, incidents.PostmortemApproved, incidents.PostmortemPublished} {
		k.step(2, to)
	}
	b.get("/i/2/postmortem/editions/1").shows("INC-2", "Edition 1")
	b.get("/i/2/postmortem/editions/1/public").shows("Its postmortem has no public version.")
	other := k.as(anna)
	other.get("/i/2/postmortem/editions/1").hides("Payroll")
	other.get("/postmortems.atom").hides("Payroll")
}
