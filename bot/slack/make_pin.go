package slack

import (
	"context"
	"errors"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
)

// pinMaker pins the card. Pinning what is pinned does nothing, so it needs no look.
type pinMaker struct{ *Outbound }

func (m pinMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	card := work.Incident.Card
	if card == nil {
		return bot.Made{}, bot.Wait("the card")
	}
	err := m.apiFor(work).AddPinContext(ctx, card.Channel, slackgo.NewRefToMessage(card.Channel, card.TS))
	switch CodeOf(err) {
	case "already_pinned":
		err = nil
	case "message_not_found": // a repair is about to post the card anew
		return bot.Made{}, &bot.Failure{Reason: "waiting for the card", Waiting: true, After: 2 * time.Second}
	}
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: card.TS, Place: card.Channel, Shown: 1}, nil
}

func (m pinMaker) Check(ctx context.Context, work bot.Work) (bool, error) {
	items, _, err := m.api().ListPinsContext(ctx, work.Effect.Place)
	if CodeOf(err) == "channel_not_found" {
		return false, nil
	}
	if err != nil {
		return false, failure(err)
	}
	for _, item := range items {
		if item.Message != nil && item.Message.Timestamp == work.Effect.ID {
			return true, nil
		}
	}
	return false, nil
}

// inviteMaker brings one person, or the members of a user group, into the
// channel. Who is there already is no failure; who can not come is said.
type inviteMaker struct{ *Outbound }

func (m inviteMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	made := bot.Made{ID: work.Effect.Target, Place: channel, Shown: work.Effect.Wanted}
	users := []string{work.Effect.Target}
	if isGroup(work.Effect.Target) {
		if users, err = m.api().GetUserGroupMembersContext(ctx, work.Effect.Target); err != nil {
			return bot.Made{}, failure(err)
		}
	}
	var refused []error
	for _, user := range users {
		_, err := m.apiFor(work).InviteUsersToConversationContext(ctx, channel, user)
		switch CodeOf(err) {
		case "already_in_channel", "cant_invite_self":
			err = nil
		}
		if err == nil {
			continue
		}
		if f := failure(err); len(users) == 1 || !isTerminal(f) {
			return bot.Made{}, f
		}
		refused = append(refused, err)
	}
	if len(refused) > 0 && len(refused) == len(users) {
		return bot.Made{}, failure(errors.Join(refused...))
	}
	return made, nil
}

// Again invites who may have left since.
func (m inviteMaker) Again(ctx context.Context, work bot.Work) (bot.Made, error) {
	return m.Make(ctx, work)
}

func isGroup(id string) bool { return len(id) > 1 && id[0] == 'S' }

func isTerminal(err error) bool {
	f, ok := errors.AsType[*bot.Failure](err)
	return ok && f.Terminal
}
