package slack

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// announceMaker tells the announce channel of an incident, in one message that
// is kept current.
type announceMaker struct{ *Outbound }

func (m announceMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	if work.Incident.Private { // it went private while this was owed
		return bot.Made{ID: neverSaid, Shown: work.Effect.Wanted}, nil
	}
	place, err := m.announceChannel(ctx)
	if err != nil {
		return bot.Made{}, err
	}
	return m.post(ctx, work, place, m.announcement(work.Incident), work.Incident.Seq)
}

func (m announceMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	place, err := m.announceChannel(ctx)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.find(ctx, work, place, 0)
}

func (m announceMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	if work.Incident.Private { // it may have been found only now that a lost call had made it
		made := bot.Made{ID: work.Effect.ID, Place: work.Effect.Place, Shown: work.Effect.Wanted}
		if !messageID.MatchString(made.ID) {
			return made, nil
		}
		if err := m.unsay(ctx, made.Place, made.ID); err != nil {
			return bot.Made{}, failure(err)
		}
		return made, nil
	}
	return m.edit(ctx, work, m.announcement(work.Incident), work.Incident.Seq)
}

func (m announceMaker) Check(ctx context.Context, work bot.Work) (bool, error) {
	if work.Incident.Private {
		return true, nil // it was taken back
	}
	return m.standing(ctx, work)
}

// neverSaid is the id of an announcement that was not to be made any more.
const neverSaid = "none"

// announcement is one line: what, how bad, how it stands, where.
func (o *Outbound) announcement(inc incidents.Incident) posting {
	line := fmt.Sprintf("%s *%s* %s · %s · %s", statusEmoji(inc), inc.Key(), cutEscaped(inc.Title, 600), o.text.Name(inc.Severity), o.text.Name(inc.Status))
	if commander, ok := inc.Commander(); ok {
		line += " · " + o.text.Text("announce_commander", "person", templates.Markup(mention(commander.ID, commander.Name)))
	}
	if inc.Channel != nil {
		line += " · <#" + inc.Channel.ID + ">"
	}
	return paragraph("%s", line)
}

// places resolves the announce channel once.
type places struct {
	announce atomic.Pointer[string]
	mu       sync.Mutex
	looking  chan struct{} // closed when the search that runs has ended; nil: none does
}

// How long Houston waits before it looks again for an announce channel that it
// could not find or join: twice as long each time.
const (
	announceRetry     = 5 * time.Second
	announceMostRetry = 10 * time.Minute
)

// Join finds and joins the announce channel, whose messages Slack tells only
// then, and tries again until it succeeds or ctx ends. Without an announce
// channel it returns at once.
func (o *Outbound) Join(ctx context.Context, log *slog.Logger) {
	if o.config.Announce == "" {
		return
	}
	for pause := announceRetry; ctx.Err() == nil; pause = min(2*pause, announceMostRetry) {
		_, err := o.announceChannel(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		log.WarnContext(ctx, "the announce channel could not be joined", "channel", o.config.Announce, "error", err)
		wait(ctx, max(pause, retryAfter(err)))
	}
}

// Announced gives the id of the announce channel, "" while it is not known. It
// calls nobody.
func (o *Outbound) Announced() string {
	if id := o.places.announce.Load(); id != nil {
		return *id
	}
	return ""
}

// announceChannel gives the id of the announce channel, which the bot joins so
// that it can find its messages there again.
func (o *Outbound) announceChannel(ctx context.Context) (string, error) {
	for {
		if id := o.Announced(); id != "" {
			return id, nil
		}
		o.places.mu.Lock()
		looking := o.places.looking
		if looking == nil {
			o.places.looking = make(chan struct{})
		}
		o.places.mu.Unlock()
		if looking == nil {
			return o.lookForAnnounce(ctx)
		}
		select {
		case <-looking: // it may have failed: then it is our turn
		case <-ctx.Done():
			return "", failure(ctx.Err())
		}
	}
}

// lookForAnnounce is the search of [Outbound.announceChannel], of which one runs
// at a time. Nothing is locked while Slack is asked.
func (o *Outbound) lookForAnnounce(ctx context.Context) (string, error) {
	defer func() {
		o.places.mu.Lock()
		defer o.places.mu.Unlock()
		close(o.places.looking)
		o.places.looking = nil
	}()
	channel, err := o.findChannel(ctx, strings.TrimPrefix(o.config.Announce, "#"))
	if err != nil {
		return "", err
	}
	if !channel.IsMember && !channel.IsPrivate {
		if _, _, _, err := o.api().JoinConversationContext(ctx, channel.ID); err != nil {
			return "", failure(err)
		}
	}
	o.places.announce.Store(&channel.ID)
	return channel.ID, nil
}

// findChannel finds a channel by id or by name, with paging.
func (o *Outbound) findChannel(ctx context.Context, name string) (slackgo.Channel, error) {
	if channel, err := o.api().GetConversationInfoContext(ctx, &slackgo.GetConversationInfoInput{ChannelID: name}); err == nil {
		return *channel, nil
	} else if CodeOf(err) != "channel_not_found" {
		return slackgo.Channel{}, failure(err)
	}
	params := &slackgo.GetConversationsParameters{Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true, Limit: 900}
	for {
		channels, next, err := o.api().GetConversationsContext(ctx, params)
		if err != nil {
			return slackgo.Channel{}, failure(err)
		}
		for _, c := range channels {
			if c.Name == name {
				return c, nil
			}
		}
		if next == "" {
			return slackgo.Channel{}, &bot.Failure{
				Reason:   fmt.Sprintf("there is no channel #%s that Houston can see; create it, or invite Houston when it is private", name),
				Terminal: true,
			}
		}
		params.Cursor = next
	}
}
