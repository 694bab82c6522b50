package export

import (
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// sample is a document in which nothing is empty, for trying templates.
func sample(language postmortem.Language) postmortem.Document {
	at := time.Date(2030, 1, 31, 9, 0, 0, 0, time.UTC)
	doc := bare(language)
	someone, one, seconds := incidents.Person{ID: "U1", Name: "Ada"}, int64(1), 60.0
	doc.Zone, doc.DraftedAt, doc.Edition = "Europe/Berlin", at, 1
	doc.Services, doc.Tags = []string{"offers"}, []postmortem.Tag{{Key: "team", Value: "offers"}}
	doc.Owner, doc.Approver = &someone, &someone
	doc.Authors, doc.Reviewers = []incidents.Person{someone}, []incidents.Person{someone}
	doc.Waived, doc.Meeting = &postmortem.Waiver{Reason: "a test", By: someone}, &postmortem.Meeting{At: at, Minutes: 45}
	doc.Facts.Summary, doc.Facts.Service, doc.Facts.BridgeURL, doc.Facts.Follows = "It was slow.", "offers", "https://meet.example.com/a", "INC-2"
	doc.Facts.Private, doc.Facts.Drill, doc.Facts.Detection = true, true, incidents.ByAlert
	doc.Facts.Channel = &incidents.Channel{ID: "C1", Name: "inc-1"}
	doc.Facts.Severities = []postmortem.SeveritySince{{Severity: incidents.Sev2, Since: at}, {Severity: incidents.Sev3, Since: at}}
	doc.Facts.Roles = []postmortem.Holder{{Role: incidents.Commander, Person: someone}}
	for i := range doc.Facts.Times {
		doc.Facts.Times[i].At, doc.Facts.Times[i].Precision = &at, incidents.ToSecond
	}
	for i := range doc.Facts.Durations {
		doc.Facts.Durations[i].Seconds, doc.Facts.Durations[i].Finding = &seconds, "A finding."
	}
	doc.Facts.SeverityDurations = []postmortem.SeverityDuration{{Severity: incidents.Sev2, Definition: "while it was", Seconds: &seconds, Text: "1 min"}}
	file := postmortem.File{ID: "F1", Name: "p99.png", Type: "image/png", Size: 1, Digest: "ab"}
	for _, kind := range incidents.EntryKinds() {
		doc.Facts.Timeline = append(doc.Facts.Timeline, postmortem.Entry{
			Seq: 1, At: at, RecordedAt: at, Precision: incidents.ToSecond, Kind: kind, Actor: someone, Text: "Something happened.",
			Permalink: "https://example.slack.com/archives/C1/p1", Internal: true, Edited: true, Deleted: true,
			Until: &at, UntilPrecision: incidents.ToMinute, Significant: true,
			Files: []incidents.File{{ID: file.ID, Name: file.Name, Type: file.Type, Size: file.Size, Digest: file.Digest}},
		})
	}
	for i := range doc.Sections {
		doc.Sections[i].Text = "A paragraph.\n\n- an item\n\n```\ncode\n```"
	}
	doc.Trigger, doc.Impact = "load", postmortem.Impact{
		Measures: []postmortem.Measure{{What: "brokers", Value: "120", Unit: "people", OfTotal: "900", Kind: "users", How: "log", Estimated: true}},
		Reason:   "none", DataLoss: postmortem.No, Objective: postmortem.Yes, Regions: []string{"eu"},
	}
	doc.Factors = []postmortem.Factor{{Text: "A shared pool", Category: "design", Evidence: "a graph", LatentSince: "2029-01-01", Whys: []postmortem.Why{{Level: 1, Text: "One pool was simpler"}, {Level: 2, Text: "Nobody measured"}}}}
	doc.Glossary, doc.Lessons = []postmortem.Term{{Term: "Pool", Meaning: "of connections"}}, []postmortem.Lesson{{Text: "Blind", Answers: "gap:1"}}
	doc.Gaps = []postmortem.Gap{{
		ID: 1, Signal: "waiting", Type: incidents.GapNoAlert, SecondsLost: &seconds, AtMostSeconds: &seconds, Action: &one, Expr: "a > 1", For: "5m",
		Labels: []postmortem.Tag{{Key: "severity", Value: "page"}}, State: incidents.GapOpen, Reason: "a reason", Checks: []incidents.GapCheck{{}},
	}}
	doc.Actions = []postmortem.ActionItem{{
		ID: 1, Text: "Give slow requests a pool", Type: incidents.Prevent, Priority: "P1", Owner: &someone, Due: "2030-02-28", State: incidents.ActionDone,
		DoneWhen: "p99 < 1 s", Answers: []string{"gap:1"}, Link: "https://example.com/1", Outcome: "it is", VerifiedBy: &someone, Gap: true,
	}}
	doc.Communication = []postmortem.Message{{Where: postmortem.OnStatusPage, Status: incidents.NoticeResolved, Text: "Solved.", At: at, WithdrawnAt: &at}}
	doc.Evidence = []postmortem.Evidence{{Text: "p99", URL: "https://grafana.example.com", At: &at, File: &file}}
	doc.People = []postmortem.Hours{{Person: someone, Minutes: 10, First: at, Last: at}}
	doc.Links = []postmortem.Link{{Kind: postmortem.ToRecording, Text: "the call", URL: "https://video.example.com/1"}}
	doc.Review = &postmortem.Review{
		Facilitator: "Eva", Participants: []postmortem.Participant{{Name: "Ada", As: "commander"}}, Decisions: []postmortem.Decision{{Text: "Split the pool"}},
		Survey: []postmortem.SurveyCount{{Question: postmortem.DidYouLearn, Yes: "5", No: "1", Unsure: "0"}},
	}
	return doc
}
