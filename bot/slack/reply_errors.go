package slack

import (
	"errors"
	"fmt"
	"net/url"
)

// errBadURL says that a response URL is none. Response URLs let anybody post, so
// they never reach a log, nor do errors that quote them.
var errBadURL = errors.New("the response URL is malformed")

func answerRefused(status int) error {
	return fmt.Errorf("the response URL answered status %d", status)
}

// withoutURL takes the address out of an error of the HTTP client.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
