package slack

import (
	"errors"
	"fmt"
	"net"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
)

// why says in words, for people, what Slack's error codes mean, and which of
// them no retry can mend. The codes are those of docs.slack.dev's method pages.
func why(code string) (reason string, terminal bool) {
	switch code {
	case "is_archived", "is_inactive":
		return "the channel is archived", true
	case "channel_not_found":
		return "the channel does not exist or Houston is not in it", true
	case "not_in_channel":
		return "Houston is not in the channel; invite it", true
	case "account_inactive":
		return "Slack has switched this app off; install it again", true
	case "missing_scope":
		return "the app lacks a permission in Slack; install it again with the scopes that `houston manifest` lists", true
	case "restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel",
		"restricted_action_non_threadable_channel", "restricted_action_thread_locked", "cannot_create_channel", "no_permission", "access_denied",
		"not_authorized", "cant_archive_general", "cant_archive_required":
		return "the workspace's settings do not allow it", true
	case "user_not_found", "users_not_found", "no_user":
		return "no such person in this workspace", true
	case "cant_invite", "user_disabled":
		return "deactivated or not to be invited", true
	case "user_is_restricted", "ura_max_channels":
		return "a guest who can not join another channel", true
	case "org_user_not_in_team", "invitee_cant_see_channel":
		return "not a member of this workspace", true
	case "no_external_invite_permission", "app_cannot_join_channel":
		return "the workspace's settings do not allow the invitation", true
	case "message_not_found":
		return "the message was deleted; `repair` makes it anew", true
	case "too_many_pins", "too_many_bookmarks", "not_pinnable":
		return fmt.Sprintf("the channel can take no more (%s)", code), true
	case "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "invalid_link", "too_long", "no_text":
		return fmt.Sprintf("Slack does not take the content (%s); please report this", code), true
	case "invalid_auth", "not_authed", "token_revoked", "token_expired":
		return fmt.Sprintf("Slack refuses the bot's token (%s)", code), false
	default:
		return fmt.Sprintf("Slack answered %s", code), false
	}
}

// unknownOutcome holds the codes after which a call may have been carried out
// all the same (docs.slack.dev: "some aspect of the operation succeeded").
func unknownOutcome(code string) bool {
	switch code {
	case "fatal_error", "internal_error", "request_timeout", "service_unavailable":
		return true
	default:
		return false
	}
}

// CodeOf gives Slack's error code of err, "" when it has none.
func CodeOf(err error) string {
	if e, ok := errors.AsType[slackgo.SlackErrorResponse](err); ok {
		return e.Err
	}
	return ""
}

// Reason says in a few words, for people, why a call to Slack failed.
func Reason(err error) string {
	if f, ok := errors.AsType[*bot.Failure](failure(err)); ok {
		return f.Reason
	}
	return ""
}

// failure reads what a failed call to Slack means.
func failure(err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*bot.Failure](err); ok {
		return f
	}
	if limited, ok := errors.AsType[*slackgo.RateLimitedError](err); ok {
		return &bot.Failure{Reason: "Slack asks to wait", After: max(limited.RetryAfter, time.Second), Err: err}
	}
	if code := CodeOf(err); code != "" {
		reason, terminal := why(code)
		return &bot.Failure{Reason: reason, Terminal: terminal, Unknown: unknownOutcome(code), Err: err}
	}
	if status, ok := errors.AsType[slackgo.StatusCodeError](err); ok {
		if status.Code == 429 {
			return &bot.Failure{Reason: "Slack asks to wait", After: 10 * time.Second, Err: err}
		}
		return &bot.Failure{Reason: fmt.Sprintf("Slack answered HTTP %d", status.Code), Unknown: status.Code >= 500, Err: err}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return &bot.Failure{Reason: "Slack can not be reached", Err: err}
	}
	return &bot.Failure{Reason: "no answer from Slack", Unknown: true, Err: err}
}
