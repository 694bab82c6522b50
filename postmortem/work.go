package postmortem

import (
	"regexp"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Work reports whether a note tells of a restart, a deployment or a rollback,
// in English or German: it begins with such a verb, perhaps after its subject
// ("Restarted the broker", "we're rolling back", "Habe den Broker neu
// gestartet"). A question, a negation ("Restart did not help") and a noun that
// something is said of ("Restart loop in the broker") are not.
func Work(text string) bool {
	first := strings.ToLower(firstSentence(text))
	if strings.HasSuffix(first, "?") {
		return false
	}
	words := wordsOf(first)
	for len(words) > 0 && isSubject(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	rest := strings.Join(words, " ")
	return (englishWork.MatchString(rest) && !saidOf.MatchString(rest)) || germanWork.MatchString(rest)
}

var (
	englishWork = regexp.MustCompile(`^(restart(ed|ing)?|reboot(ed|ing)?|redeploy(ed|ing)?|deploy(ed|ing)?|roll(ed|ing)? (\S+ ){0,4}back|rollback|revert(ed|ing)?)( |$)`)
	saidOf      = regexp.MustCompile(`^\S+( \S+){0,4}? (did|does|do|doesn't|didn't|don't|not|is|isn't|are|was|were|has|had|hasn't|will|won't|would|should|could|might|needed|failed|fails|failing|helped|helps|loop|loops|loopt|count|policy|storm|storms|brought|made)( |$)`)
	germanWork  = regexp.MustCompile(`^(neustart (von|des|der|vom)|neugestartet|neu gestartet|start(e|en|et|ete|eten) (\S+ ){0,6}neu|restarte|deploye|deployen|(roll|setz|dreh)(e|en|te|ten) (\S+ ){0,6}zurück|(roll)(e|en|te|ten) (\S+ ){0,6}aus|zurückgerollt|ausgerollt|(habe|haben|hat|wird|wurde|werden|wurden) (\S+ ){0,8}(neugestartet|neu gestartet|durchgestartet|deployt|deployed|ausgerollt|zurückgerollt|zurückgesetzt|restartet|restarted))$|^(start(e|en|et|ete|eten) (\S+ ){0,6}neu|neustart (von|des|der|vom)|restarte|deploye|deployen|(roll|setz|dreh)(e|en|te|ten) (\S+ ){0,6}zurück) `)
)

// isSubject reports words that may stand before the verb.
func isSubject(word string) bool {
	switch word {
	case "i", "i'm", "i've", "we", "we're", "we've", "have", "just", "now", "am", "are", "then",
		"ich", "wir", "jetzt", "nun", "gerade", "dann":
		return true
	default:
		return false
	}
}

func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, "\n;!"); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "."))
}

// wordsOf cuts a sentence into words without what surrounds them, emoji too.
func wordsOf(text string) []string {
	text = strings.ReplaceAll(text, "’", "'")
	var words []string
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return strings.ContainsRune(",:;\"'`*_()[]<>“”„", r) || r > 0x2000 })
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// worked gives a timeline in which notes that tell of work are actions. A kind
// that somebody chose wins: only an observation, which is what a note is when
// nobody says otherwise, is looked at, and none whose kind was amended.
func worked(timeline []Entry, events []incidents.Event) []Entry {
	plain := map[int64]bool{}
	for _, e := range events {
		switch data := e.Data.(type) {
		case incidents.Noted:
			plain[e.Seq] = data.Kind == incidents.Observation
		case incidents.Amended:
			if data.Kind != "" {
				delete(plain, data.Seq)
			}
		}
	}
	for i, e := range timeline {
		if plain[e.Seq] && Work(e.Text) {
			timeline[i].Kind = incidents.Action
		}
	}
	return timeline
}
