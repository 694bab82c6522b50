package pages

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// perPage is how many incidents a page of the list holds. A download holds all,
// read perChunk at a time.
const (
	perPage  = 50
	perChunk = 200
)

// choice is one value of a filter.
type choice struct {
	tag

	Chosen bool
}

// listPage is the list of incidents.
type listPage struct {
	Frame

	Text       string
	Service    string
	Statuses   []choice
	Severities []choice
	Filtered   bool
	Rows       []row
	Next       string // address of the next page; empty: there is none
	CSV, JSON  string // addresses of the same list as files
}

// list answers GET /incidents.
func (p *Pages) list(w http.ResponseWriter, r *http.Request, v *visit) error {
	query, err := p.listQuery(r, v)
	if err != nil {
		return err
	}
	query.Limit = perPage + 1 // one more tells whether there is a next page
	found, err := p.store.Incidents(r.Context(), query)
	if err != nil {
		return err
	}
	page := listPage{
		Frame: p.frame(v, "incidents", v.text.Text("web_incidents")), Text: query.Text, Service: query.Service,
		Rows: v.rows(found[:min(perPage, len(found))], p.config.Clock.Now()),
		CSV:  "/incidents.csv" + filters(r, nil), JSON: "/incidents.json" + filters(r, nil),
		Filtered: query.Text != "" || query.Service != "" || query.Open || len(query.Statuses)+len(query.Severities) > 0,
	}
	page.Search = query.Text
	for _, s := range incidents.Statuses() {
		page.Statuses = append(page.Statuses, choice{v.status(s), slices.Contains(query.Statuses, s)})
	}
	page.Statuses = append([]choice{{tag{"open", v.text.Text("web_open")}, query.Open}}, page.Statuses...)
	for _, s := range incidents.Severities() {
		page.Severities = append(page.Severities, choice{v.severity(s), slices.Contains(query.Severities, s)})
	}
	if len(found) > perPage {
		page.Next = "/incidents" + filters(r, map[string]string{"before": strconv.FormatInt(found[perPage-1].Number, 10)})
	}
	return p.render(w, v, http.StatusOK, "incidents", page)
}

// listQuery reads the filters of a list's address. A value that means nothing is
// refused: it would find everything.
func (p *Pages) listQuery(r *http.Request, v *visit) (incidents.Query, error) {
	params, visible := r.URL.Query(), p.visible(v)
	query := incidents.Query{
		Text: strings.TrimSpace(params.Get("q")), Service: strings.TrimSpace(params.Get("service")),
		Private: visible.Private, Channels: visible.Channels,
	}
	for _, text := range params["status"] {
		if text == "" {
			continue
		}
		if text == "open" {
			query.Open = true
			continue
		}
		status, err := incidents.ParseStatus(text)
		if err != nil {
			return query, err
		}
		query.Statuses = append(query.Statuses, status)
	}
	for _, text := range params["severity"] {
		if text == "" {
			continue
		}
		severity, err := incidents.ParseSeverity(text)
		if err != nil {
			return query, err
		}
		query.Severities = append(query.Severities, severity)
	}
	if len([]rune(query.Text)) > incidents.MaxTitle {
		return query, incidents.Errorf(incidents.Invalid, "That is too long to search for; %d characters fit.", incidents.MaxTitle)
	}
	if text := params.Get("before"); text != "" {
		before, err := strconv.ParseInt(text, 10, 64)
		if err != nil || before < 1 {
			return query, incidents.Errorf(incidents.Invalid, "%q is no place in this list. Begin at its first page.", text)
		}
		query.Before = before
	}
	return query, nil
}

// filters writes a list's filters into an address again, with changes; the place
// in the list is kept only when it is among them.
func filters(r *http.Request, changes map[string]string) string {
	params := url.Values{}
	for name, values := range r.URL.Query() {
		for _, value := range values {
			if value != "" && name != "before" {
				params.Add(name, value)
			}
		}
	}
	for name, value := range changes {
		params.Set(name, value)
	}
	if len(params) == 0 {
		return ""
	}
	return "?" + params.Encode()
}

// record is an incident in a file.
type record struct {
	Key       string              `json:"key"`
	Title     string              `json:"title"`
	Severity  incidents.Severity  `json:"severity"`
	Status    incidents.Status    `json:"status"`
	Service   string              `json:"service"`
	Detection incidents.Detection `json:"detection"`
	Commander string              `json:"commander"`
	Declared  string              `json:"declared"`
	Mitigated string              `json:"mitigated"`
	Resolved  string              `json:"resolved"`
	Private   bool                `json:"private"`
	Drill     bool                `json:"drill"`
}

func recordOf(inc incidents.Incident) record {
	at := func(key incidents.KeyTime) string {
		if i, ok := inc.Times[key]; ok {
			return i.At.Format(time.RFC3339)
		}
		return ""
	}
	rec := record{
		Key: inc.Key(), Title: inc.Title, Severity: inc.Severity, Status: inc.Status, Service: inc.Service,
		Detection: inc.Detection, Declared: at(incidents.DeclaredAt), Mitigated: at(incidents.MitigatedAt),
		Resolved: at(incidents.ResolvedAt), Private: inc.Private, Drill: inc.Drill,
	}
	if commander, ok := inc.Commander(); ok {
		rec.Commander = commander.Name
	}
	return rec
}

func (p *Pages) records(r *http.Request, v *visit) ([]record, error) {
	query, err := p.listQuery(r, v)
	if err != nil {
		return nil, err
	}
	query.Limit = perChunk
	records := []record{}
	for {
		found, err := p.store.Incidents(r.Context(), query)
		if err != nil {
			return nil, err
		}
		for _, inc := range found {
			records = append(records, recordOf(inc))
		}
		if len(found) < perChunk {
			return records, nil
		}
		query.Before = found[len(found)-1].Number
	}
}

// listJSON answers GET /incidents.json, with the filters of the page.
func (p *Pages) listJSON(w http.ResponseWriter, r *http.Request, v *visit) error {
	records, err := p.records(r, v)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"incidents": records})
}

// listCSV answers GET /incidents.csv, with the filters of the page.
func (p *Pages) listCSV(w http.ResponseWriter, r *http.Request, v *visit) error {
	records, err := p.records(r, v)
	if err != nil {
		return err
	}
	table := [][]string{{"key", "title", "severity", "status", "service", "detection", "commander", "declared", "mitigated", "resolved", "private", "drill"}}
	for _, rec := range records {
		table = append(table, []string{
			rec.Key, rec.Title, string(rec.Severity), string(rec.Status), rec.Service, string(rec.Detection), rec.Commander,
			rec.Declared, rec.Mitigated, rec.Resolved, strconv.FormatBool(rec.Private), strconv.FormatBool(rec.Drill),
		})
	}
	return writeCSV(w, "incidents.csv", table)
}

func writeJSON(w http.ResponseWriter, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(raw, '\n'))
	return nil
}

// writeCSV writes a table for spreadsheets. A cell that one would take for a
// formula gets an apostrophe before it: titles are anybody's to write
// (https://owasp.org/www-community/attacks/CSV_Injection).
func writeCSV(w http.ResponseWriter, name string, table [][]string) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	out := csv.NewWriter(w)
	for _, cells := range table {
		for i, cell := range cells {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				cells[i] = "'" + cell
			}
		}
		_ = out.Write(cells) // what fails, fails for a reader who has gone
	}
	out.Flush()
	return nil
}
