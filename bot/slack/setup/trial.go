package setup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot/slack"
)

// trialFix is what to do about a fact that did not hold.
const trialFix = "Houston relies on this; run doctor --live again, and if it stays so, report it with this output"

// trialPause lies between two looks for what Slack does a moment later.
const trialPause = 300 * time.Millisecond

// trial tries in a scratch channel what Houston relies on. Each fact is a step;
// what a step needs of an earlier one that failed is not tried.
type trial struct {
	*checkup

	self    string // the bot's user id
	person  string // who may be invited; empty: nobody
	name    string // of the scratch channel, now
	channel string
	ts      string // of the scratch message
}

// fact is one thing that Houston relies on.
type fact struct {
	check string
	holds string // in words, when it did
	try   func(t *trial, ctx context.Context) error
	vital bool // without it nothing after it can be tried
}

// Trial finds out in the real workspace whether what Houston relies on holds: it
// makes a scratch channel, posts, reads back, pins, edits, renames and archives.
// The channel stays in the archive, since Slack lets no bot delete one. person is
// invited to it, to try that too, unless it is empty. It takes a few seconds, and
// ends soon after ctx does.
func Trial(ctx context.Context, config Config, person string, now time.Time) []Finding {
	if config.APIURL == "" {
		config.APIURL = slack.DefaultAPIURL
	}
	t := &trial{
		checkup: &checkup{config: config, client: slack.NewClient(slack.ClientConfig{Token: config.Token, APIURL: config.APIURL})},
		person:  person, name: fmt.Sprintf("houston-doctor-%d", now.Unix()),
	}
	facts := facts()
	for i, f := range facts {
		err := f.try(t, ctx)
		switch {
		case errors.Is(err, errNotTried):
			continue
		case err == nil:
			t.note("live: "+f.check, Fine, f.holds, "")
			continue
		}
		t.note("live: "+f.check, Failing, t.deviation(err), trialFix)
		if f.vital {
			t.note("live", Warning, fmt.Sprintf("%d more facts could not be tried", len(facts)-i-1), "mend the above, then run doctor --live again")
			break
		}
	}
	t.clearUp(ctx)
	return t.findings
}

// pause waits for what Slack does a moment later.
func pause(ctx context.Context) {
	select {
	case <-time.After(trialPause):
	case <-ctx.Done():
	}
}

// clearUp archives the scratch channel when the trial ended before that.
func (t *trial) clearUp(ctx context.Context) {
	if t.channel == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), slack.CallTimeout)
	defer cancel()
	if err := t.api().ArchiveConversationContext(ctx, t.channel); err != nil && slack.CodeOf(err) != "already_archived" {
		t.note("live: clear up", Warning, "the scratch channel #"+t.name+" could not be archived: "+t.trouble(err), "archive it by hand")
	}
}

// errNotTried says that a fact was not tried because nothing was given to try it with.
var errNotTried = errors.New("not tried")

// deviationError says what was there instead of what was expected.
type deviationError string

func (e deviationError) Error() string { return string(e) }

func (t *trial) deviation(err error) string {
	if found, ok := errors.AsType[deviationError](err); ok {
		return string(found)
	}
	return t.trouble(err)
}

// refused is nil when a call was refused with one of the codes that are expected.
func refused(err error, codes ...string) error {
	switch code := slack.CodeOf(err); {
	case err == nil:
		return deviationError("Slack did it, and was to answer " + strings.Join(codes, " or "))
	case code == "" || code == "ratelimited":
		return err
	case !slices.Contains(codes, code):
		return deviationError(fmt.Sprintf("Slack answered %s, and was to answer %s", code, strings.Join(codes, " or ")))
	default:
		return nil
	}
}

// facts lists what Houston relies on, in the order it is tried.
func facts() []fact {
	return []fact{
		{"who we are", "Slack tells the bot's own user id", (*trial).whoWeAre, true},
		{"create", "a channel can be made", (*trial).create, true},
		{"creator", "who made a channel is in it at once, and is named as its creator", (*trial).creator, false},
		{"own channels", "users.conversations lists a new channel at once", (*trial).ownChannels, false},
		{"name taken", "a name that is taken is refused as name_taken", (*trial).nameTaken, false},
		{"post", "a message with blocks and metadata can be posted", (*trial).post, true},
		{"metadata", "conversations.history gives the metadata back (include_all_metadata)", (*trial).metadata, false},
		{"edit", "a message can be edited", (*trial).edit, false},
		{"metadata after an edit", "an edit without metadata keeps it", (*trial).metadata, false},
		{"thread", "conversations.replies gives the metadata of an answer back", (*trial).thread, false},
		{"pin", "a message can be pinned and is listed", (*trial).pin, false},
		{"pin twice", "pinning what is pinned is refused as already_pinned", (*trial).pinTwice, false},
		{"topic", "a topic can be set and is read back as it was written", (*trial).topic, false},
		{"bookmark", "a link can be bookmarked and is listed", (*trial).bookmark, false},
		{"file", "a file can be shared and is found in the history by its name", (*trial).file, false},
		{"invite the bot itself", "inviting the bot itself is refused as cant_invite_self", (*trial).inviteSelf, false},
		{"invite twice", "inviting who is there is refused as already_in_channel", (*trial).inviteTwice, false},
		{"rename", "a channel can be renamed and is found by its id", (*trial).rename, false},
		{"archive", "a channel can be archived", (*trial).archive, false},
		{"name of an archived channel", "an archived channel keeps its name: name_taken", (*trial).nameTaken, false},
		{"post into the archive", "posting into an archived channel is refused as is_archived", (*trial).postArchived, false},
	}
}
