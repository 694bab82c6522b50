package slack

import (
	"fmt"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// clockMarkup shows a moment to each reader in his own zone; who can not is
// shown UTC (https://docs.slack.dev/messaging/formatting-message-text#date-formatting).
func clockMarkup(at time.Time) templates.Markup {
	return templates.Markup(fmt.Sprintf("<!date^%d^{time}|%s>", at.Unix(), at.UTC().Format("15:04 UTC")))
}

// updateText tells an update, the status it came with and when the next is due.
func (o *Outbound) updateText(number int64, data incidents.UpdatePosted, who templates.Markup) string {
	text := o.fit(number, data.Text, maxPost)
	told := o.text.Text("post_update", "person", who, "text", text)
	if data.Status != "" {
		told = o.text.Text("post_update_status", "person", who, "status", data.Status, "text", text)
	}
	if !data.Next.IsZero() {
		told += "\n" + o.text.Text("post_update_next", "time", clockMarkup(data.Next))
	}
	return told
}

// handoverText tells who takes over from whom, and what he has to know: he is
// mentioned, so Slack tells him.
func (o *Outbound) handoverText(inc incidents.Incident, e incidents.Event, data incidents.RoleAssigned) string {
	lines := []string{o.text.Text("post_handover",
		"person", templates.Markup(mention(data.Person.ID, data.Person.Name)), "role", data.Role, "time", clockMarkup(e.At),
		"previous", templates.Markup(mention(data.Previous.ID, data.Previous.Name)))}
	if data.Summary != "" {
		lines = append(lines, ">"+strings.ReplaceAll(string(o.fit(inc.Number, data.Summary, 2000)), "\n", "\n>"))
	}
	if open := o.open(inc); open != "" {
		lines = append(lines, o.text.Text("post_handover_open", "what", templates.Markup(open)))
	}
	return strings.Join(lines, "\n")
}

// open says in a few words what an incident waits for, as markup.
func (o *Outbound) open(inc incidents.Incident) string {
	var parts []string
	if !inc.UpdateDue.IsZero() {
		parts = append(parts, o.text.Text("card_next_update", "time", clockMarkup(inc.UpdateDue)))
	}
	if n := inc.AlertsFiring(); n > 0 {
		parts = append(parts, o.firingText(n))
	}
	if inc.Notice != nil && inc.Notice.Status() != incidents.NoticeResolved {
		parts = append(parts, o.text.Text("card_notice", "status", inc.Notice.Status()))
	}
	return strings.Join(parts, " · ")
}
