package incidents

// Person is somebody Houston knows by the chat's own id. Names change and are
// only for reading; identity is the id.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Standing says what an actor is to the workspace.
type Standing string

// The standings. An empty standing is Unproven and may do nothing.
const (
	Unproven Standing = ""
	Member   Standing = "member"   // full member of the workspace
	Guest    Standing = "guest"    // single- or multi-channel guest
	Stranger Standing = "stranger" // from a connected workspace
	Trusted  Standing = "trusted"  // the API token, an alert sender, Houston itself
)

// Profile is what Houston remembers of a person of the workspace.
type Profile struct {
	Person
	Standing Standing `json:"standing"`
	Bot      bool     `json:"bot,omitempty"`
	Deleted  bool     `json:"deleted,omitempty"`
	TimeZone string   `json:"time_zone,omitempty"` // IANA name
	Locale   string   `json:"locale,omitempty"`    // for example de-DE
	Groups   []string `json:"groups,omitempty"`    // ids of the user groups that permissions name
}

// Actor is who does something, and by which way in.
type Actor struct {
	Person
	Via      Source   `json:"via"`
	Standing Standing `json:"-"`
	Groups   []string `json:"-"`
}

// Houston is the actor of what the bot does by itself.
func Houston() Actor {
	return Actor{Person: Person{Name: "Houston"}, Via: FromHouston, Standing: Trusted}
}
