package pages

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// acceptGap answers POST /i/42/gaps/1: it stays as it is, for a reason.
func (p *Pages) acceptGap(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return errNoPage
	}
	state, reason := incidents.GapAccepted, strings.TrimSpace(r.PostFormValue("reason"))
	_, err = p.service.Do(r.Context(), inc.Number, incidents.ChangeGap{
		Request: req, ID: id, State: &state, Reason: &reason,
		Gate: func(now incidents.Gap) error {
			if was := r.PostFormValue("was.state"); was != "" && digest(string(now.State)) != was {
				return errMeanwhile
			}
			return nil
		},
	})
	back := within(cmp.Or(r.PostFormValue("back"), "/gaps"))
	if err == nil {
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
	return p.gapRefused(w, r, v, err, back)
}

// gapRefused shows the list with the reason that was typed and why it was not
// stored.
func (p *Pages) gapRefused(w http.ResponseWriter, r *http.Request, v *visit, err error, back string) error {
	e, list, ok := refusedIn(r, err, back)
	if !ok {
		return err
	}
	page, listErr := p.gapsPage(list, v)
	if listErr != nil {
		return err
	}
	for i := range page.Rows {
		row := &page.Rows[i]
		if isNamed(r, row.Number, row.ID) {
			row.Typed, row.Wrong, row.Unfold = r.PostFormValue("reason"), v.text.Say(e), true
			return p.render(w, v, refusedAs(e), "gaps", page)
		}
	}
	return err // the gap is not on that list any more
}
