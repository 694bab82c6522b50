package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Render writes a postmortem in a format of [incidents.ExportFormats]: the name
// of its file ("INC-1-postmortem.md") and what is in it. A format that is not
// built is an *incidents.Error of kind Invalid. Files holds what people attached;
// nil: nothing.
func Render(format string, doc postmortem.Document, files Files) (name string, data []byte, err error) {
	var b bytes.Buffer
	switch format {
	case "md":
		err = Markdown(&b, doc)
		data = b.Bytes()
	case "html":
		err = HTML(&b, doc, files)
		data = b.Bytes()
	case "json":
		data, err = doc.Marshal()
	case "zip":
		data, err = Bundle(doc, files)
	default:
		return "", nil, incidents.Errorf(incidents.Invalid, "%q is no format that can be exported yet. Use %s.",
			format, strings.Join(incidents.ExportFormats(), ", "))
	}
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s-postmortem.%s", doc.Facts.Key, format), data, nil
}
