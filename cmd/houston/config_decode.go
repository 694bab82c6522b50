package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"go.yaml.in/yaml/v3"
)

// decodeHook reads what YAML and the environment write as text, a duration
// and a list as words between commas, and refuses what is no section.
func decodeHook() mapstructure.DecodeHookFunc {
	return func(from, to reflect.Type, data any) (any, error) {
		switch {
		case to == reflect.TypeFor[time.Duration]():
			d, err := time.ParseDuration(fmt.Sprint(data))
			if err != nil {
				return nil, errors.New("must be a duration with its unit, such as 5s, 30m or 2h")
			}
			return d, nil
		case to == reflect.TypeFor[[]string]() && from.Kind() == reflect.String:
			words := strings.FieldsFunc(data.(string), func(r rune) bool { return r == ',' })
			for i := range words {
				words[i] = strings.TrimSpace(words[i])
			}
			return slices.DeleteFunc(words, func(w string) bool { return w == "" }), nil
		case (to.Kind() == reflect.Struct || to.Kind() == reflect.Map) && from.Kind() != reflect.Map && from.Kind() != to.Kind():
			return nil, errors.New("must be a section with keys")
		default:
			return data, nil
		}
	}
}

// envValue reads the text of an environment variable: as YAML where the key
// holds more than a word, such as [{url: "http://am:9093"}], and as it stands
// otherwise.
func envValue(key configKey, text string) (any, error) {
	list := key.typ.Kind() == reflect.Slice && strings.HasPrefix(strings.TrimSpace(text), "[")
	if !key.structured() && !list {
		return text, nil
	}
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return nil, fmt.Errorf("%s: write the value as in the file, such as [{…}] or {…}: %w", key.env(), err)
	}
	return value, nil
}

// plainDecodeErrors says in the words of a configuration file what
// mapstructure says in Go's, and never shows the value.
func plainDecodeErrors(err error) []error {
	if err == nil {
		return nil
	}
	if several, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		var plain []error
		for _, e := range several.Unwrap() {
			plain = append(plain, plainDecodeErrors(e)...)
		}
		return plain
	}
	at, ok := errors.AsType[*mapstructure.DecodeError](err)
	if !ok {
		return []error{err}
	}
	reason := at.Unwrap()
	if e, ok := errors.AsType[*mapstructure.ParseError](err); ok {
		reason = fmt.Errorf("must be %s", kindWords(e.Expected.Type()))
	}
	if e, ok := errors.AsType[*mapstructure.UnconvertibleTypeError](err); ok {
		reason = fmt.Errorf("must be %s", kindWords(e.Expected.Type()))
	}
	return []error{fmt.Errorf("%s: %w", at.Name(), reason)}
}

func kindWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	default:
		return t.String() // Config has no other kinds
	}
}
