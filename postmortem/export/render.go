package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// Exporter writes postmortems. The zero value writes them in the forms of the
// house, without images.
type Exporter struct {
	Files Files      // what people attached; nil: nothing
	Own   *Templates // the user's own templates; nil: none
}

// Render writes a postmortem in a format of [incidents.ExportFormats]: the name
// of its file ("INC-1-postmortem.md") and what is in it. A format that is not
// built is an *incidents.Error of kind Invalid.
func (x Exporter) Render(format string, doc postmortem.Document) (name string, data []byte, err error) {
	var b bytes.Buffer
	switch format {
	case "md":
		err = markdownOf(&b, doc, x.Own)
		data = b.Bytes()
	case "html":
		err = htmlOf(&b, doc, x.Files, x.Own)
		data = b.Bytes()
	case "json":
		data, err = doc.Marshal()
	case "zip":
		data, err = x.bundle(doc)
	default:
		return "", nil, incidents.Errorf(incidents.Invalid, "%q is no format that can be exported yet. Use %s.",
			format, strings.Join(incidents.ExportFormats(), ", "))
	}
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s-postmortem.%s", doc.Facts.Key, format), data, nil
}
