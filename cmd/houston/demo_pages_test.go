package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestDemoLeadsToThePages follows the link above the demo's page.
func TestDemoLeadsToThePages(t *testing.T) {
	t.Parallel()
	read := func(url string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	page := read(startDemo(t))
	link := regexp.MustCompile(`<a href="(http[^"]+)"[^>]*>Houston&#39;s pages</a>`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("the demo's page has no link to Houston's:\n%s", page)
	}
	if overview := read(link[1]); !strings.Contains(overview, "No incident is open.") || !strings.Contains(overview, "Reader on this machine") {
		t.Errorf("the link leads to:\n%s", overview)
	}
}
