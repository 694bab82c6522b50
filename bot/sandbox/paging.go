package sandbox

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// paged cuts the page that limit and cursor ask for out of a list and gives the
// cursor of the next, empty at the end. PageSize caps the page.
func paged[T any](c *call, list []T, limit int) (page []T, next string, err error) {
	start := 0
	if cursor := c.args["cursor"]; cursor != "" {
		text, ok := readCursor(cursor, "next")
		n, convErr := strconv.Atoi(text)
		if !ok || convErr != nil || n < 0 {
			return nil, "", fail("invalid_cursor")
		}
		start = min(n, len(list))
	}
	end := min(start+c.w.pageLimit(limit), len(list))
	if end < len(list) {
		next = makeCursor("next", strconv.Itoa(end))
	}
	return list[start:end], next, nil
}

// pageLimit applies the workspace's cap to a limit.
func (w *Workspace) pageLimit(limit int) int {
	w.settings.Lock()
	defer w.settings.Unlock()
	if w.settings.pageSize > 0 {
		return min(limit, w.settings.pageSize)
	}
	return limit
}

func makeCursor(kind, text string) string {
	return base64.StdEncoding.EncodeToString([]byte(kind + ":" + text))
}

func readCursor(cursor, kind string) (string, bool) {
	raw, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(string(raw), kind+":")
}
