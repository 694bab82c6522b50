package slack

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// digestLines is how many action items one part of the digest lists; the page
// has all of them.
const digestLines = 10

// digestMaker posts the weekly digest of action items into its channel. It
// mentions nobody: owners are asked directly, and nothing is said twice.
type digestMaker struct{ *Outbound }

func (m digestMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	text, err := m.digest(ctx, work.Effect.Target)
	if err != nil {
		return bot.Made{}, err
	}
	if text == "" { // a week without news is none
		return bot.Made{ID: neverSaid, Shown: work.Effect.Wanted}, nil
	}
	place, err := m.digestChannel(ctx)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, place, words(text), work.Effect.Wanted)
}

func (m digestMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	place, err := m.digestChannel(ctx)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, place, work.Effect.Wanted)
}

// digestChannel finds the channel of the digest and joins it, so that messages in
// it can be found again.
func (m digestMaker) digestChannel(ctx context.Context) (string, error) {
	channel, err := m.findChannel(ctx, strings.TrimPrefix(m.config.Digest.Channel, "#"))
	if err != nil {
		return "", err
	}
	if !channel.IsMember && !channel.IsPrivate {
		if _, _, _, err := m.api().JoinConversationContext(ctx, channel.ID); err != nil {
			return "", failure(err)
		}
	}
	return channel.ID, nil
}

// agenda is what there is to do, each item in one part.
type agenda struct {
	overdue, week, verify, later, unowned []incidents.ListedAction
}

// digest writes what is open on a Monday; empty when nothing is. What is private
// or a drill's is not in it.
func (m digestMaker) digest(ctx context.Context, monday string) (string, error) {
	items, err := m.config.Digest.Actions(ctx, incidents.ActionQuery{Unfinished: true, Limit: 1000})
	if err != nil {
		return "", fmt.Errorf("list the action items of the week: %w", err)
	}
	a := agendaOf(items, monday)
	open := len(a.overdue) + len(a.week) + len(a.later) + len(a.unowned)
	if open+len(a.verify) == 0 {
		return "", nil
	}
	t := m.text
	lines := []string{t.Text("digest_head", "date", monday), t.Text("digest_count", "open", open, "overdue", len(a.overdue), "verify", len(a.verify))}
	for _, part := range []struct {
		head  string
		items []incidents.ListedAction
	}{{t.Text("digest_overdue"), a.overdue}, {t.Text("digest_week"), a.week}, {t.Text("digest_unowned"), a.unowned}, {t.Text("digest_verify"), a.verify}} {
		if len(part.items) == 0 {
			continue
		}
		lines = append(lines, "", part.head)
		for i, listed := range part.items {
			if i == digestLines {
				lines = append(lines, t.Text("and_more", "count", len(part.items)-i))
				break
			}
			lines = append(lines, m.digestLine(listed))
		}
	}
	if m.config.PublicURL != "" {
		url := strings.TrimRight(m.config.PublicURL, "/") + "/actions"
		lines = append(lines, "", t.Text("digest_link", "url", templates.Markup(link(url, url))))
	}
	return strings.Join(lines, "\n"), nil
}

func agendaOf(items []incidents.ListedAction, monday string) agenda {
	end := ""
	if day, err := time.Parse(time.DateOnly, monday); err == nil {
		end = day.AddDate(0, 0, 7).Format(time.DateOnly)
	}
	var a agenda
	for _, listed := range items {
		inc, item := listed.Incident, listed.Item
		switch {
		case inc.Private || inc.Drill || inc.Status == incidents.Merged || inc.Status == incidents.Declined: // a merge took them along
		case item.Stands() == incidents.ActionDone:
			a.verify = append(a.verify, listed)
		case item.Due != "" && item.Due < monday:
			a.overdue = append(a.overdue, listed)
		case item.Owner.ID == "" && item.Owner.Name == "" || item.Due == "":
			a.unowned = append(a.unowned, listed)
		case item.Due < end:
			a.week = append(a.week, listed)
		default:
			a.later = append(a.later, listed)
		}
	}
	return a
}

// digestLine is an action item in one line.
func (m digestMaker) digestLine(listed incidents.ListedAction) string {
	item := listed.Item
	line := fmt.Sprintf("• *%s* %d: %s", listed.Incident.Key(), item.ID, cutEscaped(item.Text, 160))
	if name := item.Owner.Name; name != "" {
		line += " · " + escape(name)
	}
	if item.Due != "" {
		line += " · " + m.text.Text("digest_due", "due", item.Due)
	}
	return line
}
