package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// entryPage is one entry of the timeline, to be corrected.
type entryPage struct {
	Frame

	Row    row
	Seq    int64
	Words  string // what it says
	Errors []string
	// Inputs are what can be changed of it; a nil one is Houston's record.
	Text, At, Until *entryInput
	Kinds           []choice
	Kind            *entryInput
	Significant     entryInput
}

// entryInput is a field as the form has it.
type entryInput struct {
	Text, Was string
	Theirs    string // what stands there, when somebody else wrote it meanwhile
}

// entryFields are the fields of an entry as the form has them.
func (v *visit) entryFields(e incidents.Entry) map[string]string {
	fields := map[string]string{
		"text": e.Text, "kind": string(e.Kind), "at": e.At.In(v.zone).Format(minuteOfDay), "until": "", "significant": "",
	}
	if !e.Until.At.IsZero() {
		fields["until"] = e.Until.At.In(v.zone).Format(minuteOfDay)
	}
	if e.Significant {
		fields["significant"] = "yes"
	}
	return fields
}

// foundEntry is an entry and the event that it comes of.
type foundEntry struct {
	inc   incidents.Incident
	req   incidents.Request
	entry incidents.Entry
	event incidents.Event
}

func (p *Pages) entryOf(r *http.Request, v *visit) (foundEntry, error) {
	inc, req, err := p.find(r, v)
	if err != nil {
		return foundEntry{}, err
	}
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil {
		return foundEntry{}, errNoPage
	}
	events, err := p.store.Events(r.Context(), inc.Number)
	if err != nil {
		return foundEntry{}, err
	}
	for _, entry := range incidents.Timeline(events) {
		if entry.Seq == seq {
			return foundEntry{inc, req, entry, events[seq-1]}, nil
		}
	}
	return foundEntry{}, errNoPage
}

// entry answers GET /i/42/entries/12.
func (p *Pages) entry(w http.ResponseWriter, r *http.Request, v *visit) error {
	found, err := p.entryOf(r, v)
	if err != nil {
		return err
	}
	return p.render(w, v, http.StatusOK, "entry", p.entryPage(v, found))
}

func (p *Pages) entryPage(v *visit, found foundEntry) *entryPage {
	fields := v.entryFields(found.entry)
	input := func(name string) *entryInput { return &entryInput{Text: fields[name], Was: digest(fields[name])} }
	page := &entryPage{
		Frame: p.frame(v, "incidents", found.inc.Key()+" "+v.text.Text("web_entry")), Row: v.row(found.inc, p.config.Clock.Now()),
		Seq: found.entry.Seq, Words: v.said(found.entry), Significant: *input("significant"),
	}
	if found.entry.Kind != incidents.StateChange {
		page.Until = input("until")
	}
	noted, people := found.event.Data.(incidents.Noted)
	if !people {
		return page
	}
	page.At, page.Kind = input("at"), input("kind")
	if noted.Message == nil {
		page.Text = input("text")
	}
	for _, k := range incidents.EntryKinds() {
		if k != incidents.StateChange && k != incidents.AlertEntry || k == found.entry.Kind {
			page.Kinds = append(page.Kinds, choice{v.kind(k), k == found.entry.Kind})
		}
	}
	return page
}

// amendEntry answers POST /i/42/entries/12. Only what was changed is stored; what
// can not be comes back as it was typed.
func (p *Pages) amendEntry(w http.ResponseWriter, r *http.Request, v *visit) error {
	found, err := p.entryOf(r, v)
	if err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return err
	}
	command, wrong := v.amendment(found, r.PostForm)
	if wrong == "" {
		_, err = p.service.AmendEntry(r.Context(), found.inc.Number, command)
		e, ok := errors.AsType[*incidents.Error](err)
		switch {
		case err == nil:
			http.Redirect(w, r, fmt.Sprintf("/i/%d?said=saved#e%d", found.inc.Number, found.entry.Seq), http.StatusSeeOther)
			return nil
		case !ok || e.Kind == incidents.NotFound || e.Kind == incidents.Forbidden:
			return err
		}
		wrong = v.text.Say(e)
	}
	if found, err = p.entryOf(r, v); err != nil {
		return err
	}
	page := p.entryPage(v, found)
	page.Errors = []string{wrong}
	page.typed(r.PostForm)
	return p.render(w, v, http.StatusUnprocessableEntity, "entry", page)
}

// amendment reads what somebody changed; wrong says what can not be read.
func (v *visit) amendment(found foundEntry, form url.Values) (c incidents.AmendEntry, wrong string) {
	c = incidents.AmendEntry{Request: found.req, Seq: found.entry.Seq}
	typed := map[string]string{}
	for name := range v.entryFields(found.entry) {
		text := lines(form.Get(name))
		if form.Has("was."+name) && digest(text) != form.Get("was."+name) {
			typed[name] = text
		}
	}
	c.Gate = func(now incidents.Entry) error {
		for name, stands := range v.entryFields(now) {
			if text, mine := typed[name]; mine && digest(stands) != form.Get("was."+name) && stands != text {
				return errMeanwhile
			}
		}
		return nil
	}
	if text, ok := typed["text"]; ok {
		c.Text = &text
	}
	if kind, ok := typed["kind"]; ok {
		c.Kind = new(incidents.EntryKind(kind))
		if !slices.Contains(incidents.EntryKinds(), *c.Kind) {
			return c, v.text.Text("web_entry_kind_form")
		}
	}
	if mark, ok := typed["significant"]; ok {
		c.Significant = new(mark != "")
	}
	if text, ok := typed["at"]; ok {
		at, why := v.wall(text)
		if why != "" {
			return c, why
		}
		c.At = &at
	}
	if text, ok := typed["until"]; ok {
		until, why := time.Time{}, ""
		if text != "" {
			until, why = v.wall(text)
		}
		if why != "" {
			return c, why
		}
		c.Until = &until
	}
	return c, ""
}

// lines is a text of a form with the line ends that are stored.
func lines(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// typed puts what somebody typed over what stands.
func (page *entryPage) typed(form url.Values) {
	for name, input := range map[string]*entryInput{
		"text": page.Text, "kind": page.Kind, "at": page.At, "until": page.Until, "significant": &page.Significant,
	} {
		text, was := lines(form.Get(name)), form.Get("was."+name)
		if input == nil || !form.Has("was."+name) || digest(text) == was {
			continue
		}
		if input.Was != was && input.Text != text {
			input.Theirs = input.Text
		}
		input.Text = text
	}
	for i := range page.Kinds {
		page.Kinds[i].Chosen = page.Kinds[i].Value == page.Kind.Text
	}
}
