package slack

import (
	"context"
	"strings"

	"github.com/houston-sre/houston/templates"
)

// help lists the commands by what one wants to do, or tells the form of one.
func (e *Edge) help(_ context.Context, o order) (reply, error) {
	texts := e.textFor(o.Actor.ID)
	if word, rest := splitWord(e.plain(o.rest)); word != "" && rest == "" {
		v, ok := verb(strings.ToLower(word)), true
		if _, exact := find(v); !exact {
			v, ok = nearVerb(word)
		}
		if ok {
			return say(e.helpOn(texts, v)), nil
		}
		return say(texts.Text("help_unknown", "word", word) + "\n" + e.helpOnAll(texts)), nil
	}
	return say(e.helpOnAll(texts)), nil
}

// helpOnAll lists all commands that are built.
func (e *Edge) helpOnAll(texts *templates.Catalogue) string {
	lines := []string{texts.Text("help", "command", e.config.Command)}
	for _, p := range parts() {
		lines = append(lines, headOf(texts, p))
		for _, c := range verbs() {
			if c.part == p && c.do != nil {
				lines = append(lines, texts.Text("help_line", "verb", c.verb, "about", about(texts, c.verb)))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// helpOn tells the form of one command and an example of it.
func (e *Edge) helpOn(texts *templates.Catalogue, v verb) string {
	text := texts.Text("help_verb", "command", e.config.Command, "usage", usage(texts, v), "about", about(texts, v), "example", example(texts, v))
	if c, _ := find(v); !c.anywhere {
		text += "\n" + texts.Text("help_elsewhere", "command", e.config.Command, "verb", v)
	}
	return text
}

// writeLike shows the right form of a command that was refused.
func (e *Edge) writeLike(o order) string {
	texts := e.textFor(o.Actor.ID)
	return texts.Text("write_like", "command", e.config.Command, "usage", usage(texts, o.verb))
}

// headOf is the head of a part of help.
func headOf(texts *templates.Catalogue, p part) string {
	switch p {
	case partBegin:
		return texts.Text("help_begin")
	case partWork:
		return texts.Text("help_work")
	case partTell:
		return texts.Text("help_tell")
	case partEnd:
		return texts.Text("help_end")
	case partAfter:
		return texts.Text("help_after")
	default:
		return texts.Text("help_mend")
	}
}

// usage is the form of a command, about what it does, example a use of it. They
// are markup, like every text of the catalogue.
func usage(texts *templates.Catalogue, v verb) templates.Markup {
	return templates.Markup(texts.Text("usage_" + string(v)))
}

func about(texts *templates.Catalogue, v verb) templates.Markup {
	return templates.Markup(texts.Text("about_" + string(v)))
}

func example(texts *templates.Catalogue, v verb) templates.Markup {
	return templates.Markup(texts.Text("example_" + string(v)))
}
