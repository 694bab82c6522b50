package pages

import (
	"net/http"

	"github.com/houston-sre/houston/incidents"
)

// overviewRows bounds each list of the overview.
const overviewRows = 20

// overviewPage is the first page.
type overviewPage struct {
	Frame

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
	return p.render(w, v, http.StatusOK, "overview", page)
}
