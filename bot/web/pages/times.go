package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
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
	if err := r.ParseForm(); err != nil {
		return err
	}
	wrong := map[string]string{} // by the name of the input
	command := incidents.EditFacts{Request: req, Times: v.timesOf(r.PostForm, wrong)}
	command.Gate = func(now incidents.Incident) error {
		for key := range command.Times {
			stands := v.minute(now, key)
			if digest(stands) != r.PostForm.Get("was."+string(key)) && stands != strings.TrimSpace(r.PostForm.Get(string(key))) {
				return incidents.About(string(key), errMeanwhile)
			}
		}
		return nil
	}
	if len(wrong) == 0 {
		if _, err = p.service.Do(r.Context(), inc.Number, command); err == nil {
			http.Redirect(w, r, fmt.Sprintf("/i/%d?said=saved#times", inc.Number), http.StatusSeeOther)
			return nil
		}
	}
	return p.timesRefused(w, r, v, err, wrong)
}

// timesOf reads the times of the form that somebody changed; what can not be one
// is said in wrong.
func (v *visit) timesOf(form url.Values, wrong map[string]string) map[incidents.KeyTime]incidents.Instant {
	times := map[incidents.KeyTime]incidents.Instant{}
	for _, key := range incidents.EditableTimes() {
		text := strings.TrimSpace(form.Get(string(key)))
		switch {
		case !form.Has(string(key)) || digest(text) == form.Get("was."+string(key)):
			continue
		case text == "":
			times[key] = incidents.Instant{}
			continue
		}
		at, why := v.wall(text)
		if why != "" {
			wrong[string(key)] = why
			continue
		}
		times[key] = incidents.Instant{At: at, Precision: incidents.ToMinute}
	}
	return times
}

// timesRefused shows the incident with what was typed, and why it was not stored
// beside it; err is nil when it was not tried.
func (p *Pages) timesRefused(w http.ResponseWriter, r *http.Request, v *visit, err error, wrong map[string]string) error {
	status := http.StatusUnprocessableEntity
	inc, _, findErr := p.find(r, v)
	if findErr != nil {
		return findErr
	}
	page, pageErr := p.incidentPage(r, v, inc)
	if pageErr != nil {
		return pageErr
	}
	if err != nil {
		e, ok := shown(err)
		if !ok {
			return err
		}
		status = refusedAs(e)
		if e.Field == "" {
			page.TimeErrors = []string{v.text.Say(e)}
		} else {
			wrong[e.Field] = v.text.Say(e)
		}
	}
	page.TimesOpen = true
	for i := range page.TimeInputs {
		input := &page.TimeInputs[i]
		input.Error = wrong[input.Name]
		typed, was := r.PostForm.Get(input.Name), r.PostForm.Get("was."+input.Name)
		if !r.PostForm.Has(input.Name) || digest(strings.TrimSpace(typed)) == was {
			continue // nobody touched it: what stands now is shown
		}
		if input.Was != was && input.Text != typed {
			input.Theirs = cmp.Or(strings.ReplaceAll(input.Text, "T", " "), v.text.Text("web_unknown"))
		}
		input.Text = typed
	}
	return p.render(w, v, status, "incident", page)
}
