package incidents

import "fmt"

// Phrase is a sentence of Houston's own, kept as the format and arguments it is
// made of, so that whoever shows it can say it in another language.
type Phrase struct {
	Format string // English, for fmt.Sprintf
	Args   []any  // words such as a [Status], phrases, names, numbers
}

// Phrasef makes a Phrase; the format follows fmt.Sprintf and is a literal, since
// translations are found by it.
func Phrasef(format string, args ...any) Phrase { return Phrase{Format: format, Args: args} }

// String is the phrase in English.
func (p Phrase) String() string {
	if len(p.Args) == 0 {
		return p.Format
	}
	return fmt.Sprintf(p.Format, p.Args...)
}

// Sentence gives the phrase's parts.
func (p Phrase) Sentence() (format string, args []any) { return p.Format, p.Args }

// joined puts phrases on lines of their own.
func joined(lines []Phrase) Phrase {
	if len(lines) == 0 {
		return Phrase{}
	}
	text := lines[0]
	for _, line := range lines[1:] {
		text = Phrasef("%s\n%s", text, line)
	}
	return text
}

// Teller is an event's data whose entry is in Houston's words and not in those
// of a person.
type Teller interface {
	// Told is the text of the entry.
	Told() Phrase
}

// Said gives what an entry says: a [Phrase] where Houston speaks, else the words
// of a person, as a string.
func (e Entry) Said() any {
	if e.Told.Format != "" {
		return e.Told
	}
	return e.Text
}
