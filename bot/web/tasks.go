package web

import (
	"net/http"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// taskView is a task as the API gives it.
type taskView struct {
	ID        int64               `json:"id"`
	Text      string              `json:"text"`
	State     incidents.TaskState `json:"state"`
	Owner     *incidents.Person   `json:"owner"` // null: nobody yet
	ChangedBy incidents.Person    `json:"changed_by"`
	ChangedAt time.Time           `json:"changed_at"`
}

// tasks answers GET /api/v1/incidents/INC-1/tasks.
func (a *API) tasks(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	views := []taskView{}
	for _, t := range inc.Tasks {
		view := taskView{ID: t.ID, Text: t.Text, State: t.State, ChangedBy: t.By, ChangedAt: t.At}
		if t.Owner.ID != "" {
			view.Owner = &t.Owner
		}
		views = append(views, view)
	}
	return writeJSON(w, http.StatusOK, map[string]any{"tasks": views})
}
