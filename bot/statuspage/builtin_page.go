package statuspage

import (
	"bytes"
	"fmt"
	"time"
)

// htmlPage is what page.html shows.
type htmlPage struct {
	Lang        string
	Name        string
	Indicator   string
	Description string
	Days        int
	Open, Past  []htmlNotice
}

type htmlNotice struct {
	ID, Title string
	Updates   []htmlUpdate
}

type htmlUpdate struct {
	Word, Text    string
	Machine, When string
}

func (b *Builtin) html(v view) ([]byte, error) {
	page := htmlPage{Lang: "en", Name: b.config.Name, Days: shownDays}
	page.Indicator, page.Description = standing(v.notices)
	for _, n := range v.notices {
		shown := htmlNotice{ID: n.id, Title: n.title}
		for _, u := range n.updates {
			shown.Updates = append(shown.Updates, htmlUpdate{
				Word: word(u.status), Text: u.text, Machine: u.at.Format(time.RFC3339), When: b.when(u.at),
			})
		}
		if n.resolved() {
			page.Past = append(page.Past, shown)
		} else {
			page.Open = append(page.Open, shown)
		}
	}
	var body bytes.Buffer
	if err := b.page.Execute(&body, page); err != nil {
		return nil, fmt.Errorf("write the status page: %w", err)
	}
	return body.Bytes(), nil
}

// when says a moment in the page's zone and in UTC: "10 June 2026, 11:29 CEST
// (09:29 UTC)".
func (b *Builtin) when(at time.Time) string {
	local := at.In(b.config.Zone)
	if b.config.Zone == time.UTC {
		return local.Format("2 January 2006, 15:04 UTC")
	}
	utc := at.UTC().Format("15:04 UTC")
	if at.UTC().Day() != local.Day() {
		utc = at.UTC().Format("2 January, 15:04 UTC")
	}
	return fmt.Sprintf("%s (%s)", local.Format("2 January 2006, 15:04 MST"), utc)
}
