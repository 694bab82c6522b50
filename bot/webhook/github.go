package webhook

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// decodeGitHub reads GitHub's events about deployments, releases, workflow runs
// and pushes to the default branch. All others are answered with success, since
// a webhook is often made for all of them.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads
func decodeGitHub(r request) (intake, error) {
	body := r.body
	if strings.HasPrefix(r.header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return intake{}, malformed("the form can not be read")
		}
		body = []byte(form.Get("payload"))
	}
	event := r.header.Get("X-GitHub-Event")
	if event == "" {
		return intake{}, malformed("the header X-GitHub-Event is missing")
	}
	var m gitHubMessage
	if err := decodeObject(body, &m); err != nil {
		return intake{}, err
	}
	c := incidents.ChangeEvent{
		Source: "github", Service: string(m.Repository.Name), Actor: string(m.Sender.Login),
		Labels: map[string]string{"repository": string(m.Repository.FullName)},
	}
	var skipped string
	switch event {
	case "deployment":
		skipped = m.deployment(&c)
	case "deployment_status":
		skipped = m.deploymentStatus(&c)
	case "release":
		skipped = m.release(&c)
	case "workflow_run":
		skipped = m.workflowRun(&c)
	case "push":
		skipped = m.push(&c)
	default:
		skipped = fmt.Sprintf("an event of type %.60s", event)
	}
	if skipped != "" {
		return ignore(skipped)
	}
	if c.External == "" {
		return intake{}, malformed("the %s has no id", event)
	}
	dropEmpty(c.Labels)
	c.External = subjectOf(event) + "/" + string(m.Repository.FullName) + "/" + c.External
	return changed(r.header.Get("X-GitHub-Delivery"), c)
}

// subjectOf has a deployment and its statuses tell of one change.
func subjectOf(event string) string { return strings.TrimSuffix(event, "_status") }

type gitHubMessage struct {
	Action     text `json:"action"`
	Repository struct {
		Name          text `json:"name"`
		FullName      text `json:"full_name"`
		URL           text `json:"html_url"`
		DefaultBranch text `json:"default_branch"`
	} `json:"repository"`
	Sender struct {
		Login text `json:"login"`
	} `json:"sender"`
	Deployment struct {
		ID          text   `json:"id"`
		SHA         text   `json:"sha"`
		Ref         text   `json:"ref"`
		Environment text   `json:"environment"`
		CreatedAt   moment `json:"created_at"`
	} `json:"deployment"`
	Status struct {
		State          text   `json:"state"`
		TargetURL      text   `json:"target_url"`
		LogURL         text   `json:"log_url"`
		EnvironmentURL text   `json:"environment_url"`
		CreatedAt      moment `json:"created_at"`
	} `json:"deployment_status"`
	Release struct {
		ID          text   `json:"id"`
		Tag         text   `json:"tag_name"`
		Name        text   `json:"name"`
		URL         text   `json:"html_url"`
		PublishedAt moment `json:"published_at"`
	} `json:"release"`
	Run struct {
		ID         text   `json:"id"`
		Name       text   `json:"name"`
		Title      text   `json:"display_title"`
		Branch     text   `json:"head_branch"`
		SHA        text   `json:"head_sha"`
		URL        text   `json:"html_url"`
		Conclusion text   `json:"conclusion"`
		CreatedAt  moment `json:"created_at"`
		StartedAt  moment `json:"run_started_at"`
		UpdatedAt  moment `json:"updated_at"`
	} `json:"workflow_run"`
	Ref     text `json:"ref"`
	After   text `json:"after"`
	Compare text `json:"compare"`
	Head    struct {
		Message   text   `json:"message"`
		Timestamp moment `json:"timestamp"`
	} `json:"head_commit"`
	Pusher struct {
		Name text `json:"name"`
	} `json:"pusher"`
}

