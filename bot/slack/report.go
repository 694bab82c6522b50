package slack

import (
	"context"
	"regexp"
	"strings"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

// ActionReport opens the declare form for a plain message; its value is the
// message's time stamp, a space, and as much of its text as fits.
const ActionReport = "report_declare"

const (
	// offerEvery is how long a person is left alone after an offer.
	offerEvery = time.Hour
	// offerWithin is how old a message may be that is still asked about: later,
	// the offer would only be in the way.
	offerWithin = 10 * time.Minute
	// reportText is how much of a message a button carries, in characters: its
	// value takes 2,000.
	reportText = 1900
)

// callPattern is the mention that a message to somebody begins with.
var callPattern = regexp.MustCompile(`^\s*<@([UW][A-Z0-9]+)(?:\|[^>]*)?>[\s,:]*`)

// OfferDeclaring works on the job of that name: it asks the author of a message
// whether it is an incident, in a message that only he sees, once an hour at
// most.
func (e *Edge) OfferDeclaring(ctx context.Context, job incidents.OfferDeclaring) error {
	if at, ok := momentOf(job.TS); !ok || e.config.Clock.Now().Sub(at) > offerWithin {
		return nil
	}
	if !job.Mention {
		if e.config.Announce == nil {
			return nil
		}
		announce, err := e.config.Announce.announceChannel(ctx)
		if err != nil {
			return e.settled(ctx, err, "offer to declare")
		}
		if announce != job.Channel {
			return nil
		}
	}
	profile, known := e.config.Directory.Profile(ctx, job.User)
	switch {
	case !known:
		return incidents.Errorf(incidents.Unavailable, "Slack does not tell who wrote a message.")
	case profile.Bot || profile.Standing != incidents.Member:
		return nil // he could not declare
	}
	m, there, err := e.fetch(ctx, job.Channel, job.TS)
	if err != nil || !there {
		return e.settled(ctx, err, "offer to declare")
	}
	// The digest lets this job try again, and no other event of this hour.
	_, err = e.config.Service.Store().Enqueue(ctx, incidents.Once{Key: "offer/" + job.User, Digest: job.Event, Keep: offerEvery})
	switch {
	case incidents.KindOf(err) == incidents.Mismatch:
		return nil
	case err != nil:
		return err
	}
	return e.ask(ctx, job, m)
}

// ask posts the offer. What Slack refuses is not tried again: an offer is no
// more than a courtesy.
func (e *Edge) ask(ctx context.Context, job incidents.OfferDeclaring, m slackgo.Message) error {
	if called := callPattern.FindStringSubmatch(m.Text); called != nil {
		if p, ok := e.config.Directory.Profile(ctx, called[1]); ok && p.Bot {
			m.Text = m.Text[len(called[0]):] // a bot that was called is no part of the report
		}
	}
	offer := words(e.textFor(job.User).Text("report_offer", "command", e.config.Command))
	value := job.TS + " " + cut(e.said(m), reportText)
	offer.Blocks = append(offer.Blocks, slackgo.NewActionBlock("report",
		button(ActionReport, e.textFor(job.User).Plain().Text("button_declare"), value, slackgo.StyleDanger)))
	_, err := e.config.Client.API().PostEphemeralContext(ctx, job.Channel, job.User, offer.options()...)
	if code := CodeOf(err); code != "" && code != "ratelimited" {
		e.config.Log.WarnContext(ctx, "an offer to declare was refused", "error", err)
		return nil
	}
	return e.settled(ctx, err, "offer to declare")
}

// reported is the form for the message that a button of [Edge.ask] is about.
func (e *Edge) reported(in interaction, value string) form {
	ts, text, _ := strings.Cut(value, " ")
	return formOf(text, origin{
		Channel: firstOf(in.Channel.ID, in.Container.ChannelID), ResponseURL: in.ResponseURL, Replace: true, TS: ts, Thread: ts, Author: in.User.ID,
	})
}
