package webhook

import (
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeArgoCD reads what this template of Argo CD's notifications sends
// (argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/).
// The template stands in the README. It is sent with a Bearer token, since Argo CD
// signs nothing.
func decodeArgoCD(r request) (intake, error) {
	var m struct {
		App        text   `json:"app"`
		Project    text   `json:"project"`
		Revision   text   `json:"revision"`
		Phase      text   `json:"phase"`
		Health     text   `json:"health"`
		RepoURL    text   `json:"repo_url"`
		Cluster    text   `json:"cluster"`
		Namespace  text   `json:"namespace"`
		URL        text   `json:"url"`
		StartedAt  moment `json:"started_at"`
		FinishedAt moment `json:"finished_at"`
	}
	if err := decodeObject(r.body, &m); err != nil {
		return intake{}, err
	}
	if m.App == "" {
		return intake{}, malformed("app is missing; use the template in Houston's documentation")
	}
	c := incidents.ChangeEvent{
		Source: "argocd", Kind: incidents.ChangeDeployment, Service: string(m.App), URL: string(m.URL), State: incidents.ChangeRunning,
		External: fmt.Sprintf("%s/%s/%s", m.Project, m.App, m.StartedAt.Format("20060102T150405Z")),
		Title:    fmt.Sprintf("Sync of %s to %s", m.App, short(string(m.Revision))), StartedAt: m.StartedAt.Time, UpdatedAt: m.StartedAt.Time,
		Labels: map[string]string{
			"cluster": templated(m.Cluster), "namespace": templated(m.Namespace), "project": string(m.Project), "sha": templated(m.Revision),
			"repository": string(m.RepoURL), "health": strings.ToLower(templated(m.Health)),
		},
	}
	if m.StartedAt.IsZero() {
		c.External = fmt.Sprintf("%s/%s/%s", m.Project, m.App, m.Revision)
	}
	switch m.Phase {
	case "Succeeded":
		c.State = incidents.ChangeSucceeded
	case "Failed", "Error":
		c.State = incidents.ChangeFailed
	case "Running", "Terminating", "":
	default:
		return ignore(fmt.Sprintf("a sync in the phase %.20s", m.Phase))
	}
	if !m.FinishedAt.IsZero() {
		c.EndedAt, c.UpdatedAt = m.FinishedAt.Time, m.FinishedAt.Time
	}
	dropEmpty(c.Labels)
	return changed("", c)
}

// templated is a value of a Go template, which writes what is missing so.
func templated(value text) string {
	if value == "<no value>" || value == "<nil>" {
		return ""
	}
	return string(value)
}

// short cuts a commit's name to what people read.
func short(revision string) string {
	if at := strings.LastIndexAny(revision, ":@"); at >= 0 {
		revision = revision[at+1:]
	}
	if len(revision) >= 40 {
		return revision[:8]
	}
	return revision
}
