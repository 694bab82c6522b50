package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// args are a call's arguments by name; structured ones (blocks, view, metadata)
// hold their JSON text.
type args map[string]string

// maxBody is how much of a request is read; far above what Slack takes.
const maxBody = 4 << 20

// readArgs reads a call's arguments and its token. The token comes from the
// Authorization header or, in a form body only, from the field "token"; never
// from the query or a JSON body. The whole body is read before anything happens.
func readArgs(rw http.ResponseWriter, r *http.Request, m *method) (args, string, error) {
	a := args{}
	for k, v := range r.URL.Query() {
		if k != "token" {
			a[k] = v[0]
		}
	}
	header, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
	if err != nil {
		return a, header, fail("invalid_form_data")
	}
	mediaType, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "iso-8859-1") {
		return a, header, fail("invalid_charset")
	}
	switch mediaType {
	case "application/json":
		return a, header, a.fromJSON(body, m)
	case "multipart/form-data":
		form, err := parseMultipart(body, params["boundary"])
		if err != nil {
			return a, header, fail("invalid_form_data")
		}
		return a, a.fromForm(form, header, m), nil
	case "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return a, header, fail("invalid_form_data")
		}
		return a, a.fromForm(form, header, m), nil
	default:
		if r.Method == http.MethodPost && len(body) > 0 {
			return a, header, fail("invalid_post_type")
		}
		return a, header, nil
	}
}

// fromForm takes a form's fields and returns the token, the header's if there is
// one. App-level tokens count in the header only.
func (a args) fromForm(form url.Values, header string, m *method) string {
	for k, v := range form {
		if k != "token" {
			a[k] = v[0]
		}
	}
	if header != "" || m != nil && m.appLevel {
		return header
	}
	return form.Get("token")
}

// fromJSON takes a JSON object; methods that take no JSON do not see it, which
// is what Slack does to them too.
func (a args) fromJSON(body []byte, m *method) error {
	if len(body) == 0 || m == nil || !m.json {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return invalidArguments("must provide an object")
	}
	for k, raw := range fields {
		var s string
		switch {
		case string(raw) == "null" || k == "token":
		case json.Unmarshal(raw, &s) == nil:
			a[k] = s
		case k == "users" || k == "channels":
			a[k] = joined(raw)
		default:
			a[k] = string(raw)
		}
	}
	return nil
}

// joined turns a JSON list of strings into Slack's comma form.
func joined(raw json.RawMessage) string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return string(raw)
	}
	return strings.Join(list, ",")
}

func (a args) has(key string) bool { _, ok := a[key]; return ok }

func (a args) bool(key string) bool { return a[key] == "true" || a[key] == "1" }

// list splits a comma-separated argument, dropping blanks and duplicates.
func (a args) list(key string) []string {
	var out []string
	for part := range strings.SplitSeq(a[key], ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// limit reads the limit argument; ok is false when it is no positive number.
func (a args) limit(byDefault int) (n int, ok bool) {
	if a["limit"] == "" || a["limit"] == "0" {
		return byDefault, true
	}
	n, err := strconv.Atoi(a["limit"])
	return n, err == nil && n > 0
}

// parseMultipart reads the plain fields of a multipart form; files are skipped.
func parseMultipart(body []byte, boundary string) (url.Values, error) {
	form := url.Values{}
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read multipart form: %w", err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, fmt.Errorf("read field %s: %w", part.FormName(), err)
		}
		if part.FileName() == "" {
			form.Add(part.FormName(), string(value))
		}
	}
}
