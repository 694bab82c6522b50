package pages

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/bot/web"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/templates"
)

// file is a captured file of an entry.
type file struct {
	Name string
	URL  string // empty: it is not stored
	Show bool   // an image that browsers draw without running anything
	Note string // why there is none, or that it is on its way
}

func (v *visit) files(number int64, files []incidents.File) []file {
	list := make([]file, 0, len(files))
	for _, f := range files {
		shown := file{Name: f.Name}
		switch {
		case f.Digest != "":
			shown.URL, shown.Show = fmt.Sprintf("/i/%d/files/%s", number, f.ID), web.Shown(f)
		case f.Failed != "":
			shown.Note = v.text.Text("web_file_failed", "reason", templates.Reason(f.Failed))
		default:
			shown.Note = v.text.Text("web_file_owed")
		}
		list = append(list, shown)
	}
	return list
}

// captured answers GET /i/42/files/F1 with the bytes of a file whose entry is in
// the timeline, to who may see the incident.
func (p *Pages) captured(w http.ResponseWriter, r *http.Request, v *visit) error {
	inc, _, err := p.find(r, v)
	if err != nil {
		return err
	}
	events, err := p.store.Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	for _, entry := range incidents.Timeline(events) {
		for _, f := range entry.Files {
			if f.ID == r.PathValue("id") && f.Digest != "" {
				return web.ServeFile(w, r, p.config.Files, f)
			}
		}
	}
	return errNoPage
}

// task is something to be done while the incident lasts.
type task struct {
	ID    int64
	Text  string
	Owner string
	State tag
	Over  bool
}

func (v *visit) tasks(inc incidents.Incident) []task {
	list := make([]task, 0, len(inc.Tasks))
	for _, t := range inc.Tasks {
		list = append(list, task{t.ID, t.Text, cmp.Or(t.Owner.Name, v.text.Text("web_nobody")), v.taskState(t.State), !t.Unfinished()})
	}
	// What is to be done stands first.
	slices.SortStableFunc(list, func(a, b task) int { return cmp.Compare(rank(a.Over), rank(b.Over)) })
	return list
}

func rank(over bool) int {
	if over {
		return 1
	}
	return 0
}

func (v *visit) taskState(s incidents.TaskState) tag {
	word := string(s)
	switch s {
	case incidents.TaskOpen:
		word = v.text.Text("web_task_open")
	case incidents.TaskInProgress:
		word = v.text.Text("web_task_in_progress")
	case incidents.TaskDone:
		word = v.text.Text("web_task_done")
	case incidents.TaskDropped:
		word = v.text.Text("web_task_dropped")
	case incidents.TaskMoved:
		word = v.text.Text("web_task_moved")
	}
	return tag{string(s), word}
}

// runbook is an attached checklist.
type runbook struct {
	Name  string
	Done  int
	Steps []step
}

type step struct {
	Heading string // set where a new one begins
	Text    string
	Done    bool
	By      string
	At      *moment
}

func (v *visit) runbooks(inc incidents.Incident) []runbook {
	list := make([]runbook, 0, len(inc.Runbooks))
	for _, attached := range inc.Runbooks {
		shown, heading := runbook{Name: attached.Name}, ""
		for _, s := range attached.Steps {
			line := step{Text: s.Text, Done: s.Ticked(), By: s.By.Name, At: v.moment(s.At)}
			if s.Heading != heading {
				heading, line.Heading = s.Heading, s.Heading
			}
			if line.Done {
				shown.Done++
			}
			shown.Steps = append(shown.Steps, line)
		}
		list = append(list, shown)
	}
	return list
}

// silence keeps alerts quiet at their Alertmanager.
type silence struct {
	Labels []string
	Source string
	By     string
	Until  *moment
	Ended  bool
}

func (v *visit) silences(inc incidents.Incident, now time.Time) []silence {
	list := make([]silence, 0, len(inc.Silences))
	for _, s := range inc.Silences {
		shown := silence{Source: s.Source, By: s.By.Name, Until: v.moment(s.Until), Ended: s.Ended || s.Until.Before(now)}
		for _, name := range slices.Sorted(maps.Keys(s.Matchers)) {
			shown.Labels = append(shown.Labels, name+"="+s.Matchers[name])
		}
		// The alert's name says most.
		slices.SortStableFunc(shown.Labels, func(a, b string) int {
			return cmp.Compare(rank(!strings.HasPrefix(a, "alertname=")), rank(!strings.HasPrefix(b, "alertname=")))
		})
		list = append(list, shown)
	}
	slices.SortStableFunc(list, func(a, b silence) int { return cmp.Compare(rank(a.Ended), rank(b.Ended)) })
	return list
}
