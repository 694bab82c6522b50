package export

import "github.com/houston-sre/houston/postmortem"

// linksTable is where else the incident is to be found.
func (l *laying) linksTable() []table {
	t := table{head: []string{l.kind, l.what, l.link}}
	for _, to := range l.doc.Links {
		t.rows = append(t.rows, []cell{
			say(l.language.Value("link", string(to.Kind))), say(to.Text), {{text: to.URL, style: linked, url: to.URL}},
		})
	}
	return unlessEmpty(t)
}

// takeLinks reads what linksTable wrote; that Houston put one there is not on the
// page.
func (p *parsing) takeLinks(s part) {
	for _, t := range s.tables {
		if len(t.head) != 3 {
			continue
		}
		for _, row := range t.rows {
			p.doc.Links = append(p.doc.Links, postmortem.Link{
				Kind: postmortem.LinkKind(p.language.ValueOf("link", t.cell(row, p.kind))), Text: t.cell(row, p.what), URL: t.cell(row, p.link),
			})
		}
	}
}
