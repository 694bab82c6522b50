package export

import (
	"strings"
)

// answersText writes what a lesson or an action item answers as people read it:
// "gap:1" is "monitoring gap 1".
func (l *labels) answersText(answers string) string {
	for prefix, word := range l.answered() {
		if rest, ok := strings.CutPrefix(answers, prefix); ok && strings.TrimSpace(rest) != "" {
			return word + rest
		}
	}
	return answers
}

// answersOf reads what answersText wrote.
func (l *labels) answersOf(text string) string {
	for prefix, word := range l.answered() {
		if rest, ok := strings.CutPrefix(text, word); ok && strings.TrimSpace(rest) != "" {
			return prefix + rest
		}
	}
	return text
}

func (l *labels) answered() map[string]string {
	return map[string]string{"gap:": l.monitoringGap + " ", "action:": l.actionItem + " ", "factor:": l.theFactor + " ", "lesson:": l.theLesson + " "}
}
