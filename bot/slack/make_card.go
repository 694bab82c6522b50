package slack

import (
	"context"
	"fmt"

	"github.com/houston-sre/houston/bot"
)

// cardMaker posts the incident's card and keeps it current.
type cardMaker struct{ *Outbound }

func (m cardMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	card, err := m.card(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, channel, m.cardMessage(card), card.Seq)
}

func (m cardMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, channel, 0)
}

func (m cardMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	card, err := m.card(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	return m.edit(ctx, work, m.cardMessage(card), card.Seq)
}

func (m cardMaker) Check(ctx context.Context, work bot.Work) (bool, error) {
	return m.standing(ctx, work)
}

func (m cardMaker) card(ctx context.Context, work bot.Work) (bot.Card, error) {
	effects, err := m.config.Store.Effects(ctx, work.Incident.Number)
	if err != nil {
		return bot.Card{}, fmt.Errorf("load effects of %s: %w", work.Incident.Key(), err)
	}
	return bot.CardOf(work.Incident, effects, m.config.Name), nil
}
