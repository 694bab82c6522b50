package webhook

import (
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeGitLab reads GitLab's hooks about deployments, pipelines, releases and
// pushes to the default branch; all others are answered with success.
// https://docs.gitlab.com/user/project/integrations/webhook_events/
func decodeGitLab(r request) (intake, error) {
	var m gitLabMessage
	if err := decodeObject(r.body, &m); err != nil {
		return intake{}, err
	}
	if m.Kind == "" {
		return intake{}, malformed("object_kind is missing")
	}
	c := incidents.ChangeEvent{
		Source: "gitlab", Service: string(m.Project.Name), Actor: string(m.User.Username),
		Labels: map[string]string{"repository": string(m.Project.Path)},
	}
	var skipped string
	switch m.Kind {
	case "deployment":
		skipped = m.deployment(&c)
	case "pipeline":
		skipped = m.pipeline(&c)
	case "release":
		skipped = m.release(&c)
	case "push":
		skipped = m.push(&c)
	default:
		skipped = fmt.Sprintf("a hook of kind %.60s", m.Kind)
	}
	if skipped != "" {
		return ignore(skipped)
	}
	if c.External == "" {
		return intake{}, malformed("the %s has no id", m.Kind)
	}
	dropEmpty(c.Labels)
	c.External = fmt.Sprintf("%s/%s/%s", m.Kind, m.Project.ID, c.External)
	id := r.header.Get("Idempotency-Key")
	if id == "" {
		id = r.header.Get("webhook-id")
	}
	return changed(id, c)
}

type gitLabMessage struct {
	Kind    text `json:"object_kind"`
	Project struct {
		ID            text `json:"id"`
		Name          text `json:"name"`
		Path          text `json:"path_with_namespace"`
		URL           text `json:"web_url"`
		DefaultBranch text `json:"default_branch"`
	} `json:"project"`
	User struct {
		Username text `json:"username"`
	} `json:"user"`

	Status          text   `json:"status"`
	StatusChangedAt moment `json:"status_changed_at"`
	DeploymentID    text   `json:"deployment_id"`
	DeployableURL   text   `json:"deployable_url"`
	Environment     text   `json:"environment"`
	ShortSHA        text   `json:"short_sha"`
	Ref             text   `json:"ref"`

	Attributes struct {
		ID         text   `json:"id"`
		Ref        text   `json:"ref"`
		SHA        text   `json:"sha"`
		Status     text   `json:"status"`
		CreatedAt  moment `json:"created_at"`
		FinishedAt moment `json:"finished_at"`
		URL        text   `json:"url"`
	} `json:"object_attributes"`

	ID         text   `json:"id"`
	Tag        text   `json:"tag"`
	Action     text   `json:"action"`
	URL        text   `json:"url"`
	ReleasedAt moment `json:"released_at"`

	After    text `json:"after"`
	UserName text `json:"user_username"`
	Commits  []struct {
		ID        text   `json:"id"`
		Title     text   `json:"title"`
		Timestamp moment `json:"timestamp"`
	} `json:"commits"`
}

// gitLabState reads the status of a deployment or a pipeline.
func gitLabState(status text) (incidents.ChangeState, bool) {
	switch status {
	case "running", "created", "pending", "preparing", "waiting_for_resource":
		return incidents.ChangeRunning, true
	case "success":
		return incidents.ChangeSucceeded, true
	case "failed":
		return incidents.ChangeFailed, true
	case "canceled", "canceling", "skipped":
		return incidents.ChangeCancelled, true
	default: // blocked, manual, scheduled: nothing has begun
		return "", false
	}
}

func (m gitLabMessage) deployment(c *incidents.ChangeEvent) string {
	state, known := gitLabState(m.Status)
	if !known {
		return fmt.Sprintf("a deployment that is %.20s", m.Status)
	}
	c.Kind, c.External, c.State = incidents.ChangeDeployment, string(m.DeploymentID), state
	c.StartedAt, c.UpdatedAt = m.StatusChangedAt.Time, m.StatusChangedAt.Time
	c.Title = fmt.Sprintf("Deploy %s of %s to %s", m.Ref, m.Project.Name, m.Environment)
	c.URL = string(m.DeployableURL)
	c.Labels["environment"], c.Labels["ref"], c.Labels["sha"] = string(m.Environment), string(m.Ref), string(m.ShortSHA)
	return ""
}

func (m gitLabMessage) pipeline(c *incidents.ChangeEvent) string {
	p := m.Attributes
	state, known := gitLabState(p.Status)
	if !known {
		return fmt.Sprintf("a pipeline that is %.20s", p.Status)
	}
	c.Kind, c.External, c.State = incidents.ChangePipeline, string(p.ID), state
	c.StartedAt, c.UpdatedAt = p.CreatedAt.Time, p.FinishedAt.Time
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = p.CreatedAt.Time
	}
	c.Title = fmt.Sprintf("Pipeline of %s on %s", m.Project.Name, p.Ref)
	c.URL = string(p.URL)
	if c.URL == "" {
		c.URL = fmt.Sprintf("%s/-/pipelines/%s", m.Project.URL, p.ID)
	}
	c.Labels["ref"], c.Labels["sha"] = string(p.Ref), string(p.SHA)
	return ""
}

func (m gitLabMessage) release(c *incidents.ChangeEvent) string {
	if m.Action == "delete" {
		return "a release that was deleted"
	}
	c.Kind, c.External, c.State = incidents.ChangeRelease, string(m.ID), incidents.ChangeSucceeded
	c.StartedAt, c.UpdatedAt = m.ReleasedAt.Time, m.ReleasedAt.Time
	c.Title = fmt.Sprintf("Release %s of %s", m.Tag, m.Project.Name)
	c.URL, c.Labels["version"] = string(m.URL), string(m.Tag)
	return ""
}

func (m gitLabMessage) push(c *incidents.ChangeEvent) string {
	branch, ok := strings.CutPrefix(string(m.Ref), "refs/heads/")
	switch {
	case !ok || branch != string(m.Project.DefaultBranch):
		return "a push beside the default branch"
	case strings.Trim(string(m.After), "0") == "":
		return "a branch that was deleted"
	}
	c.Kind, c.External, c.State = incidents.ChangePush, string(m.After), incidents.ChangeSucceeded
	c.Title = fmt.Sprintf("Push to %s of %s", branch, m.Project.Name)
	if n := len(m.Commits); n > 0 {
		last := m.Commits[n-1]
		c.Title += ": " + string(last.Title)
		c.StartedAt, c.UpdatedAt = last.Timestamp.Time, last.Timestamp.Time
	}
	if m.UserName != "" {
		c.Actor = string(m.UserName)
	}
	c.URL = fmt.Sprintf("%s/-/commits/%s", m.Project.URL, branch)
	c.Labels["ref"], c.Labels["sha"] = branch, string(m.After)
	return ""
}
