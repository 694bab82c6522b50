package pager

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// Opsgenie pages by Opsgenie's alert API, which lives on in Jira Service
// Management (docs.opsgenie.com/docs/alert-api; Opsgenie itself is shut down in
// April 2027). The page's key is the alias: a second alert of it is the same one.
type Opsgenie struct {
	client client
	url    string
	header map[string]string
	teams  []string
}

// NewOpsgenie makes an Opsgenie. url is https://api.atlassian.com/jsm/ops/integration,
// https://api.opsgenie.com or a stand-in's. A target is one of teams, by name;
// "default" is whoever the integration wakes by itself.
func NewOpsgenie(url, key string, teams []string) *Opsgenie {
	return &Opsgenie{
		client: newClient("Opsgenie"), url: strings.TrimSuffix(url, "/") + "/v2/alerts", teams: teams,
		header: map[string]string{"Authorization": "GenieKey " + key},
	}
}

type opsgenieAlert struct {
	Message     string              `json:"message"` // at most 130 characters
	Alias       string              `json:"alias"`
	Description string              `json:"description,omitempty"`
	Responders  []opsgenieResponder `json:"responders,omitempty"`
	Priority    string              `json:"priority"`
	Source      string              `json:"source"`
	Details     map[string]string   `json:"details,omitempty"`
}

type opsgenieResponder struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// Page creates an alert.
func (o *Opsgenie) Page(ctx context.Context, call Call) (string, error) {
	alert := opsgenieAlert{
		Message: cut(call.Summary, 130), Alias: call.Page.Key, Description: cut(strings.TrimSpace(call.Details), 10_000), Source: "houston",
		Priority: map[incidents.Severity]string{incidents.Sev1: "P1", incidents.Sev2: "P2", incidents.Sev4: "P4"}[call.Severity],
	}
	if alert.Priority == "" {
		alert.Priority = "P3"
	}
	if call.Link != "" {
		alert.Details = map[string]string{"incident": call.Link}
	}
	if call.Page.Target != "default" {
		alert.Responders = []opsgenieResponder{{Type: "team", Name: o.team(call.Page.Target)}}
	}
	return call.Page.Key, o.client.do(ctx, http.MethodPost, o.url, o.header, alert, nil)
}

// team gives a team's name as it is configured: targets are compared in lower case.
func (o *Opsgenie) team(target string) string {
	for _, team := range o.teams {
		if strings.EqualFold(team, target) {
			return team
		}
	}
	return target
}

// Resolve closes the alert.
func (o *Opsgenie) Resolve(ctx context.Context, page incidents.Page) error {
	err := o.client.do(ctx, http.MethodPost, o.address(page, "/close"), o.header, map[string]string{"source": "houston", "note": "The incident is over."}, nil)
	return ended(err)
}

// Standing asks how a page stands: its state is empty while nobody has answered.
func (o *Opsgenie) Standing(ctx context.Context, page incidents.Page) (incidents.PageSignal, error) {
	var answer struct {
		Data struct {
			Status       string `json:"status"`
			Acknowledged bool   `json:"acknowledged"`
			Owner        string `json:"owner"`
			Report       struct {
				AcknowledgedBy string `json:"acknowledgedBy"`
			} `json:"report"`
		} `json:"data"`
	}
	if err := o.client.do(ctx, http.MethodGet, o.address(page, ""), o.header, nil, &answer); err != nil {
		return incidents.PageSignal{}, err
	}
	signal := incidents.PageSignal{By: answer.Data.Report.AcknowledgedBy}
	if signal.By == "" {
		signal.By = answer.Data.Owner
	}
	switch {
	case answer.Data.Status == "closed":
		signal.State = incidents.PageResolved
	case answer.Data.Acknowledged:
		signal.State = incidents.PageAcknowledged
	}
	return signal, nil
}

func (o *Opsgenie) address(page incidents.Page, what string) string {
	return o.url + "/" + url.PathEscape(page.Key) + what + "?identifierType=alias"
}

// ended takes the answer that there is no such alert any more for success.
func ended(err error) error {
	if failure, ok := errors.AsType[*bot.Failure](err); ok && failure.Terminal && strings.Contains(failure.Reason, "answered 404") {
		return nil
	}
	return err
}
