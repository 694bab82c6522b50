package slack

import (
	"context"
	"slices"
	"strings"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// markEmoji names the emoji that set each mark: the one that Houston sets itself
// comes first, then those that look alike on a small screen.
func markEmoji(mark incidents.Mark) []string {
	switch mark {
	case incidents.MarkEvidence:
		return []string{"chart_with_upwards_trend", "chart_with_downwards_trend"}
	case incidents.MarkInternal:
		return []string{"lock", "closed_lock_with_key"}
	case incidents.MarkAction:
		return []string{"white_check_mark"}
	default:
		return []string{"pushpin", "round_pushpin"}
	}
}

// markOf tells which mark a reaction sets, whatever its skin tone
// ("name::skin-tone-2").
func markOf(reaction string) (incidents.Mark, bool) {
	name, _, _ := strings.Cut(reaction, "::")
	for _, mark := range []incidents.Mark{incidents.MarkTimeline, incidents.MarkEvidence, incidents.MarkInternal, incidents.MarkAction} {
		if slices.Contains(markEmoji(mark), name) {
			return mark, true
		}
	}
	return "", false
}

// marked reports whether a person's mark is on a message. Slack lists not all
// who reacted when they are many: then what the event said holds.
func marked(m slackgo.Message, user string, mark incidents.Mark, said bool) bool {
	for _, r := range m.Reactions {
		if of, ok := markOf(r.Name); !ok || of != mark {
			continue
		}
		if slices.Contains(r.Users, user) || (r.Count > len(r.Users) && said) {
			return true
		}
	}
	return false
}

// acknowledge shows on a message what it has become: Houston sets the same
// reaction for as long as the mark counts. Doing so twice does nothing; what
// Slack refuses is a courtesy less, and no more.
func (e *Edge) acknowledge(ctx context.Context, inc incidents.Incident, job incidents.CaptureMessage) error {
	captured, _ := inc.CapturedAs(incidents.Message{Channel: job.Channel, TS: job.TS})
	item := slackgo.NewRefToMessage(job.Channel, job.TS)
	emoji := markEmoji(job.Mark)[0]
	var err error
	if len(captured.Holders(job.Mark)) > 0 {
		err = e.config.Client.API().AddReactionContext(ctx, emoji, item)
	} else {
		err = e.config.Client.API().RemoveReactionContext(ctx, emoji, item)
	}
	switch code := CodeOf(err); code {
	case "", "ratelimited":
		return e.settled(ctx, err, "acknowledge a reaction")
	case "already_reacted", "no_reaction", "message_not_found":
		return nil
	default:
		e.config.Log.WarnContext(ctx, "a reaction could not be acknowledged", "error", err)
		return nil
	}
}
