package slack

import (
	"context"
	"fmt"
)

// Language gives the language a person reads: what he chose, else that of his
// Slack (a locale such as de-DE, https://docs.slack.dev/reference/objects/user-object),
// "" when neither is known. It calls nobody.
func (d *Directory) Language(id string) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return firstOf(d.languages[id], d.people[id].Locale)
}

// Chosen gives the language that a person chose, "" for that of his Slack. It
// calls nobody.
func (d *Directory) Chosen(id string) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.languages[id]
}

// Choose keeps the language that a person wants Houston to speak, for example
// "de"; "" is that of his Slack again. Other replicas know it with their next
// refresh.
func (d *Directory) Choose(ctx context.Context, id, language string) error {
	if err := d.config.Store.ChooseLanguage(ctx, id, language); err != nil {
		return fmt.Errorf("choose a language: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.languages[id] = language
	return nil
}

// readLanguages takes in what people chose, at this replica or another.
func (d *Directory) readLanguages(ctx context.Context) error {
	chosen, err := d.config.Store.Languages(ctx)
	if err != nil {
		return fmt.Errorf("read the languages that people chose: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.languages = chosen
	return nil
}
