package sandbox

import (
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// refuses is what Slack's own client tells a person about what they typed,
// before the app hears of it; "" when it is fine.
func refuses(e map[string]any, value string) string {
	kind, _ := e["type"].(string)
	switch kind {
	case "plain_text_input":
		return refusesLength(e, value)
	case "number_input":
		return refusesNumber(e, value)
	case "email_text_input":
		if a, err := mail.ParseAddress(value); err != nil || a.Address != value {
			return "must be an e-mail address"
		}
	case "url_text_input":
		if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "must be a URL"
		}
	default:
	}
	return ""
}

func refusesLength(e map[string]any, value string) string {
	n := float64(utf8.RuneCountInString(value))
	if least, ok := e["min_length"].(float64); ok && n < least {
		return fmt.Sprintf("must have %.0f characters or more", least)
	}
	most, ok := e["max_length"].(float64)
	if !ok {
		most = 3000 // as the input's page has it
	}
	if n > most {
		return fmt.Sprintf("must have %.0f characters or fewer", most)
	}
	return ""
}

func refusesNumber(e map[string]any, value string) string {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
		return "must be a number"
	case e["is_decimal_allowed"] != true && strings.ContainsAny(value, ".eE"):
		return "must be a whole number"
	}
	for key, outside := range map[string]func(float64) bool{
		"min_value": func(limit float64) bool { return n < limit },
		"max_value": func(limit float64) bool { return n > limit },
	} {
		text, _ := e[key].(string)
		if limit, err := strconv.ParseFloat(text, 64); err == nil && outside(limit) {
			return "must respect " + key + " " + text
		}
	}
	return ""
}
