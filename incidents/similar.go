package incidents

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Similar finds among open incidents those that a report may be about: they have
// the same service, or share the words that tell one incident from another. The
// likeliest come first, at most three. Drills are left out.
func Similar(title, service string, open []Incident) []Incident {
	reported := telling(title)
	type found struct {
		inc   Incident
		score int
	}
	var all []found
	for _, inc := range open {
		if inc.Drill {
			continue
		}
		there, shared := telling(inc.Title), 0
		for word := range reported {
			if there[word] {
				shared++
			}
		}
		score := shared
		if service = strings.TrimSpace(service); service != "" && strings.EqualFold(service, inc.Service) {
			score += 10
		}
		if score >= 2 || shared > 0 && 2*shared >= min(len(reported), len(there)) {
			all = append(all, found{inc, score})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.inc.Number, a.inc.Number))
	})
	var similar []Incident
	for _, f := range all[:min(len(all), 3)] {
		similar = append(similar, f.inc)
	}
	return similar
}

// telling gives the words of a title that tell incidents apart, in lower case:
// those that are longer than two letters and not in every other title.
func telling(title string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len([]rune(word)) > 2 && !slices.Contains(commonWords(), word) {
			words[word] = true
		}
	}
	return words
}

// commonWords are in titles of any incident, in English and German.
func commonWords() []string {
	return []string{
		"the", "and", "are", "for", "from", "has", "have", "not", "since", "that", "this", "was", "with", "all", "our", "answers", "down",
		"error", "errors", "failed", "failing", "fails", "incident", "missing", "slow",
		"der", "die", "das", "und", "für", "ist", "sind", "nicht", "seit", "mit", "von", "alle", "ein", "eine", "den", "fehler", "fehlen",
		"langsam", "antwortet", "ausfall", "störung", "vorfall", "kein", "keine", "geht",
	}
}
