package incidents

import (
	"net/url"
	"strings"
)

// maxURL is the longest link that Slack bookmarks.
const maxURL = 2048

// BridgeSet names the video call people meet in from now on.
type BridgeSet struct {
	URL string `json:"url"`
}

// Type is the name the event is stored under.
func (BridgeSet) Type() string { return "bridge_set" }

// Entry of another video call.
func (d BridgeSet) Entry() (EntryKind, string) { return Communication, d.Told().String() }

// Told is the entry of another video call.
func (d BridgeSet) Told() Phrase { return Phrasef("Video call: %s", d.URL) }

func (d BridgeSet) apply(inc *Incident, _ Event) { inc.BridgeURL = d.URL }

// SetBridge has people meet in another video call.
type SetBridge struct {
	Request

	URL string
}

func (c SetBridge) decide(d *decision) error {
	link := strings.TrimSpace(c.URL)
	u, err := url.Parse(link)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || len(link) > maxURL || strings.ContainsAny(link, " \t\r\n<>|\"") {
		return Errorf(Invalid, "%q is no link to a video call. Write it like: bridge https://meet.example.com/war-room", cut(link, 100))
	}
	if link == d.inc.BridgeURL {
		return Errorf(Conflict, "%s has this video call already.", d.inc.Key())
	}
	d.record(BridgeSet{URL: link})
	d.tell()
	if d.inc.writable() {
		d.run(MakeBookmark, "bridge", d.inc.Seq)
	}
	return nil
}
