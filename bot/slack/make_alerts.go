package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// How much of an incident's alerts its list shows: a message takes 50 blocks and
// people read fewer.
const (
	maxListedAlerts = 10
	maxListedGroups = 15
	maxAlertURL     = 1000 // a longer link would leave no room for words
)

// alertsMaker lists the alerts of an incident in its channel, each with its
// links, in one message that is kept current.
type alertsMaker struct{ *Outbound }

func (m alertsMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	list, err := m.alertsMessage(ctx, work.Incident)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, list, work.Incident.Seq)
}

func (m alertsMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 0)
}

func (m alertsMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	list, err := m.alertsMessage(ctx, work.Incident)
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, list, work.Incident.Seq)
}

// alertsMessage lists an incident's groups of alerts when there are several, and
// its alerts: those that fire first.
func (o *Outbound) alertsMessage(ctx context.Context, inc incidents.Incident) (posting, error) {
	alerts, err := o.config.Store.Alerts(ctx, inc.Number, maxListedAlerts)
	if err != nil {
		return posting{}, fmt.Errorf("load the alerts of %s: %w", inc.Key(), err)
	}
	groups, n, err := o.config.Store.GroupsOf(ctx, inc.Number, maxListedGroups)
	if err != nil {
		return posting{}, fmt.Errorf("load the alert groups of %s: %w", inc.Key(), err)
	}
	head := o.text.Text("alerts_head", "firing", o.firingText(inc.AlertsFiring())) + o.unseenText(inc.AlertsUnseen())
	if inc.Runbook != "" {
		head += " · " + link(inc.Runbook, o.config.Text.Text("alerts_runbook"))
	}
	m := words(head)
	if n > 1 {
		m.Blocks = append(m.Blocks, section(o.groupLines(groups, n)))
	}
	elsewhere := map[string]bool{} // groups that no Alertmanager keeps quiet
	for _, g := range groups {
		elsewhere[g.ID] = !g.Alertmanager
	}
	shown := 0
	for _, a := range alerts {
		block := o.alertBlock(inc, a)
		if a.Firing && inc.Status.Open() && o.config.Silencing && !elsewhere[a.Group] && !silenced(inc, a) {
			block.Accessory = o.silenceButton(inc, a)
		}
		m.Blocks = append(m.Blocks, block)
		if a.Firing {
			shown++
		}
	}
	if more := inc.AlertsFiring() - shown; more > 0 {
		m.Blocks = append(m.Blocks, section(o.text.Text("alerts_more", "count", more)))
	}
	return m, nil
}

// unseenText says that a sender left alerts out; nothing when it did not.
func (o *Outbound) unseenText(n int) string {
	if n == 0 {
		return ""
	}
	return " · " + o.text.Text("alerts_unseen", "count", n)
}

func (o *Outbound) groupLines(groups []incidents.AlertGroup, n int) string {
	lines := []string{o.text.Text("alerts_groups", "count", n)}
	for _, g := range groups {
		line := "• " + cutEscaped(oneLine(g.Title), 100) + ": " + o.firingText(g.Firing)
		if labels := labelText(g.Labels); labels != "" {
			line += " · " + cut(labels, 60)
		}
		lines = append(lines, line)
	}
	if more := n - len(groups); more > 0 {
		lines = append(lines, o.text.Text("alerts_more_groups", "count", more))
	}
	return strings.Join(lines, "\n")
}

// alertBlock shows one alert, with links to where it comes from.
func (o *Outbound) alertBlock(inc incidents.Incident, a incidents.Alert) *slackgo.SectionBlock {
	sign := ":white_check_mark:"
	switch {
	case a.Firing && silenced(inc, a):
		sign = ":no_bell:"
	case a.Firing:
		sign = ":fire:"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s *%s*", sign, cutEscaped(oneLine(a.Name()), 100))
	if labels := labelText(a.Labels); labels != "" {
		text.WriteString(" · " + labels)
	}
	if since := firstTime(a.StartsAt, a.SeenAt); !since.IsZero() {
		text.WriteString(" · " + o.text.Text("alerts_since", "time", slackTime(since)))
	}
	for _, line := range []string{a.Reading(), a.Annotations["summary"], a.Annotations["description"]} {
		if line != "" {
			text.WriteString("\n" + cutEscaped(oneLine(line), 250))
			break
		}
	}
	var links []string
	for _, to := range [][2]string{
		{a.URL, o.config.Text.Text("alerts_source")},
		{a.Annotations["runbook_url"], o.config.Text.Text("alerts_runbook")},
		{a.Annotations["dashboard_url"], o.config.Text.Text("alerts_dashboard")},
	} {
		if linkable(to[0]) {
			links = append(links, link(to[0], to[1]))
		}
	}
	if len(links) > 0 {
		text.WriteString("\n" + strings.Join(links, " · "))
	}
	return section(text.String())
}

// silenced reports whether Houston has silenced an alert for its incident.
func silenced(inc incidents.Incident, a incidents.Alert) bool {
	return slices.ContainsFunc(inc.Silences, func(s incidents.Silence) bool { return s.Covers(a.Labels) })
}

// linkable reports whether people may be led to where an alert points:
// Alertmanager passes on any URL, javascript ones too.
func linkable(url string) bool {
	return len(url) <= maxAlertURL && strings.HasPrefix(link(url, "x"), "<http")
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() && t.Unix() > 0 {
			return t
		}
	}
	return time.Time{}
}

// slackTime shows a moment in each reader's own time.
// https://docs.slack.dev/messaging/formatting-message-text#date-formatting
func slackTime(at time.Time) templates.Markup {
	return templates.Markup(fmt.Sprintf("<!date^%d^{date_short_pretty} {time}|%s>", at.Unix(), at.UTC().Format("2006-01-02 15:04 UTC")))
}
