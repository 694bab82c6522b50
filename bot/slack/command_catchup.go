package slack

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

const (
	catchupEntries = 8   // timeline entries shown
	catchupKeys    = 3   // key moments before them
	catchupTasks   = 5   // open tasks shown
	catchupEntry   = 200 // characters of each
	catchupText    = 500 // characters of the last update and the summary
)

// catchup tells somebody who has just come how the incident stands. It changes
// nothing and is for everybody who may see the incident, guests in its channel
// among them.
func (e *Edge) catchup(ctx context.Context, o order) (reply, error) {
	inc, err := e.config.Service.Incident(ctx, o.number, o.Request)
	if err != nil {
		return reply{}, err
	}
	events, err := e.config.Service.Store().Events(ctx, o.number)
	if err != nil {
		return reply{}, fmt.Errorf("load events of %s: %w", inc.Key(), err)
	}
	texts := e.textFor(o.Actor.ID)
	zone := e.config.Directory.Zone(o.Actor.ID)
	lines := e.standing(texts, inc, zone)
	for i, task := range inc.OpenTasks() {
		if i == catchupTasks {
			lines = append(lines, texts.Text("list_more", "count", len(inc.OpenTasks())-i))
			break
		}
		lines = append(lines, cut(taskText(texts, task), catchupText))
	}
	changed, err := e.suspectLines(ctx, texts, inc)
	if err != nil {
		return reply{}, err
	}
	lines = append(lines, changed...)
	if entries := incidents.Timeline(events); len(entries) > 0 {
		lines = append(lines, texts.Text("catchup_timeline", "zone", e.config.Clock.Now().In(zone).Format("MST")))
		for _, entry := range telling(entries) {
			text, times := e.fit(texts, o.number, oneLine(told(texts, entry)), catchupEntry), e.when(entry.At, zone)
			if entry.Significant {
				text = templates.Markup(texts.Text("catchup_key", "text", text)) // escaped by Text
			}
			if !entry.Until.At.IsZero() {
				times += "–" + e.when(entry.Until.At, zone)
			}
			lines = append(lines, texts.Text("catchup_entry", "time", times, "text", text, "person", entry.Actor.Name))
		}
	}
	return say(strings.Join(lines, "\n")), nil
}

// telling picks what tells the story: the last entries, and before them the last
// key moments.
func telling(entries []incidents.Entry) []incidents.Entry {
	last := max(0, len(entries)-catchupEntries)
	var keys []incidents.Entry
	for _, entry := range entries[:last] {
		if entry.Significant {
			keys = append(keys, entry)
		}
	}
	return append(keys[max(0, len(keys)-catchupKeys):], entries[last:]...)
}

// standing says how an incident stands now, in a few lines.
func (e *Edge) standing(texts *templates.Catalogue, inc incidents.Incident, zone *time.Location) []string {
	since := ""
	if at, ok := inc.Times[incidents.DeclaredAt]; ok {
		since = e.when(at.At, zone)
	}
	commander, _ := inc.Commander()
	name := commander.Name
	if name == "" {
		name = texts.Plain().Text("catchup_nobody")
	}
	lines := []string{
		texts.Text("catchup_head", "key", inc.Key(), "title", inc.Title, "severity", inc.Severity, "status", inc.Status),
		texts.Text("catchup_who", "since", since, "commander", name),
	}
	if inc.Summary != "" {
		lines = append(lines, texts.Text("catchup_impact", "text", e.fit(texts, inc.Number, oneLine(inc.Summary), catchupText)))
	}
	if inc.LastUpdate != "" {
		lines = append(lines, texts.Text("catchup_update", "text", e.fit(texts, inc.Number, oneLine(inc.LastUpdate), catchupText)))
	}
	if n := inc.AlertsFiring(); n > 0 {
		lines = append(lines, texts.Text("catchup_alerts", "count", n))
	}
	if inc.Notice != nil {
		lines = append(lines, texts.Text("catchup_notice", "status", inc.Notice.Status()))
	}
	if inc.BridgeURL != "" {
		lines = append(lines, texts.Text("declared_bridge", "url", inc.BridgeURL))
	}
	return lines
}

// when shows a moment in a person's zone: today by the time alone.
func (e *Edge) when(at time.Time, zone *time.Location) string {
	at, now := at.In(zone), e.config.Clock.Now().In(zone)
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
