package postmortem

// SectionID names a section of the document.
type SectionID string

// The sections, in the order they are read.
const (
	Summary             SectionID = "summary"
	ImpactSection       SectionID = "impact"
	DetectionSection    SectionID = "detection"
	Background          SectionID = "background"
	TimelineSection     SectionID = "timeline"
	Trigger             SectionID = "trigger"
	ContributingFactors SectionID = "contributing_factors"
	Response            SectionID = "response"
	WentWell            SectionID = "went_well"
	WentPoorly          SectionID = "went_poorly"
	Lucky               SectionID = "lucky"
	OpenQuestions       SectionID = "open_questions"
	MonitoringGaps      SectionID = "monitoring_gaps"
	ActionItems         SectionID = "action_items"
	Lessons             SectionID = "lessons"
	CommunicationSent   SectionID = "communication"
	InternalMessage     SectionID = "internal_message"
	PublicMessage       SectionID = "public_message"
	EvidenceSection     SectionID = "evidence"
	ReviewSection       SectionID = "review"
)

// SectionIDs lists all of them in order.
func SectionIDs() []SectionID {
	return []SectionID{
		Summary, ImpactSection, DetectionSection, Background, TimelineSection, Trigger, ContributingFactors, Response,
		WentWell, WentPoorly, Lucky, OpenQuestions, MonitoringGaps, ActionItems, Lessons, CommunicationSent,
		InternalMessage, PublicMessage, EvidenceSection, ReviewSection,
	}
}

// Section is one part of the document. Some have a table besides, made of the
// document's other fields.
type Section struct {
	ID    SectionID `json:"id"`
	Title string    `json:"title"`
	// Text is plain text: paragraphs with an empty line between them, lines
	// beginning with "- " as a list, and code between lines of three backticks.
	// See [BlocksOf].
	Text string `json:"text"`
	// Question asks the author for what only people know. It is empty when the
	// facts say all that the section needs, or somebody has written.
	Question string `json:"question"`
	// Written says that a person wrote Text.
	Written bool `json:"written"`
}

// Section finds a section by its id; an empty one when the document lacks it.
func (d Document) Section(id SectionID) Section {
	for _, s := range d.Sections {
		if s.ID == id {
			return s
		}
	}
	return Section{ID: id}
}
