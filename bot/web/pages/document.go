package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// documentPage is a postmortem to read and to print.
type documentPage struct {
	Frame

	Row          row
	State        tag
	Editions     []edition
	Edition      int64 // that is shown; 0: as it stands
	Public       bool  // with roles instead of names
	Hash         string
	Permalink    string // of what is frozen; empty for what is not
	Narrower     string // for whom it was written, when that is fewer than the public version is for
	Files        string // address of its files without the format, and what stands behind it
	FilesQuery   string
	DocumentLang string // may be another than the reader's
	Open         bool
	Staffing     *staffing // nil: nothing is to be changed
	Body         template.HTML
}

// edition is one publication.
type edition struct {
	Number int64
	At     *moment
	By     string
}

// document answers GET /i/42/postmortem: the latest edition where it is
// published, else the document as it stands.
func (p *Pages) document(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	if text := r.URL.Query().Get("edition"); text != "" { // as feeds had it once
		number, err := editionOf(text)
		if err != nil {
			return err
		}
		http.Redirect(w, r, editionPath(inc.Number, number, false), http.StatusFound)
		return nil
	}
	page, err := p.documentPage(r, v, inc, req, reading{})
	if err != nil {
		return err
	}
	page.Said = v.saidOf(r.URL.Query().Get("said"))
	return p.render(w, v, http.StatusOK, "document", page)
}

// reading is what of a postmortem is read.
type reading struct {
	edition int64 // 0: the latest where it is published, else the document as it stands
	public  bool
}

// documentPage lays a document out to be read.
func (p *Pages) documentPage(r *http.Request, v *visit, inc incidents.Incident, req incidents.Request, what reading) (*documentPage, error) {
	page := &documentPage{
		Frame: p.frame(v, "postmortems", inc.Key()+" "+v.text.Text("web_postmortem")), Row: v.row(inc, p.config.Clock.Now()),
		State: v.postmortemState(inc.Postmortem.Stands()), Open: inc.Postmortem.Open(), Public: what.public,
	}
	page.Printed = true
	doc, publication, err := p.read(r, inc, req, what)
	if err != nil {
		return nil, err
	}
	page.Edition, page.Hash, page.DocumentLang = publication.Edition, publication.Hash, string(doc.Language)
	page.Files = fmt.Sprintf("/i/%d/postmortem", inc.Number)
	if page.Edition > 0 {
		page.FilesQuery = "?edition=" + strconv.FormatInt(page.Edition, 10)
		page.Permalink = p.host(r) + editionPath(inc.Number, page.Edition, what.public)
	}
	if what.public {
		page.FilesQuery += "&version=public"
		page.Row.Title = doc.Facts.Title // without names
		if doc.Audience != postmortem.ForPublic {
			page.Narrower = v.optionLabel("audience", string(doc.Audience))
		}
	}
	published, err := p.config.Postmortems.Store().Publications(r.Context(), inc.Number, overviewRows)
	if err != nil {
		return nil, err
	}
	for _, e := range published {
		page.Editions = append(page.Editions, edition{e.Edition, v.moment(e.At), e.By.Name})
	}
	if page.Open && page.Edition == 0 {
		page.Staffing = v.staffing(inc, tookPart(doc), p.config.Clock.Now())
	}
	if page.Body, err = p.body(doc); err != nil {
		return nil, err
	}
	return page, nil
}

// tookPart lists whom a document names.
func tookPart(doc postmortem.Document) []incidents.Person {
	var people []incidents.Person
	for _, h := range doc.People {
		people = append(people, h.Person)
	}
	for _, h := range doc.Facts.Roles {
		people = append(people, h.Person)
	}
	return append(append(people, doc.Authors...), doc.Reviewers...)
}

