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
	Now, Quiet  string // heading, and what stands below it when there is nothing
	Past, Calm  string
	Feed        string
	Open, Over  []htmlNotice
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
	text := b.config.Text
	page := htmlPage{
		Lang: text.Language(), Name: b.config.Name,
		Now: text.Text("status_now"), Quiet: text.Text("status_quiet"),
		Past: text.Text("status_past", "count", shownDays), Calm: text.Text("status_calm"), Feed: text.Text("status_feed"),
	}
	page.Indicator, page.Description = standing(text, v.notices)
	for _, n := range v.notices {
		shown := htmlNotice{ID: n.id, Title: n.title}
		for _, u := range n.updates {
			shown.Updates = append(shown.Updates, htmlUpdate{
				Word: word(text, u.status), Text: u.text, Machine: u.at.Format(time.RFC3339), When: b.when(u.at),
			})
		}
		if n.resolved() {
			page.Over = append(page.Over, shown)
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
	day, date := "2 January", "2 January 2006"
	if b.config.Text.Language() == "de" {
		day, date = "02.01.", "02.01.2006"
	}
	if b.config.Zone == time.UTC {
		return local.Format(date + ", 15:04 UTC")
	}
	utc := at.UTC().Format("15:04 UTC")
	if at.UTC().Day() != local.Day() {
		utc = at.UTC().Format(day + ", 15:04 UTC")
	}
	return fmt.Sprintf("%s (%s)", local.Format(date+", 15:04 MST"), utc)
}
