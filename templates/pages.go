package templates

import (
	"embed"
	"io/fs"
)

//go:embed web/pages
var pages embed.FS

// Pages holds the templates of the pages, with their style, script and icon.
func Pages() fs.FS {
	sub, err := fs.Sub(pages, "web/pages")
	if err != nil {
		panic(err) // the folder is embedded two lines above
	}
	return sub
}
