// Package contracttest holds what Houston sends, and what stand-ins answer, to
// the OpenAPI descriptions that vendors publish:
//
//	server := httptest.NewServer(contracttest.Hold(t, "pagerduty-events-v2.json", "/v2", stand))
//
// The descriptions lie beside the repository, in shared/contracts/openapi or
// below HOUSTON_SHARED; where they are not, nothing is held to anything. It knows
// nothing of what Houston sends. kin-openapi reads OpenAPI 2 as well as 3 and
// validates requests and answers of net/http.
package contracttest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/houston-sre/houston/incidents/proctest"
)

// Hold passes requests on and fails the test for each that the description of a
// vendor's API in a file does not allow, and for each answer. base is the path that
// the description's own paths are below, such as "/v2"; may be empty.
func Hold(t testing.TB, file, base string, next http.Handler) http.Handler {
	t.Helper()
	raw, err := os.ReadFile(proctest.SharedPath("contracts", "openapi", file))
	if err != nil {
		t.Logf("requests are not held to %s: %v", file, err)
		return next
	}
	return HoldTo(t, raw, base, next)
}

// HoldTo is [Hold] to a description at hand.
func HoldTo(t testing.TB, description []byte, base string, next http.Handler) http.Handler {
	t.Helper()
	document, err := read(description)
	if err != nil {
		t.Fatalf("read the description of an API: %v", err)
	}
	document.Servers = openapi3.Servers{{URL: base + "/"}}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatalf("route by the description of an API: %v", err)
	}
	return &holder{t: t, router: router, next: next}
}

// read reads a description, of OpenAPI 2 or 3, in JSON.
func read(raw []byte) (*openapi3.T, error) {
	var version struct {
		Swagger string `json:"swagger"`
	}
	if err := json.Unmarshal(raw, &version); err != nil {
		return nil, err
	}
	if version.Swagger == "" {
		return openapi3.NewLoader().LoadFromData(raw)
	}
	var old openapi2.T
	if err := json.Unmarshal(raw, &old); err != nil {
		return nil, err
	}
	return openapi2conv.ToV3(&old)
}

type holder struct {
	t      testing.TB
	router routers.Router
	next   http.Handler
}

func (h *holder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	input := &openapi3filter.RequestValidationInput{Request: r, Options: options}
	input.Route, input.PathParams, err = h.router.FindRoute(r)
	if err != nil {
		h.t.Errorf("%s %s is nothing that the API has: %v", r.Method, r.URL, err)
		h.next.ServeHTTP(w, r)
		return
	}
	if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
		h.t.Errorf("%s %s with %s is nothing that the API takes: %v", r.Method, r.URL, body, err)
	}
	if stray := undeclared(input.Route.Operation, body); len(stray) > 0 {
		h.t.Errorf("%s %s with %s has fields that the API does not know: %v", r.Method, r.URL, body, stray)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	kept := httptest.NewRecorder()
	h.next.ServeHTTP(kept, r)
	err = openapi3filter.ValidateResponse(r.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: kept.Code, Header: kept.Header(), Options: options,
		Body: io.NopCloser(bytes.NewReader(kept.Body.Bytes())),
	})
	if err != nil {
		h.t.Errorf("%s %s is answered %d %s, which the API does not: %v", r.Method, r.URL, kept.Code, kept.Body, err)
	}
	maps.Copy(w.Header(), kept.Header())
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
}

// undeclared lists the fields of a JSON object that the description of the body
// does not name. OpenAPI allows them; a vendor ignores them, and what they were to
// say is not said.
func undeclared(operation *openapi3.Operation, body []byte) (names []string) {
	var fields map[string]any
	if operation.RequestBody == nil || json.Unmarshal(body, &fields) != nil {
		return nil
	}
	media := operation.RequestBody.Value.GetMediaType("application/json")
	if media == nil || media.Schema == nil {
		return nil
	}
	known := map[string]bool{}
	declared(media.Schema.Value, known)
	for name := range fields {
		if len(known) > 0 && !known[name] {
			names = append(names, name)
		}
	}
	return names
}

func declared(schema *openapi3.Schema, known map[string]bool) {
	if schema == nil {
		return
	}
	for name := range schema.Properties {
		known[name] = true
	}
	for _, part := range [][]*openapi3.SchemaRef{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, ref := range part {
			declared(ref.Value, known)
		}
	}
}
