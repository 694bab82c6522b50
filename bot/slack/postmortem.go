package slack

import (
	"context"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
	"github.com/houston-sre/houston/templates"
)

// The buttons that take a postmortem on; their value is the incident's key.
const (
	ActionPostmortemReview  = "postmortem_review"
	ActionPostmortemApprove = "postmortem_approve"
	ActionPostmortemPublish = "postmortem_publish"
	ActionPostmortemBack    = "postmortem_back"
	ActionPostmortemWaive   = "postmortem_waive" // opens the form that asks why
	ActionPostmortemReopen  = "postmortem_reopen"
)

// Postmortems is the door to postmortems.
type Postmortems interface {
	Sheet(ctx context.Context, number int64, req incidents.Request) (postmortem.Sheet, error)
	Move(ctx context.Context, number int64, move postmortem.Move) (incidents.Incident, error)
}

// shownFindings is how many of a document's findings an answer lists; the page
// has all of them.
const shownFindings = 8

// postmortem is the verb: alone it tells how the document stands, with a word it
// takes it on.
func (e *Edge) postmortem(ctx context.Context, o order) (reply, error) {
	word, rest := splitWord(o.rest)
	move := postmortem.Move{Request: o.Request, Reason: e.plain(rest)}
	switch strings.ToLower(word) {
	case "":
		return e.showPostmortem(ctx, o.Request, o.number)
	case "review", "prüfen":
		move.To = incidents.PostmortemInReview
	case "approve", "freigeben":
		move.To = incidents.PostmortemApproved
	case "publish", "veröffentlichen":
		move.To = incidents.PostmortemPublished
	case "waive", "verzichten":
		move.To = incidents.PostmortemWaived
	case "draft", "back", "reopen", "zurück", "öffnen":
		move.To = incidents.PostmortemDraft
	case "owner", "verantwortlich":
		person, err := e.config.Directory.Find(ctx, rest)
		if err != nil {
			return reply{}, err
		}
		return e.did(ctx, o.number, incidents.StaffPostmortem{Request: o.Request, Owner: &person}, e.sayStaffed(o.Actor.ID))
	case "approver", "freigabe":
		person, err := e.config.Directory.Find(ctx, rest)
		if err != nil {
			return reply{}, err
		}
		return e.did(ctx, o.number, incidents.StaffPostmortem{Request: o.Request, Approver: &person}, func(inc incidents.Incident) string {
			return e.textFor(o.Actor.ID).Text("done_approver", "key", inc.Key(), "approver", templates.Markup(mention(person.ID, person.Name)))
		})
	case "reviewers", "prüfer":
		var people []incidents.Person
		for who := range strings.FieldsSeq(rest) {
			person, err := e.config.Directory.Find(ctx, who)
			if err != nil {
				return reply{}, err
			}
			people = append(people, person)
		}
		return e.did(ctx, o.number, incidents.StaffPostmortem{Request: o.Request, Reviewers: &people}, e.sayStaffed(o.Actor.ID))
	case "meeting", "termin":
		return e.planReview(ctx, o, rest)
	default:
		return say(e.textFor(o.Actor.ID).Text("postmortem_usage", "command", e.config.Command)), nil
	}
	return e.movePostmortem(ctx, o.number, move)
}

func (e *Edge) sayStaffed(user string) sayer {
	return func(inc incidents.Incident) string {
		owner, _ := inc.PostmortemOwner()
		return e.textFor(user).Text("done_staffed", "key", inc.Key(), "owner", templates.Markup(mention(owner.ID, owner.Name)))
	}
}

func (e *Edge) movePostmortem(ctx context.Context, number int64, move postmortem.Move) (reply, error) {
	inc, err := e.config.Postmortems.Move(ctx, number, move)
	if err != nil {
		return reply{}, err
	}
	return say(e.textFor(move.Actor.ID).Text("done_postmortem", "key", inc.Key(), "state", move.To)), nil
}

// planReview proposes the review meeting: "2030-01-31 14:00", in the asker's zone.
func (e *Edge) planReview(ctx context.Context, o order, when string) (reply, error) {
	at, err := parseWhen(e.plain(when), e.config.Clock.Now(), e.config.Directory.Zone(o.Actor.ID))
	if err != nil {
		return reply{}, err
	}
	return e.did(ctx, o.number, incidents.PlanReview{Request: o.Request, At: at}, func(inc incidents.Incident) string {
		return e.textFor(o.Actor.ID).Text("done_meeting", "key", inc.Key())
	})
}

