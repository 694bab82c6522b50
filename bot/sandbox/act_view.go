package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
)

// SubmitView is a person filling a modal in and submitting it.
type SubmitView struct {
	User   string // ID
	ViewID string // empty: User's topmost modal
	// Values by block_id: text, an option's value, a user's or channel's ID, a
	// date; several separated by commas. Inputs not named keep their initial value.
	Values map[string]string
}

// SubmitView submits a modal and waits for the app's answer, whose
// response_action (errors, update, push, clear; none closes the modal) is carried
// out. A required input left empty fails with missing_input before anything is
// sent, text, numbers and addresses that Slack's client refuses with
// invalid_input, an unknown option with option_not_found.
func (w *Workspace) SubmitView(ctx context.Context, s SubmitView) (Reply, error) {
	r, err := w.submit(s)
	return w.deliverAct(ctx, r, err)
}

func (w *Workspace) submit(s SubmitView) (Reply, error) {
	if s.ViewID == "" {
		if open := w.Modals(s.User); len(open) > 0 {
			s.ViewID = open[len(open)-1].ID
		}
	}
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	u, err := w.st.person(s.User)
	if err != nil {
		return Reply{}, err
	}
	v := w.st.views[s.ViewID]
	if v == nil || !v.Open || v.User != u.ID || v.Type != "modal" {
		return Reply{}, &ActError{Code: "view_not_found"}
	}
	values, err := filling{held: v.held, values: s.Values, submit: true}.state(v.Blocks)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{w: w, TriggerID: w.st.newTrigger(u.ID, v.ID)}
	d, err := w.interaction(u, object{
		"type": "view_submission", "trigger_id": r.TriggerID, "view": w.st.viewWire(v, values), "response_urls": []object{},
	})
	if err != nil {
		return r, err
	}
	r.deliveries = []*delivery{d}
	r.finish = func(r *Reply) error { return r.viewAction(v.ID) }
	return r, nil
}

// viewAction carries out the answer to a submission.
func (r *Reply) viewAction(id string) error {
	var answer struct {
		ResponseAction string            `json:"response_action"`
		Errors         map[string]string `json:"errors"`
		View           map[string]any    `json:"view"`
	}
	if len(r.Body) > 0 {
		if err := json.Unmarshal(r.Body, &answer); err != nil {
			return &ActError{Code: "invalid_payload", Status: r.Status, Err: err}
		}
	}
	r.ResponseAction = answer.ResponseAction
	st := r.w.st
	st.mu.Lock()
	defer st.mu.Unlock()
	defer st.touch()
	v := st.views[id]
	switch answer.ResponseAction {
	case "errors":
		v.Errors = answer.Errors
		return st.unknownErrors(v)
	case "update", "push":
		if problems := ValidateView(answer.View); len(problems) > 0 {
			return &ActError{Code: "invalid_arguments", Err: fmt.Errorf("%v", problems)}
		}
		var err error
		if answer.ResponseAction == "push" {
			_, err = st.push(v, answer.View)
		} else {
			err = st.place(v, answer.View)
		}
		if err != nil {
			return &ActError{Code: err.Error()}
		}
	case "clear":
		for _, other := range st.views {
			if other.root == v.root {
				other.Open = false
			}
		}
	default:
		v.Open = false
	}
	return nil
}

// unknownErrors refuses errors for blocks that are not inputs of the view.
func (s *state) unknownErrors(v *modal) error {
	var blocks []struct {
		ID   string `json:"block_id"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(v.Blocks, &blocks); err != nil {
		return fmt.Errorf("read stored view: %w", err)
	}
	inputs := map[string]bool{}
	for _, b := range blocks {
		inputs[b.ID] = b.Type == "input"
	}
	for id := range v.Errors {
		if !inputs[id] {
			return &ActError{Code: "invalid_errors", Err: fmt.Errorf("the view has no input %s", id)}
		}
	}
	return nil
}

// CloseView closes a modal with its ✕; the app hears of it if the view asked for
// notify_on_close.
func (w *Workspace) CloseView(ctx context.Context, user, viewID string) (Reply, error) {
	r, err := w.closeView(user, viewID)
	return w.deliverAct(ctx, r, err)
}

func (w *Workspace) closeView(user, viewID string) (Reply, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	defer w.st.touch()
	u, err := w.st.person(user)
	if err != nil {
		return Reply{}, err
	}
	v := w.st.views[viewID]
	if v == nil || !v.Open || v.User != user {
		return Reply{}, &ActError{Code: "view_not_found"}
	}
	v.Open = false
	r := Reply{w: w}
	if v.body["notify_on_close"] != true {
		return r, nil
	}
	d, err := w.interaction(u, object{"type": "view_closed", "view": w.st.viewWire(v, nil), "is_cleared": false})
	if err != nil {
		return r, err
	}
	r.deliveries = []*delivery{d}
	return r, nil
}

// Shortcut is a person choosing a shortcut: a global one, or one on a message.
type Shortcut struct {
	User       string
	CallbackID string
	Channel    string // with MessageTS: a message shortcut
	MessageTS  string
}

// Shortcut chooses a shortcut and waits for the app's ack.
func (w *Workspace) Shortcut(ctx context.Context, s Shortcut) (Reply, error) {
	r, err := w.shortcut(s)
	return w.deliverAct(ctx, r, err)
}

func (w *Workspace) shortcut(s Shortcut) (Reply, error) {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	u, err := w.st.person(s.User)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{w: w, TS: s.MessageTS, TriggerID: w.st.newTrigger(u.ID, "")}
	at := formatTS(w.st.now().UnixMicro())
	payload := object{"type": "shortcut", "callback_id": s.CallbackID, "trigger_id": r.TriggerID, "action_ts": at}
	if s.MessageTS != "" {
		c, err := w.st.placeFor(u, s.Channel)
		if err != nil {
			return r, err
		}
		m := c.message(s.MessageTS)
		if m == nil {
			return r, &ActError{Code: "message_not_found"}
		}
		r.ResponseURL = w.newResponse(responseURL{channel: c.ID, user: u.ID})
		payload["type"], payload["message_ts"], payload["message"] = "message_action", m.TS, w.st.messageWire(c, m, false)
		payload["channel"], payload["response_url"] = channelRef(c), r.ResponseURL
	}
	d, err := w.interaction(u, payload)
	if err != nil {
		return r, err
	}
	r.deliveries = []*delivery{d}
	return r, nil
}
