package sandbox

import (
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// file is an uploaded file.
type file struct {
	id, name, title, altText, user string
	team                           string
	size                           int
	data                           []byte
	uploaded, completed, deleted   bool
	base                           string
	shares                         map[string][]string // channel to message timestamps
	created                        int64
}

// wire is the file object of answers and events. Its shares are filled in by
// files.info alone.
func (f *file) wire() object {
	if f.deleted {
		return object{"id": f.id, "mode": "tombstone"}
	}
	kind := f.fileType()
	return object{
		"id": f.id, "created": f.created, "timestamp": f.created, "name": f.name, "title": f.title, "user": f.user, "user_team": f.team,
		"size": f.size, "mimetype": f.mimeType(), "filetype": kind, "pretty_type": strings.ToUpper(kind), "alt_txt": f.altText,
		"mode": "hosted", "file_access": "visible", "editable": false, "is_external": false, "public_url_shared": false,
		"display_as_bot": false, "username": "", "shares": object{}, "url_private": f.base + f.path(""),
		"url_private_download": f.base + f.path("download/"), "permalink": "https://sandbox.slack.com/files/" + f.user + "/" + f.id + "/" + url.PathEscape(f.name),
	}
}

func (f *file) path(way string) string { return "/files/" + f.id + "/" + way + url.PathEscape(f.name) }

func (f *file) mimeType() string {
	mediaType, _, _ := strings.Cut(http.DetectContentType(f.data), ";")
	return mediaType
}

// fileType is Slack's word for a kind of file: the name's ending, or "text" and
// "binary".
func (f *file) fileType() string {
	if ending := strings.ToLower(strings.TrimPrefix(path.Ext(f.name), ".")); ending != "" {
		return ending
	}
	if strings.HasPrefix(f.mimeType(), "text/") {
		return "text"
	}
	return "binary"
}

// seesFile says whether the app's bot may see a file: its own, and what was
// shared in a channel that it is in.
func (s *state) seesFile(f *file) bool {
	if f.user == s.botUser {
		return true
	}
	for id := range f.shares {
		if s.channels[id].has(s.botUser) {
			return true
		}
	}
	return false
}

// share posts files as a message and tells the app if its bot is there.
func (w *Workspace) share(ch *channel, files []*file, m Message) string {
	m.Subtype, m.Text = "file_share", w.st.rewriteText(m.Text)
	for _, f := range files {
		m.Files = append(m.Files, f.id)
	}
	w.add(ch, &m)
	for _, f := range files {
		f.shares[ch.ID] = append(f.shares[ch.ID], m.TS)
		w.emitIn(ch, object{
			"type": "file_shared", "channel_id": ch.ID, "file_id": f.id, "user_id": m.User, "file": object{"id": f.id}, "event_ts": m.TS,
		})
	}
	return m.TS
}

// serveFile gives a file's bytes to the bearer of the bot token. Everybody else
// is sent to a page to sign in on, as Slack does: an app that forgets its token
// gets HTML with status 200 and has to notice.
func (w *Workspace) serveFile(rw http.ResponseWriter, r *http.Request) {
	w.st.mu.Lock()
	f := w.st.files[r.PathValue("id")]
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	allowed := token == w.cfg.BotToken && w.st.granted("files:read")
	if f != nil {
		allowed = allowed && f.uploaded && w.st.seesFile(f)
		if f.deleted {
			f = nil
		}
	}
	var data []byte
	if allowed && f != nil {
		data = f.data
	}
	base := w.base("http://" + r.Host)
	w.st.mu.Unlock()
	switch {
	case !allowed:
		http.Redirect(rw, r, base+"/signin?redir="+url.QueryEscape(r.URL.Path), http.StatusFound)
	case f == nil:
		http.NotFound(rw, r)
	default:
		rw.Header().Set("Content-Type", f.mimeType())
		rw.Header().Set("Content-Length", strconv.Itoa(len(data)))
		if strings.Contains(r.URL.Path, "/download/") {
			rw.Header().Set("Content-Disposition", "attachment")
		}
		_, _ = rw.Write(data)
	}
}

// serveSignIn is the page that files without a token lead to.
func serveSignIn(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = rw.Write([]byte("<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body><h1>Sign in to Sandbox</h1></body></html>\n"))
}

// File gives the bytes of an uploaded file; ok is false when there are none.
func (v *View) File(id string) (data []byte, ok bool) {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	f := v.st.files[id]
	if f == nil || !f.uploaded || f.deleted {
		return nil, false
	}
	return append([]byte{}, f.data...), true
}

// FileInfo is what is known of an uploaded file.
type FileInfo struct {
	ID, Name, Title, MIMEType, User string
	Size                            int // bytes
}

// FileInfo describes an uploaded file; ok is false when there is none.
func (v *View) FileInfo(id string) (info FileInfo, ok bool) {
	v.st.mu.Lock()
	defer v.st.mu.Unlock()
	f := v.st.files[id]
	if f == nil || !f.uploaded || f.deleted {
		return FileInfo{}, false
	}
	return FileInfo{ID: f.id, Name: f.name, Title: f.title, MIMEType: f.mimeType(), User: f.user, Size: f.size}, true
}
