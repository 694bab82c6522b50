package pages

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// auditPage says who did what, across incidents.
type auditPage struct {
	Frame

	Lines     []auditLine
	Person    string
	Type      string
	Next      string
	CSV, JSON string
}

type auditLine struct {
	Number   int64  `json:"number"`
	Key      string `json:"key"`
	Seq      int64  `json:"seq"`
	Title    string `json:"title"`
	Type     string `json:"type"`
	Text     string `json:"text"`
	Person   string `json:"person"`
	PersonID string `json:"person_id"`
	Via      string `json:"via"`
	Recorded string `json:"recorded_at"`

	At   *moment `json:"-"`
	Said string  `json:"-"` // Text in the reader's language
}

// audit answers GET /audit. Where permissions.admin names people it is theirs.
func (p *Pages) audit(w http.ResponseWriter, r *http.Request, v *visit) error {
	lines, next, err := p.auditLines(r, v, r.URL.Query().Get("before"), perPage)
	if err != nil {
		return err
	}
	page := auditPage{
		Frame: p.frame(v, "audit", v.text.Text("web_audit")), Lines: lines,
		Person: r.URL.Query().Get("person"), Type: r.URL.Query().Get("type"),
		CSV: "/audit.csv" + filters(r, nil), JSON: "/audit.json" + filters(r, nil),
	}
	if next != "" {
		page.Next = "/audit" + filters(r, map[string]string{"before": next})
	}
	return p.render(w, v, http.StatusOK, "audit", page)
}

// wholeAudit reads all lines that the page's filters leave.
func (p *Pages) wholeAudit(r *http.Request, v *visit) ([]auditLine, error) {
	all, before := []auditLine{}, r.URL.Query().Get("before")
	for {
		lines, next, err := p.auditLines(r, v, before, perChunk)
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
		if next == "" {
			return all, nil
		}
		before = next
	}
}

func (p *Pages) auditLines(r *http.Request, v *visit, before string, limit int) (lines []auditLine, next string, err error) {
	if err := p.service.MayAudit(v.actor); err != nil {
		return nil, "", err
	}
	query := incidents.AuditQuery{
		Visible: p.visible(v), Limit: limit + 1,
		Person: r.URL.Query().Get("person"), Type: r.URL.Query().Get("type"),
	}
	if query.Before, err = auditCursor(before); err != nil {
		return nil, "", err
	}
	found, err := p.config.Store.Audit(r.Context(), query)
	if err != nil {
		return nil, "", err
	}
	for _, l := range found[:min(limit, len(found))] {
		_, text := l.Data.Entry()
		said := text
		if told, ok := l.Data.(interface{ Told() incidents.Phrase }); ok && text != "" {
			said = v.text.Say(told.Told())
		}
		if l.Hidden {
			text, said = "(redacted)", v.text.Text("web_redacted")
		}
		lines = append(lines, auditLine{
			Number: l.Incident, Key: incidents.Key(l.Incident), Seq: l.Seq, Title: l.Title, Type: l.Data.Type(), Text: text,
			Person: l.Actor.Name, PersonID: l.Actor.ID, Via: string(l.Actor.Via),
			Recorded: l.RecordedAt.Format(time.RFC3339), At: v.moment(l.RecordedAt), Said: said,
		})
	}
	if len(found) > limit {
		last := found[limit-1]
		next = fmt.Sprintf("%d.%d.%d", last.RecordedAt.UnixMicro(), last.Incident, last.Seq)
	}
	return lines, next, nil
}

func auditCursor(text string) (incidents.AuditCursor, error) {
	if text == "" {
		return incidents.AuditCursor{}, nil
	}
	var numbers [3]int64
	parts := strings.Split(text, ".")
	for i := range numbers {
		n, err := strconv.ParseInt(at(parts, i), 10, 64)
		if err != nil || len(parts) != len(numbers) {
			return incidents.AuditCursor{}, incidents.Errorf(incidents.Invalid, "%q is no place in this list. Begin at its first page.", text)
		}
		numbers[i] = n
	}
	return incidents.AuditCursor{RecordedAt: time.UnixMicro(numbers[0]).UTC(), Incident: numbers[1], Seq: numbers[2]}, nil
}

func at(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return ""
}

// auditJSON answers GET /audit.json, with the filters of the page.
func (p *Pages) auditJSON(w http.ResponseWriter, r *http.Request, v *visit) error {
	lines, err := p.wholeAudit(r, v)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"events": lines})
}

// auditCSV answers GET /audit.csv, with the filters of the page.
func (p *Pages) auditCSV(w http.ResponseWriter, r *http.Request, v *visit) error {
	lines, err := p.wholeAudit(r, v)
	if err != nil {
		return err
	}
	table := [][]string{{"recorded_at", "key", "title", "type", "text", "person", "via"}}
	for _, l := range lines {
		table = append(table, []string{l.Recorded, l.Key, l.Title, l.Type, l.Text, l.Person, l.Via})
	}
	return writeCSV(w, "audit.csv", table)
}
