package slack

import (
	"context"

	slackgo "github.com/slack-go/slack"
)

// answerTo answers a person by the response URL of what he did, or by a direct
// message where there is none: a global shortcut and the home tab have no
// channel to answer in.
func (e *Edge) answerTo(ctx context.Context, person, responseURL string, r reply) {
	if responseURL != "" || r.text == "" {
		e.answerLater(ctx, responseURL, r)
		return
	}
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, answerLimit)
		defer cancel()
		m := words(r.text)
		if r.button != nil {
			m.Blocks = append(m.Blocks, slackgo.Block(r.button))
		}
		if _, _, err := e.config.Client.API().PostMessageContext(ctx, person, m.options()...); err != nil {
			e.config.Log.WarnContext(ctx, "an answer did not reach Slack", "error", err)
		}
	})
}
