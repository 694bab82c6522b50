package export

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/houston-sre/houston/postmortem"
)

// JSON writes facts as one indented JSON object.
func JSON(w io.Writer, facts postmortem.Facts) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(facts); err != nil {
		return fmt.Errorf("write %s as JSON: %w", facts.Key, err)
	}
	return nil
}
