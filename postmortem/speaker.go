package postmortem

import "github.com/houston-sre/houston/incidents"

// Speaker says Houston's own sentences in the language of a document.
type Speaker interface {
	// Say says what an entry of the timeline or a proposal is in Houston's words.
	Say(l Language, p incidents.Phrase) string
	// Because says why something failed, which is kept as an English sentence.
	Because(l Language, reason string) string
}

// inEnglish speaks as the code does.
type inEnglish struct{}

func (inEnglish) Say(_ Language, p incidents.Phrase) string { return p.String() }
func (inEnglish) Because(_ Language, reason string) string  { return reason }
