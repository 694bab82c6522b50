package webhook

import (
	"net/http"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// request is one delivery as it came.
type request struct {
	source string // ?source=, "default" when absent
	header http.Header
	body   []byte
	now    time.Time
	// seal tells this delivery from all others of its kind where its time was signed
	// with it; empty where it was not. A header with an id is no part of what is signed.
	seal string
}

// intake is what a delivery says, decoded. A delivery that says nothing of
// interest has none of it but why.
type intake struct {
	alerts  []incidents.Delivery
	changes []incidents.ChangeEvent
	pages   []incidents.PageSignal
	// id is the sender's own id of the delivery: it acts once. Empty where the
	// sender gives none; what is said then must bear being said twice.
	id string
	// ignored says why nothing comes of the delivery, for the log.
	ignored string
}

func ignore(reason string) (intake, error) { return intake{ignored: reason}, nil }

// sender is one kind of webhook.
type sender struct {
	decode func(request) (intake, error)
	// signed holds what the sender proves itself with beside the token; nil when
	// it signs nothing.
	signed func(request, secret) proof
	// stamp gives the time stamp that is signed with the body, as sent.
	stamp func(request) string
	// put says that the sender may use PUT as well as POST.
	put bool
}

// senders gives the kinds by the names in their paths. What a generic body means
// is configured.
func senders(generic func(request) (intake, error)) map[string]sender {
	return map[string]sender{
		"alertmanager": {decode: decodeAlertmanager},
		// What Prometheus and vmalert post to when Houston stands among their
		// Alertmanagers under this prefix.
		"alertmanager/api/v2/alerts": {decode: decodePrometheus},
		"grafana":                    {decode: decodeGrafana, signed: signedByGrafana, stamp: stampOfGrafana, put: true},
		"pagerduty":                  {decode: decodePagerDuty, signed: signedByPagerDuty},
		"zendesk":                    {decode: decodeZendesk, signed: signedByZendesk, stamp: stampOfZendesk},
		"goalert":                    {decode: decodeGoAlert},
		"github":                     {decode: decodeGitHub, signed: signedByGitHub},
		"gitlab":                     {decode: decodeGitLab, signed: signedByGitLab, stamp: stampOfGitLab},
		"argocd":                     {decode: decodeArgoCD, signed: signedPlainly},
		"flux":                       {decode: decodeFlux, signed: signedPlainly},
		"cdevents":                   {decode: decodeCDEvents, signed: signedPlainly},
		"generic":                    {decode: generic, signed: signedPlainly},
	}
}

// changed is an intake of one change.
func changed(id string, c incidents.ChangeEvent) (intake, error) {
	return intake{id: id, changes: []incidents.ChangeEvent{c}}, nil
}

func decodeAlertmanager(r request) (intake, error) {
	delivery, err := DecodeAlertmanager(r.body, r.source, r.now)
	if err != nil {
		return intake{}, err
	}
	delivery.Alertmanager, delivery.SentBy = true, "Alertmanager"
	return intake{alerts: []incidents.Delivery{delivery}}, nil
}
