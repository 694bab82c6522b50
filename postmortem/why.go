package postmortem

import (
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Limits of the tree below a factor.
const (
	maxWhys     = 100
	maxWhyLevel = 10
)

// Why is an answer to the question why, in the outline of a tree below a
// contributing factor (the "five whys", of which there may be any number, and
// several to one question). On level 1 it answers why the factor was there; on the
// next it answers why of the last line above that is one level up.
type Why struct {
	Level int    `json:"level"` // 1 to 10, at most one below the line before
	Text  string `json:"text"`  // one line
}

func checkWhys(list *[]Why) error {
	if n := len(*list); n > maxWhys {
		return incidents.Errorf(incidents.Invalid, "There are %d answers to why below a factor; at most %d fit. Make another factor of a branch.", n, maxWhys)
	}
	before := 0
	for i := range *list {
		w := &(*list)[i]
		w.Text = strings.Join(strings.Fields(w.Text), " ")
		switch err := cellValue(&w.Text); {
		case err != nil:
			return err
		case w.Text == "":
			return incidents.Errorf(incidents.Invalid, "Each answer to why needs a text.")
		case w.Level < 1 || w.Level > before+1:
			return incidents.Errorf(incidents.Invalid, "The answer %q stands %d levels deep, below one that stands %d deep. An answer is at most one level deeper than the one above it.", short(w.Text, 80), w.Level, before)
		case w.Level > maxWhyLevel:
			return incidents.Errorf(incidents.Invalid, "The answers to why are more than %d levels deep. Make another factor of a branch.", maxWhyLevel)
		}
		before = w.Level
	}
	if len(*list) == 0 {
		*list = nil
	}
	return nil
}

// OutlineOf writes answers as lines that people edit: "- " before each, and two
// spaces for each level.
func OutlineOf(whys []Why) string {
	lines := make([]string, len(whys))
	for i, w := range whys {
		lines[i] = strings.Repeat("  ", max(w.Level, 1)-1) + "- " + w.Text
	}
	return strings.Join(lines, "\n")
}

// WhysOf reads such lines as people type them: what is indented more than the line
// above is one level below it, whatever the indentation; the dash may be missing.
func WhysOf(outline string) []Why {
	var whys []Why
	var indents []int // of the levels above
	for line := range strings.SplitSeq(strings.ReplaceAll(outline, "\t", "  "), "\n") {
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for _, mark := range []string{"- ", "* ", "• "} {
			text = strings.TrimPrefix(text, mark)
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents = indents[:len(indents)-1]
		}
		indents = append(indents, indent)
		whys = append(whys, Why{Level: len(indents), Text: strings.TrimSpace(text)})
	}
	return whys
}
