package statuspage

import (
	"encoding/json"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// The JSON has the public shape of Atlassian Statuspage's summary, so that what
// reads those pages reads this one:
// https://metastatuspage.com/api/v2/summary.json, described at
// https://metastatuspage.com/api.
type summary struct {
	Page         summaryPage       `json:"page"`
	Components   []struct{}        `json:"components"`
	Incidents    []summaryIncident `json:"incidents"` // unresolved ones, newest first
	Maintenances []struct{}        `json:"scheduled_maintenances"`
	Status       summaryStatus     `json:"status"`
}

type summaryPage struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	URL       string  `json:"url"`
	TimeZone  string  `json:"time_zone"`
	UpdatedAt instant `json:"updated_at"`
}

type summaryStatus struct {
	Indicator   string `json:"indicator"` // none, minor, major, critical
	Description string `json:"description"`
}

type summaryIncident struct {
	ID           string                 `json:"id"`
	Name         string                 `json:"name"`
	Status       incidents.NoticeStatus `json:"status"`
	CreatedAt    instant                `json:"created_at"`
	UpdatedAt    instant                `json:"updated_at"`
	MonitoringAt *instant               `json:"monitoring_at"`
	ResolvedAt   *instant               `json:"resolved_at"`
	Impact       string                 `json:"impact"`
	Shortlink    string                 `json:"shortlink"`
	StartedAt    instant                `json:"started_at"`
	PageID       string                 `json:"page_id"`
	Updates      []summaryUpdate        `json:"incident_updates"` // newest first
	Components   []struct{}             `json:"components"`
}

type summaryUpdate struct {
	ID         string                 `json:"id"`
	Status     incidents.NoticeStatus `json:"status"`
	Body       string                 `json:"body"`
	IncidentID string                 `json:"incident_id"`
	CreatedAt  instant                `json:"created_at"`
	UpdatedAt  instant                `json:"updated_at"`
	DisplayAt  instant                `json:"display_at"`
}

// instant is a moment as Statuspage writes it, to the second: its microseconds
// are part of what a notice's public names are made of.
type instant time.Time

// MarshalText writes 2026-06-10T09:29:00.000Z.
func (i instant) MarshalText() ([]byte, error) {
	return []byte(time.Time(i).UTC().Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")), nil
}

// pageID is the page's name for programs; there is one page.
const pageID = "houston"

func (b *Builtin) summary(v view) ([]byte, error) {
	s := summary{
		Page:       summaryPage{ID: pageID, Name: b.config.Name, URL: v.url + Path, TimeZone: b.zoneName(), UpdatedAt: instant(v.updated)},
		Components: []struct{}{}, Incidents: []summaryIncident{}, Maintenances: []struct{}{},
	}
	s.Status.Indicator, s.Status.Description = standing(b.config.Text, v.notices)
	for _, n := range v.notices {
		if !n.resolved() {
			s.Incidents = append(s.Incidents, summaryOf(n, v.url))
		}
	}
	return json.Marshal(s)
}

func summaryOf(n notice, url string) summaryIncident {
	s := summaryIncident{
		ID: n.id, Name: n.title, Status: n.status(), CreatedAt: instant(n.began()), UpdatedAt: instant(n.updated()), Impact: "minor",
		Shortlink: url + Path + "#" + n.id, StartedAt: instant(n.began()), PageID: pageID, Updates: []summaryUpdate{}, Components: []struct{}{},
	}
	if at, ok := n.since(incidents.NoticeMonitoring); ok {
		monitoring := instant(at)
		s.MonitoringAt = &monitoring
	}
	if n.resolved() {
		resolved := instant(n.updated())
		s.ResolvedAt = &resolved
	}
	for _, u := range n.updates {
		s.Updates = append(s.Updates, summaryUpdate{
			ID: u.id, Status: u.status, Body: u.text, IncidentID: n.id,
			CreatedAt: instant(u.at), UpdatedAt: instant(u.at), DisplayAt: instant(u.at),
		})
	}
	return s
}

func (b *Builtin) zoneName() string {
	if b.config.Zone == time.UTC {
		return "Etc/UTC"
	}
	return b.config.Zone.String()
}
