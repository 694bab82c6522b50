package slack

import "github.com/houston-sre/houston/templates"

// textFor gives the texts for what one person alone reads: an answer, a form, a
// direct message, his home tab. What a channel reads is in the configured
// language.
func (e *Edge) textFor(_ string) *templates.Catalogue { return e.text }

// textFor is textFor for what Houston sends by itself.
func (o *Outbound) textFor(_ string) *templates.Catalogue { return o.text }
