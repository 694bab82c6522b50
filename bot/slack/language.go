package slack

import (
	"errors"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// textFor gives the texts for what one person alone reads: an answer, a form, a
// direct message, his home tab. They are in his own language (see
// [Directory.Language]), and escape what is filled in; what takes plain text, a
// button or a form, uses their Plain. What a channel reads is in the configured
// language.
func (e *Edge) textFor(userID string) *templates.Catalogue {
	return e.shared.In(e.config.Directory.Language(userID))
}

// textFor is textFor for what Houston sends by itself.
func (o *Outbound) textFor(userID string) *templates.Catalogue {
	return o.text.In(o.config.Language(userID))
}

// told gives what an entry says; Houston's own words are in the language of the
// texts, plain in any case.
func told(texts *templates.Catalogue, entry incidents.Entry) string {
	if entry.Told.Format == "" {
		return entry.Text
	}
	return texts.Plain().Say(entry.Told)
}

// sentence gives what an error tells a person in the language of the texts, and
// false when it is no *incidents.Error.
func sentence(texts *templates.Catalogue, err error) (string, bool) {
	known, ok := errors.AsType[*incidents.Error](err)
	if !ok {
		return "", false
	}
	return texts.Say(known), true
}
