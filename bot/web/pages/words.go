package pages

import (
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

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

// language is the reader's, for the words that documents use.
func (v *visit) language() postmortem.Language { return postmortem.Language(v.lang) }

func (v *visit) actionState(s incidents.ActionState) tag {
	return tag{string(s), v.language().Value("state", string(s))}
}

func (v *visit) actionType(t incidents.ActionType) string {
	return v.language().Value("type", string(t))
}

func (v *visit) gapState(s incidents.GapState) tag {
	return tag{string(s), v.language().Value("gapstate", string(s))}
}

func (v *visit) gapKind(k incidents.GapKind) string { return v.language().Value("gap", string(k)) }

func (v *visit) verdict(verdict incidents.CheckVerdict) string {
	switch verdict {
	case incidents.CheckFires:
		return v.text.Text("web_check_fires")
	case incidents.CheckDoesNotFire:
		return v.text.Text("web_check_not")
	default:
		return v.text.Text("web_check_unsure")
	}
}

func (v *visit) postmortemState(s incidents.PostmortemState) tag {
	word := string(s)
	switch s {
	case incidents.PostmortemDraft:
		word = v.text.Text("web_pm_draft")
	case incidents.PostmortemInReview:
		word = v.text.Text("web_pm_in_review")
	case incidents.PostmortemApproved:
		word = v.text.Text("web_pm_approved")
	case incidents.PostmortemPublished:
		word = v.text.Text("web_pm_published")
	case incidents.PostmortemWaived:
		word = v.text.Text("web_pm_waived")
	}
	return tag{string(s), word}
}

// fieldTitle names a field of a document: a section by its title.
func (v *visit) fieldTitle(field string) string {
	if title := v.language().Title(postmortem.SectionID(field)); title != "" {
		return title
	}
	return v.fieldLabel(field)
}

// fieldLabel names a field of a form, or a column of a table in it.
func (v *visit) fieldLabel(field string) string {
	switch field {
	case "language":
		return v.text.Text("web_field_language")
	case "audience":
		return v.text.Text("web_field_audience")
	case "trigger_kind":
		return v.text.Text("web_field_trigger")
	case "data_loss":
		return v.text.Text("web_field_data_loss")
	case "objective_breached":
		return v.text.Text("web_field_objective")
	case "no_measure_reason":
		return v.text.Text("web_field_no_measure")
	case "link_items":
		return v.text.Text("web_field_links")
	case "url":
		return v.text.Text("web_field_url")
	case "facilitator":
		return v.text.Text("web_field_facilitator")
	case "participants":
		return v.text.Text("web_field_participants")
	case "decisions":
		return v.text.Text("web_field_decisions")
	case "survey":
		return v.text.Text("web_field_survey")
	case "name":
		return v.text.Text("web_field_name")
	case "as":
		return v.text.Text("web_field_as")
	case "question":
		return v.text.Text("web_field_question")
	case "yes", "no":
		return v.language().Value("known", field)
	case "unsure":
		return v.text.Text("web_field_unsure")
	case "measures":
		return v.text.Text("web_field_measures")
	case "factors":
		return v.text.Text("web_field_factors")
	case "lesson_items":
		return v.text.Text("web_field_lessons")
	case "glossary":
		return v.text.Text("web_field_glossary")
	case "what":
		return v.text.Text("web_what")
	case "value":
		return v.text.Text("web_field_value")
	case "unit":
		return v.text.Text("web_field_unit")
	case "of_total":
		return v.text.Text("web_field_of_total")
	case "kind":
		return v.text.Text("web_field_kind")
	case "how_measured":
		return v.text.Text("web_field_how")
	case "estimated":
		return v.text.Text("web_field_estimated")
	case "text":
		return v.text.Text("web_field_text")
	case "category":
		return v.text.Text("web_field_category")
	case "evidence":
		return v.text.Text("web_field_evidence")
	case "latent_since":
		return v.text.Text("web_field_since")
	case "whys":
		return v.text.Text("web_field_whys")
	case "answers":
		return v.text.Text("web_field_answers")
	case "term":
		return v.text.Text("web_field_term")
	case "meaning":
		return v.text.Text("web_field_meaning")
	default:
		return field
	}
}

// optionLabel names a value of a field that has a few.
func (v *visit) optionLabel(field, value string) string {
	enumeration := field
	switch field {
	case "trigger_kind":
		enumeration = "trigger"
	case "data_loss", "objective_breached":
		enumeration = "known"
	case "link_items":
		enumeration = "link"
	case "measures":
		enumeration = "measure"
	case "factors":
		enumeration = "factor"
	}
	return v.language().Value(enumeration, value)
}
