package slack

import (
	"context"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// topicMaker keeps the channel's topic current. Setting it twice does nothing.
type topicMaker struct{ *Outbound }

func (m topicMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	if _, err := m.api().SetTopicOfConversationContext(ctx, channel, m.topic(work.Incident)); err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: channel, Place: channel, Shown: work.Incident.Seq}, nil
}

func (m topicMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	return m.Make(ctx, work)
}

// topic is plain text: topics take no formatting (docs.slack.dev,
// conversations.setTopic), at most 250 characters.
func (o *Outbound) topic(inc incidents.Incident) string {
	parts := []string{inc.Key(), o.config.Text.Name(inc.Severity), o.config.Text.Name(inc.Status)}
	if inc.Drill {
		parts = append(parts, o.config.Text.Text("topic_drill"))
	}
	if commander, ok := inc.Commander(); ok {
		parts = append(parts, o.config.Text.Text("topic_commander", "person", commander.Name))
	}
	if inc.BridgeURL != "" {
		parts = append(parts, inc.BridgeURL)
	}
	// Nothing says whether Slack reads mentions in a topic, so none is written.
	return strings.NewReplacer("<", "‹", ">", "›").Replace(cut(clean(strings.Join(parts, " · ")), maxTopic))
}

// bookmarkMaker bookmarks a link in the channel. The link is found again by
// itself.
type bookmarkMaker struct{ *Outbound }

func (m bookmarkMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	made, found, err := m.Look(ctx, work) // people may have added it, or an earlier generation
	if err != nil || found {
		return made, err
	}
	added, err := m.api().AddBookmarkContext(ctx, made.Place, slackgo.AddBookmarkParameters{
		Title: m.config.Text.Text("bookmark_bridge"), Type: "link", Link: work.Incident.BridgeURL, Emoji: ":telephone_receiver:",
	})
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: added.ID, Place: made.Place, Shown: work.Incident.Seq}, nil
}

// Refresh points the bookmark to the video call of now.
func (m bookmarkMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	made, found, err := m.Look(ctx, work)
	if err != nil || found {
		return made, err
	}
	_, err = m.api().EditBookmarkContext(ctx, made.Place, work.Effect.ID, slackgo.EditBookmarkParameters{Link: work.Incident.BridgeURL})
	if CodeOf(err) == "not_found" { // people took it away
		return m.Make(ctx, work)
	}
	if err != nil {
		return bot.Made{}, failure(err)
	}
	return bot.Made{ID: work.Effect.ID, Place: made.Place, Shown: work.Incident.Seq}, nil
}

func (m bookmarkMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	id, err := m.existing(ctx, work, channel)
	return bot.Made{ID: id, Place: channel, Shown: work.Incident.Seq}, id != "", err
}

func (m bookmarkMaker) existing(ctx context.Context, work bot.Work, channel string) (string, error) {
	bookmarks, err := m.api().ListBookmarksContext(ctx, channel)
	if err != nil {
		return "", failure(err)
	}
	for _, b := range bookmarks {
		if b.Link == work.Incident.BridgeURL {
			return b.ID, nil
		}
	}
	return "", nil
}

func (m bookmarkMaker) Check(ctx context.Context, work bot.Work) (bool, error) {
	id, err := m.existing(ctx, work, work.Effect.Place)
	return id != "", err
}
