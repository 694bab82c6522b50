package slack

import (
	"regexp"
	"strings"
	"unicode"
)

// verb is the first word of a command.
type verb string

// The verbs that are built. What each of them is stands in [verbs].
const (
	verbDeclare   verb = "declare"
	verbDrill     verb = "drill"
	verbList      verb = "list"
	verbHelp      verb = "help"
	verbStatus    verb = "status"
	verbSeverity  verb = "severity"
	verbUpdate    verb = "update"
	verbLead      verb = "lead"
	verbRole      verb = "role"
	verbTimeline  verb = "timeline"
	verbMitigated verb = "mitigated"
	verbResolve   verb = "resolve"
	verbReopen    verb = "reopen"
	verbDecline   verb = "decline"
	verbRename    verb = "rename"
	verbRepair    verb = "repair"
	verbAction    verb = "action"
	verbExport    verb = "export"

	verbStatuspage verb = "statuspage"
	verbBridge     verb = "bridge"
	verbCatchup    verb = "catchup"
)

// splitVerb takes the first word off a command's text. The word is in lower
// case; the rest keeps its lines.
func splitVerb(text string) (verb, string) {
	word, rest := splitWord(text)
	return verb(strings.ToLower(word)), rest
}

// splitWord takes the first word off text; both parts are trimmed.
func splitWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimSpace(text[end:])
}

var keyPattern = regexp.MustCompile(`(?i)^inc-[0-9]{1,15}$`)

// splitKey takes a leading INC-n off text.
func splitKey(text string) (key, rest string) {
	if word, rest := splitWord(text); keyPattern.MatchString(word) {
		return word, rest
	}
	return "", text
}

// nearVerb finds the verb that a single word was probably meant to be: at most
// two slips away. Longer texts are titles, not slips.
func nearVerb(text string) (verb, bool) {
	word, rest := splitVerb(text)
	if rest != "" {
		return "", false
	}
	best, distance := verb(""), 3
	for _, c := range verbs() {
		if d := slips(string(word), string(c.verb)); d < distance && d < min(len(c.verb), len(word)) {
			best, distance = c.verb, d
		}
	}
	return best, best != ""
}

// slips counts the letters to add, drop, change or swap with the next to get
// from a to b (optimal string alignment). Words longer than any verb are far.
func slips(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 32 || len(t) > 32 {
		return 32
	}
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range t {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			change := 0
			if s[i-1] != t[j-1] {
				change = 1
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}
