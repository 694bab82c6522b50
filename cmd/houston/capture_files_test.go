package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/incidents/sqlstore"
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
				h.until("its bytes are gone too", func() bool { return len(keptIn(dir)) == 0 })
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

// keptIn lists the files of a data folder.
func keptIn(dir string) []string {
	stored, _ := filepath.Glob(filepath.Join(dir, "*"))
	return stored
}

// TestFilesAreDeleted: the bytes go with the last entry that has them: redacted,
// deleted in Slack, or taken back; those that another entry has stay, of another
// incident or of one that took it along.
func TestFilesAreDeleted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		dir := t.TempDir()
		p.env = map[string]string{"HOUSTON_DATA_DIR": dir}
		h := newHouse(t, p)
		first, second := h.declared("Offers answer 500").ID, h.declared("Checkout is down").ID
		image := []byte("\x89PNG\r\n\x1a\nthe same")
		stored := func(key string, n int) {
			t.Helper()
			h.until("the files of "+key+" are stored", func() bool {
				files := h.files(key)
				return len(files) == n && !slices.ContainsFunc(files, func(f fileLine) bool { return f.State != "stored" })
			})
		}
		h.upload(first, "a.png", "pushpin", image)
		h.upload(second, "b.png", "pushpin", image)
		stored("INC-1", 1)
		stored("INC-2", 1)
		if n := len(keptIn(dir)); n != 1 {
			t.Fatalf("%d files are kept of the same bytes", n)
		}
		h.say(anna, first, "redact last a picture of a customer")
		h.until("the deletion is made", func() bool { return h.made(1, incidents.MakeErase) == 1 })
		if n := len(keptIn(dir)); n != 1 {
			t.Fatal("the file was deleted although another incident shows it")
		}
		h.say(anna, second, "redact last here too")
		h.until("the file goes with the last entry", func() bool { return len(keptIn(dir)) == 0 })

		for name, take := range map[string]func(ts string) (sandbox.Reply, error){
			"a deleted message": func(ts string) (sandbox.Reply, error) { return h.slack.Delete(t.Context(), anna, first, ts) },
			"a mark that is gone": func(ts string) (sandbox.Reply, error) {
				return h.slack.Unreact(t.Context(), anna, first, ts, "pushpin")
			},
		} {
			posted, err := h.slack.Upload(t.Context(), sandbox.Upload{User: anna, Channel: first, Name: "c.png", Data: image})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.slack.React(t.Context(), anna, first, posted.TS, "pushpin"); err != nil {
				t.Fatal(err)
			}
			h.until("the file is stored", func() bool {
				return len(keptIn(dir)) == 1 && len(h.files("INC-1")) == 1 && h.files("INC-1")[0].State == "stored"
			})
			if _, err := take(posted.TS); err != nil {
				t.Fatal(err)
			}
			h.until(name+" takes the file along", func() bool { return len(keptIn(dir)) == 0 })
		}
	})
}

// made counts the effects of a kind that an incident has made.
func (h *house) made(number int64, kind incidents.EffectKind) int {
	h.t.Helper()
	store, err := sqlstore.Open(h.t.Context(), sqlstore.Config{URL: h.env["HOUSTON_DATABASE"]})
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	effects, err := store.Effects(h.t.Context(), number)
	if err != nil {
		h.t.Fatal(err)
	}
	made := 0
	for _, e := range effects {
		if e.Kind == kind && e.State() == incidents.Done {
			made++
		}
	}
	return made
}
