package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/houston-sre/houston/incidents"
)

const (
	// maxWord bounds a word, in characters; maxWords how many of one text count.
	maxWord  = 64
	maxWords = 100
	// lastRune comes after everything a word can go on with, so that the words
	// that begin with w are those from w up to w+lastRune.
	lastRune = "\U0010FFFF"
)

// saveWords writes what an incident is found by.
func (t *transaction) saveWords(ctx context.Context, inc incidents.Incident) error {
	if _, err := t.exec(ctx, `DELETE FROM words WHERE incident = $1`, inc.Number); err != nil {
		return fmt.Errorf("forget the words of %s: %w", inc.Key(), err)
	}
	var rows [][]any
	for _, word := range words(inc.Title + " " + inc.Service) {
		rows = append(rows, []any{word, inc.Number})
	}
	if err := t.execRows(ctx, `INSERT INTO words (word, incident)`, rows, ""); err != nil {
		return fmt.Errorf("save the words of %s: %w", inc.Key(), err)
	}
	return nil
}

// words takes a text apart: lower case, each word once. Letters and digits of
// every script make words, and so do symbols such as emoji; an umlaut is the
// same in one code point or in two.
func words(text string) []string {
	text = norm.NFKC.String(strings.ToLower(strings.ToValidUTF8(text, " ")))
	var list []string
	for word := range strings.FieldsFuncSeq(text, apart) {
		list = append(list, cut(word))
		if len(list) == maxWords {
			break
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func apart(r rune) bool {
	return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number, unicode.So)
}

func cut(word string) string {
	if r := []rune(word); len(r) > maxWord {
		return string(r[:maxWord])
	}
	return word
}
