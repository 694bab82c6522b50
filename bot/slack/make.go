package slack

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// skew is how far Slack's clock may differ from ours when a look asks for what
// an attempt made since it began.
const skew = 2 * time.Second

// Outbound makes Houston's effects in Slack; see [Outbound.Makers].
type Outbound struct {
	config OutboundConfig
	text   *templates.Catalogue // escapes what is filled in
	self   self
	places places
}

// OutboundConfig of an Outbound. All but Name, Now, OpenFile and Document is required.
type OutboundConfig struct {
	Client *Client
	Store  incidents.Store
	Text   *templates.Catalogue
	// Announce is the announce channel, by id or name, without "#"; empty for none.
	Announce string
	// Command is the slash command, for texts that name it.
	Command string
	// Silencing says whether alerts can be silenced.
	Silencing bool
	// Name gives a person's name by id, for texts that can not mention.
	Name func(id string) string
	// Now tells the time; nil: time.Now.
	Now func() time.Time
	// PublicURL is where the web pages are, for texts that are too long; empty:
	// there are none.
	PublicURL string
	// Language gives the language a person reads, "" when it is not known; nil:
	// nobody's is known.
	Language func(id string) string
	// OpenFile opens a stored file by its digest, such as a chart; nil: no charts
	// are put into channels.
	OpenFile func(digest string) (*os.File, error)
	// Digest is the weekly message about action items; a Channel of "": there is none.
	Digest DigestConfig
	// Document writes an incident's postmortem in a format (see
	// [incidents.ExportFormats]); name is what readers see above the file. Nil:
	// no files are made.
	Document func(ctx context.Context, number int64, format string) (name string, data []byte, err error)
}

// DigestConfig says where the weekly digest goes, by id or name, and where it
// learns of action items.
type DigestConfig struct {
	Channel string
	Actions func(ctx context.Context, q incidents.ActionQuery) ([]incidents.ListedAction, error)
}

// NewOutbound makes an Outbound; it calls nobody.
func NewOutbound(config OutboundConfig) *Outbound {
	if config.Name == nil {
		config.Name = func(id string) string { return id }
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Language == nil {
		config.Language = func(string) string { return "" }
	}
	return &Outbound{config: config, text: config.Text.Escaping(escape)}
}

func (o *Outbound) api() *slackgo.Client { return o.config.Client.API() }

// apiFor is api, or its urgent lane for what makes a channel usable: the card
// and the reporter in it.
func (o *Outbound) apiFor(work bot.Work) *slackgo.Client {
	switch kind := work.Effect.Kind; {
	case kind == incidents.MakeCard && !work.Effect.Made(), kind == incidents.MakePin, kind == incidents.MakeTell,
		kind == incidents.MakeInvite && work.Effect.Target == work.Incident.Reporter.ID:
		return o.config.Client.Urgent()
	default:
		return o.config.Client.API()
	}
}

// Makers gives the makers of all effects that Slack holds.
func (o *Outbound) Makers() map[incidents.EffectKind]bot.Maker {
	makers := map[incidents.EffectKind]bot.Maker{
		incidents.MakeChannel:  channelMaker{o},
		incidents.MakeCard:     cardMaker{o},
		incidents.MakePin:      pinMaker{o},
		incidents.MakeInvite:   inviteMaker{o},
		incidents.MakeTopic:    topicMaker{o},
		incidents.MakeBookmark: bookmarkMaker{o},
		incidents.MakeAnnounce: announceMaker{o},
		incidents.MakePost:     postMaker{o},
		incidents.MakeReply:    replyMaker{o},
		incidents.MakeTell:     tellMaker{o},
		incidents.MakeOffer:    offerMaker{o},
		incidents.MakeNudge:    nudgeMaker{o},
		incidents.MakeRunbook:  runbookMaker{o},
		incidents.MakeTask:     taskMaker{o},
		incidents.MakeName:     nameMaker{o},
		incidents.MakeArchive:  archiveMaker{o},

		incidents.MakePrivateChannel: channelMaker{o},
		incidents.MakeRetract:        retractMaker{o},
		incidents.MakeLeave:          leaveMaker{o},
		incidents.MakeClear:          clearMaker{o},
		incidents.MakeAlerts:         alertsMaker{o},
	}
	if o.config.OpenFile != nil {
		makers[incidents.MakeChart] = chartMaker{o}
	}
	if o.config.Digest.Channel != "" {
		makers[incidents.MakeDigest] = digestMaker{o}
	}
	if o.config.Document != nil {
		makers[incidents.MakeFile] = fileMaker{o}
	}
	return makers
}

// self is who we are in the workspace, asked once.
type self struct {
	mu sync.Mutex
	id string
}

// userID gives the bot's own user id, by auth.test the first time.
func (o *Outbound) userID(ctx context.Context) (string, error) {
	o.self.mu.Lock()
	defer o.self.mu.Unlock()
	if o.self.id != "" {
		return o.self.id, nil
	}
	answer, err := o.api().AuthTestContext(ctx)
	if err != nil {
		return "", failure(err)
	}
	o.self.id = answer.UserID
	return o.self.id, nil
}

// placeOf gives the incident's channel, or that there is none yet.
func placeOf(work bot.Work) (string, error) {
	if work.Incident.Channel == nil {
		return "", bot.WaitForChannel()
	}
	return work.Incident.Channel.ID, nil
}

// oldest is a Slack time stamp from which on an attempt's effect can stand.
func oldest(work bot.Work) string {
	at := work.Effect.StartedAt.Add(-skew)
	return fmt.Sprintf("%d.%06d", at.Unix(), at.Nanosecond()/1000)
}
