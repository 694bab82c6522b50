package pages

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// editPage is the editor of a postmortem.
type editPage struct {
	Frame

	Row          row
	DocumentLang string // of the document, which may be another than the reader's
	State        tag
	Rev          int64
	Base         int64
	Owner        string
	Open         bool
	Resolved     bool // the incident is over, so that the workflow can go on
	Choices      []editChoice
	Tables       []editTable // of the document itself
	Sections     []editSection
	Findings     []finding
	Missing      int // findings that hold something up
	Moves        []moveChoice
	Clashed      bool
	Errors       []string
}

// editSection is one card of the editor.
type editSection struct {
	ID, Title, Question string
	Text                string
	Was                 string // digest of what stood there
	Written             bool
	Clash               bool
	Theirs              string // what somebody else wrote meanwhile
	Blocks              []block
	Tables              []editTable
	Texts               []editText
	Error               string // why it could not be stored
}

// editText is a field that is one line.
type editText struct {
	Field, Label, Text, Was string
	Clash                   bool
	Theirs                  string
	Error                   string
}

// editTable is a table of the editor, with empty rows to be filled in.
type editTable struct {
	Field   string
	Title   string
	Was     string
	Columns []editColumn
	Rows    []editRow
	Clash   bool
	Theirs  string
	Error   string
}

type editColumn struct {
	column

	Label string
}

type editRow struct {
	Number int
	Cells  []editCell
}

type editCell struct {
	editColumn

	ID, Input string // id and name of the input
	Value     string
	Options   []choice
}

type editChoice struct {
	Field, Label, Was string
	Options           []choice
	Clash             bool
	Theirs            string
	Error             string
}

type finding struct {
	Text   string
	Anchor string // where to mend it
	Hint   bool
	Before string // what it holds up
}

type moveChoice struct {
	To     string
	Label  string
	Reason bool
	Typed  string // the reason, when it could not be done
	Wrong  string // what is wrong with it
}

// block is a piece of a section as the page shows it.
type block struct {
	List, Code bool
	Lines      []string
}

func blocksOf(text string) []block {
	var list []block
	for _, b := range postmortem.BlocksOf(text) {
		list = append(list, block{List: b.Kind == postmortem.List, Code: b.Kind == postmortem.Code, Lines: b.Lines})
	}
	return list
}

// edit answers GET /i/42/postmortem/edit.
func (p *Pages) edit(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	sheet, err := p.config.Postmortems.Sheet(r.Context(), inc.Number, req)
	if err != nil {
		return err
	}
	page := p.editor(v, sheet)
	page.Said = v.saidOf(r.URL.Query().Get("said"))
	return p.render(w, v, http.StatusOK, "edit", page)
}

// saidOf says what was just done.
func (v *visit) saidOf(what string) string {
	switch what {
	case "saved":
		return v.text.Text("web_saved")
	case "merged":
		return v.text.Text("web_merged")
	case "moved":
		return v.text.Text("web_moved")
	default:
		return ""
	}
}

// editor lays a sheet out for editing.
func (p *Pages) editor(v *visit, sheet postmortem.Sheet) *editPage {
	inc, doc := sheet.Incident, sheet.Document
	page := &editPage{
		Frame: p.frame(v, "postmortems", inc.Key()+" "+v.text.Text("web_edit_postmortem")), Row: v.row(inc, p.config.Clock.Now()),
		DocumentLang: string(doc.Language), State: v.postmortemState(inc.Postmortem.Stands()), Rev: inc.Postmortem.Rev, Base: inc.Postmortem.Rev,
		Open: inc.Postmortem.Open(), Resolved: !inc.Status.Open(),
	}
	if owner, ok := inc.PostmortemOwner(); ok {
		page.Owner = owner.Name
	}
	for _, c := range choiceSpecs() {
		shown := editChoice{Field: c.field, Label: v.fieldLabel(c.field), Was: digest(c.value(doc))}
		for _, option := range c.options {
			shown.Options = append(shown.Options, choice{tag{option, v.optionLabel(c.field, option)}, option == c.value(doc)})
		}
		page.Choices = append(page.Choices, shown)
	}
	for _, spec := range tableSpecs() {
		if tableIn(spec.field) == "" {
			page.Tables = append(page.Tables, v.editTable(spec, spec.cells(doc)))
		}
	}
	for _, s := range doc.Sections {
		section := editSection{
			ID: string(s.ID), Title: doc.Language.Title(s.ID), Question: s.Question, Text: s.Text, Was: digest(s.Text), Written: s.Written,
			Blocks: blocksOf(s.Text),
		}
		for _, spec := range tableSpecs() {
			if tableIn(spec.field) == s.ID {
				section.Tables = append(section.Tables, v.editTable(spec, spec.cells(doc)))
			}
		}
		for _, spec := range textSpecs() {
			if spec.section == s.ID {
				text := spec.value(doc)
				section.Texts = append(section.Texts, editText{Field: spec.field, Label: v.fieldLabel(spec.field), Text: text, Was: digest(text)})
			}
		}
		page.Sections = append(page.Sections, section)
	}
	for _, f := range sheet.Findings {
		page.Findings = append(page.Findings, v.finding(inc, f))
		if f.Before != "" {
			page.Missing++
		}
	}
	page.Moves = v.moves(inc)
	return page
}

// tableIn is the section that a table belongs to; empty: to the document.
func tableIn(field string) postmortem.SectionID {
	switch field {
	case "link_items":
		return ""
	case "measures":
		return postmortem.ImpactSection
	case "factors":
		return postmortem.ContributingFactors
	case "lesson_items":
		return postmortem.Lessons
	case "participants", "decisions", "survey":
		return postmortem.ReviewSection
	default:
		return postmortem.Background
	}
}