// showPostmortem tells how a document stands, what it lacks, and offers what
// can be done next.
func (e *Edge) showPostmortem(ctx context.Context, req incidents.Request, number int64) (reply, error) {
	sheet, err := e.config.Postmortems.Sheet(ctx, number, req)
	if err != nil {
		return reply{}, err
	}
	t, inc := e.textFor(req.Actor.ID), sheet.Incident
	owner := templates.Markup(t.Text("nobody"))
	if p, ok := inc.PostmortemOwner(); ok {
		owner = templates.Markup(mention(p.ID, p.Name))
	}
	lines := []string{t.Text("postmortem_stands", "key", inc.Key(), "state", inc.Postmortem.Stands(), "owner", owner, "rev", inc.Postmortem.Rev)}
	if url := e.documentURL(inc); url != "" {
		lines = append(lines, t.Text("postmortem_link", "url", templates.Markup(link(url, url))))
	}
	if inc.Postmortem.Open() && len(sheet.Findings) > 0 {
		lines = append(lines, t.Text("postmortem_lacks"))
		for i, f := range sheet.Findings {
			if i == shownFindings {
				lines = append(lines, t.Text("and_more", "count", len(sheet.Findings)-i))
				break
			}
			lines = append(lines, "• "+escape(f.Text))
		}
	}
	return reply{text: strings.Join(lines, "\n"), button: nextSteps(e.textFor(req.Actor.ID).Plain(), inc)}, nil
}

// documentURL is the page of a postmortem, empty where nobody said how people
// reach Houston.
func (e *Edge) documentURL(inc incidents.Incident) string {
	if e.config.PublicURL == "" {
		return ""
	}
	return strings.TrimRight(e.config.PublicURL, "/") + "/incidents/" + inc.Key() + "/postmortem"
}

// nextSteps are the buttons for what can be done to a postmortem now; nil while
// the incident is open.
func nextSteps(t *templates.Catalogue, inc incidents.Incident) *slackgo.ActionBlock {
	if inc.Status.Open() || inc.Status == incidents.Declined || inc.Status == incidents.Merged {
		return nil
	}
	step := func(action, text string, style slackgo.Style) slackgo.BlockElement {
		return button(action, text, inc.Key(), style)
	}
	const plain = slackgo.StyleDefault
	switch inc.Postmortem.Stands() {
	case incidents.PostmortemDraft:
		return slackgo.NewActionBlock("postmortem", step(ActionPostmortemReview, t.Text("button_postmortem_review"), slackgo.StylePrimary),
			step(ActionPostmortemWaive, t.Text("button_postmortem_waive"), plain))
	case incidents.PostmortemInReview:
		return slackgo.NewActionBlock("postmortem", step(ActionPostmortemApprove, t.Text("button_postmortem_approve"), slackgo.StylePrimary),
			step(ActionPostmortemBack, t.Text("button_postmortem_back"), plain))
	case incidents.PostmortemApproved:
		return slackgo.NewActionBlock("postmortem", step(ActionPostmortemPublish, t.Text("button_postmortem_publish"), slackgo.StylePrimary))
	default:
		return slackgo.NewActionBlock("postmortem", step(ActionPostmortemReopen, t.Text("button_postmortem_reopen"), plain))
	}
}

// pressPostmortem is the pressing of a button that takes a postmortem to a state.
func pressPostmortem(to incidents.PostmortemState) pressing {
	return onIncident(func(e *Edge, ctx context.Context, c click, number int64) (reply, error) {
		return e.movePostmortem(ctx, number, postmortem.Move{Request: c.Request, To: to})
	})
}

// postmortemClicks are the entries of the table of clicks.
func postmortemClicks() map[string]pressing {
	return map[string]pressing{
		ActionPostmortemReview:  pressPostmortem(incidents.PostmortemInReview),
		ActionPostmortemApprove: pressPostmortem(incidents.PostmortemApproved),
		ActionPostmortemPublish: pressPostmortem(incidents.PostmortemPublished),
		ActionPostmortemBack:    pressPostmortem(incidents.PostmortemDraft),
		ActionPostmortemReopen:  pressPostmortem(incidents.PostmortemDraft),
		ActionPostmortemWaive:   onIncident((*Edge).pressWaive),
	}
}
