package sandbox

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// emitIn tells the app of something in a channel, if its bot is in there.
func (w *Workspace) emitIn(c *channel, event object) {
	if c.has(w.st.botUser) {
		w.emit(event)
	}
}

// emitPublic tells the app of something about a channel that it can see.
func (w *Workspace) emitPublic(c *channel, event object) {
	event["event_ts"] = formatTS(w.st.now().UnixMicro())
	if !c.Private || c.has(w.st.botUser) {
		w.emit(event)
	}
}

// emit sends an event to the app if it has subscribed to it and has the scope.
// The caller holds the lock; the event leaves in the background unless an act
// collects it.
func (w *Workspace) emit(event object) {
	name, _ := event["type"].(string)
	if w.cfg.Events != nil && !slices.Contains(w.cfg.Events, name) || !w.st.granted(eventScopes(event)...) {
		return
	}
	if event["event_ts"] == nil {
		event["event_ts"] = formatTS(w.st.now().UnixMicro())
	}
	envelope := object{
		"token": "sandbox-verification-token", "team_id": w.st.teamID, "api_app_id": w.st.appID, "event": event, "type": "event_callback",
		"event_id": "Ev" + w.st.id('E')[1:], "event_time": w.st.now().Unix(), "event_context": secret(12), "is_ext_shared_channel": w.st.extShared(event),
		"authorizations": []object{{
			"enterprise_id": w.st.org.idOrNull(), "team_id": w.st.teamID, "user_id": w.st.botUser, "is_bot": true,
			"is_enterprise_install": w.st.org.installed,
		}},
	}
	w.st.org.envelope(envelope, w.st.teamID)
	d, ok := w.prepare(kindEvent, nil, envelope)
	if ok {
		d.retries = true
	}
	switch {
	case !ok:
	case w.st.capture != nil:
		*w.st.capture = append(*w.st.capture, d)
	default:
		w.background(d)
	}
}

// background delivers an event with its retries.
func (w *Workspace) background(d *delivery) {
	w.inFlight(func() {
		a, err := w.send(w.closing, d, nil)
		w.retry(d, a, err)
	})
}

// retryLater goes on with an event that an act has sent in vain.
func (w *Workspace) retryLater(d delivery, a ack, err error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	w.inFlight(func() { w.retry(&d, a, err) })
}

// inFlight does something in the background that WaitQuiet waits for. The caller
// holds the lock.
func (w *Workspace) inFlight(do func()) {
	w.st.deliveriesInFlight++
	w.spawn(func() {
		defer func() {
			w.st.mu.Lock()
			defer w.st.mu.Unlock()
			w.st.deliveriesInFlight--
			w.st.touch()
		}()
		do()
	})
}

// retry sends an event again after each of RetryAfter, until the app answers 2xx
// in time or says X-Slack-No-Retry: 1. The body stays the same; each request is
// signed when it leaves. A connection that dies is tried again by Socket Mode itself.
func (w *Workspace) retry(d *delivery, a ack, err error) {
	for i, pause := range w.cfg.RetryAfter {
		if err == nil || a.noRetry {
			return
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-w.closing.Done():
			timer.Stop()
			return
		}
		d.attempt = i + 1
		again := http.Header{}
		again.Set("X-Slack-Retry-Num", strconv.Itoa(i+1))
		again.Set("X-Slack-Retry-Reason", retryReason(err))
		if d.url != "" {
			d.header = w.signedHeader(d.header.Get("Content-Type"), d.body, w.cfg.Now())
		}
		a, err = w.send(w.closing, d, again)
	}
}

// retryReason is Slack's word for what went wrong.
func retryReason(err error) string {
	e, ok := errors.AsType[*ActError](err)
	_, badCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case !ok:
		return "unknown_error"
	case e.Code == "operation_timeout":
		return "http_timeout"
	case badCertificate:
		return "ssl_error"
	case e.Status >= 300 && e.Status < 400:
		return "too_many_redirects"
	case e.Status != 0:
		return "http_error"
	default:
		return "connection_failed"
	}
}

// WaitQuiet waits until no event is on its way to the app.
func (w *Workspace) WaitQuiet(ctx context.Context) error {
	return w.WaitFor(ctx, func(v *View) bool {
		v.st.mu.Lock()
		defer v.st.mu.Unlock()
		return v.st.deliveriesInFlight == 0
	})
}

// eventScopes names the scopes of which the app needs one to get an event.
func eventScopes(event object) []string {
	switch event["type"] {
	case "message":
		switch event["channel_type"] {
		case "im":
			return []string{"im:history"}
		case "group":
			return []string{"groups:history"}
		default:
			return []string{"channels:history"}
		}
	case "app_mention":
		return []string{"app_mentions:read"}
	case "reaction_added", "reaction_removed":
		return []string{"reactions:read"}
	case "pin_added", "pin_removed":
		return []string{"pins:read"}
	case "member_joined_channel", "member_left_channel":
		return []string{"channels:read", "groups:read"}
	case "channel_archive", "channel_unarchive", "channel_rename", "channel_created":
		return []string{"channels:read"}
	case "group_archive", "group_unarchive", "group_rename":
		return []string{"groups:read"}
	case "subteam_updated":
		return []string{"usergroups:read"}
	case "user_change":
		return []string{"users:read"}
	case "file_shared":
		return []string{"files:read"}
	default:
		return nil
	}
}