// read loads what is read. Of an edition it gives the publication, of its public
// version one with the hash of that.
func (p *Pages) read(r *http.Request, inc incidents.Incident, req incidents.Request, what reading) (postmortem.Document, incidents.Publication, error) {
	if what.edition == 0 && inc.Postmortem.Stands() != incidents.PostmortemPublished {
		doc, err := p.config.Postmortems.Current(r.Context(), inc.Number, req)
		return doc, incidents.Publication{}, err
	}
	doc, publication, err := p.config.Postmortems.Published(r.Context(), inc.Number, what.edition, req)
	if err != nil || !what.public {
		return doc, publication, err
	}
	doc = postmortem.PublicOf(doc)
	raw, err := doc.Marshal()
	if err != nil {
		return doc, publication, err
	}
	publication.Hash = postmortem.Hash(raw)
	return doc, publication, nil
}

// body is what the exporter writes between <main> and </main>: the page shows
// exactly what the file holds.
func (p *Pages) body(doc postmortem.Document) (template.HTML, error) {
	_, raw, err := p.config.Render("html", doc)
	if err != nil {
		return "", err
	}
	_, rest, found := bytes.Cut(raw, []byte("<main>"))
	inner, _, closed := bytes.Cut(rest, []byte("</main>"))
	if !found || !closed {
		return "", errors.New("the postmortem's HTML has no <main>")
	}
	return template.HTML(inner), nil //nolint:gosec // the exporter escaped it
}

// file answers GET /i/42/postmortem.md and the like: the document, or the
// timeline, as a file.
func (p *Pages) file(w http.ResponseWriter, r *http.Request, v *visit) error {
	if name := r.PathValue("file"); name == "timeline.csv" || name == "timeline.json" {
		return p.timelineFile(w, r, v)
	}
	format, ok := strings.CutPrefix(r.PathValue("file"), "postmortem.")
	if !ok {
		return errNoPage
	}
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	what := reading{public: r.URL.Query().Get("version") == "public"}
	if text := r.URL.Query().Get("edition"); text != "" {
		if what.edition, err = editionOf(text); err != nil {
			return err
		}
	}
	if err := mayPublic(inc, what); err != nil {
		return err
	}
	doc, publication, err := p.read(r, inc, req, what)
	if err != nil {
		return err
	}
	name, raw, err := p.config.Render(format, doc)
	if err != nil {
		return err
	}
	if format == "json" && publication.Edition > 0 && !what.public {
		raw = publication.Document // as it was frozen, which its hash is of
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	_, _ = w.Write(raw)
	return nil
}

// move answers POST /i/42/postmortem/state: the workflow.
func (p *Pages) move(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	rev, err := strconv.ParseInt(r.PostFormValue("rev"), 10, 64)
	if err != nil {
		return incidents.Errorf(incidents.Invalid, "The form does not say which revision it is about. Open the page again.")
	}
	to, reason := incidents.PostmortemState(r.PostFormValue("to")), strings.TrimSpace(r.PostFormValue("reason"))
	_, err = p.config.Postmortems.Move(r.Context(), inc.Number, postmortem.Move{Request: req, To: to, Reason: reason, Rev: &rev})
	if e, ok := shown(err); ok {
		return p.notMoved(w, r, v, e, to, reason)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, fmt.Sprintf("/i/%d/postmortem/edit?said=moved", inc.Number), http.StatusSeeOther)
	return nil
}

// notMoved shows the editor with why a postmortem did not go on.
func (p *Pages) notMoved(w http.ResponseWriter, r *http.Request, v *visit, why *incidents.Error, to incidents.PostmortemState, reason string) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	sheet, err := p.config.Postmortems.Sheet(r.Context(), inc.Number, req)
	if err != nil {
		return err
	}
	page := p.editor(v, sheet)
	said := v.text.Say(why)
	page.Errors = []string{said}
	offered := false
	for i := range page.Moves {
		if page.Moves[i].To == string(to) {
			page.Moves[i].Typed, offered = reason, true
			if why.Field == "reason" {
				page.Moves[i].Wrong, page.Errors = said, nil
			}
		}
	}
	if !offered && reason != "" {
		return why // there is no place for the reason on the page any more
	}
	return p.render(w, v, refusedAs(why), "edit", page)
}

