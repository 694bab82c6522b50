package pages

import (
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// severityTime is how long an incident had a severity.
type severityTime struct {
	Severity   tag
	Took       string
	Definition string
}

// severityTimes are those of an incident, as its postmortem has them.
func (v *visit) severityTimes(inc incidents.Incident, events []incidents.Event) []severityTime {
	var list []severityTime
	for _, d := range postmortem.SeverityDurations(inc, events, v.language()) {
		list = append(list, severityTime{v.severity(d.Severity), d.Text, d.Definition})
	}
	return list
}
