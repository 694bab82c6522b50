package webhook_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	deployedEvent = `{"context":{"version":"0.4.1","id":"c1","source":"/ci","type":"dev.cdevents.service.deployed.0.2.0","timestamp":"2026-12-01T11:57:00Z"},
		"subject":{"id":"offers","source":"/ci","type":"service","content":{"environment":{"id":"prod"},"artifactId":"pkg:oci/offers@sha256%3Aabc"}}}`
	// contextless leaves to the CloudEvent what its attributes say.
	contextless = `{"context":{},"subject":{"id":"scoring","content":{"environment":"prod"}}}`
)

func structured(data string) string {
	return `{"specversion":"1.0","id":"e1","source":"/ci","type":"dev.cdevents.service.rolledback.0.2.0","time":"2026-12-01T11:58:00Z","datacontenttype":"application/json","data":` + data + `}`
}

// TestCDEvents sends events in each mode of CloudEvents' HTTP binding.
func TestCDEvents(t *testing.T) {
	t.Parallel()
	const (
		one     = "deployment succeeded of offers (offers deployed in prod) at 2026-12-01T11:57:00Z"
		back    = "deployment succeeded of scoring (scoring rolled back in prod) at 2026-12-01T11:58:00Z"
		object  = "application/cloudevents+json; charset=utf-8"
		batched = "application/cloudevents-batch+json"
	)
	binary := func(more ...string) map[string]string {
		h := map[string]string{
			"Content-Type": "application/json", "ce-specversion": "1.0", "ce-id": "e1", "ce-source": "/ci%20two",
			"ce-type": "dev.cdevents.service.rolledback.0.2.0", "ce-time": "2026-12-01T11:58:00Z",
		}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	is := func(contentType string) map[string]string { return map[string]string{"Content-Type": contentType} }
	for _, tt := range []struct {
		name   string
		header map[string]string
		body   string
		status int
		says   string
		want   []string
	}{
		{"binary", binary(), deployedEvent, 200, "", []string{one}},
		{"binary, the headers alone say what", binary(), contextless, 200, "", []string{back}},
		{"binary, another version", binary("ce-specversion", "2.0"), deployedEvent, 400, "ce-specversion", nil},
		{"binary, no body", binary(), "", 400, "no data", nil},
		{"binary, something else", binary("ce-type", "dev.cdevents.build.finished.0.2.0"), contextless, 200, "", nil},
		{"binary, no id anywhere", binary("ce-id", ""), contextless, 400, "context.id", nil},
		{"structured", is(object), structured(deployedEvent), 200, "", []string{one}},
		{"structured, the envelope alone says what", is(object), structured(contextless), 200, "", []string{back}},
		{"structured, base64", is(object), `{"specversion":"1.0","id":"e","source":"s","type":"t","data_base64":"` + base64.StdEncoding.EncodeToString([]byte(deployedEvent)) + `"}`, 200, "", []string{one}},
		{"structured, no base64", is(object), `{"specversion":"1.0","data_base64":"#"}`, 400, "no base64", nil},
		{"structured, no data", is(object), `{"specversion":"1.0","id":"e","source":"s","type":"t"}`, 400, "no data", nil},
		{"structured, no envelope", is(object), deployedEvent, 400, "specversion is missing", nil},
		{"structured, another version", is(object), `{"specversion":"9","data":{}}`, 400, "specversion", nil},
		{"structured as plain JSON", is("application/json"), structured(deployedEvent), 200, "", []string{one}},
		{"bare", is("application/json"), deployedEvent, 200, "", []string{one}},
		{"batch", is(batched), "[" + structured(deployedEvent) + "," + structured(contextless) + "]", 200, "", []string{one, back}},
		{"batch of one", is(batched), "[" + structured(deployedEvent) + "]", 200, "", []string{one}},
		{"batch of none", is(batched), "[]", 200, "", nil},
		{"batch that is none", is(batched), structured(deployedEvent), 400, "no JSON list", nil},
		{"batch with a broken one", is(batched), "[" + structured(deployedEvent) + `,{"id":"e"}]`, 400, "Event 1 of the batch", nil},
		{"batch with one that says nothing", is(batched), "[" + structured(deployedEvent) + `,{"specversion":"1.0","data":{}}]`, 400, "Event 1 of the batch", nil},
		{"another format", is("application/cloudevents+avro"), "x", 415, "come as JSON", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &sink{}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/cdevents", strings.NewReader(tt.body))
			r.Header.Set("Authorization", "Bearer "+token)
			for name, value := range tt.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			newHandler(s).ServeHTTP(w, r)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Errorf("got status %d (%s), want %d saying %q", w.Code, w.Body, tt.status, tt.says)
			}
			var got []string
			for _, c := range s.changes {
				got = append(got, changeSummary(c))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzCloudEvents: whatever comes in whichever mode is taken or refused with a
// reason.
func FuzzCloudEvents(f *testing.F) {
	formats := []string{"application/json", "application/cloudevents+json", "application/cloudevents-batch+json", ";"}
	for i := range formats {
		for _, body := range []string{deployedEvent, contextless, structured(deployedEvent), "[" + structured(contextless) + "]", "[]", "[null]", "{"} {
			f.Add(uint8(i), "1.0", "%zz", body)
		}
	}
	f.Fuzz(func(t *testing.T, format uint8, version, source, body string) {
		s := &sink{}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks/cdevents", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", formats[int(format)%len(formats)])
		r.Header.Set("Ce-Specversion", version)
		r.Header.Set("Ce-Source", source)
		w := httptest.NewRecorder()
		newHandler(s).ServeHTTP(w, r)
		if w.Code != http.StatusOK && (w.Code != http.StatusBadRequest || len(s.changes) > 0 || w.Body.Len() > 400) {
			t.Errorf("got status %d (%s) and %d changes", w.Code, w.Body, len(s.changes))
		}
		for _, c := range s.changes {
			if c.External == "" || c.Kind == "" {
				t.Errorf("got a change %+v that can not be told apart", c)
			}
		}
	})
}
