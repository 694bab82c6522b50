package pages

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// timeInput is a key time to be corrected, in the reader's zone.
type timeInput struct {
	Name  string
	Label string
	timeField
}

// timeInputs are the key times that people may correct.
func (v *visit) timeInputs(inc incidents.Incident) []timeInput {
	var list []timeInput
	for _, key := range incidents.EditableTimes() {
		text := v.minute(inc, key)
		list = append(list, timeInput{string(key), v.keyTime(key), timeField{Text: text, Was: digest(text)}})
	}
	return list
}

// minute is a key time as a form has it; empty: it is not known.
func (v *visit) minute(inc incidents.Incident, key incidents.KeyTime) string {
	at, ok := inc.Times[key]
	if !ok {
		return ""
	}
	return at.At.In(v.zone).Format(minuteOfDay)
}

// wall reads a time of a form, in the reader's zone. What it can not be is told
// as people are told.
func (v *visit) wall(text string) (at time.Time, wrong string) {
	at, err := time.ParseInLocation(minuteOfDay, text, v.zone)
	switch {
	case err != nil:
		return at, v.text.Text("web_time_form")
	case at.Format(minuteOfDay) != text: // the clocks go forward over it
		return at, v.text.Text("web_time_skipped", "zone", v.zone.String())
	default:
		return at, ""
	}
}

// setTimes answers POST /i/42/times. Only what was changed is stored, and an
// empty field says that nobody knows.
func (p *Pages) setTimes(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, req, err := p.find(r, v)
	if err != nil {
		return err
	}
	command := incidents.EditFacts{Request: req, Times: map[incidents.KeyTime]incidents.Instant{}}
	var wrong []string
	for _, key := range incidents.EditableTimes() {
		text, was := strings.TrimSpace(r.PostFormValue(string(key))), r.PostFormValue("was."+string(key))
		if !r.PostForm.Has(string(key)) || digest(text) == was {
			continue
		}
		if stands := v.minute(inc, key); digest(stands) != was && stands != text {
			wrong = append(wrong, v.text.Say(errMeanwhile))
			continue
		}
		if text == "" {
			command.Times[key] = incidents.Instant{}
			continue
		}
		at, why := v.wall(text)
		if why != "" {
			wrong = append(wrong, v.keyTime(key)+": "+why)
			continue
		}
		command.Times[key] = incidents.Instant{At: at, Precision: incidents.ToMinute}
	}
	status := http.StatusUnprocessableEntity
	if len(wrong) == 0 {
		_, err = p.service.Do(r.Context(), inc.Number, command)
		e, ok := errors.AsType[*incidents.Error](err)
		switch {
		case err == nil:
			http.Redirect(w, r, fmt.Sprintf("/i/%d?said=saved#times", inc.Number), http.StatusSeeOther)
			return nil
		case !ok || e.Kind != incidents.Invalid && e.Kind != incidents.Conflict:
			return err
		}
		wrong = []string{v.text.Say(e)}
	}
	page, err := p.incidentPage(r, v, inc)
	if err != nil {
		return err
	}
	page.TimeErrors = wrong
	for i := range page.TimeInputs {
		input := &page.TimeInputs[i]
		if typed := r.PostFormValue(input.Name); r.PostForm.Has(input.Name) && typed != input.Text {
			if input.Was != r.PostFormValue("was."+input.Name) {
				input.Theirs = strings.ReplaceAll(input.Text, "T", " ")
			}
			input.Text = typed
		}
	}
	return p.render(w, v, status, "incident", page)
}
