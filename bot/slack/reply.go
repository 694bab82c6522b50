package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	slackgo "github.com/slack-go/slack"
)

const (
	// maxReply is the longest answer in characters. Slack shows 4,000 well and
	// drops a Socket Mode ack of 20 KB without a word; this stays below both
	// whatever the characters are.
	maxReply = 3000
	// answerTries is how often a response URL is tried; it may be used five times.
	answerTries = 3
	answerPause = 500 * time.Millisecond
	// answerLimit bounds all tries together, so that a stop does not wait long.
	answerLimit = 12 * time.Second
)

// reply is an answer that only the one who asked sees. The zero value is none.
type reply struct {
	text    string               // markup
	button  *slackgo.ActionBlock // shown under the text; may be nil
	replace bool                 // it takes the place of the message that was clicked

	view    *nextView // of a submission: what the form becomes instead
	closing []byte    // of a submission: how its views close; nil: the topmost does
}

// say is a reply in words only.
func say(text string) reply { return reply{text: text} }

// message is a reply as Slack takes it.
type message struct {
	ResponseType    string          `json:"response_type"`
	ReplaceOriginal bool            `json:"replace_original"`
	Text            string          `json:"text"`
	Blocks          []slackgo.Block `json:"blocks,omitempty"`
}

// ephemeral encodes an answer; text is markup.
func ephemeral(text string) []byte { return say(text).encode() }

func (r reply) encode() []byte {
	m := message{ResponseType: "ephemeral", ReplaceOriginal: r.replace, Text: cutMarkup(r.text, maxReply)}
	if r.button != nil {
		m.Blocks = []slackgo.Block{section(m.Text), r.button}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(m) // strings and blocks always encode
	return bytes.TrimSpace(b.Bytes())
}

// explain turns an error into the words its cause is told in, in the language of
// the user who reads it. It is the only place that does so for Slack, and it
// logs what no user can act on, once.
func (e *Edge) explain(ctx context.Context, user string, err error, doing string) string {
	texts := e.textFor(user)
	if text, ok := sentence(texts, err); ok {
		return text
	}
	e.config.Log.ErrorContext(ctx, "a request from Slack failed", "doing", doing, "error", err)
	if errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil { // drivers have words of their own for it
		return texts.Text("error_unknown_outcome", "command", e.config.Command)
	}
	return texts.Text("error_internal")
}

// answerLater sends an answer to a response URL, beside the request it belongs
// to (https://docs.slack.dev/interactivity/handling-user-interaction). An answer
// that can not be sent is logged; what was done stays done.
func (e *Edge) answerLater(ctx context.Context, responseURL string, r reply) {
	if responseURL == "" || r.text == "" {
		return
	}
	ctx = context.WithoutCancel(ctx)
	e.answers.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, answerLimit)
		defer cancel()
		body := r.encode()
		for try := 1; ; try++ {
			again, err := e.answer(ctx, responseURL, body)
			if err == nil {
				return
			}
			if !again || try == answerTries {
				e.config.Log.WarnContext(ctx, "an answer did not reach Slack", "tries", try, "error", err)
				return
			}
			wait(ctx, answerPause)
		}
	})
}

// answer posts once. It reports whether another try may help.
func (e *Edge) answer(ctx context.Context, responseURL string, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, responseURL, bytes.NewReader(body))
	if err != nil {
		return false, errBadURL
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	resp, err := e.config.HTTP.Do(req)
	if err != nil {
		return true, fmt.Errorf("post to the response URL: %w", withoutURL(err))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return resp.StatusCode >= 500, answerRefused(resp.StatusCode)
	}
	return false, nil
}
