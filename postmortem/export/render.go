package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Render writes a postmortem in a format of [incidents.ExportFormats]: the name
// of its file ("INC-1-postmortem.md") and what is in it. A format that is not
// built is an *incidents.Error of kind Invalid.
func Render(format string, doc postmortem.Document, zone *time.Location) (name string, data []byte, err error) {
	var b bytes.Buffer
	switch format {
	case "md":
		err = DocumentMarkdown(&b, doc, zone)
	case "json":
		err = DocumentJSON(&b, doc)
	default:
		return "", nil, incidents.Errorf(incidents.Invalid, "%q is no format that can be exported yet. Use %s.",
			format, strings.Join(incidents.ExportFormats(), " or "))
	}
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s-postmortem.%s", doc.Facts.Key, format), b.Bytes(), nil
}

// DocumentJSON writes a postmortem as one indented JSON object.
func DocumentJSON(w io.Writer, doc postmortem.Document) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return fmt.Errorf("write %s as JSON: %w", doc.Facts.Key, err)
	}
	return nil
}
