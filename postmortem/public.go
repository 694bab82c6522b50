package postmortem

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/houston-sre/houston/incidents"
)

// PublicOf is what of a document may be told outside: roles instead of names, no
// internal entries, no way into chats, calls or files, no message to colleagues.
func PublicOf(doc Document) Document {
	p := publishing{doc: deepCopy(doc), holders: doc.Facts.Roles}
	p.names = namesOf(p.doc)
	d := &p.doc
	d.Owner, d.Approver, d.Authors, d.Reviewers, d.People, d.Meeting, d.Waived = nil, nil, []incidents.Person{}, []incidents.Person{}, []Hours{}, nil, nil
	d.Evidence, d.Facts.Channel, d.Facts.BridgeURL = []Evidence{}, nil, ""
	d.Links = p.links()
	d.Facts.Reporter.Person = p.role(d.Facts.Reporter.Person)
	d.Facts.Roles = []Holder{}
	d.Facts.Timeline = slices.DeleteFunc(d.Facts.Timeline, func(e Entry) bool { return e.Internal })
	for i := range d.Facts.Timeline {
		e := &d.Facts.Timeline[i]
		e.Actor, e.Permalink, e.Files = p.role(e.Actor), "", nil
		e.Text = p.text(e.Text)
	}
	d.Facts.Title, d.Facts.Summary = p.text(d.Facts.Title), p.text(d.Facts.Summary)
	d.Verdict.Text = p.text(d.Verdict.Text)
	d.Impact.Measures = slices.DeleteFunc(d.Impact.Measures, func(m Measure) bool { return m.Kind == OfTeamHours })
	for i := range d.Sections {
		s := &d.Sections[i]
		s.Text, s.Question = p.text(s.Text), ""
		if s.ID == InternalMessage || s.ID == ReviewSection {
			s.Text = ""
		}
	}
	p.rows()
	p.review()
	return p.doc
}

// publishing takes names out of one document.
type publishing struct {
	doc     Document
	holders []Holder // the document holds them no longer
	names   []replacement
}

type replacement struct {
	plain string // the name in lower case, by which texts without it are passed over
	name  *regexp.Regexp
	role  string
}

func (p publishing) rows() {
	d := p.doc
	for i := range d.Actions {
		a := &d.Actions[i]
		if a.Owner != nil {
			a.Owner = &incidents.Person{Name: p.role(*a.Owner).Name}
		}
		a.VerifiedBy, a.Link = nil, ""
		a.Text, a.DoneWhen, a.Outcome, a.Reason = p.text(a.Text), p.text(a.DoneWhen), p.text(a.Outcome), p.text(a.Reason)
	}
	for i := range d.Gaps {
		d.Gaps[i].Signal, d.Gaps[i].Reason, d.Gaps[i].Checks = p.text(d.Gaps[i].Signal), p.text(d.Gaps[i].Reason), []incidents.GapCheck{}
	}
	for i := range d.Factors {
		d.Factors[i].Text, d.Factors[i].Evidence = p.text(d.Factors[i].Text), p.text(d.Factors[i].Evidence)
		for j := range d.Factors[i].Whys {
			d.Factors[i].Whys[j].Text = p.text(d.Factors[i].Whys[j].Text)
		}
	}
	for i := range d.Lessons {
		d.Lessons[i].Text, d.Lessons[i].Answers = p.text(d.Lessons[i].Text), p.text(d.Lessons[i].Answers)
	}
	for i := range d.Communication {
		d.Communication[i].Text = p.text(d.Communication[i].Text)
	}
	for i := range d.Impact.Measures {
		m := &d.Impact.Measures[i]
		m.What, m.How = p.text(m.What), p.text(m.How)
	}
}

// role gives a person's role in the incident, without the person.
func (p publishing) role(person incidents.Person) incidents.Person {
	for _, h := range p.holders {
		if h.Person.ID != "" && h.Person.ID == person.ID {
			return incidents.Person{Name: p.doc.Language.Value("role", string(h.Role))}
		}
	}
	if person.ID == "" {
		return person // a program
	}
	return incidents.Person{Name: p.someone()}
}

func (p publishing) someone() string {
	if p.doc.Language == German {
		return "jemand aus dem Team"
	}
	return "a responder"
}

func (p publishing) text(text string) string {
	lower := strings.ToLower(text)
	for _, r := range p.names {
		if !strings.Contains(lower, r.plain) {
			continue
		}
		with := "${1}" + strings.ReplaceAll(r.role, "$", "$$$$") + "${2}"
		// Twice, since names that share the space between them share a match.
		text = r.name.ReplaceAllString(r.name.ReplaceAllString(text, with), with)
	}
	return text
}

// namesOf lists the names to take out, the longest first, so that no part of one
// stays.
func namesOf(doc Document) []replacement {
	roles := publishing{doc: doc, holders: doc.Facts.Roles}
	type named struct{ name, role string }
	var all []named
	for _, name := range doc.Review.names() {
		for _, part := range append([]string{name}, strings.Fields(name)...) {
			if len([]rune(part)) > 2 {
				all = append(all, named{part, roles.roleOf(name)})
			}
		}
	}
	for _, p := range peopleOf(doc) {
		role := roles.role(p).Name
		for _, name := range append([]string{p.Name}, strings.Fields(p.Name)...) {
			if len([]rune(name)) > 2 && p.ID != "" {
				all = append(all, named{name, role})
			}
		}
		if p.ID != "" {
			all = append(all, named{p.ID, role})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(len(b.name), len(a.name)) })
	var list []replacement
	for _, n := range all {
		list = append(list, replacement{strings.ToLower(n.name), regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}])@?` + regexp.QuoteMeta(n.name) + `($|[^\p{L}\p{N}])`), n.role})
	}
	return list
}

// peopleOf lists everybody whom a document names, each once.
func peopleOf(doc Document) []incidents.Person {
	var people []incidents.Person
	add := func(list ...incidents.Person) {
		for _, p := range list {
			if p.Name != "" && !slices.Contains(people, p) {
				people = append(people, p)
			}
		}
	}
	for _, p := range []*incidents.Person{doc.Owner, doc.Approver} {
		if p != nil {
			add(*p)
		}
	}
	add(doc.Authors...)
	add(doc.Reviewers...)
	for _, h := range doc.Facts.Roles {
		add(h.Person)
	}
	if doc.Facts.Reporter.ID != "" {
		add(doc.Facts.Reporter.Person)
	}
	for _, h := range doc.People {
		add(h.Person)
	}
	for _, a := range doc.Actions {
		for _, p := range []*incidents.Person{a.Owner, a.VerifiedBy} {
			if p != nil {
				add(*p)
			}
		}
	}
	return people
}

// containsWord reports whether a text has a name as words of its own; RE2's \b
// knows no letters beyond ASCII.
func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !isWord(before) && !isWord(after) {
			return true
		}
		from = at + len(word)
	}
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// deepCopy copies a document by its JSON form, which has all of it.
func deepCopy(doc Document) Document {
	raw, err := json.Marshal(doc)
	if err != nil {
		panic(err) // a document holds nothing that JSON can not say
	}
	var c Document
	if err := json.Unmarshal(raw, &c); err != nil {
		panic(err)
	}
	return c
}
