package sandbox

import "errors"

// complaintError is a sentence for the person as it is.
type complaintError struct{ text string }

func (e *complaintError) Error() string { return e.text }

// explain says what went wrong with something a person did. Where the app is at
// fault Slack's code is named, so that who builds the app can look it up.
func (u *ui) explain(err error) string {
	if e, ok := errors.AsType[*complaintError](err); ok {
		return e.text
	}
	e, ok := errors.AsType[*ActError](err)
	if !ok {
		return u.say("err.other", err.Error())
	}
	if key := "err." + e.Code; u.p.look.has(key) {
		return u.say(key)
	}
	return u.say("err.app", e.Error())
}
