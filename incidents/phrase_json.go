package incidents

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// storedPhrase is a [Phrase] as it is kept in an event: what it is made of, so
// that it can be said in any language later.
type storedPhrase struct {
	Format string      `json:"format"`
	Args   []storedArg `json:"args,omitempty"`
}

// storedArg is an argument of a phrase; one of its fields is set.
type storedArg struct {
	Text   *string       `json:"text,omitempty"`
	Number *int64        `json:"number,omitempty"`
	Phrase *storedPhrase `json:"phrase,omitempty"`
	Word   string        `json:"word,omitempty"` // the key of a name, beside Text in English
}

// spoken is a word that was read back: it has the name that it had.
type spoken struct{ key, english string }

// Word is the key of its name.
func (s spoken) Word() string { return s.key }

// String is the word in English.
func (s spoken) String() string { return s.english }

// MarshalJSON keeps a phrase with its parts.
func (p Phrase) MarshalJSON() ([]byte, error) { return json.Marshal(p.stored()) }

func (p Phrase) stored() storedPhrase {
	kept := storedPhrase{Format: p.Format}
	for _, arg := range p.Args {
		var a storedArg
		text := fmt.Sprint(arg)
		switch arg := arg.(type) {
		case Phrase:
			inner := arg.stored()
			a.Phrase = &inner
		case interface{ Word() string }:
			a.Word, a.Text = arg.Word(), &text
		default:
			if v := reflect.ValueOf(arg); v.CanInt() && text == strconv.FormatInt(v.Int(), 10) { // else it is a duration or the like
				n := v.Int()
				a.Number = &n
			} else {
				a.Text = &text
			}
		}
		kept.Args = append(kept.Args, a)
	}
	return kept
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (p *Phrase) UnmarshalJSON(raw []byte) error {
	var kept storedPhrase
	if err := json.Unmarshal(raw, &kept); err != nil {
		return fmt.Errorf("read a sentence: %w", err)
	}
	*p = kept.phrase()
	return nil
}

func (k storedPhrase) phrase() Phrase {
	p := Phrase{Format: k.Format}
	for _, a := range k.Args {
		switch {
		case a.Phrase != nil:
			p.Args = append(p.Args, a.Phrase.phrase())
		case a.Word != "" && a.Text != nil:
			p.Args = append(p.Args, spoken{a.Word, *a.Text})
		case a.Number != nil:
			p.Args = append(p.Args, *a.Number)
		case a.Text != nil:
			p.Args = append(p.Args, *a.Text)
		}
	}
	return p
}
