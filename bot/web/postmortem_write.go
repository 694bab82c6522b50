package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// sheetView is a postmortem with what an editor needs besides.
type sheetView struct {
	Document postmortem.Document  `json:"document"`
	Written  postmortem.Written   `json:"written"` // what people wrote, by field
	Findings []postmortem.Finding `json:"findings"`
}

// sheet answers GET …/postmortem/sheet. Its ETag is the revision.
func (a *API) sheet(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	sheet, err := a.config.Postmortems.Sheet(r.Context(), inc.Number, request(incidents.Once{}))
	if err != nil {
		return err
	}
	return a.answerSheet(w, sheet)
}

func (a *API) answerSheet(w http.ResponseWriter, sheet postmortem.Sheet) error {
	w.Header().Set("ETag", etagOf(sheet.Document.Rev))
	return writeJSON(w, http.StatusOK, sheetView{Document: sheet.Document, Written: sheet.Written, Findings: sheet.Findings})
}

func etagOf(rev int64) string { return fmt.Sprintf("%q", strconv.FormatInt(rev, 10)) }

// revOf reads the revision of If-Match; present is false without the header.
func revOf(r *http.Request) (rev int64, present bool, err error) {
	tag := strings.TrimSpace(r.Header.Get("If-Match"))
	if tag == "" || tag == "*" {
		return 0, false, nil
	}
	rev, err = strconv.ParseInt(strings.Trim(tag, `"`), 10, 64)
	if err != nil {
		return 0, true, incidents.Errorf(incidents.Invalid, "If-Match must be the ETag of the postmortem, like \"3\".")
	}
	return rev, true, nil
}

// writePostmortem answers PATCH …/postmortem: fields by name, null gives one back
// to the draft. If-Match says upon which revision they were written.
func (a *API) writePostmortem(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	patch := postmortem.Written{}
	raw, err := io.ReadAll(r.Body)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, "The body is larger than 1 MB."}
	}
	if err != nil || json.Unmarshal(raw, &patch) != nil || len(patch) == 0 {
		return incidents.Errorf(incidents.Invalid, "The body is no JSON object of fields. Write it like {\"summary\":\"Brokers saw no offers for an hour.\"}")
	}
	rev, present, err := revOf(r)
	if err != nil {
		return err
	}
	if !present {
		rev = inc.Postmortem.Rev
	}
	_, err = a.config.Postmortems.Save(r.Context(), inc.Number, postmortem.Save{Request: request(incidents.Once{}), Base: rev, Patch: patch})
	if err != nil {
		return err
	}
	return a.sheet(w, r)
}

// movePostmortem answers POST …/postmortem/state.
func (a *API) movePostmortem(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var to, reason string
	if err := decode(r, `{"to":"in_review"}`, map[string]any{"to": &to, "reason": &reason}); err != nil {
		return err
	}
	move := postmortem.Move{Request: request(incidents.Once{}), To: incidents.PostmortemState(to), Reason: reason}
	switch rev, present, err := revOf(r); {
	case err != nil:
		return err
	case present:
		move.Rev = &rev
	}
	if _, err = a.config.Postmortems.Move(r.Context(), inc.Number, move); err != nil {
		return err
	}
	return a.sheet(w, r)
}

// staffPostmortem answers PATCH …/postmortem/people.
func (a *API) staffPostmortem(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	c := incidents.StaffPostmortem{Request: request(incidents.Once{})}
	if err := decode(r, `{"owner":{"id":"U1","name":"Ada"},"reviewers":[{"id":"U2","name":"Ben"}],"approver":{"id":"U3","name":"Cleo"}}`,
		map[string]any{"owner": &c.Owner, "reviewers": &c.Reviewers, "approver": &c.Approver}); err != nil {
		return err
	}
	if _, err := a.service.Do(r.Context(), inc.Number, c); err != nil {
		return err
	}
	return a.sheet(w, r)
}

// planReview answers POST …/postmortem/meeting.
func (a *API) planReview(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	var at string
	c := incidents.PlanReview{Request: request(incidents.Once{})}
	if err := decode(r, `{"at":"2030-01-31T14:00:00Z","minutes":60}`, map[string]any{"at": &at, "minutes": &c.Minutes}); err != nil {
		return err
	}
	if c.At, err = parseTime("at", at); err != nil {
		return err
	}
	if _, err := a.service.Do(r.Context(), inc.Number, c); err != nil {
		return err
	}
	return a.sheet(w, r)
}

// revisionView is one revision of a postmortem.
type revisionView struct {
	Rev    int64            `json:"rev"`
	At     string           `json:"at"`
	By     incidents.Person `json:"by"`
	Fields []string         `json:"fields"`
}

// revisions answers GET …/postmortem/revisions, the newest first.
func (a *API) revisions(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	history, err := a.config.Postmortems.History(r.Context(), inc.Number, request(incidents.Once{}))
	if err != nil {
		return err
	}
	views := make([]revisionView, 0, len(history))
	for _, h := range history {
		views = append(views, revisionView{h.Rev, h.At.Format("2006-01-02T15:04:05.999999Z07:00"), h.By, h.Fields})
	}
	return writeJSON(w, http.StatusOK, map[string]any{"revisions": views})
}

// revision answers GET …/postmortem/revisions/3: the document with what people
// had written then.
func (a *API) revision(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	rev, err := numberOf(r, "rev")
	if err != nil {
		return err
	}
	sheet, err := a.config.Postmortems.SheetAt(r.Context(), inc.Number, rev, request(incidents.Once{}))
	if err != nil {
		return err
	}
	return a.answerSheet(w, sheet)
}

// edition answers GET …/postmortem/editions/1: what was published, byte for byte.
func (a *API) edition(w http.ResponseWriter, r *http.Request) error {
	inc, err := a.incident(r)
	if err != nil {
		return err
	}
	edition, err := numberOf(r, "edition")
	if err != nil {
		return err
	}
	_, publication, err := a.config.Postmortems.Published(r.Context(), inc.Number, edition, request(incidents.Once{}))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", fmt.Sprintf("%q", publication.Hash))
	_, _ = w.Write(publication.Document)
	return nil
}

// numberOf reads a number of the path.
func numberOf(r *http.Request, name string) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || n < 0 {
		return 0, incidents.Errorf(incidents.NotFound, "%q is no number of what there is here.", r.PathValue(name))
	}
	return n, nil
}

// schema answers GET /api/v1/postmortem.schema.json.
func schema(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/schema+json")
	_, err := w.Write(postmortem.Schema())
	return err
}
