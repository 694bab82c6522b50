package incidents

import "time"

// Home is a person's home tab: Houston keeps those current that were opened
// lately.
type Home struct {
	Person   string // id
	OpenedAt time.Time
	Shown    string // digest of what it shows; empty: nothing yet
}

// ShowHome has a person's home tab shown, since he has opened it.
type ShowHome struct {
	Person string `json:"person"`
	Event  string `json:"event"` // of the delivery, so that no later one is swallowed as a duplicate
}

// RefreshHomes has the home tabs brought up to date that were opened lately and
// show something else than what is true.
type RefreshHomes struct {
	Incident int64     `json:"incident"`
	Version  int64     `json:"version"`
	At       time.Time `json:"at"` // of the change; a refresh begun later has shown it
}

// Kind names the job in the queue.
func (ShowHome) Kind() string { return "show_home" }

// Kind names the job in the queue.
func (RefreshHomes) Kind() string { return "refresh_homes" }

// homesAfter is how long changes are collected before home tabs show them.
const homesAfter = 2 * time.Second

// inHome reports whether a home tab shows something of an event.
func inHome(data Data) bool {
	switch data.(type) {
	case Declared, StatusChanged, MergedInto, WentPrivate, SeverityChanged, RoleAssigned, Renamed, FactsChanged, ChannelOpened,
		ActionAdded, ActionChanged, ActionWithdrawn:
		return true
	default:
		return false
	}
}

// refreshHomes has home tabs follow what has happened.
func (d *decision) refreshHomes(config Config) {
	if config.Homes && d.any(inHome) {
		job := RefreshHomes{Incident: d.inc.Number, Version: d.inc.Seq, At: d.now}
		d.jobs = append(d.jobs, Scheduled{Job: job, At: d.now.Add(homesAfter)})
	}
}
