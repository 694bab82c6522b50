package incidents

import "time"

// Kept is something a person has begun and is to go on with by a click: a
// command that still lacks its incident.
type Kept struct {
	ID     string // unique in the world
	Person string // whose it is, by id; nobody else may go on with it
	Body   string // JSON of whoever keeps it
	Until  time.Time
}
