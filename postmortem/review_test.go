package postmortem_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

func TestReviewRecordRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ field, value, says string }{
		{"participants", `[{"as":"commander"}]`, "needs a text"},
		{"decisions", `[{"text":" "}]`, "needs a text"},
		{"survey", `[{"question":"fun","yes":"1"}]`, "is no question of the survey"},
		{"survey", `[{"question":"learned","yes":"1"},{"question":"learned","no":"2"}]`, "twice"},
		{"survey", `[{"question":"learned","yes":"-1"}]`, "does not count answers"},
		{"survey", `[{"question":"learned","yes":"many"}]`, "does not count answers"},
		{"survey", `[{"question":"learned"}]`, "Say how many answered"},
		{"facilitator", `"` + strings.Repeat("x", 3001) + `"`, "at most 3000 fit"},
	} {
		_, _, err := postmortem.Written{}.With(postmortem.Written{tt.field: json.RawMessage(tt.value)})
		if incidents.KindOf(err) != incidents.Invalid || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s %.80s: got %v, want a refusal that says %q", tt.field, tt.value, err, tt.says)
		}
	}
}

// TestReviewRecordIsPeoples: what they wrote of it lies over each new draft field
// by field, names leave the public version, and who responded should not lead it.
func TestReviewRecordIsPeoples(t *testing.T) {
	t.Parallel()
	inc, events := logOf(t,
		happened("12:00:00", declared(incidents.ByEmployee, nil)),
		happened("12:01:00", incidents.RoleAssigned{Role: incidents.Commander, Person: incidents.Person{ID: "U2", Name: "Ben Okafor"}}),
		incidents.Event{
			At: clock("12:02:00"), Data: incidents.Noted{Kind: incidents.Action, Text: "Restarted scoring"},
			Actor: incidents.Actor{Person: incidents.Person{ID: "U2", Name: "Ben Okafor"}, Via: incidents.FromSlack},
		})
	drafted := func() postmortem.Document {
		return postmortem.DraftOf(postmortem.Input{Incident: inc, Events: events, Now: clock("23:00:00")})
	}
	if got := drafted().Review; got != nil {
		t.Fatalf("the draft says %+v of a review that only people know of", got)
	}
	written, _, err := postmortem.Written{}.With(postmortem.Written{
		"facilitator":  json.RawMessage(`"Ben Okafor"`),
		"participants": json.RawMessage(`[{"name":"Ben Okafor","as":"responder"},{"name":"Zoe Quist","as":"wrote the pool, says Zoe"}]`),
		"decisions":    json.RawMessage(`[{"text":"Zoe Quist splits the pool"}]`),
		"survey":       json.RawMessage(`[{"question":"come_again","yes":"4","no":"0"}]`),
		"summary":      json.RawMessage(`"Zoe found it."`),
	})
	if err != nil {
		t.Fatal(err)
	}
	doc := drafted()
	written.Over(&doc)
	if doc.Review == nil || doc.Review.Participants[1].Name != "Zoe Quist" || doc.Review.Survey[0].Yes != "4" {
		t.Fatalf("got %+v, want what people wrote", doc.Review)
	}
	hinted := false
	for _, f := range postmortem.Check(doc) {
		hinted = hinted || f.Field == "facilitator" && f.Before == ""
	}
	if !hinted {
		t.Error("nothing hints at a facilitator who had a role")
	}
	want := &postmortem.Review{
		Facilitator:  "commander",
		Participants: []postmortem.Participant{{Name: "commander", As: "responder"}, {Name: "a responder", As: "wrote the pool, says a responder"}},
		Decisions:    []postmortem.Decision{{Text: "a responder splits the pool"}},
		Survey:       []postmortem.SurveyCount{{Question: postmortem.WouldReturn, Yes: "4", No: "0"}},
	}
	public := postmortem.PublicOf(doc)
	if diff := cmp.Diff(want, public.Review); diff != "" {
		t.Errorf("the public record (-want +got):\n%s", diff)
	}
	noted := slices.IndexFunc(public.Facts.Timeline, func(e postmortem.Entry) bool { return e.Text == "Restarted scoring" })
	if noted < 0 || public.Facts.Timeline[noted].Actor.Name != "commander" {
		t.Errorf("got the public timeline %+v, want the commander's note with the role", public.Facts.Timeline)
	}
	raw, err := public.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Zoe", "Quist", "Okafor"} {
		if strings.Contains(string(raw), name) {
			t.Errorf("the public version names %s", name)
		}
	}
}
