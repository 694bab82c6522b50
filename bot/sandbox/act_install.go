package sandbox

import "context"

// Uninstall takes the app out of the workspace, as an administrator would: from
// now on its tokens answer account_inactive. The app is told by tokens_revoked and
// app_uninstalled.
func (w *Workspace) Uninstall(ctx context.Context) (Reply, error) {
	r := w.tell(
		object{"type": "tokens_revoked", "tokens": object{"oauth": []string{}, "bot": []string{w.st.botUser}}},
		object{"type": "app_uninstalled"},
	)
	w.st.mu.Lock()
	w.st.uninstalled = true
	w.st.touch()
	w.st.mu.Unlock()
	return w.deliverAct(ctx, r, nil)
}

// LimitEvents sends app_rate_limited, as Slack does once a minute while an app
// gets more than 30,000 events an hour (docs.slack.dev/apis/events-api). It
// is an outer event: there is no event_id and nothing in it to act on.
func (w *Workspace) LimitEvents(ctx context.Context) (Reply, error) {
	w.st.mu.Lock()
	now := w.st.now().Unix()
	d, ok := w.prepare(kindEvent, nil, object{
		"token": "sandbox-verification-token", "type": "app_rate_limited", "team_id": w.st.teamID, "api_app_id": w.st.appID,
		"minute_rate_limited": now - now%60,
	})
	w.st.mu.Unlock()
	if !ok {
		return Reply{}, nowhere()
	}
	return w.deliverAct(ctx, Reply{w: w, deliveries: []*delivery{d}}, nil)
}

// tell gathers the deliveries of events that are about no channel.
func (w *Workspace) tell(events ...object) Reply {
	r := Reply{w: w}
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	w.st.capture = &r.deliveries
	defer func() { w.st.capture = nil }()
	for _, event := range events {
		w.emit(event)
	}
	return r
}
