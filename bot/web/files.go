package web

import (
	"errors"
	"mime"
	"net/http"
	"os"
	"slices"

	"github.com/houston-sre/houston/incidents"
)

// fileView is a file that was attached to a captured message.
type fileView struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	State  string `json:"state"`  // owed, stored or failed
	Reason string `json:"reason"` // why it failed
	URL    string `json:"url"`    // below the API; empty unless it is stored
}

func filesOf(key string, files []incidents.File) []fileView {
	views := []fileView{}
	for _, f := range files {
		view := fileView{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size, State: "owed", Reason: f.Failed}
		switch {
		case f.Digest != "":
			view.State, view.URL = "stored", "/api/v1/incidents/"+key+"/files/"+f.ID
		case f.Failed != "":
			view.State = "failed"
		}
		views = append(views, view)
	}
	return views
}

// file answers GET /api/v1/incidents/INC-1/files/F1 with the bytes of a file
// whose entry is in the timeline. Only images that a browser draws without
// running anything are shown; all else is for saving.
func (a *API) file(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	events, err := a.service.Store().Events(r.Context(), inc.Number)
	if err != nil {
		return err
	}
	for _, entry := range incidents.Timeline(events) {
		for _, f := range entry.Files {
			if f.ID == r.PathValue("id") && f.Digest != "" {
				return ServeFile(w, r, a.config.Files, f)
			}
		}
	}
	return incidents.Errorf(incidents.NotFound, "There is no such file in the timeline of %s.", inc.Key())
}

// Files opens a captured file by its digest; os.ErrNotExist when it is not there.
type Files interface {
	Open(digest string) (*os.File, error)
}

// Shown reports whether a file is an image that a browser draws without running
// anything.
func Shown(f incidents.File) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, f.Type)
}

// ServeFile answers with the bytes of a captured file, to who may have it: images
// that are [Shown] inline, all else for saving. Without files (nil), or when the
// folder does not hold it, it is an [incidents.Unavailable].
func ServeFile(w http.ResponseWriter, r *http.Request, files Files, f incidents.File) error {
	if files == nil {
		return incidents.Errorf(incidents.Unavailable, "This process keeps no files.")
	}
	stored, err := files.Open(f.Digest)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return incidents.Errorf(incidents.Unavailable, "The file is not in data_dir of this replica. Let all replicas share data_dir.")
	case err != nil:
		return err
	}
	defer func() { _ = stored.Close() }()
	info, err := stored.Stat()
	if err != nil {
		return err
	}
	disposition, kind := "attachment", "application/octet-stream"
	if Shown(f) {
		disposition, kind = "inline", f.Type
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "private, no-store")
	header.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": f.Name}))
	http.ServeContent(w, r, "", info.ModTime(), stored)
	return nil
}
