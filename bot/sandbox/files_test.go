package sandbox_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

// get fetches a URL with an Authorization header, following redirects, and gives
// the content type and the body of an answer 200.
func get(t *testing.T, u, authorization string) (contentType, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, u, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", u, resp.Status)
	}
	return resp.Header.Get("Content-Type"), string(body)
}

func TestAPersonUploadsAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	id := w.create("files", false)
	w.Join(w.ann.ID, id)
	up := sandbox.Upload{User: w.ann.ID, Channel: id, Text: "look <here>", Name: "graph.txt", Data: []byte("up & down")}
	reply, err := w.Upload(t.Context(), up)
	if err != nil || !reply.Delivered() {
		t.Fatalf("%+v, %v", reply, err)
	}
	event, _ := a.nextEvent(t, "message", "file_share")
	if event["ts"] != reply.TS || event["user"] != w.ann.ID || event["text"] != "look &lt;here&gt;" {
		t.Errorf("message event %v", event)
	}
	shared, _ := a.nextEvent(t, "file_shared", "")
	fileID, _ := shared["file_id"].(string)
	if shared["channel_id"] != id || shared["user_id"] != w.ann.ID {
		t.Errorf("file_shared event %v", shared)
	}

	info, _, _, err := w.api.GetFileInfoContext(t.Context(), fileID, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mimetype != "text/plain" || info.Filetype != "txt" || info.Size != 9 || info.Shares.Public[id][0].Ts != reply.TS {
		t.Errorf("files.info %+v", info)
	}
	for _, tt := range []struct{ name, url, token, want, wantType string }{
		{"with the token", info.URLPrivate, "Bearer " + w.BotToken(), "up & down", "text/plain"},
		{"to download", info.URLPrivateDownload, "Bearer " + w.BotToken(), "up & down", "text/plain"},
		{"without a token", info.URLPrivate, "", "Sign in", "text/html"},
		{"download without a token", info.URLPrivateDownload, "", "Sign in", "text/html"},
		{"with a wrong token", info.URLPrivate, "Bearer xoxb-no", "Sign in", "text/html"},
	} {
		contentType, body := get(t, tt.url, tt.token)
		if !strings.Contains(body, tt.want) || !strings.HasPrefix(contentType, tt.wantType) {
			t.Errorf("%s: %s %q", tt.name, contentType, body)
		}
	}
	if f, ok := w.FileInfo(fileID); !ok || f.Name != "graph.txt" || f.User != w.ann.ID || f.Size != 9 {
		t.Errorf("FileInfo %+v, %v", f, ok)
	}
}

func TestFilesElsewhereAreUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	if _, err := w.Upload(t.Context(), sandbox.Upload{User: w.ann.ID, Channel: w.ops.ID, Name: "a.txt", Data: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	m := w.Messages(w.ops.ID)
	w.wantError(w.form("files.info", "file", m[0].Files[0]), "file_not_found") // the bot is not in #ops
	_, err := w.Upload(t.Context(), sandbox.Upload{User: w.ann.ID, Channel: w.ops.ID, Name: "a.txt", ThreadTS: "1.000000"})
	wantCode(t, err, "thread_not_found")
	_, err = w.Upload(t.Context(), sandbox.Upload{User: w.ann.ID, Channel: w.ops.ID})
	wantCode(t, err, "no_file_name")
}

// TestTheAppDeletesItsOwnFiles: only those, and what they were shared with keeps
// a tombstone.
func TestTheAppDeletesItsOwnFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	id := w.create("files", false)
	w.Join(w.ann.ID, id)
	theirs, err := w.Upload(t.Context(), sandbox.Upload{User: w.ann.ID, Channel: id, Name: "a.txt", Data: []byte("theirs")})
	if err != nil {
		t.Fatal(err)
	}
	var foreign string
	for _, m := range w.Messages(id) {
		if m.TS == theirs.TS {
			foreign = m.Files[0]
		}
	}
	own, err := w.api.UploadFileContext(t.Context(), slack.UploadFileParameters{Filename: "b.txt", FileSize: 4, Content: "ours", Channel: id})
	if err != nil {
		t.Fatal(err)
	}
	info, _, _, err := w.api.GetFileInfoContext(t.Context(), own.ID, 0, 0)
	if err != nil || len(info.Shares.Public[id]) != 1 {
		t.Fatalf("shared as %+v, %v", info, err)
	}
	for _, step := range []struct{ method, file, code string }{
		{"files.delete", "F0NONE", "file_not_found"},
		{"files.delete", foreign, "cant_delete_file"},
		{"files.delete", own.ID, ""},
		{"files.delete", own.ID, "file_deleted"},
		{"files.info", own.ID, "file_deleted"},
	} {
		w.wantError(w.form(step.method, "file", step.file), step.code)
	}
	if got := fmt.Sprint(w.form("conversations.history", "channel", id, "latest", info.Shares.Public[id][0].Ts, "inclusive", "true", "limit", "1")); !strings.Contains(got, "mode:tombstone") || strings.Contains(got, "b.txt") {
		t.Errorf("the message has %s", got)
	}
	if _, there := w.File(own.ID); there {
		t.Error("the bytes are still there")
	}
	if _, there := w.File(foreign); !there {
		t.Error("somebody else's file is gone")
	}
}
