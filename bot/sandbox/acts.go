package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"
	"time"
)

// Reply is what came of something a person did: the app's answer, and a handle
// to deliver the very same request again.
type Reply struct {
	Status      int // HTTP status; 200 for an ack over Socket Mode, 0 without an answer
	ContentType string
	Body        []byte
	Latency     time.Duration // until the answer was read
	Text        string        // the text of a message in the answer
	TS          string        // the message posted, reacted to or clicked
	TriggerID   string
	ResponseURL string

	ResponseAction string // of a view submission's answer: errors, update, push, clear

	w          *Workspace
	deliveries []*delivery
	finish     func(*Reply) error
}

// Delivered says whether the act was sent to the app at all; an event is not when
// the bot is not in the channel or the app listens nowhere.
func (r *Reply) Delivered() bool { return len(r.deliveries) > 0 }

// Redeliver sends the same signed bytes, or the same envelope, once more.
func (r *Reply) Redeliver(ctx context.Context) (Reply, error) { return r.RedeliverTo(ctx, "") }

// RedeliverTo is Redeliver to another base URL ("http://127.0.0.1:8081") with the
// same path, as when another replica gets the repeat. Socket Mode ignores it.
func (r *Reply) RedeliverTo(ctx context.Context, base string) (Reply, error) {
	if r.w == nil || len(r.deliveries) == 0 {
		return *r, &ActError{Code: "nothing_delivered"}
	}
	again := *r
	again.deliveries = nil
	for _, d := range r.deliveries {
		d := *d
		d.attempt++
		if base != "" && d.url != "" {
			u, err := url.Parse(d.url)
			if err != nil {
				return again, fmt.Errorf("read the app's URL: %w", err)
			}
			d.url = strings.TrimSuffix(base, "/") + u.EscapedPath()
		}
		again.deliveries = append(again.deliveries, &d)
	}
	err := again.send(ctx)
	return again, err
}

// send delivers everything the act has for the app and keeps the last answer.
// Events that the app did not take are sent again in the background.
func (r *Reply) send(ctx context.Context) error {
	var first error
	for _, d := range r.deliveries {
		a, err := r.w.send(ctx, d, nil)
		r.Status, r.ContentType, r.Body, r.Latency = a.status, a.contentType, a.body, a.latency
		if first == nil {
			first = err
		}
		if d.retries && err != nil && !a.noRetry && d.attempt == 0 {
			r.w.retryLater(*d, a, err)
		}
	}
	if first != nil || r.finish == nil {
		return first
	}
	return r.finish(r)
}

// deliverAct sends what an act has for the app; an act that failed is not sent.
func (w *Workspace) deliverAct(ctx context.Context, r Reply, err error) (Reply, error) {
	if err == nil {
		err = r.send(ctx)
	}
	return r, err
}

// person finds who acts; deactivated people cannot.
func (s *state) person(user string) (*User, error) {
	u := s.users[user]
	switch {
	case u == nil:
		return nil, &ActError{Code: "user_not_found"}
	case u.Deleted:
		return nil, &ActError{Code: "account_inactive"}
	}
	return u, nil
}

// place finds where a person acts: a channel that is open to them.
func (s *state) placeFor(u *User, idOrName string) (*channel, error) {
	c := s.find(idOrName)
	switch {
	case c == nil, (c.Private || c.IM) && !c.has(u.ID), u.guest() && !c.has(u.ID):
		return nil, &ActError{Code: "channel_not_found"}
	case c.Archived:
		return nil, &ActError{Code: "is_archived"}
	}
	return c, nil
}

func (s *state) userRef(u *User) object {
	return object{"id": u.ID, "username": u.Name, "name": u.Name, "team_id": u.TeamID}
}

func (s *state) teamRef() object {
	o := object{"id": s.teamID, "domain": "sandbox"}
	s.org.mark(o)
	return o
}

func channelRef(c *channel) object {
	name := c.Name
	switch {
	case c.IM:
		name = "directmessage"
	case c.Private:
		name = "privategroup"
	}
	return object{"id": c.ID, "name": name}
}

// interaction prepares an interactive payload. The caller holds the lock.
func (w *Workspace) interaction(u *User, payload object) (*delivery, error) {
	user := w.st.userRef(u)
	payload["user"], payload["team"] = user, w.st.teamRef()
	if payload["type"] == "message_action" { // the published payload names neither
		delete(user, "username")
	} else {
		payload["api_app_id"] = w.st.appID
	}
	payload["token"], payload["enterprise"], payload["is_enterprise_install"] = "sandbox-verification-token", w.st.org.ref(), w.st.org.installed
	d, ok := w.prepare(kindInteractive, nil, payload)
	if !ok {
		return nil, nowhere()
	}
	return d, nil
}

func nowhere() error {
	return &ActError{Code: "dispatch_failed", Err: errors.New("the app has no URL and no socket for this")}
}

// ackMessage shows the message that an answer to a command holds: nothing, plain
// text, or JSON when the content type says so.
func (r *Reply) ackMessage(origin responseURL) error {
	if len(r.Body) == 0 {
		return nil
	}
	var msg responseMessage
	mediaType, _, _ := mime.ParseMediaType(r.ContentType)
	if mediaType == "application/json" {
		if err := json.Unmarshal(r.Body, &msg); err != nil {
			return &ActError{Code: "invalid_payload", Status: r.Status, Err: err}
		}
		if msg.Text == "" && len(msg.Blocks) == 0 && len(msg.Attachments) == 0 {
			return nil // {} and {"ok":true} say nothing
		}
	} else {
		msg.Text = string(r.Body)
	}
	r.Text = msg.Text
	r.w.st.mu.Lock()
	defer r.w.st.mu.Unlock()
	if code := r.w.answer(&origin, msg); code != "" {
		return &ActError{Code: code, Status: r.Status}
	}
	return nil
}
