package incidents

import (
	"strings"
	"testing"
)

func TestSimilar(t *testing.T) {
	t.Parallel()
	open := []Incident{
		{Number: 9, Title: "A drill about offers", Drill: true},
		{Number: 4, Title: "Checkout answers 500", Service: "checkout"},
		{Number: 3, Title: "Brokers see no offers since the release", Service: "offers"},
		{Number: 2, Title: "Login page is slow"},
		{Number: 1, Title: "Störung bei der Anmeldung"},
	}
	for _, tt := range []struct {
		name, title, service, want string
	}{
		{"the same words", "No offers for brokers", "", "INC-3"},
		{"one telling word of two", "Checkout is down", "", "INC-4"},
		{"the same service", "Something is wrong", "Checkout", "INC-4"},
		{"the service comes first", "Brokers see no offers", " checkout ", "INC-4 INC-3"},
		{"nothing in common", "The database is full", "database", ""},
		{"only what every title says", "The search is slow and fails", "", ""},
		{"German", "Anmeldung geht nicht", "", "INC-1"},
		{"an empty title", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var keys []string
			for _, inc := range Similar(tt.title, tt.service, open) {
				keys = append(keys, inc.Key())
			}
			if got := strings.Join(keys, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if n := len(Similar("Offers", "", []Incident{{Title: "Offers"}, {Title: "Offers"}, {Title: "Offers"}, {Title: "Offers"}})); n != 3 {
		t.Errorf("got %d similar ones, want 3 at most", n)
	}
}
