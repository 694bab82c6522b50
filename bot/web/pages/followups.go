package pages

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

const (
	// itemsShown bounds the action items and the gaps on a page.
	itemsShown = 500
	// mostItems bounds those of a download: people write them one by one.
	mostItems = 1_000_000
)

// actionsPage lists action items of all incidents.
type actionsPage struct {
	Frame

	By        string   // owner, team, due or service
	Teams     []choice // none: there are no teams
	Owner     string
	Incident  string
	Overdue   bool
	Mine      string // id of the reader, for "mine"; empty: none
	States    []choice
	Groups    []actionGroup
	More      bool // than are shown
	CSV, JSON string
	Back      string // where a change leads back to
}

type actionGroup struct {
	Title string
	Rows  []actionRow
}

type actionRow struct {
	Number   int64
	Key      string
	Incident string
	ID       int64
	Text     string
	DoneWhen string
	Owner    string
	Due      string
	Late     bool
	Type     string
	Priority string
	State    tag
	Gap      bool
	Proposed bool
	Link     string
	Notes    []string // the outcome, what the verifier saw, or why it is not done
	Form     actionForm
}

// actions answers GET /actions.
func (p *Pages) actions(w http.ResponseWriter, r *http.Request, v *visit) error {
	page, err := p.actionsPage(r, v)
	if err != nil {
		return err
	}
	return p.render(w, v, http.StatusOK, "actions", page)
}

func (p *Pages) actionsPage(r *http.Request, v *visit) (*actionsPage, error) {
	found, err := p.actionList(r, v, itemsShown+1)
	if err != nil {
		return nil, err
	}
	params := r.URL.Query()
	page := &actionsPage{
		Frame: p.frame(v, "actions", v.text.Text("web_actions")), By: cmp.Or(params.Get("by"), "owner"), Owner: params.Get("owner"),
		Incident: params.Get("incident"), Overdue: params.Get("overdue") != "", Mine: v.actor.ID,
		CSV: "/actions.csv" + filters(r, nil), JSON: "/actions.json" + filters(r, nil), Back: r.URL.RequestURI(),
	}
	page.Said = v.saidOf(params.Get("said"))
	asked := params.Get("state")
	page.States = append(page.States, choice{tag{"unfinished", v.text.Text("web_unfinished")}, asked == "" || asked == "unfinished"}, choice{tag{"all", v.text.Text("web_all")}, asked == "all"})
	for _, s := range incidents.ActionStates() {
		page.States = append(page.States, choice{v.actionState(s), asked == string(s)})
	}
	for _, team := range p.config.Teams {
		page.Teams = append(page.Teams, choice{tag{team.Name, team.Name}, params.Get("team") == team.Name})
	}
	today := p.config.Clock.Now().In(v.zone).Format(time.DateOnly)
	groups := map[string][]actionRow{}
	page.More = len(found) > itemsShown
	for _, a := range found[:min(itemsShown, len(found))] {
		row := v.actionRow(a, today)
		title := cmp.Or(row.Owner, v.text.Text("web_nobody"))
		switch page.By {
		case "team":
			title = cmp.Or(p.teamOf(a.Item.Owner.ID), v.text.Text("web_no_team"))
		case "due":
			title = cmp.Or(row.Due, v.text.Text("web_no_date"))
		case "service":
			title = cmp.Or(a.Incident.Service, v.text.Text("web_no_service"))
		}
		groups[title] = append(groups[title], row)
	}
	for _, title := range slices.Sorted(maps.Keys(groups)) {
		page.Groups = append(page.Groups, actionGroup{title, groups[title]})
	}
	return page, nil
}

// teamOf gives the name of the first team that a person is in, "" when he is in none.
func (p *Pages) teamOf(person string) string {
	for _, team := range p.config.Teams {
		if slices.Contains(team.Members(), person) {
			return team.Name
		}
	}
	return ""
}

// teamMembers gives the people of a team by its name.
func (p *Pages) teamMembers(name string) ([]string, error) {
	for _, team := range p.config.Teams {
		if team.Name == name {
			return append([]string{}, team.Members()...), nil
		}
	}
	return nil, incidents.Errorf(incidents.Invalid, "There is no team %q.", name)
}

func (p *Pages) actionList(r *http.Request, v *visit, limit int) ([]incidents.ListedAction, error) {
	visible, params := p.visible(v), r.URL.Query()
	query := incidents.ActionQuery{Owner: params.Get("owner"), Private: visible.Private, Channels: visible.Channels, Limit: limit}
	if key := params.Get("incident"); key != "" {
		number, err := incidents.ParseKey(key)
		if err != nil {
			return nil, err
		}
		query.Incident = number
	}
	if team := params.Get("team"); team != "" {
		members, err := p.teamMembers(team)
		if err != nil {
			return nil, err
		}
		query.Owners = members
	}
	switch state := params.Get("state"); state {
	case "", "unfinished":
		query.Unfinished = true
	case "all":
	default:
		s, err := incidents.ParseActionState(state)
		if err != nil {
			return nil, err
		}
		query.States = []incidents.ActionState{s}
	}
	if params.Get("overdue") != "" {
		query.Unfinished, query.DueBefore = true, p.config.Clock.Now().In(v.zone).Format(time.DateOnly)
	}
	return p.config.Postmortems.Store().ActionItems(r.Context(), query)
}