func (v *visit) editTable(spec tableSpec, cells [][]string) editTable {
	table := editTable{Field: spec.field, Title: v.fieldLabel(spec.field), Was: digest(exact(append([][]string{}, cells...)))}
	for _, c := range spec.columns {
		table.Columns = append(table.Columns, editColumn{c, v.fieldLabel(c.Name)})
	}
	table.fill(v, cells)
	return table
}

// fill puts rows into a table, and two empty ones behind.
func (t *editTable) fill(v *visit, cells [][]string) {
	t.Rows = nil
	for n := range len(cells) + 2 {
		row := editRow{Number: n}
		for i, c := range t.Columns {
			input := fmt.Sprintf("%s.%d.%s", t.Field, n, c.Name)
			cell := editCell{editColumn: c, Input: input, ID: strings.ReplaceAll(input, ".", "-")}
			if n < len(cells) {
				cell.Value = cells[n][i]
			}
			for _, option := range c.Options {
				cell.Options = append(cell.Options, choice{tag{option, v.optionLabel(t.Field, option)}, option == cell.Value})
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
}

func (v *visit) finding(inc incidents.Incident, f postmortem.Finding) finding {
	shown := finding{Text: f.Text, Hint: f.Before == "", Anchor: "#s-" + f.Field}
	switch f.Field {
	case "times":
		shown.Anchor = fmt.Sprintf("/i/%d#times", inc.Number)
	case "owner", "approver":
		shown.Anchor = fmt.Sprintf("/i/%d/postmortem#staffing", inc.Number)
	case "actions":
		shown.Anchor = "/actions?incident=" + inc.Key()
	case "gaps":
		shown.Anchor = "/gaps?incident=" + inc.Key()
	default:
		for _, spec := range tableSpecs() {
			if spec.field == f.Field {
				shown.Anchor = "#s-" + string(tableIn(f.Field))
			}
		}
		for _, spec := range textSpecs() {
			if spec.field == f.Field {
				shown.Anchor = "#" + f.Field
			}
		}
	}
	if f.Before != "" {
		shown.Before = v.postmortemState(f.Before).Word
	}
	return shown
}

// moves are the steps of the workflow that can come next.
func (v *visit) moves(inc incidents.Incident) []moveChoice {
	to := func(state incidents.PostmortemState, label string, reason bool) moveChoice {
		return moveChoice{To: string(state), Label: label, Reason: reason}
	}
	review := to(incidents.PostmortemInReview, v.text.Text("web_to_review"), false)
	waive := to(incidents.PostmortemWaived, v.text.Text("web_waive"), true)
	switch inc.Postmortem.Stands() {
	case incidents.PostmortemDraft:
		return []moveChoice{review, waive}
	case incidents.PostmortemInReview:
		return []moveChoice{to(incidents.PostmortemApproved, v.text.Text("web_approve"), false), to(incidents.PostmortemDraft, v.text.Text("web_back_to_draft"), true), waive}
	case incidents.PostmortemApproved:
		return []moveChoice{to(incidents.PostmortemPublished, v.text.Text("web_publish"), false), to(incidents.PostmortemInReview, v.text.Text("web_back_to_review"), true), waive}
	default:
		return []moveChoice{to(incidents.PostmortemDraft, v.text.Text("web_reopen"), true)}
	}
}

// save answers POST /i/42/postmortem/edit. Whatever can not be stored comes back
// as it was typed; where two people changed the same, with both texts.
func (p *Pages) save(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return err
	}
	base, patch, err := patchOf(r.PostForm)
	if err != nil {
		return err
	}
	saved, err := p.config.Postmortems.Save(r.Context(), inc.Number, postmortem.Save{Request: req, Base: base, Patch: patch})
	if err == nil {
		said := "saved"
		if saved.Merged && len(saved.Fields) > 0 {
			said = "merged"
		}
		http.Redirect(w, r, fmt.Sprintf("/i/%d/postmortem/edit?said=%s", inc.Number, said), http.StatusSeeOther)
		return nil
	}
	clash, clashed := errors.AsType[*postmortem.ClashError](err)
	if kind := incidents.KindOf(err); !clashed && kind != incidents.Invalid && kind != incidents.Conflict {
		return err
	}
	sheet, loadErr := p.config.Postmortems.Sheet(r.Context(), inc.Number, req)
	if loadErr != nil {
		return loadErr
	}
	page := p.editor(v, sheet)
	if !page.Open {
		return err // there is no form to show it in any more
	}
	page.typed(v, r.PostForm, patch)
	if clashed {
		page.clash(clash)
		return p.render(w, v, http.StatusConflict, "edit", page)
	}
	// What was typed belongs to the revision it was typed upon.
	page.Base = base
	if e, ok := errors.AsType[*incidents.Error](err); ok {
		page.Errors = []string{v.text.Say(e)}
		if page.refused(e.Field, v.text.Say(e)) {
			page.Errors = []string{v.text.Text("web_wrong_field", "field", v.fieldTitle(e.Field))}
		}
	}
	return p.render(w, v, http.StatusUnprocessableEntity, "edit", page)
}

// preview answers POST /preview: a section's text as it will be read.
func (p *Pages) preview(w http.ResponseWriter, r *http.Request, v *visit) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return p.sets[v.lang]["edit"].ExecuteTemplate(w, "blocks", blocksOf(r.PostFormValue("text")))
}