// postmortemsPage is the list of postmortems.
type postmortemsPage struct {
	Frame

	Rows      []postmortemRow
	States    []choice
	Next      string
	CSV, JSON string
}

type postmortemRow struct {
	row

	State   tag
	Owner   string
	Edition int64
}

// postmortems answers GET /postmortems.
func (p *Pages) postmortems(w http.ResponseWriter, r *http.Request, v *visit) error {
	query, err := p.postmortemQuery(r, v)
	if err != nil {
		return err
	}
	query.Limit = perPage + 1
	found, err := p.config.Postmortems.Store().Postmortems(r.Context(), query)
	if err != nil {
		return err
	}
	page := postmortemsPage{
		Frame: p.frame(v, "postmortems", v.text.Text("web_postmortems")),
		CSV:   "/postmortems.csv" + filters(r, nil), JSON: "/postmortems.json" + filters(r, nil),
	}
	page.Feed = "/postmortems.atom"
	now := p.config.Clock.Now()
	for _, inc := range found[:min(perPage, len(found))] {
		owner, _ := inc.PostmortemOwner()
		page.Rows = append(page.Rows, postmortemRow{v.row(inc, now), v.postmortemState(inc.Postmortem.Stands()), owner.Name, inc.Postmortem.Edition})
	}
	asked := r.URL.Query().Get("state")
	page.States = append(page.States, choice{tag{"open", v.text.Text("web_unfinished")}, asked == "open"})
	for _, s := range incidents.PostmortemStates() {
		page.States = append(page.States, choice{v.postmortemState(s), asked == string(s)})
	}
	if len(found) > perPage {
		page.Next = "/postmortems" + filters(r, map[string]string{"before": strconv.FormatInt(found[perPage-1].Number, 10)})
	}
	return p.render(w, v, http.StatusOK, "postmortems", page)
}

// postmortemQuery reads the filters of the list's address.
func (p *Pages) postmortemQuery(r *http.Request, v *visit) (incidents.PostmortemQuery, error) {
	visible, params := p.visible(v), r.URL.Query()
	query := incidents.PostmortemQuery{Private: visible.Private, Channels: visible.Channels}
	switch state := incidents.PostmortemState(params.Get("state")); {
	case state == "":
	case state == "open":
		query.Open = true
	case slices.Contains(incidents.PostmortemStates(), state):
		query.States = []incidents.PostmortemState{state}
	default:
		return query, incidents.Errorf(incidents.Invalid, "%q is no state of a postmortem. Use one of open, draft, in_review, approved, published, waived.", string(state))
	}
	if text := params.Get("before"); text != "" {
		before, err := strconv.ParseInt(text, 10, 64)
		if err != nil || before < 1 {
			return query, incidents.Errorf(incidents.Invalid, "%q is no place in this list. Begin at its first page.", text)
		}
		query.Before = before
	}
	return query, nil
}

// postmortemsFile answers GET /postmortems.json and .csv.
func (p *Pages) postmortemsFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	query, err := p.postmortemQuery(r, v)
	if err != nil {
		return err
	}
	query.Limit = mostItems
	found, err := p.config.Postmortems.Store().Postmortems(r.Context(), query)
	if err != nil {
		return err
	}
	head := []string{"key", "title", "severity", "state", "owner", "edition"}
	table := make([][]string, 0, len(found))
	for _, inc := range found {
		owner, _ := inc.PostmortemOwner()
		table = append(table, []string{
			inc.Key(), inc.Title, string(inc.Severity), string(inc.Postmortem.Stands()), owner.Name, strconv.FormatInt(inc.Postmortem.Edition, 10),
		})
	}
	return writeTable(w, r, "postmortems", head, table)
}