func (m gitHubMessage) deployment(c *incidents.ChangeEvent) string {
	d := m.Deployment
	c.Kind, c.External, c.State = incidents.ChangeDeployment, string(d.ID), incidents.ChangeRunning
	c.StartedAt, c.UpdatedAt = d.CreatedAt.Time, d.CreatedAt.Time
	c.Title = fmt.Sprintf("Deploy %s of %s to %s", d.Ref, m.Repository.Name, d.Environment)
	c.URL = string(m.Repository.URL) + "/deployments"
	c.Labels["environment"], c.Labels["ref"], c.Labels["sha"] = string(d.Environment), string(d.Ref), string(d.SHA)
	return ""
}

func (m gitHubMessage) deploymentStatus(c *incidents.ChangeEvent) string {
	_ = m.deployment(c)
	c.UpdatedAt = m.Status.CreatedAt.Time
	switch m.Status.State {
	case "success":
		c.State = incidents.ChangeSucceeded
	case "failure", "error":
		c.State = incidents.ChangeFailed
	case "pending", "queued", "waiting", "in_progress":
		c.State = incidents.ChangeRunning
	default: // inactive: another deployment took its place
		return fmt.Sprintf("a deployment that is %.20s", m.Status.State)
	}
	for _, link := range []text{m.Status.TargetURL, m.Status.LogURL, m.Status.EnvironmentURL} {
		if link != "" {
			c.URL = string(link)
			break
		}
	}
	return ""
}

func (m gitHubMessage) release(c *incidents.ChangeEvent) string {
	if m.Action != "published" && m.Action != "released" {
		return fmt.Sprintf("a release that is %.20s", m.Action)
	}
	c.Kind, c.External, c.State = incidents.ChangeRelease, string(m.Release.ID), incidents.ChangeSucceeded
	c.StartedAt, c.UpdatedAt = m.Release.PublishedAt.Time, m.Release.PublishedAt.Time
	c.Title = fmt.Sprintf("Release %s of %s", m.Release.Tag, m.Repository.Name)
	c.URL, c.Labels["version"] = string(m.Release.URL), string(m.Release.Tag)
	return ""
}

func (m gitHubMessage) workflowRun(c *incidents.ChangeEvent) string {
	run := m.Run
	c.Kind, c.External, c.State = incidents.ChangePipeline, string(run.ID), incidents.ChangeRunning
	c.StartedAt, c.UpdatedAt = run.CreatedAt.Time, run.UpdatedAt.Time
	if !run.StartedAt.IsZero() {
		c.StartedAt = run.StartedAt.Time
	}
	if m.Action == "completed" {
		switch run.Conclusion {
		case "success", "neutral":
			c.State = incidents.ChangeSucceeded
		case "cancelled", "skipped", "stale":
			c.State = incidents.ChangeCancelled
		default:
			c.State = incidents.ChangeFailed
		}
	}
	c.Title = fmt.Sprintf("Workflow %s of %s on %s", run.Name, m.Repository.Name, run.Branch)
	c.URL, c.Labels["ref"], c.Labels["sha"] = string(run.URL), string(run.Branch), string(run.SHA)
	return ""
}

func (m gitHubMessage) push(c *incidents.ChangeEvent) string {
	branch, ok := strings.CutPrefix(string(m.Ref), "refs/heads/")
	switch {
	case !ok || branch != string(m.Repository.DefaultBranch):
		return "a push beside the default branch"
	case strings.Trim(string(m.After), "0") == "":
		return "a branch that was deleted"
	}
	c.Kind, c.External, c.State = incidents.ChangePush, string(m.After), incidents.ChangeSucceeded
	c.StartedAt, c.UpdatedAt = m.Head.Timestamp.Time, m.Head.Timestamp.Time
	if m.Pusher.Name != "" {
		c.Actor = string(m.Pusher.Name)
	}
	subject, _, _ := strings.Cut(string(m.Head.Message), "\n")
	c.Title = fmt.Sprintf("Push to %s of %s: %s", branch, m.Repository.Name, subject)
	c.URL, c.Labels["ref"], c.Labels["sha"] = string(m.Compare), branch, string(m.After)
	return ""
}

// dropEmpty takes the labels out that have no value.
func dropEmpty(labels map[string]string) {
	for name, value := range labels {
		if value == "" {
			delete(labels, name)
		}
	}
}
