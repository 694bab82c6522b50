package pages

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/houston-sre/houston/incidents"
)

// edition answers GET /i/42/postmortem/editions/1: what was published, frozen,
// under an address that stays.
func (p *Pages) edition(w http.ResponseWriter, r *http.Request, v *visit) error {
	return p.frozen(w, r, v, false)
}

// publicEdition answers GET /i/42/postmortem/editions/1/public: the same with
// roles instead of names and without what is internal, ready to be handed on.
//
// It is for those who may see the incident, as every page is: what of it goes
// outside, and when, is for people to say, and nothing that Houston holds is
// open to the world by itself. They hand on the file or the print.
func (p *Pages) publicEdition(w http.ResponseWriter, r *http.Request, v *visit) error {
	return p.frozen(w, r, v, true)
}

func (p *Pages) frozen(w http.ResponseWriter, r *http.Request, v *visit, public bool) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	what := reading{public: public}
	if what.edition, err = editionOf(r.PathValue("edition")); err != nil {
		return err
	}
	if err := mayPublic(inc, what); err != nil {
		return err
	}
	page, err := p.documentPage(r, v, inc, req, what)
	if err != nil {
		return err
	}
	page.Title = page.Row.Key + " " + v.text.Text("web_edition", "number", page.Edition)
	return p.render(w, v, http.StatusOK, "document", page)
}

// mayPublic refuses the public version of a private incident, whose title is
// said nowhere outside, and of a draft, which nobody has agreed to.
func mayPublic(inc incidents.Incident, what reading) error {
	switch {
	case !what.public:
		return nil
	case inc.Private:
		return incidents.Errorf(incidents.Conflict, "%s is private. Its postmortem has no public version.", inc.Key())
	case what.edition == 0:
		return incidents.Errorf(incidents.Conflict, "Only what is published has a public version. Publish the postmortem of %s first.", inc.Key())
	default:
		return nil
	}
}

// editionOf reads the number of an edition.
func editionOf(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, errNoPage
	}
	return n, nil
}

func editionPath(number, edition int64, public bool) string {
	path := fmt.Sprintf("/i/%d/postmortem/editions/%d", number, edition)
	if public {
		path += "/public"
	}
	return path
}
