package slack

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// messageID is what Slack calls a message by: seconds and six digits.
var messageID = regexp.MustCompile(`^\d+\.\d{6}$`)

// retractMaker takes back what Houston posted about an incident in channels
// that are not its own, once it went private: the announcement, and the offers
// of its alerts. Deleting what is gone does nothing.
type retractMaker struct{ *Outbound }

func (m retractMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	inc := work.Incident
	since, err := m.wentPrivate(ctx, inc.Number)
	if err != nil {
		return bot.Made{}, err
	}
	elsewhere, err := m.elsewhere(ctx, inc)
	if err != nil {
		return bot.Made{}, err
	}
	for _, post := range elsewhere {
		if err := m.unsay(ctx, post.Channel, post.TS); err != nil {
			return bot.Made{}, failure(err)
		}
	}
	if rest := since.Add(landed).Sub(m.config.Now()); rest > 0 {
		return bot.Made{}, &bot.Failure{Reason: "waiting for messages under way", Waiting: true, After: max(rest, time.Second)}
	}
	return bot.Made{ID: inc.Key(), Shown: 1}, nil
}

// elsewhere lists the messages about an incident outside of its channels. Direct
// messages are not among them: who got one is of the incident.
func (o *Outbound) elsewhere(ctx context.Context, inc incidents.Incident) ([]incidents.Message, error) {
	own := map[string]bool{"": true}
	if inc.Channel != nil {
		own[inc.Channel.ID] = true
	}
	for _, c := range inc.Former {
		own[c.ID] = true // emptied by itself, see leaveMaker
	}
	effects, err := o.config.Store.Effects(ctx, inc.Number)
	if err != nil {
		return nil, fmt.Errorf("load what was posted about %s: %w", inc.Key(), err)
	}
	events, err := o.config.Store.Events(ctx, inc.Number)
	if err != nil {
		return nil, fmt.Errorf("load the alerts of %s: %w", inc.Key(), err)
	}
	asked := map[string]bool{}
	for _, e := range events {
		received, ok := e.Data.(incidents.AlertsReceived)
		if !ok || asked[received.Group] {
			continue
		}
		asked[received.Group] = true
		offer, err := o.config.Store.Effect(ctx, incidents.OfferKey(received.Group))
		switch {
		case err == nil:
			effects = append(effects, offer)
		case incidents.KindOf(err) != incidents.NotFound:
			return nil, fmt.Errorf("load the offer of %s: %w", inc.Key(), err)
		}
	}
	var posts []incidents.Message
	for _, e := range effects {
		if e.Kind != incidents.MakeTell && !own[e.Place] && messageID.MatchString(e.ID) {
			posts = append(posts, incidents.Message{Channel: e.Place, TS: e.ID})
		}
	}
	return posts, nil
}
