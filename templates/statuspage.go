package templates

import (
	"embed"
	"io/fs"
)

//go:embed web/status
var statusPage embed.FS

// StatusPage holds the public status page's template page.html and its style.css.
func StatusPage() fs.FS {
	sub, err := fs.Sub(statusPage, "web/status")
	if err != nil {
		panic(err) // the folder is embedded two lines above
	}
	return sub
}
