package postmortem

import (
	"slices"
	"strings"
	"sync"

	"github.com/houston-sre/houston/incidents"
)

// Language a document is written in.
type Language string

// The languages.
const (
	English Language = "en"
	German  Language = "de"
)

// Languages lists all of them.
func Languages() []Language { return []Language{English, German} }

// ParseLanguage reads "en", "de" or a locale like "de-DE"; empty is English.
func ParseLanguage(text string) (Language, error) {
	t, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), "-")
	if t == "" {
		return English, nil
	}
	if l := Language(t); slices.Contains(Languages(), l) {
		return l, nil
	}
	return "", incidents.Errorf(incidents.Invalid, "%q is no language a postmortem can be written in. Use en or de.", text)
}

func (l Language) words() *words {
	if l == German {
		return germanWords()
	}
	return englishWords()
}

// The words are made once: a long document asks for them ten thousand times.
var (
	englishWords = sync.OnceValue(english)
	germanWords  = sync.OnceValue(german)
)

// words are what Houston itself says in a document. Sentences are formats; a
// test demands each in every language and with the same verbs.
type words struct {
	about, quoteOpen, quoteClose string

	// The draft's sentences.
	affected, affectedOf, sinceUnknown, fromUntil, untilUnknown  string
	personNoticed, alertNoticed, noticeUnknown                   string
	mitigatedAt, resolvedAt, lastAction, notMitigated            string
	contradiction                                                string
	changesBefore, hypotheses, actionsTaken                      string
	wellAlert, poorlyPerson, luckyChance                         string
	internalDraft, publicWhat, publicDoing, publicNext           string
	teamHours, teamHoursHow                                      string
	nobodySaid, personFirst, noAlertEver, whenUnknown            string
	noAlertBefore, unheeded, lateAlert                           string
	alertSaid, alertFirstAt, nobodyActed, aheadOf, alertWasAfter string
	unnamed                                                      string

	// Durations.
	notAvailable, and, before, lessThanMinute string
	day, hour, minute, second                 string
	notApplicable, notOver, isUnknown         string
	whileSeverity, lessPauses, givenAfter     string

	// What documents call things.
	titles    map[SectionID]string
	questions map[SectionID]string
	durations map[string]string            // labels by name
	keyTimes  map[incidents.KeyTime]string // in definitions and tables
	// values holds words for values of enumerations, by "kind.observation"; a
	// value without one is written as it is.
	values map[string]string
	gates  map[string]string // see [Finding]
}

// Value writes a value of an enumeration as people read it.
func (l Language) Value(enumeration, value string) string {
	if text, ok := l.words().values[enumeration+"."+value]; ok {
		return text
	}
	return value
}

// ValueOf reads what [Language.Value] wrote.
func (l Language) ValueOf(enumeration, text string) string {
	for key, value := range l.words().values {
		if name, ok := strings.CutPrefix(key, enumeration+"."); ok && value == text {
			return name
		}
	}
	return text
}

// Title is the heading of a section.
func (l Language) Title(id SectionID) string { return l.words().titles[id] }

// KeyTime is what a key time is called.
func (l Language) KeyTime(key incidents.KeyTime) string { return l.words().keyTimes[key] }

// About stands before a moment that is only roughly known.
func (l Language) About() string { return l.words().about }
