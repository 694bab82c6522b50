package pages

import "github.com/houston-sre/houston/incidents"

func (v *visit) severity(s incidents.Severity) tag { return tag{string(s), v.text.Name(s)} }

func (v *visit) status(s incidents.Status) tag { return tag{string(s), v.text.Name(s)} }

func (v *visit) kind(k incidents.EntryKind) tag { return tag{string(k), v.text.Name(k)} }

func (v *visit) role(r incidents.Role) string { return v.text.Name(r) }

func (v *visit) detection(d incidents.Detection) string { return v.text.Name(d) }

// keyTime names one of the moments an incident is measured by.
func (v *visit) keyTime(k incidents.KeyTime) string {
	switch k {
	case incidents.ImpactStart:
		return v.text.Text("web_time_impact_start")
	case incidents.FirstEvidence:
		return v.text.Text("web_time_first_evidence")
	case incidents.Detected:
		return v.text.Text("web_time_detected")
	case incidents.Paged:
		return v.text.Text("web_time_paged")
	case incidents.Acknowledged:
		return v.text.Text("web_time_acknowledged")
	case incidents.DeclaredAt:
		return v.text.Text("web_time_declared")
	case incidents.FirstUpdate:
		return v.text.Text("web_time_first_update")
	case incidents.MitigatedAt:
		return v.text.Text("web_time_mitigated")
	case incidents.ResolvedAt:
		return v.text.Text("web_time_resolved")
	case incidents.ClosedAt:
		return v.text.Text("web_time_closed")
	default:
		return string(k)
	}
}

// said is what an entry says: where Houston speaks, in the reader's language.
func (v *visit) said(e incidents.Entry) string {
	if phrase, ok := e.Said().(incidents.Phrase); ok {
		return v.text.Say(phrase)
	}
	return e.Text
}
