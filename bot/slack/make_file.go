package slack

import (
	"bytes"
	"context"
	"fmt"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// fileMaker puts the postmortem into the incident's channel as a file
// (https://docs.slack.dev/messaging/working-with-files#upload). A share takes no
// metadata, so the file's name is the marker: it holds the number of the event
// that asked for it.
type fileMaker struct{ *Outbound }

func (m fileMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, err
	}
	format, err := m.format(ctx, work)
	if err != nil {
		return bot.Made{}, err
	}
	title, data, err := m.config.Document(ctx, work.Incident.Number, format)
	if err != nil {
		return bot.Made{}, &bot.Failure{Reason: "the postmortem could not be written", Err: err}
	}
	if len(data) == 0 {
		return bot.Made{}, &bot.Failure{Reason: "the postmortem is empty", Terminal: true}
	}
	return m.share(ctx, channel, slackgo.UploadFileParameters{
		Filename: fileName(work, format), Title: title, Reader: bytes.NewReader(data), FileSize: len(data),
	})
}

// Look finds the file among those shared in the channel since the attempt began.
func (m fileMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	channel, err := placeOf(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	format, err := m.format(ctx, work)
	if err != nil {
		return bot.Made{}, false, err
	}
	return m.shared(ctx, work, channel, fileName(work, format))
}

// format reads in which format the file was asked for.
func (m fileMaker) format(ctx context.Context, work bot.Work) (string, error) {
	event, _, err := m.event(ctx, work)
	if err != nil {
		return "", err
	}
	if _, ok := event.Data.(incidents.ReviewPlanned); ok {
		return "ics", nil // the meeting, for calendars
	}
	asked, ok := event.Data.(incidents.ExportAsked)
	if !ok {
		return "", &bot.Failure{Reason: "the event asks for no file", Terminal: true}
	}
	return asked.Format, nil
}

// fileName is like INC-1-postmortem-12.md; one that a repair makes anew has its
// generation in it too.
func fileName(work bot.Work, format string) string {
	name := fmt.Sprintf("%s-postmortem-%s", work.Incident.Key(), work.Effect.Target)
	if work.Effect.Generation > 1 {
		name += fmt.Sprintf("-%d", work.Effect.Generation)
	}
	return name + "." + format
}
