package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// minuteOfDay is how a browser sends <input type=datetime-local>
// (https://html.spec.whatwg.org/multipage/input.html#local-date-and-time-state-(type=datetime-local)).
const minuteOfDay = "2006-01-02T15:04"

// errMeanwhile is a conflict that a form shows on its page.
var errMeanwhile = incidents.Errorf(incidents.Conflict, "Somebody changed this meanwhile. What stands there now is shown beside what you typed; save again to replace it.")

// staffing is who works on a postmortem and when it is reviewed, with the forms
// that change it.
type staffing struct {
	Owner, Approver, Reviewers personField
	Names                      []string // suggestions: who took part
	Errors                     []string

	At            timeField
	Minutes       string
	MinutesError  string
	Planned       *moment // nil: no review is planned
	Takes         int     // minutes, as planned
	MeetingErrors []string

	Open bool // a form has something to say, so that it is shown
}

// personField is a field for names, a line each.
type personField struct {
	Text   string
	Was    string // digest of what stands there
	Theirs string // what stands there, when somebody else wrote it meanwhile
	Error  string // why it could not be stored
}

// timeField is a field for a time in the reader's zone.
type timeField struct {
	Text   string
	Was    string
	Theirs string
	Error  string
}

// namesOf writes people as a form has them.
func namesOf(people []incidents.Person) string {
	names := make([]string, 0, len(people))
	for _, p := range people {
		if p != (incidents.Person{}) {
			names = append(names, cmp.Or(p.Name, p.ID))
		}
	}
	return strings.Join(names, "\n")
}

// staffFields are the fields for people, by the name of the input: who stands
// there now.
func staffFields(inc incidents.Incident) map[string][]incidents.Person {
	owner, _ := inc.PostmortemOwner()
	return map[string][]incidents.Person{
		"owner": {owner}, "approver": {inc.Postmortem.AskedApprover}, "reviewers": inc.Postmortem.Reviewers,
	}
}

// staffing lays the forms out as an incident stands; took are the people to
// suggest.
func (v *visit) staffing(inc incidents.Incident, took []incidents.Person, now time.Time) *staffing {
	fields := staffFields(inc)
	field := func(name string) personField {
		text := namesOf(fields[name])
		return personField{Text: text, Was: digest(text)}
	}
	s := &staffing{Owner: field("owner"), Approver: field("approver"), Reviewers: field("reviewers"), Minutes: "60"}
	for _, p := range took {
		if p.ID != "" && !slices.Contains(s.Names, p.Name) {
			s.Names = append(s.Names, p.Name)
		}
	}
	slices.Sort(s.Names)
	if m := inc.Postmortem.Meeting; !m.At.IsZero() {
		s.Planned, s.Minutes, s.Takes = v.moment(m.At), strconv.Itoa(m.Minutes), m.Minutes
		s.At.Text = m.At.In(v.zone).Format(minuteOfDay)
	} else {
		s.At.Text = reviewBy(inc, now.In(v.zone)).Format(minuteOfDay)
	}
	s.At.Was = meetingMark(inc)
	return s
}

// reviewBy is when a review is proposed: at ten in the morning three days after
// a sev1 and five working days after others, as PagerDuty asks for
// (https://postmortems.pagerduty.com/), or that long from now where it has passed.
func reviewBy(inc incidents.Incident, now time.Time) time.Time {
	at := now
	if over := inc.Times[incidents.ResolvedAt].At; !over.IsZero() && now.Sub(over) < 24*time.Hour {
		at = over.In(now.Location())
	}
	at = time.Date(at.Year(), at.Month(), at.Day(), 10, 0, 0, 0, at.Location())
	if inc.Severity == incidents.Sev1 {
		return at.AddDate(0, 0, 3)
	}
	for days := 5; days > 0; {
		at = at.AddDate(0, 0, 1)
		if at.Weekday() != time.Saturday && at.Weekday() != time.Sunday {
			days--
		}
	}
	return at
}

// meetingMark marks the proposal that stands.
func meetingMark(inc incidents.Incident) string {
	m := inc.Postmortem.Meeting
	return digest(fmt.Sprintf("%d %d %d", m.At.UnixMicro(), m.Minutes, m.Sequence))
}

