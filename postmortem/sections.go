package postmortem

// SectionID names a section of the document.
type SectionID string

// The sections, in the order they are read.
const (
	Summary             SectionID = "summary"
	Impact              SectionID = "impact"
	DetectionSection    SectionID = "detection"
	Trigger             SectionID = "trigger"
	ContributingFactors SectionID = "contributing_factors"
	Response            SectionID = "response"
	WentWell            SectionID = "went_well"
	WentPoorly          SectionID = "went_poorly"
	Lucky               SectionID = "lucky"
	TimelineSection     SectionID = "timeline"
	MonitoringGaps      SectionID = "monitoring_gaps"
	ActionItems         SectionID = "action_items"
	CommunicationSent   SectionID = "communication"
)

// Section is one part of the document.
type Section struct {
	ID    SectionID `json:"id"`
	Title string    `json:"title"`
	// Text follows from the facts, a sentence or two each.
	Text []Prose `json:"text"`
	// Items are entries of the timeline that may belong here: the author keeps,
	// changes or drops them.
	Items []Prose `json:"items"`
	// Question asks the author for what only people know. It is empty when the
	// facts say all that the section needs.
	Question string `json:"question"`
}

// heading of a section, and what its author is asked while nobody has said it.
// The questions ask how and what, never who or why.
type heading struct {
	id              SectionID
	title, question string
}

func headings() []heading {
	return []heading{
		{Summary, "Summary", "What did users see, for how long, and what ended it? Three sentences, no names."},
		{Impact, "Impact", "How many were affected, of how many: people, requests, money, an objective? How was it measured? Was data lost?"},
		{DetectionSection, "Detection", "What was the earliest trace of this in the data, and what would have halved the time until somebody knew?"},
		{Trigger, "Trigger", "What set it off: a release, a configuration, load, a dependency, an expiry? “None known” is an answer."},
		{ContributingFactors, "Contributing factors", "Which conditions had to come together for this to happen, to last this long and to stay unseen? Name several; there is never only one."},
		{Response, "Response and recovery", "What was tried, what helped, and is anything temporary still in place?"},
		{WentWell, "What went well", "What worked as it was meant to, or better, and is worth keeping?"},
		{WentPoorly, "What went poorly", "What cost time or made it worse, and what in the system let it?"},
		{Lucky, "Where we were lucky", "What could have been worse and was not, by luck alone?"},
		{TimelineSection, "Timeline", "What was seen, thought, decided and done, and when?"},
		{MonitoringGaps, "Monitoring gaps", "Would monitoring have told in time? Which signal was missing, too slow, or lost in noise?"},
		{ActionItems, "Action items", "What will be changed so that this is prevented, noticed earlier or over sooner? Each with one owner and a due date."},
		{CommunicationSent, "Communication", "What were users and colleagues told, and when? Was it early, true and useful?"},
	}
}
