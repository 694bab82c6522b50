package slack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// maxAltText bounds what is read to people who do not see a picture
// (https://docs.slack.dev/reference/methods/files.getUploadURLExternal).
const maxAltText = 1000

// maxChartTitle bounds the name above a picture, in characters.
const maxChartTitle = 150

// chartMaker puts a chart that is drawn and stored into the incident's channel.
type chartMaker struct{ *Outbound }

func (m chartMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	event, events, err := m.event(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	drawn, ok := event.Data.(incidents.ChartDrawn)
	switch {
	case !ok:
		return bot.Made{}, &bot.Failure{Reason: "the event holds no chart", Terminal: true}
	case incidents.Hidden(events, event.Seq):
		return bot.Made{ID: noChart, Place: channel, Shown: work.Incident.Seq}, nil
	}
	picture, err := m.config.OpenFile(drawn.File.Digest)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return bot.Made{}, &bot.Failure{Reason: "the chart is not in data_dir of this replica", Err: err}
	case err != nil:
		return bot.Made{}, &bot.Failure{Reason: "the chart could not be read", Err: err}
	}
	defer func() { _ = picture.Close() }()
	return m.share(ctx, channel, slackgo.UploadFileParameters{
		Filename: chartName(work), Title: cut(oneLine(drawn.Expr), maxChartTitle), Reader: picture, FileSize: int(drawn.File.Size),
		AltTxt:         cut(m.config.Text.Plain().Say(drawn.Told()), maxAltText),
		InitialComment: m.text.Text("post_chart", "text", m.fit(work.Incident.Number, m.config.Text.Plain().Say(drawn.Told()), maxPost), "person", templates.Markup(mention(event.Actor.ID, event.Actor.Name))),
	})
}

// noChart is the id of a chart that was redacted before it was uploaded.
const noChart = "redacted"

// Refresh deletes the picture of a chart that was redacted, and the message that
// it was shared with.
func (m chartMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	made := bot.Made{ID: work.Effect.ID, Place: work.Effect.Place, Shown: work.Incident.Seq}
	event, events, err := m.event(ctx, work)
	if err != nil || work.Effect.ID == noChart || !incidents.Hidden(events, event.Seq) {
		return made, err
	}
	info, _, _, err := m.api().GetFileInfoContext(ctx, work.Effect.ID, 0, 0)
	switch code := CodeOf(err); {
	case code == "file_deleted" || code == "file_not_found":
		return made, nil
	case err != nil:
		return bot.Made{}, failure(err)
	}
	shares := append(slices.Clone(info.Shares.Public[work.Effect.Place]), info.Shares.Private[work.Effect.Place]...)
	if len(shares) == 0 && m.config.Now().Before(work.Effect.ShownAt.Add(landed)) {
		return bot.Made{}, bot.Wait("the picture to appear in the channel")
	}
	for _, share := range shares { // first: who knows its message once the file is gone?
		if err := m.unsay(ctx, work.Effect.Place, share.Ts); err != nil {
			return bot.Made{}, failure(err)
		}
	}
	return made, m.deleteFile(ctx, work.Effect.ID)
}

// Look finds the picture among those shared in the channel since the attempt began.
func (m chartMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.shared(ctx, work, channel, chartName(work))
}

// chartName is like INC-1-chart-12.png; one that a repair makes anew has its
// generation in it too.
func chartName(work bot.Work) string {
	name := fmt.Sprintf("%s-chart-%s", work.Incident.Key(), work.Effect.Target)
	if work.Effect.Generation > 1 {
		name += fmt.Sprintf("-%d", work.Effect.Generation)
	}
	return name + ".png"
}
