package sqlstore

import (
	"context"
	"database/sql"
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

// rareWord is how many incidents a word has at most that is looked up first.
const rareWord = 2000

// withWords wants all words of a text. An incident is asked for a word that many
// have, newest first until a page is full. Incidents of a rare word are looked up
// first: rare is true, and they are listed newest first. The other way round
// either reads all there is, which no planner sees coming.
func (s *Store) withWords(ctx context.Context, f *filter, text string) (found []int64, rare bool, err error) {
	for _, word := range words(text) {
		common, err := collectOne(s.query(ctx, fmt.Sprintf(`
			SELECT incident FROM words WHERE word >= $1 AND word < $2 LIMIT 1 OFFSET %d`, rareWord), word, word+lastRune))
		if err != nil {
			return nil, false, fmt.Errorf("look a word up: %w", err)
		}
		if common {
			f.add(`EXISTS (SELECT 1 FROM words w WHERE w.incident = i.number AND w.word >= ? AND w.word < ?)`, word, word+lastRune)
			continue
		}
		rows, err := s.query(ctx, `SELECT incident FROM words WHERE word >= $1 AND word < $2`, word, word+lastRune)
		numbers, err := collect(rows, err, scanOne[int64])
		if err != nil {
			return nil, false, fmt.Errorf("look a word up: %w", err)
		}
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
		if rare {
			numbers = slices.DeleteFunc(numbers, func(n int64) bool { return !slices.Contains(found, n) })
		}
		found, rare = numbers, true
	}
	slices.Reverse(found)
	return found, rare, nil
}

// collectOne reports whether a query gives any row.
func collectOne(rows *sql.Rows, err error) (bool, error) {
	list, err := collect(rows, err, scanOne[int64])
	return len(list) > 0, err
}