func (v *visit) actionRow(a incidents.ListedAction, today string) actionRow {
	item := a.Item
	row := actionRow{
		Number: a.Incident.Number, Key: a.Incident.Key(), Incident: a.Incident.Title, ID: item.ID, Text: item.Text,
		DoneWhen: item.DoneWhen, Owner: item.Owner.Name, Due: item.Due, Late: item.Due != "" && item.Due < today && item.Unfinished(),
		Type: v.actionType(item.Type), Priority: strings.ToUpper(string(item.Priority)), State: v.actionState(item.Stands()),
		Gap: item.Gap, Proposed: item.Proposed, Link: webLink(item.Link), Notes: slices.DeleteFunc([]string{item.Outcome, item.Verification, item.Reason}, func(s string) bool { return s == "" }),
	}
	row.Form = v.actionForm(item)
	return row
}

// actionsFile answers GET /actions.json and .csv.
func (p *Pages) actionsFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	found, err := p.actionList(r, v, mostItems)
	if err != nil {
		return err
	}
	head := []string{"incident", "id", "text", "owner", "due", "type", "priority", "state", "done_when", "link"}
	table := make([][]string, 0, len(found))
	for _, a := range found {
		table = append(table, []string{
			a.Incident.Key(), strconv.FormatInt(a.Item.ID, 10), a.Item.Text, a.Item.Owner.Name, a.Item.Due, string(a.Item.Type),
			string(a.Item.Priority), string(a.Item.Stands()), a.Item.DoneWhen, a.Item.Link,
		})
	}
	return writeTable(w, r, "actions", head, table)
}

// gapsPage lists monitoring gaps of all incidents.
type gapsPage struct {
	Frame

	Incident  string
	States    []choice
	Rows      []gapRow
	More      bool // than are shown
	CSV, JSON string
	Back      string
}

type gapRow struct {
	Number   int64
	Key      string
	Incident string
	ID       int64
	Signal   string
	Kind     string
	Expr     string
	For      string
	State    tag
	Reason   string
	Proposed bool
	Open     bool
	Action   string
	Checked  *moment
	Verdict  string

	Was    string // digest of the state
	Typed  string // the reason, when it could not be stored
	Wrong  string // and why
	Unfold bool
}

// gaps answers GET /gaps.
func (p *Pages) gaps(w http.ResponseWriter, r *http.Request, v *visit) error {
	page, err := p.gapsPage(r, v)
	if err != nil {
		return err
	}
	return p.render(w, v, http.StatusOK, "gaps", page)
}

func (p *Pages) gapsPage(r *http.Request, v *visit) (*gapsPage, error) {
	found, err := p.gapList(r, v, itemsShown+1)
	if err != nil {
		return nil, err
	}
	page := &gapsPage{
		Frame: p.frame(v, "gaps", v.text.Text("web_gaps")), Incident: r.URL.Query().Get("incident"),
		CSV: "/gaps.csv" + filters(r, nil), JSON: "/gaps.json" + filters(r, nil), Back: r.URL.RequestURI(),
	}
	asked := r.URL.Query().Get("state")
	for _, s := range incidents.GapStates() {
		page.States = append(page.States, choice{v.gapState(s), asked == string(s)})
	}
	page.More = len(found) > itemsShown
	for _, g := range found[:min(itemsShown, len(found))] {
		row := gapRow{
			Number: g.Incident.Number, Key: g.Incident.Key(), Incident: g.Incident.Title, ID: g.Gap.ID, Signal: g.Gap.Signal,
			Kind: v.gapKind(g.Gap.Kind), Expr: g.Gap.Expr, For: g.Gap.For, State: v.gapState(g.Gap.State), Reason: g.Gap.Reason,
			Proposed: g.Gap.Proposed, Open: g.Gap.State == incidents.GapOpen, Was: digest(string(g.Gap.State)),
		}
		if item, ok := g.Incident.ClosedBy(g.Gap); ok {
			row.Action = item.Text
		}
		if n := len(g.Gap.Checks); n > 0 {
			row.Checked, row.Verdict = v.moment(g.Gap.Checks[n-1].At), v.verdict(g.Gap.Checks[n-1].Verdict)
		}
		page.Rows = append(page.Rows, row)
	}
	return page, nil
}

func (p *Pages) gapList(r *http.Request, v *visit, limit int) ([]incidents.ListedGap, error) {
	visible, params := p.visible(v), r.URL.Query()
	query := incidents.GapQuery{Private: visible.Private, Channels: visible.Channels, Limit: limit}
	if key := params.Get("incident"); key != "" {
		number, err := incidents.ParseKey(key)
		if err != nil {
			return nil, err
		}
		query.Incident = number
	}
	if state := params.Get("state"); state != "" {
		if !slices.Contains(incidents.GapStates(), incidents.GapState(state)) {
			return nil, incidents.Errorf(incidents.Invalid, "%q is no state of a monitoring gap. Use one of open, closed, accepted.", state)
		}
		query.States = []incidents.GapState{incidents.GapState(state)}
	}
	return p.config.Postmortems.Store().Gaps(r.Context(), query)
}

// gapsFile answers GET /gaps.json and .csv.
func (p *Pages) gapsFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	found, err := p.gapList(r, v, mostItems)
	if err != nil {
		return err
	}
	head := []string{"incident", "id", "signal", "kind", "expr", "for", "state", "reason"}
	table := make([][]string, 0, len(found))
	for _, g := range found {
		table = append(table, []string{
			g.Incident.Key(), strconv.FormatInt(g.Gap.ID, 10), g.Gap.Signal, string(g.Gap.Kind), g.Gap.Expr, g.Gap.For, string(g.Gap.State), g.Gap.Reason,
		})
	}
	return writeTable(w, r, "gaps", head, table)
}
