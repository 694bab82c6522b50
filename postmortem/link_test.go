package postmortem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// TestLinks: Houston drafts those it knows, people's stand behind, and the public
// is led to the status page alone.
func TestLinks(t *testing.T) {
	t.Parallel()
	begin := declared(incidents.ByCustomer, nil)
	begin.BridgeURL = "https://meet.example/inc-1"
	inc, events := logOf(t,
		happened("12:00:00", begin),
		happened("12:00:01", incidents.ChannelOpened{Channel: incidents.Channel{ID: "C1", Name: "inc-1-offers"}}),
		happened("12:05:00", incidents.NoticePublished{Title: "Missing offers", Status: incidents.NoticeInvestigating, Text: "We look into it."}))
	ticket := func(id, address string) incidents.Alert {
		return incidents.Alert{Labels: map[string]string{"alertname": "No offers", "source": "zendesk", "ticket": id}, URL: address}
	}
	in := postmortem.Input{Incident: inc, Events: events, Now: clock("23:00:00"), StatusPage: "https://houston.example/status", Alerts: []incidents.Alert{
		ticket("7", "https://help.example/7"), ticket("7", "https://help.example/7"), ticket("8", "javascript:alert(1)"),
		{Labels: map[string]string{"alertname": "Slow"}, URL: "https://prometheus.example/graph"},
	}}
	doc := postmortem.DraftOf(in)
	written, _, err := postmortem.Written{}.With(postmortem.Written{
		"link_items": json.RawMessage(`[{"kind":"recording","text":"the call","url":" https://video.example/1 ","drafted":true},{"url":"https://x.example"}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	written.Over(&doc)
	want := []postmortem.Link{
		{Kind: "channel", Text: "#inc-1-offers", URL: "https://slack.com/app_redirect?channel=C1", Drafted: true},
		{Kind: "call", URL: "https://meet.example/inc-1", Drafted: true},
		{Kind: "status_page", Text: "Missing offers", URL: "https://houston.example/status", Drafted: true},
		{Kind: "ticket", Text: "7: No offers", URL: "https://help.example/7", Drafted: true},
		{Kind: "recording", Text: "the call", URL: "https://video.example/1"},
		{Kind: "other", URL: "https://x.example"},
	}
	if diff := cmp.Diff(want, doc.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[2:3], postmortem.PublicOf(doc).Links); diff != "" {
		t.Errorf("links of the public version (-want +got):\n%s", diff)
	}
	in.Incident.Private = true
	for _, l := range postmortem.DraftOf(in).Links {
		if l.Kind == postmortem.ToStatusPage {
			t.Errorf("a private incident leads to %s", l.URL)
		}
	}
	for _, bad := range []string{`[{"kind":"ticket"}]`, `[{"url":"javascript:alert(1)"}]`, `[{"kind":"song","url":"https://x.example"}]`} {
		if _, _, err := (postmortem.Written{}).With(postmortem.Written{"link_items": json.RawMessage(bad)}); incidents.KindOf(err) != incidents.Invalid || strings.Contains(err.Error(), "schema") {
			t.Errorf("%s: got %v, want it refused in words", bad, err)
		}
	}
}
