package webhook

import (
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeFlux reads an event of Flux' notification controller, sent by a Provider
// of type generic or generic-hmac (fluxcd.io/flux/components/notification/events/).
// Only what is applied to a cluster is a change: Kustomizations and HelmReleases.
// A revision that is reconciled again is the same change.
func decodeFlux(r request) (intake, error) {
	var m struct {
		Object struct {
			Kind      text `json:"kind"`
			Name      text `json:"name"`
			Namespace text `json:"namespace"`
		} `json:"involvedObject"`
		Severity  text   `json:"severity"`
		Reason    text   `json:"reason"`
		Message   text   `json:"message"`
		Timestamp moment `json:"timestamp"`
		Metadata  texts  `json:"metadata"`
	}
	if err := decodeObject(r.body, &m); err != nil {
		return intake{}, err
	}
	if m.Object.Kind == "" || m.Object.Name == "" {
		return intake{}, malformed("involvedObject is missing, or has no kind and name")
	}
	if m.Object.Kind != "Kustomization" && m.Object.Kind != "HelmRelease" {
		return ignore(fmt.Sprintf("an event about a %.40s", m.Object.Kind))
	}
	var revision string
	labels := map[string]string{"namespace": string(m.Object.Namespace)}
	for name, value := range m.Metadata {
		_, name, _ = strings.Cut("/"+name, "/")
		if at := strings.LastIndexByte(name, '/'); at >= 0 {
			name = name[at+1:]
		}
		switch name {
		case "revision":
			revision = value
		case "cluster", "environment", "env", "region", "team", "service":
			labels[name] = value
		}
	}
	c := incidents.ChangeEvent{
		Source: "flux", Kind: incidents.ChangeDeployment, Service: string(m.Object.Name), StartedAt: m.Timestamp.Time, UpdatedAt: m.Timestamp.Time,
		External: fmt.Sprintf("%s/%s/%s/%s", m.Object.Kind, m.Object.Namespace, m.Object.Name, revision),
		Title:    strings.TrimSpace(fmt.Sprintf("%s %s %s", m.Object.Kind, m.Object.Name, short(revision))), Labels: labels,
		State: incidents.ChangeSucceeded,
	}
	if revision == "" {
		c.External += m.Timestamp.Format("20060102T150405Z")
	} else {
		labels["revision"] = revision
	}
	switch {
	case m.Severity == "error":
		c.State = incidents.ChangeFailed
	case strings.HasPrefix(string(m.Reason), "Progressing"):
		c.State = incidents.ChangeRunning
	case m.Reason == "DependencyNotReady" || m.Reason == "Suspended":
		return ignore(fmt.Sprintf("an event with the reason %.40s", m.Reason))
	}
	dropEmpty(labels)
	return changed("", c)
}
