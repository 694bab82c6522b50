package sandbox

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// submitAct submits a modal. Inputs come as v:BLOCK_ID, files as f:BLOCK_ID,
// dates with a time as d:BLOCK_ID.
func submitAct(u *ui, r *http.Request) (string, error) {
	values := map[string]string{}
	for name, given := range r.PostForm {
		id := name[min(2, len(name)):]
		switch {
		case strings.HasPrefix(name, "v:"):
			values[id] = strings.ReplaceAll(strings.Join(withoutEmpty(given), ","), "\r\n", "\n")
		case strings.HasPrefix(name, "d:"):
			if at, err := time.ParseInLocation("2006-01-02T15:04", given[0], u.loc); err == nil {
				values[id] = strconv.FormatInt(at.Unix(), 10)
			}
		}
	}
	if r.MultipartForm != nil {
		for name, headers := range r.MultipartForm.File {
			ids, err := u.p.keep(u.As, headers)
			if err != nil {
				return "", err
			}
			values[strings.TrimPrefix(name, "f:")] = strings.Join(ids, ",")
		}
	}
	_, err := u.p.w.SubmitView(r.Context(), SubmitView{User: u.As, ViewID: r.FormValue("view"), Values: values})
	return "", err
}

func withoutEmpty(values []string) (out []string) {
	for _, v := range values {
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// keep stores files that a person chose and gives their IDs.
func (p *Page) keep(user string, headers []*multipart.FileHeader) (ids []string, err error) {
	for _, h := range headers {
		if h.Size == 0 && h.Filename == "" {
			continue
		}
		f, err := h.Open()
		if err != nil {
			return nil, fmt.Errorf("open the file: %w", err)
		}
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("read the file: %w", err)
		}
		st := p.w.st
		st.mu.Lock()
		name := path.Base(path.Clean("/" + h.Filename))
		stored := &file{
			id: st.id('F'), name: name, title: name, user: user, size: len(data), data: data, uploaded: true, completed: true,
			base: p.w.baseURL(), shares: map[string][]string{}, created: st.now().Unix(),
		}
		st.files[stored.id] = stored
		st.mu.Unlock()
		ids = append(ids, stored.id)
	}
	return ids, nil
}

// closeAct closes a modal; with "all" the ones under it too.
func closeAct(u *ui, r *http.Request) (string, error) {
	if r.FormValue("all") == "" {
		_, err := u.p.w.CloseView(r.Context(), u.As, r.FormValue("view"))
		return "", err
	}
	open := u.p.w.Modals(u.As)
	for i := range open {
		if _, err := u.p.w.CloseView(r.Context(), u.As, open[len(open)-1-i].ID); err != nil {
			return "", err
		}
	}
	return "", nil
}

// serveFile gives a person a file of a message. Only pictures are shown in
// place; anything else is saved.
func (p *Page) serveFile(rw http.ResponseWriter, r *http.Request) {
	p.w.st.mu.Lock()
	f := p.w.st.files[r.PathValue("id")]
	var data []byte
	if f != nil && f.uploaded {
		data = f.data
	}
	p.w.st.mu.Unlock()
	if data == nil {
		http.NotFound(rw, r)
		return
	}
	kind := http.DetectContentType(data)
	if !picture(kind) {
		kind = "application/octet-stream"
		rw.Header().Set("Content-Disposition", "attachment")
	}
	rw.Header().Set("Content-Type", kind)
	_, _ = rw.Write(data)
}

func picture(contentType string) bool {
	switch contentType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	default:
		return false
	}
}
