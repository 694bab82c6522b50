package slack

import "encoding/json"

// channelRef is a channel as events name it: by its id alone, or as an object
// with the new name.
type channelRef struct {
	ID   string
	Name string
}

// UnmarshalJSON reads both forms.
func (c *channelRef) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &c.ID)
	}
	var object struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	err := json.Unmarshal(raw, &object)
	c.ID, c.Name = object.ID, object.Name
	return err
}
