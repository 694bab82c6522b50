package pages

import (
	"net/http"
	"strconv"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// overviewRows bounds each list of the overview.
const overviewRows = 20

// overviewPage is the first page.
type overviewPage struct {
	Frame

	// How many there are of each, as text; "100+" when there are more.
	OpenCount, Overdue, Unfinished, Gaps string

	Open       []row
	MoreOpen   bool
	Recent     []row // over, the newest first
	StatusPage string
}

// overview answers GET /.
func (p *Pages) overview(w http.ResponseWriter, r *http.Request, v *visit) error {
	visible := p.visible(v)
	query := incidents.Query{Private: visible.Private, Channels: visible.Channels, Open: true, Limit: overviewRows + 1}
	open, err := p.store.Incidents(r.Context(), query)
	if err != nil {
		return err
	}
	query.Open, query.Statuses, query.Limit = false, []incidents.Status{incidents.Resolved, incidents.Closed}, 5
	recent, err := p.store.Incidents(r.Context(), query)
	if err != nil {
		return err
	}
	now := p.config.Clock.Now()
	page := overviewPage{
		Frame: p.frame(v, "overview", v.text.Text("web_overview")), StatusPage: p.config.StatusPage,
		Open: v.rows(open[:min(overviewRows, len(open))], now), MoreOpen: len(open) > overviewRows,
		Recent: v.rows(recent, now),
	}
	if err := p.count(r, v, &page); err != nil {
		return err
	}
	return p.render(w, v, http.StatusOK, "overview", page)
}

// count counts what has to be done, up to a hundred of each.
func (p *Pages) count(r *http.Request, v *visit, page *overviewPage) error {
	visible, store := p.visible(v), p.config.Postmortems.Store()
	open, err := p.store.Incidents(r.Context(), incidents.Query{Private: visible.Private, Channels: visible.Channels, Open: true, Limit: most + 1})
	if err != nil {
		return err
	}
	overdue, err := store.ActionItems(r.Context(), incidents.ActionQuery{
		Unfinished: true, DueBefore: p.config.Clock.Now().In(v.zone).Format(time.DateOnly),
		Private: visible.Private, Channels: visible.Channels, Limit: most + 1,
	})
	if err != nil {
		return err
	}
	unfinished, err := store.Postmortems(r.Context(), incidents.PostmortemQuery{Open: true, Private: visible.Private, Channels: visible.Channels, Limit: most + 1})
	if err != nil {
		return err
	}
	gaps, err := store.Gaps(r.Context(), incidents.GapQuery{
		States: []incidents.GapState{incidents.GapOpen}, Private: visible.Private, Channels: visible.Channels, Limit: most + 1,
	})
	if err != nil {
		return err
	}
	page.OpenCount, page.Overdue = counted(len(open)), counted(len(overdue))
	page.Unfinished, page.Gaps = counted(len(unfinished)), counted(len(gaps))
	return nil
}

// most is how many of each the overview counts; beyond it says "100+".
const most = 100

func counted(n int) string {
	if n > most {
		return strconv.Itoa(most) + "+"
	}
	return strconv.Itoa(n)
}
