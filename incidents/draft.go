package incidents

import (
	"slices"
	"strconv"
	"strings"
)

// DraftReady says that the postmortem can be written now. The draft itself is
// made of the events whenever somebody reads it.
type DraftReady struct{}

// ExportAsked has the postmortem put into the channel as a file.
type ExportAsked struct {
	Format string `json:"format"`
}

// Type is the name the event is stored under.
func (DraftReady) Type() string { return "draft_ready" }

// Type is the name the event is stored under.
func (ExportAsked) Type() string { return "export_asked" }

// Entry of a draft: none.
func (DraftReady) Entry() (EntryKind, string) { return "", "" }

// Entry of an export: none.
func (ExportAsked) Entry() (EntryKind, string) { return "", "" }

func (DraftReady) apply(*Incident, Event)        {}
func (ExportAsked) apply(inc *Incident, _ Event) { inc.DraftSeen = true }

// ExportFormats lists the formats that can be put into a channel.
func ExportFormats() []string { return []string{"md", "html", "json", "zip"} }

// Export has the postmortem put into the incident's channel as a file.
type Export struct {
	Request

	Format string // empty: md
}

func (c Export) decide(d *decision) error {
	format := orElse(c.Format, "md")
	if !slices.Contains(ExportFormats(), format) {
		return Errorf(Invalid, "%q is no format that can be exported yet. Use %s.", c.Format, strings.Join(ExportFormats(), ", "))
	}
	if d.inc.Channel == nil {
		return Errorf(Conflict, "%s has no channel yet; try again in a moment.", d.inc.Key())
	}
	if !d.inc.writable() {
		return Errorf(Conflict, "The channel of %s is archived, so no file can be put into it. The web pages have the postmortem in each format.", d.inc.Key())
	}
	d.record(ExportAsked{Format: format})
	d.run(MakeFile, strconv.FormatInt(d.inc.Seq, 10), 1)
	return nil
}
