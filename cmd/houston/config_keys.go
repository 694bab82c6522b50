package main

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// configKey is one key of Config that holds a value.
type configKey struct {
	path   string // slack.bot_token
	typ    reflect.Type
	inList bool // a key of a list's elements: it has no environment variable of its own
}

// env is the environment variable for the key.
func (k configKey) env() string {
	return "HOUSTON_" + strings.ToUpper(strings.ReplaceAll(k.path, ".", "_"))
}

// structured reports that the value is more than a word or a list of words.
func (k configKey) structured() bool {
	t := k.typ
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map
}

// configKeys are all keys, in the order of the struct.
func configKeys() []configKey {
	return appendKeys(nil, reflect.TypeFor[Config](), "", false)
}

func appendKeys(keys []configKey, section reflect.Type, prefix string, inList bool) []configKey {
	for field := range section.Fields() {
		if field.Tag.Get("mapstructure") == "-" {
			continue // no key
		}
		path := prefix + field.Tag.Get("mapstructure")
		switch {
		case field.Type.Kind() == reflect.Struct:
			keys = appendKeys(keys, field.Type, path+".", inList)
		case field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct:
			keys = append(keys, configKey{path, field.Type, inList})
			keys = appendKeys(keys, field.Type.Elem(), path+".", true)
		default:
			keys = append(keys, configKey{path, field.Type, inList})
		}
	}
	return keys
}

// unknownKeys complains about the keys of a file that mean nothing, each with
// the one that was probably meant. It looks at the file itself: viper forgets
// keys without a value, and mapstructure's own list of unused keys is empty
// where another value is of a wrong kind.
func unknownKeys(raw map[string]any) error {
	var unknown []error
	for _, key := range appendUnknown(nil, raw, reflect.TypeFor[Config](), "") {
		if nearest := nearestKey(key); nearest != key {
			unknown = append(unknown, fmt.Errorf("%s: unknown key; the nearest known one is %s", key, nearest))
			continue
		}
		section, name, _ := strings.Cut(key, ".")
		unknown = append(unknown, fmt.Errorf("%s: write it as %s in the section %s", key, name, section))
	}
	return errors.Join(unknown...)
}

func appendUnknown(keys []string, value any, section reflect.Type, path string) []string {
	if section.Kind() == reflect.Slice {
		list, ok := value.([]any)
		if !ok { // one element without the list
			return appendUnknown(keys, value, section.Elem(), path)
		}
		for i, element := range list {
			keys = appendUnknown(keys, element, section.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
		return keys
	}
	present, ok := value.(map[string]any)
	if section.Kind() != reflect.Struct || !ok {
		return keys // a value of a wrong kind is for the decoding to report
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		key := strings.TrimPrefix(path+"."+name, ".")
		field, ok := section.FieldByNameFunc(func(field string) bool {
			f, _ := section.FieldByName(field)
			return strings.EqualFold(f.Tag.Get("mapstructure"), name)
		})
		if !ok {
			keys = append(keys, key)
			continue
		}
		keys = appendUnknown(keys, present[name], field.Type, key)
	}
	return keys
}

var listIndex = regexp.MustCompile(`\[\d+\]`)

// nearestKey is the known key, or section, that the writer of an unknown one most likely
// meant: one with the same last word in another section before one that is
// spelt alike.
func nearestKey(unknown string) string {
	unknown = strings.ToLower(listIndex.ReplaceAllString(unknown, ""))
	var known []string
	for _, key := range configKeys() {
		section, _, _ := strings.Cut(key.path, ".")
		known = append(known, section, key.path)
	}
	return slices.MinFunc(known, func(a, b string) int {
		return keyDistance(unknown, a) - keyDistance(unknown, b)
	})
}

func keyDistance(unknown, known string) int {
	distance := editDistance(unknown, known)
	if lastWord(unknown) == lastWord(known) {
		return min(distance, 2)
	}
	return distance
}

func lastWord(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// editDistance is Levenshtein's, on bytes: keys are ASCII.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
