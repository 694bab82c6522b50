package contracttest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/contracttest"
)

// descriptions of one API, as OpenAPI 2 and as OpenAPI 3.
const (
	two = `{"swagger":"2.0","info":{"title":"Bell","version":"1"},"consumes":["application/json"],"produces":["application/json"],
		"paths":{"/rings":{"post":{"parameters":[{"in":"body","name":"ring","required":true,"schema":{"$ref":"#/definitions/Ring"}}],
		"responses":{"202":{"description":"","schema":{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}}}}}},
		"definitions":{"Ring":{"type":"object","required":["whom"],"properties":{"whom":{"type":"string"},"loud":{"type":"integer"}}}}}`
	three = `{"openapi":"3.0.2","info":{"title":"Bell","version":"1"},
		"paths":{"/rings":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":
		{"type":"object","required":["whom"],"properties":{"whom":{"type":"string"},"loud":{"type":"integer"}}}}}},
		"responses":{"202":{"description":"","content":{"application/json":{"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}}}}}}}}}`
)

// complaining keeps what a test would fail with.
type complaining struct {
	testing.TB

	said []string
}

func (c *complaining) Helper() {}

func (c *complaining) Errorf(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func TestHoldTo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, method, path, body, answer, want string }{
		{"right", "POST", "/v1/rings", `{"whom":"lea","loud":3}`, `{"id":"r"}`, ""},
		{"no such path", "POST", "/v1/bells", `{"whom":"lea"}`, `{"id":"r"}`, "nothing that the API has"},
		{"no such method", "PUT", "/v1/rings", `{"whom":"lea"}`, `{"id":"r"}`, "nothing that the API has"},
		{"another type", "POST", "/v1/rings", `{"whom":7}`, `{"id":"r"}`, "nothing that the API takes"},
		{"missing", "POST", "/v1/rings", `{"loud":7}`, `{"id":"r"}`, "nothing that the API takes"},
		{"unknown field", "POST", "/v1/rings", `{"whom":"lea","who":"lea"}`, `{"id":"r"}`, "does not know: [who]"},
		{"another answer", "POST", "/v1/rings", `{"whom":"lea"}`, `{"number":1}`, "which the API does not"},
	} {
		for version, description := range map[string]string{"2": two, "3": three} {
			t.Run(tt.name+" "+version, func(t *testing.T) {
				t.Parallel()
				c := &complaining{TB: t}
				held := contracttest.HoldTo(c, []byte(description), "/v1", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if raw, err := io.ReadAll(r.Body); err != nil || string(raw) != tt.body {
						t.Errorf("the stand-in got %s, %v", raw, err)
					}
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusAccepted)
					_, _ = io.WriteString(w, tt.answer)
				}))
				r := httptest.NewRequestWithContext(t.Context(), tt.method, "http://bell.example"+tt.path, strings.NewReader(tt.body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				held.ServeHTTP(w, r)
				if w.Code != http.StatusAccepted || w.Body.String() != tt.answer {
					t.Errorf("answered %d %s", w.Code, w.Body)
				}
				said := strings.Join(c.said, "\n")
				if tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
					t.Errorf("got %q, want %q", said, tt.want)
				}
			})
		}
	}
}
