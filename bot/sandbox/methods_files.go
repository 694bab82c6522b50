package sandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"
)

func fileMethods() map[string]*method {
	write := []string{"files:write"}
	return map[string]*method{
		"files.getUploadURLExternal": {scopes: write, errors: []string{"alt_txt_too_large", "missing_argument", "snippet_too_large"}, run: uploadURL},
		"files.completeUploadExternal": {
			json: true, scopes: write, required: []string{"files"},
			errors: []string{"channel_not_found", "channels_limit_exceeded", "file_not_found", "invalid_blocks", "not_in_channel"}, run: completeUpload,
		},
		"files.info": {scopes: []string{"files:read"}, required: []string{"file"}, errors: []string{"file_deleted", "file_not_found"}, run: fileInfo},
		"files.delete": {
			json: true, scopes: write, required: []string{"file"},
			errors: []string{"cant_delete_file", "delete_not_allowed", "file_deleted", "file_deleting_disabled", "file_not_found"}, run: deleteFile,
		},
	}
}

// uploadURL is the first of three steps: it promises a length and gets an
// address to send the bytes to.
func uploadURL(c *call) (object, error) {
	size, err := strconv.Atoi(c.args["length"])
	switch {
	case err != nil || size < 1 || c.args["filename"] == "":
		return nil, fail("missing_argument")
	case utf8.RuneCountInString(c.args["alt_txt"]) > 1000:
		return nil, fail("alt_txt_too_large")
	case c.args["snippet_type"] != "" && size > 1<<20:
		return nil, fail("snippet_too_large")
	}
	f := &file{
		id: c.st.id('F'), name: c.args["filename"], title: c.args["filename"], altText: c.args["alt_txt"], size: size, user: c.st.botUser,
		base: c.base, team: c.st.teamID, shares: map[string][]string{}, created: c.st.now().Unix(),
	}
	c.st.files[f.id] = f
	return object{"upload_url": c.base + "/files/upload/" + f.id, "file_id": f.id}, nil
}

// serveUpload is the second step: the bytes, whole or as the first file of a
// multipart form, as many as were promised.
func (w *Workspace) serveUpload(rw http.ResponseWriter, r *http.Request) {
	data, err := readUpload(rw, r)
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	f := w.st.files[r.PathValue("id")]
	switch {
	case f == nil || f.uploaded:
		http.Error(rw, "file not found", http.StatusNotFound)
	case err != nil || len(data) != f.size:
		http.Error(rw, "length does not match", http.StatusBadRequest)
	default:
		f.data, f.uploaded = data, true
		w.st.touch()
		_, _ = io.WriteString(rw, "OK - "+strconv.Itoa(len(data)))
	}
}

func readUpload(rw http.ResponseWriter, r *http.Request) ([]byte, error) {
	r.Body = http.MaxBytesReader(rw, r.Body, 64<<20)
	form, err := r.MultipartReader()
	if err != nil { // not a form: the body is the file
		return io.ReadAll(r.Body) //nolint:wrapcheck // one caller, which answers 400
	}
	for {
		part, err := form.NextPart()
		if err != nil {
			return nil, err //nolint:wrapcheck // one caller, which answers 400
		}
		if part.FileName() != "" {
			return io.ReadAll(part) //nolint:wrapcheck // one caller, which answers 400
		}
	}
}

// completeUpload is the third step: it shares the files in a channel. The share
// comes later than the answer, whose shares are empty (python-slack-sdk #1363).
func completeUpload(c *call) (object, error) {
	var wanted []struct{ ID, Title string }
	if json.Unmarshal([]byte(c.args["files"]), &wanted) != nil || len(wanted) == 0 {
		return nil, invalidArguments("must be a list of files [json-pointer:/files]")
	}
	channels := c.args.list("channels")
	if id := c.args["channel_id"]; id != "" {
		channels = append(channels, id)
	}
	if len(channels) > 100 {
		return nil, fail("channels_limit_exceeded")
	}
	var files []*file
	answer := []object{}
	for _, want := range wanted {
		f := c.st.files[want.ID]
		if f == nil || !f.uploaded || f.completed {
			return nil, fail("file_not_found")
		}
		if want.Title != "" {
			f.title = want.Title
		}
		files = append(files, f)
		answer = append(answer, f.wire())
	}
	var into []*channel
	for _, id := range channels {
		ch := c.st.channels[id]
		switch {
		case ch == nil:
			return nil, fail("channel_not_found")
		case !ch.has(c.st.botUser):
			return nil, fail("not_in_channel")
		}
		into = append(into, ch)
	}
	for _, f := range files {
		f.completed = true
	}
	for _, ch := range into {
		c.w.share(ch, files, Message{User: c.st.botUser, BotID: c.st.botID, Text: c.args["initial_comment"], ThreadTS: c.args["thread_ts"]})
	}
	return object{"files": answer}, nil
}

// fileInfo shows files of the app's own and those shared where its bot is.
func fileInfo(c *call) (object, error) {
	f := c.st.files[c.args["file"]]
	switch {
	case f == nil || !f.completed || !c.st.seesFile(f):
		return nil, fail("file_not_found")
	case f.deleted:
		return nil, fail("file_deleted")
	}
	o := f.wire()
	public, private := object{}, object{}
	for channel, stamps := range f.shares {
		var list []object
		for _, ts := range stamps {
			list = append(list, object{"ts": ts, "channel_name": c.st.channels[channel].Name, "team_id": c.st.teamID})
		}
		if c.st.channels[channel].Private {
			private[channel] = list
		} else {
			public[channel] = list
		}
	}
	o["shares"] = object{"public": public, "private": private}
	return object{"file": o, "comments": []object{}, "response_metadata": object{"next_cursor": ""}}, nil
}

// deleteFile deletes a file of the app's own. What it was shared with stays as a
// tombstone (https://docs.slack.dev/reference/methods/files.delete).
func deleteFile(c *call) (object, error) {
	f := c.st.files[c.args["file"]]
	switch {
	case f == nil || !f.completed || !c.st.seesFile(f):
		return nil, fail("file_not_found")
	case f.user != c.st.botUser:
		return nil, fail("cant_delete_file")
	case f.deleted:
		return nil, fail("file_deleted")
	}
	f.deleted, f.data = true, nil
	c.st.touch()
	return object{}, nil
}
