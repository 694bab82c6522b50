package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// fileLine is a file of an entry as the API gives it.
type fileLine struct{ ID, Name, State, Reason, URL string }

func (h *house) files(key string) []fileLine {
	h.t.Helper()
	var timeline struct {
		Entries []struct{ Files []fileLine }
	}
	h.api("/incidents/"+key+"/timeline", &timeline)
	var files []fileLine
	for _, e := range timeline.Entries {
		files = append(files, e.Files...)
	}
	return files
}

// TestFiles keeps the image of a captured message: fetched although Slack fails
// at first, for those alone who may see the incident, never made public, and gone
// when its entry is.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, database := range []string{"sqlite", "postgres"} {
		for _, socket := range []bool{false, true} {
			t.Run(database, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				h := newHouse(t, plan{database: databaseURL(t, database), socket: socket, env: map[string]string{"HOUSTON_DATA_DIR": dir}})
				channel := h.declared("Offers answer 500").ID
				image := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{7}, 1000)...)
				h.slack.Inject(sandbox.Fault{Method: "files.info", Times: 2, Kind: sandbox.FaultStatus{}})
				posted, err := h.slack.Upload(t.Context(), sandbox.Upload{User: anna, Channel: channel, Name: "p99 <b>.png", Data: image})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "chart_with_upwards_trend"); err != nil {
					t.Fatal(err)
				}
				h.until("the file is stored", func() bool {
					files := h.files("INC-1")
					return len(files) == 1 && files[0].State == "stored" && files[0].Name == "p99 <b>.png"
				})
				path := h.files("INC-1")[0].URL
				token := map[string]string{"Authorization": "Bearer " + apiToken}
				if status, raw := h.call(http.MethodGet, path, "", token); status != http.StatusOK || !bytes.Equal(raw, image) {
					t.Errorf("got status %d and %d bytes, want the image", status, len(raw))
				}
				if status, _ := h.call(http.MethodGet, path, "", nil); status != http.StatusUnauthorized {
					t.Errorf("without a token: got %d, want 401", status)
				}
				if calls := h.slack.Calls("files.sharedPublicURL"); len(calls) > 0 {
					t.Error("the file was made public")
				}
				if stored, _ := filepath.Glob(filepath.Join(dir, "*")); len(stored) != 1 {
					t.Errorf("data_dir holds %v, want the file alone", stored)
				}
				h.say(anna, channel, "redact last wrong picture")
				h.until("the file is gone with its entry", func() bool {
					status, _ := h.call(http.MethodGet, path, "", token)
					return status == http.StatusNotFound && len(h.files("INC-1")) == 0
				})
			})
		}
	}
}

// TestFileThatSlackDoesNotHandOut has the app lack files:read: the entry says so.
func TestFileThatSlackDoesNotHandOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t, plan{env: map[string]string{"HOUSTON_DATA_DIR": t.TempDir()}})
	channel := h.declared("Offers answer 500").ID
	h.slack.Inject(sandbox.Fault{Method: "files.info", Kind: sandbox.FaultError{Code: "file_not_found"}})
	posted, err := h.slack.Upload(t.Context(), sandbox.Upload{User: anna, Channel: channel, Name: "a.png", Data: []byte("\x89PNG\r\n\x1a\n")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.slack.React(t.Context(), anna, channel, posted.TS, "pushpin"); err != nil {
		t.Fatal(err)
	}
	h.until("the entry says that the file is lost", func() bool {
		return slices.ContainsFunc(h.files("INC-1"), func(f fileLine) bool { return f.State == "failed" && f.Reason != "" })
	})
}
