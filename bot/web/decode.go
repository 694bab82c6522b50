package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/houston-sre/houston/incidents"
)

// keepOnce is how long an Idempotency-Key is remembered.
const keepOnce = 24 * time.Hour

// decode reads a JSON object strictly: every field must be one of fields, which
// holds pointers by name, and of its type. Null is like absent. form shows how
// the body is to be written.
func decode(r *http.Request, form string, fields map[string]any) error {
	body, err := io.ReadAll(r.Body)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, "The body is larger than 1 MB."}
	}
	if err != nil {
		return incidents.Errorf(incidents.Invalid, "The body ended early.")
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(body, &values); err != nil || values == nil {
		return incidents.Errorf(incidents.Invalid, "The body is no JSON object. Write it like %s", form)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		into, ok := fields[name]
		if !ok {
			return incidents.Errorf(incidents.Invalid, "There is no field %q. Write it like %s", name, form)
		}
		if err := json.Unmarshal(values[name], into); err != nil {
			return incidents.Errorf(incidents.Invalid, "%s must be %s. Write it like %s", name, wanted(into), form)
		}
	}
	return nil
}

func wanted(into any) string {
	switch into.(type) {
	case *bool:
		return "true or false"
	case *map[string]string:
		return "an object of texts"
	default:
		return "a text"
	}
}

// parseTime reads a time of a field; empty is no time.
func parseTime(name, text string) (time.Time, error) {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, incidents.Errorf(incidents.Invalid, "%s must be a time with its zone, like 2026-03-29T14:05:00Z or 2026-03-29T16:05:00+02:00.", name)
	}
	if at.Year() < 2000 {
		return time.Time{}, incidents.Errorf(incidents.Invalid, "%s lies in the year %d. Give the time it happened.", name, at.Year())
	}
	return at, nil
}

// onceOf guards an action by the request's Idempotency-Key, if it has one.
// content is what was asked for, decoded, so that the spelling of the body does
// not matter.
func onceOf(r *http.Request, scope string, content ...any) (incidents.Once, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		return incidents.Once{}, nil
	}
	if len(key) > 255 {
		return incidents.Once{}, incidents.Errorf(incidents.Invalid, "The Idempotency-Key has %d characters; at most 255 fit.", len(key))
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return incidents.Once{}, err
	}
	sum := sha256.Sum256(raw)
	return incidents.Once{Key: scope + "/" + key, Digest: hex.EncodeToString(sum[:]), Keep: keepOnce}, nil
}
