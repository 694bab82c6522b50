package web

import (
	_ "embed"
	"net/http"
)

// openAPIDocument is written by hand; a test holds it to the routes.
//
//go:embed openapi.json
var openAPIDocument []byte

// openAPI answers GET /api/v1/openapi.json, without a token: it holds no data.
func openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(openAPIDocument)
	return err
}
