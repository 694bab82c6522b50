package sandbox

import "fmt"

// table: up to 100 rows of up to 20 cells, all of one length.
func (c *checker) table(b map[string]any, path string) {
	c.known(b, path, "type", "block_id", "rows", "column_settings")
	columns := c.rows(b, path, 1, 100)
	if settings, _ := b["column_settings"].([]any); b["column_settings"] != nil && (len(settings) != columns || len(settings) > 20) {
		c.problem(path+"/column_settings", "must have as many items as there are columns")
	}
}

func (c *checker) rows(b map[string]any, path string, least, most int) (columns int) {
	rows, ok := b["rows"].([]any)
	if !ok {
		c.problem(path, "missing required field: rows")
		return 0
	}
	if len(rows) < least {
		c.problem(path+"/rows", "no less than %d items allowed", least)
	}
	if len(rows) > most {
		c.problem(path+"/rows", "no more than %d items allowed", most)
	}
	for i, row := range rows {
		at := fmt.Sprintf("%s/rows/%d", path, i)
		cells, _ := row.([]any)
		if i == 0 {
			columns = len(cells)
		}
		switch {
		case len(cells) == 0:
			c.problem(at, "no less than 1 items allowed")
		case len(cells) > 20:
			c.problem(at, "no more than 20 items allowed")
		case len(cells) != columns:
			c.problem(at, "must have as many cells as the first row")
		}
	}
	return columns
}

// dataTable: a header and 1 to 200 rows, 20,000 characters in all.
func (c *checker) dataTable(b map[string]any, path string) {
	c.rows(b, path, 2, 201)
	if n, ok := b["page_size"].(float64); b["page_size"] != nil && (!ok || n < 1 || n > 100) {
		c.problem(path+"/page_size", "must be between 1 and 100")
	}
	total := 0
	rows, _ := b["rows"].([]any)
	for i, row := range rows {
		cells, _ := row.([]any)
		for j, cell := range cells {
			text := textOf(cell)
			total += len([]rune(text))
			if o, _ := cell.(map[string]any); text == "" && o["type"] == "raw_text" {
				c.problem(fmt.Sprintf("%s/rows/%d/%d/text", path, i, j), "must be more than 0 characters")
			}
		}
	}
	if total > 20_000 {
		c.problem(path+"/rows", "must be less than 20001 characters")
	}
}

func (c *checker) dataVisualization(b map[string]any, path string) {
	c.str(b, path, "title", 0, 50, false)
	chart, _ := b["chart"].(map[string]any)
	at := path + "/chart"
	if chart["type"] == "pie" {
		for i, s := range c.items(chart, at, "segments", 1, 12, true) {
			segment := fmt.Sprintf("%s/segments/%d", at, i)
			c.str(s, segment, "label", 1, 20, true)
			if v, _ := s["value"].(float64); v <= 0 {
				c.problem(segment+"/value", "must be more than 0")
			}
		}
		return
	}
	for i, s := range c.items(chart, at, "series", 1, 12, true) {
		series := fmt.Sprintf("%s/series/%d", at, i)
		c.str(s, series, "name", 1, 20, true)
		for j, p := range c.items(s, series, "data", 1, 20, true) {
			c.str(p, fmt.Sprintf("%s/data/%d", series, j), "label", 1, 20, true)
		}
	}
	c.axis(chart, at)
}

func (c *checker) axis(chart map[string]any, path string) {
	axis, ok := chart["axis_config"].(map[string]any)
	if !ok {
		return
	}
	at := path + "/axis_config"
	c.str(axis, at, "x_label", 0, 50, false)
	c.str(axis, at, "y_label", 0, 50, false)
	categories, _ := axis["categories"].([]any)
	if len(categories) < 1 || len(categories) > 20 {
		c.problem(at+"/categories", "between 1 and 20 items allowed")
	}
	for i, category := range categories {
		s, _ := category.(string)
		c.length(s, fmt.Sprintf("%s/categories/%d", at, i), 1, 20)
	}
}
