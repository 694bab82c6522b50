package postmortem

import (
	"regexp"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// Review is the record of the review, beside when it was ([Meeting]) and the
// notes, which are the text of the section. All of it is people's.
type Review struct {
	Facilitator  string        `json:"facilitator"` // a name; better of somebody who did not respond
	Participants []Participant `json:"participants"`
	Decisions    []Decision    `json:"decisions"`
	Survey       []SurveyCount `json:"survey"` // each question at most once
}

// Participant is somebody who took part in the review.
type Participant struct {
	Name string `json:"name"`
	As   string `json:"as"` // "operations", "wrote the fix"; may be empty
}

// Decision is something that the review decided.
type Decision struct {
	Text string `json:"text"`
}

// SurveyQuestion is asked of those who took part in a review. The two are Etsy's
// (https://github.com/etsy/DebriefingFacilitationGuide).
type SurveyQuestion string

// The questions.
const (
	DidYouLearn SurveyQuestion = "learned"    // did you learn something?
	WouldReturn SurveyQuestion = "come_again" // would you come again?
)

// SurveyQuestions lists all of them.
func SurveyQuestions() []SurveyQuestion { return []SurveyQuestion{DidYouLearn, WouldReturn} }

// SurveyCount is how many gave which answer to a question. The numbers are whole
// and none is negative; empty: not counted.
type SurveyCount struct {
	Question SurveyQuestion `json:"question"`
	Yes      string         `json:"yes"`
	No       string         `json:"no"`
	Unsure   string         `json:"unsure"`
}

// reviewOf is the record of a document, made when there is none yet.
func reviewOf(d *Document) *Review {
	if d.Review == nil {
		d.Review = &Review{Participants: []Participant{}, Decisions: []Decision{}, Survey: []SurveyCount{}}
	}
	return d.Review
}

// reviewFields are the fields of the record that people can write.
func reviewFields() map[string]field {
	return map[string]field{
		"facilitator":  of(cell, func(d *Document, v string) { reviewOf(d).Facilitator = v }),
		"participants": rows(checkParticipant, func(d *Document, v []Participant) { reviewOf(d).Participants = v }),
		"decisions":    rows(checkDecision, func(d *Document, v []Decision) { reviewOf(d).Decisions = v }),
		"survey":       of(checkSurvey, func(d *Document, v []SurveyCount) { reviewOf(d).Survey = v }),
	}
}

func checkParticipant(p *Participant) error {
	return first(cells(&p.Name, &p.As), needed("participants", p.Name))
}

func checkDecision(d *Decision) error { return first(cells(&d.Text), needed("decisions", d.Text)) }

func checkSurvey(name string, list *[]SurveyCount) error {
	asked := map[SurveyQuestion]bool{}
	return rowsOf(name, list, func(c *SurveyCount) error {
		if asked[c.Question] {
			return incidents.Errorf(incidents.Invalid, "The survey has the question %q twice. Count its answers in one row.", string(c.Question))
		}
		asked[c.Question] = true
		err := first(
			oneOf("question of the survey", c.Question, SurveyQuestions(), false), cells(&c.Yes, &c.No, &c.Unsure),
			count(c.Yes), count(c.No), count(c.Unsure))
		if err == nil && c.Yes+c.No+c.Unsure == "" {
			return incidents.Errorf(incidents.Invalid, "Say how many answered each question of the survey, or leave it out.")
		}
		return err
	})
}

func count(text string) error {
	if text == "" || regexp.MustCompile(`^[0-9]{1,6}$`).MatchString(text) {
		return nil
	}
	return incidents.Errorf(incidents.Invalid, "%q does not count answers. Write a whole number, like 7; leave it empty when it was not counted.", text)
}

// names lists whom the record names.
func (r *Review) names() []string {
	if r == nil {
		return nil
	}
	names := []string{}
	for _, name := range append([]string{r.Facilitator}, namesIn(r.Participants)...) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func namesIn(list []Participant) []string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	return names
}

// review takes the names out of the record.
func (p publishing) review() {
	r := p.doc.Review
	if r == nil {
		return
	}
	if r.Facilitator != "" {
		r.Facilitator = p.roleOf(r.Facilitator)
	}
	for i := range r.Participants {
		r.Participants[i] = Participant{Name: p.roleOf(r.Participants[i].Name), As: p.text(r.Participants[i].As)}
	}
	for i := range r.Decisions {
		r.Decisions[i].Text = p.text(r.Decisions[i].Text)
	}
}

// roleOf is the role of somebody of whom only the name is known.
func (p publishing) roleOf(name string) string {
	for _, h := range p.holders {
		if strings.EqualFold(h.Person.Name, name) {
			return p.doc.Language.Value("role", string(h.Role))
		}
	}
	return p.someone()
}

// facilitated holds up nothing: it asks for a facilitator who did not respond.
func (c *checking) facilitated() {
	r := c.doc.Review
	if r == nil || r.Facilitator == "" {
		return
	}
	for _, h := range c.doc.Facts.Roles {
		if strings.EqualFold(h.Person.Name, r.Facilitator) {
			c.find("", "facilitator", "facilitator", r.Facilitator)
			return
		}
	}
}
