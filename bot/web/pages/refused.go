package pages

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/houston-sre/houston/incidents"
)

// refusedAs is the status of a form that is shown again.
func refusedAs(e *incidents.Error) int {
	switch e.Kind {
	case incidents.Conflict:
		return http.StatusConflict
	case incidents.Forbidden:
		return http.StatusForbidden
	default:
		return http.StatusUnprocessableEntity
	}
}

// shown gives the error that a form is shown again with; false for one that a
// form can not help with.
func shown(err error) (*incidents.Error, bool) {
	e, ok := errors.AsType[*incidents.Error](err)
	return e, ok && slices.Contains([]incidents.ErrorKind{incidents.Invalid, incidents.Conflict, incidents.Forbidden, incidents.NotFound}, e.Kind)
}

// refusedIn gives the error of a form that stands in a list, and the request for
// that list, in which the form is shown again; false when that helps nobody.
func refusedIn(r *http.Request, err error, back string) (e *incidents.Error, list *http.Request, ok bool) {
	e, ok = shown(err)
	at, parseErr := url.Parse(back)
	if !ok || parseErr != nil {
		return e, r, false
	}
	list = r.Clone(r.Context())
	list.URL = at
	return e, list, true
}

// isNamed reports whether the address of a form names this row of its list.
func isNamed(r *http.Request, number, id int64) bool {
	return strconv.FormatInt(number, 10) == r.PathValue("key") && strconv.FormatInt(id, 10) == r.PathValue("id")
}
