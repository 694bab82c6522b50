package sandbox

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// Command is a slash command that a person types. Slack sends no commands from
// inside a thread, and none of people from connected workspaces; the stand-in
// sends theirs, so that an app can show that it would not follow them.
type Command struct {
	User    string // ID
	Channel string // ID or name
	Command string // "/incident"
	Text    string // as typed: @name and #channel become Slack's references
	Raw     bool   // send Text as it is
}

// Command types a slash command and waits for the app's answer. It fails with an
// ActError: operation_timeout after three seconds, http_service_error for a
// status other than 2xx, dispatch_failed when the app cannot be reached, or the
// code of a bad message in the answer. Reply.Text is what the user was shown.
func (w *Workspace) Command(ctx context.Context, cmd Command) (Reply, error) {
	r, err := w.typeCommand(cmd)
	return w.deliverAct(ctx, r, err)
}

func (w *Workspace) typeCommand(cmd Command) (Reply, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	u, err := w.st.person(cmd.User)
	if err != nil {
		return Reply{}, err
	}
	c, err := w.st.placeFor(u, cmd.Channel)
	if err != nil {
		return Reply{}, err
	}
	origin := responseURL{channel: c.ID, user: u.ID}
	r := Reply{w: w, TriggerID: w.st.newTrigger(u.ID, ""), ResponseURL: w.newResponse(origin)}
	text := cmd.Text
	if !cmd.Raw {
		text = w.st.refer(text)
	}
	name, _ := channelRef(c)["name"].(string)
	fields := map[string]string{
		"token": "sandbox-verification-token", "team_id": w.st.teamID, "team_domain": "sandbox", "channel_id": c.ID, "channel_name": name,
		"user_id": u.ID, "user_name": u.Name, "command": cmd.Command, "text": text, "api_app_id": w.st.appID,
		"response_url": r.ResponseURL, "trigger_id": r.TriggerID, "is_enterprise_install": strconv.FormatBool(w.st.org.installed),
	}
	if w.st.org.id != "" {
		fields["enterprise_id"], fields["enterprise_name"] = w.st.org.id, w.st.org.name
	}
	form := url.Values{}
	for k, v := range fields {
		form.Set(k, v)
	}
	d, ok := w.prepare(kindCommand, form, fields)
	if !ok {
		return r, nowhere()
	}
	r.deliveries = []*delivery{d}
	r.finish = func(r *Reply) error { return r.ackMessage(origin) }
	return r, nil
}

// SSLCheck sends the ssl_check request by which Slack tests a command's URL; the
// app must answer 200.
func (w *Workspace) SSLCheck(ctx context.Context) (Reply, error) {
	w.st.mu.Lock()
	d, ok := w.prepare(kindCommand, url.Values{"ssl_check": {"1"}, "token": {"sandbox-verification-token"}}, nil)
	w.st.mu.Unlock()
	if !ok || d.url == "" {
		return Reply{}, nowhere()
	}
	r := Reply{w: w, deliveries: []*delivery{d}}
	return w.deliverAct(ctx, r, nil)
}

// VerifyEvents sends the url_verification challenge by which Slack tests an
// events URL; the app must give the challenge back as text or as
// {"challenge":…}.
func (w *Workspace) VerifyEvents(ctx context.Context) (Reply, error) {
	challenge := secret(16)
	w.st.mu.Lock()
	d, ok := w.prepare(kindEvent, nil, object{"type": "url_verification", "challenge": challenge, "token": "sandbox-verification-token"})
	w.st.mu.Unlock()
	if !ok || d.url == "" {
		return Reply{}, nowhere()
	}
	r := Reply{w: w, deliveries: []*delivery{d}}
	r.finish = func(r *Reply) error {
		if body := strings.TrimSpace(string(r.Body)); body != challenge && !strings.Contains(body, `"challenge":"`+challenge+`"`) &&
			!strings.Contains(body, `"challenge": "`+challenge+`"`) {
			return &ActError{Code: "challenge_failed", Status: r.Status}
		}
		return nil
	}
	return w.deliverAct(ctx, r, nil)
}
