package main

// secrets gives what each kind of sender proves itself with beside the token.
func (w WebhookConfig) secrets() map[string]string {
	return map[string]string{
		"grafana": string(w.GrafanaSecret), "pagerduty": string(w.PagerDutySecret), "zendesk": string(w.ZendeskSecret),
	}
}
