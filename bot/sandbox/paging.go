package sandbox

import (
	"encoding/base64"
	"math/rand/v2"
	"strconv"
	"strings"
)

// paged cuts the page that limit and cursor ask for out of a list and gives the
// cursor of the next, empty at the end. PageSize caps the page and RandomPages cuts it.
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

// PageSize caps every page of a paginated method at n items whatever limit the
// caller asks for, as Slack may; 0 takes the cap away.
func (w *Workspace) PageSize(n int) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.pageSize = n
}

// RandomPages gives each page a length by chance, from one item to as many as
// the caller asks for, as Slack, which filters after cutting pages, also does: a
// short page is not the last one. The same seed gives the same lengths; 0 ends it.
func (w *Workspace) RandomPages(seed uint64) {
	w.settings.Lock()
	defer w.settings.Unlock()
	w.settings.pageChance = nil
	if seed != 0 {
		w.settings.pageChance = rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // chance in a test, to be repeated
	}
}

// pageLimit applies the workspace's cap and chance to a limit.
func (w *Workspace) pageLimit(limit int) int {
	w.settings.Lock()
	defer w.settings.Unlock()
	if w.settings.pageSize > 0 {
		limit = min(limit, w.settings.pageSize)
	}
	if w.settings.pageChance != nil && limit > 1 {
		limit = 1 + w.settings.pageChance.IntN(limit)
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
