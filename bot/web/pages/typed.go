package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// typedForm is a form that could not be taken and whose page can not be shown
// again: the session ran out, or what it was about has gone on. It gives back
// what was typed, to be sent again or to be taken elsewhere.
type typedForm struct {
	Action string
	Fields []typedText
	Rest   []typedText // what belongs to the form and nobody typed
	SignIn string      // where to sign in, in another tab; empty: the reader is
}

type typedText struct{ Name, ID, Label, Text string }

// typedIn reads what somebody typed into the form of a request; nil when that
// was nothing. A form of another site gives nothing back, and neither does
// signing in: its secret is not for a page.
func (p *Pages) typedIn(r *http.Request, v *visit) *typedForm {
	if r.Method != http.MethodPost || p.origins.Check(r) != nil || strings.HasPrefix(r.URL.Path, "/sign") || r.ParseForm() != nil {
		return nil
	}
	form := &typedForm{Action: r.URL.RequestURI()}
	if !v.known {
		form.SignIn = "/signin"
	}
	names := make([]string, 0, len(r.PostForm))
	for name := range r.PostForm {
		names = append(names, name)
	}
	slices.SortFunc(names, naturally)
	for _, name := range names {
		text := typedText{name, "again-" + strings.ReplaceAll(name, ".", "-"), v.inputLabel(name), r.PostForm.Get(name)}
		if wasTyped(r.PostForm, name) {
			form.Fields = append(form.Fields, text)
		} else {
			form.Rest = append(form.Rest, text)
		}
	}
	if len(form.Fields) == 0 {
		return nil
	}
	return form
}

// naturally orders names like factors.2.text before factors.10.text.
func naturally(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		m, errM := strconv.Atoi(a)
		n, errN := strconv.Atoi(b)
		if errM == nil && errN == nil {
			return m - n
		}
		return strings.Compare(a, b)
	})
}

// wasTyped reports whether somebody typed the text of an input, other than what
// stood there.
func wasTyped(form url.Values, name string) bool {
	text := strings.TrimSpace(form.Get(name))
	field, cell, inTable := strings.Cut(name, ".")
	switch {
	case text == "" || field == "was" || field == "reset":
		return false
	case slices.Contains([]string{"back", "base", "rev", "to", "state", "priority", "type"}, name), isChoice(name):
		return false // hidden, or chosen rather than typed
	case inTable:
		for _, s := range tableSpecs() {
			if s.field == field {
				chosen := slices.ContainsFunc(s.columns, func(c column) bool {
					return strings.HasSuffix(cell, "."+c.Name) && c.Kind != "text" && c.Kind != "area" && c.Kind != "number" && c.Kind != "date"
				})
				return !chosen && digest(exact(s.posted(form))) != form.Get("was."+field)
			}
		}
		return true
	default:
		return digest(text) != form.Get("was."+name) && digest(form.Get(name)) != form.Get("was."+name)
	}
}

func isChoice(name string) bool {
	return slices.ContainsFunc(choiceSpecs(), func(c choiceSpec) bool { return c.field == name })
}

// inputLabel names an input of any form of the pages.
func (v *visit) inputLabel(name string) string {
	if slices.Contains(incidents.EditableTimes(), incidents.KeyTime(name)) {
		return v.keyTime(incidents.KeyTime(name))
	}
	if parts := strings.Split(name, "."); len(parts) == 3 {
		if row, err := strconv.Atoi(parts[1]); err == nil {
			return v.fieldLabel(parts[0]) + " " + strconv.Itoa(row+1) + ": " + v.fieldLabel(parts[2])
		}
	}
	switch name {
	case "owner":
		return v.text.Text("web_owner")
	case "approver":
		return v.text.Text("web_approver")
	case "reviewers":
		return v.text.Text("web_reviewers_lines")
	case "at":
		return v.text.Text("web_meeting_at", "zone", v.zone.String())
	case "minutes":
		return v.text.Text("web_meeting_minutes")
	case "due":
		return v.text.Text("web_due_date")
	case "done_when":
		return v.text.Text("web_done_when")
	case "reason":
		return v.text.Text("web_reason")
	case "note":
		return v.text.Text("web_note")
	default:
		return v.fieldTitle(name)
	}
}
