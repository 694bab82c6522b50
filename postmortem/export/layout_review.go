package export

import (
	"slices"
	"strconv"

	"github.com/houston-sre/houston/postmortem"
)

// reviewTables are the record of the review: who was there, what was decided, and
// what those who were there thought of it.
func (l *laying) reviewTables() []table {
	r := l.doc.Review
	if r == nil {
		return nil
	}
	tables := pairs([2]string{l.question, l.answer}, [2]string{l.facilitator, r.Facilitator})
	participants := table{head: []string{l.personLabel, l.as}}
	for _, p := range r.Participants {
		participants.rows = append(participants.rows, []cell{say(p.Name), say(p.As)})
	}
	decisions := table{head: []string{l.number, l.decision}}
	for i, d := range r.Decisions {
		decisions.rows = append(decisions.rows, []cell{say(strconv.Itoa(i + 1)), say(d.Text)})
	}
	survey := table{head: []string{l.survey, l.yes, l.no, l.unsure}}
	for _, c := range r.Survey {
		survey.rows = append(survey.rows, []cell{say(l.language.Value("survey", string(c.Question))), say(c.Yes), say(c.No), say(c.Unsure)})
	}
	return slices.Concat(tables, unlessEmpty(participants), unlessEmpty(decisions), unlessEmpty(survey))
}

// takeReview reads what reviewTables wrote.
func (p *parsing) takeReview(s part) {
	if len(s.tables) == 0 {
		return
	}
	r := &postmortem.Review{Participants: []postmortem.Participant{}, Decisions: []postmortem.Decision{}, Survey: []postmortem.SurveyCount{}}
	p.doc.Review = r
	for _, t := range s.tables {
		for _, row := range t.rows {
			switch {
			case slices.Contains(t.head, p.answer):
				r.Facilitator = t.cell(row, p.answer)
			case slices.Contains(t.head, p.personLabel):
				r.Participants = append(r.Participants, postmortem.Participant{Name: t.cell(row, p.personLabel), As: t.cell(row, p.as)})
			case slices.Contains(t.head, p.decision):
				r.Decisions = append(r.Decisions, postmortem.Decision{Text: t.cell(row, p.decision)})
			case slices.Contains(t.head, p.survey):
				question := p.language.ValueOf("survey", t.cell(row, p.survey))
				r.Survey = append(r.Survey, postmortem.SurveyCount{
					Question: postmortem.SurveyQuestion(question), Yes: t.cell(row, p.yes), No: t.cell(row, p.no), Unsure: t.cell(row, p.unsure),
				})
			}
		}
	}
}
