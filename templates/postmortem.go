package templates

import (
	"embed"
	"io/fs"
)

//go:embed postmortem
var postmortem embed.FS

// Postmortem holds page.html, the postmortem as one file, and its style.css.
func Postmortem() fs.FS {
	sub, err := fs.Sub(postmortem, "postmortem")
	if err != nil {
		panic(err) // the folder is embedded two lines above
	}
	return sub
}
