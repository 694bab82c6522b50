package pages

import (
	"net/http"
	"strings"
)

// writeTable sends a list as the file that its address ends with: CSV, or JSON
// with an object for each row.
func writeTable(w http.ResponseWriter, r *http.Request, name string, head []string, rows [][]string) error {
	if strings.HasSuffix(r.URL.Path, ".csv") {
		return writeCSV(w, name+".csv", append([][]string{head}, rows...))
	}
	objects := make([]map[string]string, 0, len(rows))
	for _, cells := range rows {
		object := make(map[string]string, len(head))
		for i, column := range head {
			object[column] = cells[i]
		}
		objects = append(objects, object)
	}
	return writeJSON(w, map[string]any{name: objects})
}
