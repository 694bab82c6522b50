package export

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/postmortem"
)

// outline is a list in levels, with what stands above it.
type outline struct {
	label string
	items []postmortem.Why
}

// whys are the trees below the factors that have one.
func (l *laying) whys() []outline {
	var list []outline
	for i, f := range l.doc.Factors {
		if len(f.Whys) > 0 {
			list = append(list, outline{l.whyFactor + " " + strconv.Itoa(i+1), f.Whys})
		}
	}
	return list
}

// outline writes a list in levels.
func (m *markdown) outline(o outline) {
	m.line("**" + o.label + "**\n")
	for _, item := range o.items {
		m.line(strings.Repeat("  ", max(item.Level, 1)-1) + "- " + guardStart(inline(item.Text)))
	}
}

// htmlOutline is a list in levels, with what stands above it.
type htmlOutline struct {
	Label string
	List  template.HTML
}

func htmlOutlineOf(o outline) htmlOutline {
	var b strings.Builder
	depth := 0
	for _, item := range o.items {
		for ; depth > max(item.Level, 1); depth-- {
			b.WriteString("</li></ul>")
		}
		if depth == max(item.Level, 1) {
			b.WriteString("</li>\n")
		}
		for ; depth < max(item.Level, 1); depth++ {
			if depth > 0 && strings.HasSuffix(b.String(), "<ul>") {
				b.WriteString("<li>") // a level that was left out
			}
			b.WriteString("<ul>")
		}
		b.WriteString(`<li dir="auto">`)
		writeText(&b, item.Text)
	}
	for ; depth > 0; depth-- {
		b.WriteString("</li></ul>")
	}
	return htmlOutline{o.label, template.HTML(b.String())} //nolint:gosec // escaped by writeText
}

// whyLabel reads the line above an outline: the number of its factor.
func (p *parsing) whyLabel(line string) (number int, ok bool) {
	text, ok := strings.CutPrefix(line, "**"+p.whyFactor+" ")
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(strings.TrimSuffix(text, "**"))
	return number, err == nil && strings.HasSuffix(text, "**")
}

// takeOutline reads the list below such a line.
func (p *parsing) takeOutline() []postmortem.Why {
	var whys []postmortem.Why
	for p.at++; p.at < len(p.lines); p.at++ {
		line := strings.TrimLeft(p.lines[p.at], " ")
		text, ok := strings.CutPrefix(line, "- ")
		switch {
		case ok:
			indent := len(p.lines[p.at]) - len(line)
			whys = append(whys, postmortem.Why{Level: indent/2 + 1, Text: unescape(text)})
		case line != "" || len(whys) > 0:
			return whys
		}
	}
	return whys
}