// staff answers POST /i/42/postmortem/people. Only what was changed is stored;
// what can not be comes back as it was typed.
func (p *Pages) staff(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	typed, was := map[string]string{}, map[string]string{}
	for name := range staffFields(inc) {
		typed[name], was[name] = tidyNames(r.PostFormValue(name)), r.PostFormValue("was."+name)
	}
	command := incidents.StaffPostmortem{Request: req, Gate: func(now incidents.Incident) error {
		for name, people := range staffFields(now) {
			if digest(typed[name]) != was[name] && digest(namesOf(people)) != was[name] {
				return incidents.About(name, errMeanwhile)
			}
		}
		return nil
	}}
	wrong := map[string]string{}
	for _, name := range []string{"owner", "approver", "reviewers"} {
		if digest(typed[name]) == was[name] {
			continue
		}
		people, err := p.called(r.Context(), inc, typed[name])
		e, ok := errors.AsType[*incidents.Error](err)
		switch {
		case ok:
			wrong[name] = v.text.Say(e)
			continue
		case err != nil:
			return err
		case name != "reviewers" && len(people) > 1:
			wrong[name] = v.text.Text("web_one_person")
			continue
		}
		switch name {
		case "owner":
			command.Owner = first(people)
		case "approver":
			command.Approver = first(people)
		default:
			command.Reviewers = &people
		}
	}
	if len(wrong) == 0 {
		_, err = p.service.Do(r.Context(), inc.Number, command)
	}
	return p.staffed(w, r, v, err, wrong, func(page *documentPage, now incidents.Incident, why []string) {
		s := page.Staffing
		s.Errors = why
		fields := staffFields(now)
		for name, field := range map[string]*personField{"owner": &s.Owner, "approver": &s.Approver, "reviewers": &s.Reviewers} {
			if stands := namesOf(fields[name]); stands != typed[name] && digest(stands) != was[name] {
				field.Theirs = cmp.Or(stands, v.text.Text("web_nobody"))
			}
			field.Text, field.Error = typed[name], wrong[name]
		}
	})
}

// tidyNames reads lines of names as [namesOf] writes them.
func tidyNames(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// called finds the people of some lines: those who stand there already by their
// name, others in the workspace.
func (p *Pages) called(ctx context.Context, inc incidents.Incident, names string) ([]incidents.Person, error) {
	var known []incidents.Person
	for _, people := range staffFields(inc) {
		known = append(known, people...)
	}
	people := []incidents.Person{}
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == '\n' }) {
		at := slices.IndexFunc(known, func(p incidents.Person) bool { return p.ID != "" && p.Name == name })
		var person incidents.Person
		if at >= 0 {
			person = known[at]
		} else {
			var err error
			if person, err = p.config.People.Find(ctx, name); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(people, person) {
			people = append(people, person)
		}
	}
	return people, nil
}

// first is the only one of some people; the empty person takes a name away.
func first(people []incidents.Person) *incidents.Person {
	if len(people) == 0 {
		return &incidents.Person{}
	}
	return &people[0]
}

// planMeeting answers POST /i/42/postmortem/meeting.
func (p *Pages) planMeeting(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	at, length, was := strings.TrimSpace(r.PostFormValue("at")), strings.TrimSpace(r.PostFormValue("minutes")), r.PostFormValue("was.meeting")
	wrong := map[string]string{}
	begins, why := v.wall(at)
	if why != "" {
		wrong["at"] = why
	}
	minutes, err := strconv.Atoi(length)
	if err != nil || minutes < 1 {
		wrong["minutes"] = v.text.Text("web_meeting_length")
	}
	err = nil
	if len(wrong) == 0 {
		_, err = p.service.Do(r.Context(), inc.Number, incidents.PlanReview{Request: req, At: begins, Minutes: minutes, Gate: func(now incidents.Incident) error {
			if meetingMark(now) != was {
				return incidents.About("at", errMeanwhile)
			}
			return nil
		}})
	}
	return p.staffed(w, r, v, err, wrong, func(page *documentPage, now incidents.Incident, why []string) {
		s := page.Staffing
		s.MeetingErrors = why
		if s.Planned != nil && meetingMark(now) != was {
			s.At.Theirs = s.At.Text + " " + s.Planned.Zone
		}
		s.At.Text, s.At.Error = at, wrong["at"]
		s.Minutes, s.MinutesError = length, wrong["minutes"]
	})
}

// staffed leads back to the postmortem, or shows it with what could not be done:
// again puts what was typed over the forms; wrong says by the names of the inputs
// what can not be stored, why what is about no one input.
func (p *Pages) staffed(w http.ResponseWriter, r *http.Request, v *visit, err error, wrong map[string]string, again func(page *documentPage, now incidents.Incident, why []string)) error {
	inc, req, findErr := p.find(r, v)
	if findErr != nil {
		return findErr
	}
	if err == nil && len(wrong) == 0 {
		http.Redirect(w, r, fmt.Sprintf("/i/%d/postmortem?said=saved", inc.Number), http.StatusSeeOther)
		return nil
	}
	status, why := http.StatusUnprocessableEntity, []string(nil)
	if err != nil {
		e, ok := shown(err)
		if !ok {
			return err
		}
		status = refusedAs(e)
		if e.Field == "" {
			why = []string{v.text.Say(e)}
		} else {
			wrong[e.Field] = v.text.Say(e)
		}
	}
	page, err := p.documentPage(r, v, inc, req, reading{})
	if err != nil {
		return err
	}
	if page.Staffing == nil { // published or waived meanwhile
		return incidents.Errorf(incidents.Conflict, "The postmortem of %s is %s. Reopen it to change it.", inc.Key(), inc.Postmortem.Stands())
	}
	page.Staffing.Open = true
	again(page, inc, why)
	return p.render(w, v, status, "document", page)
}

// meetingFile answers GET /i/42/postmortem/review.ics.
func (p *Pages) meetingFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, _, err := p.find(r, v)
	if err != nil {
		return err
	}
	name, raw, err := p.config.Meeting(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	_, _ = w.Write(raw)
	return nil
}
