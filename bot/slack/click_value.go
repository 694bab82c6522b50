package slack

import (
	"strconv"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// keyAnd reads the value of a button that names something of an incident by
// numbers: "INC-12/3" for one, "INC-12/3/1" for two. False for anything else,
// such as what an older version wrote.
func keyAnd(value string, count int) (number int64, ids []int64, ok bool) {
	parts := strings.Split(value, "/")
	if len(parts) != count+1 {
		return 0, nil, false
	}
	number, err := incidents.ParseKey(parts[0])
	if err != nil {
		return 0, nil, false
	}
	for _, part := range parts[1:] {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return 0, nil, false
		}
		ids = append(ids, id)
	}
	return number, ids, true
}
