package slack

import (
	"regexp"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// wordPattern finds words, optionPattern what looks like an option among them:
// dashes (phones make one long dash of two short ones), a name, and whatever
// follows the name without a space.
var (
	wordPattern   = regexp.MustCompile(`[^\s\p{Z}]+`)
	optionPattern = regexp.MustCompile(`^([-—–]+)([a-zA-Z]+)(.*)$`)
)

// declaration is what the text of declare and drill says.
type declaration struct {
	title, summary, service string
	severity                incidents.Severity
	private                 bool
}

// option is one option as it stands in the text.
type option struct {
	name  string
	start int // where the whole of it begins
	value int // where its value begins
}

// parseDeclare reads "<title> [--severity sev2] [--service name] [--summary
// text] [--private]". Options stand at the end; what stands before them is the
// title as typed, quotes and all. An option that stands elsewhere is refused
// rather than taken for a part of the title: a report that was meant to be
// private must never become public by a slip. example shows the right form. The
// error is an *incidents.Error of kind Invalid.
func parseDeclare(text, example string) (declaration, error) {
	text = strings.TrimSpace(text)
	options, err := findOptions(text, example)
	if err != nil || len(options) == 0 {
		return declaration{title: text}, err
	}
	d := declaration{}
	d.title = strings.TrimSpace(text[:options[0].start])
	if d.title == "" {
		return d, incidents.Errorf(incidents.Invalid, "The title comes first, options stand at the end. Write it like: %s", example)
	}
	for i, o := range options {
		end := len(text)
		if i+1 < len(options) {
			end = options[i+1].start
		}
		if err := d.set(o.name, unquote(strings.TrimSpace(text[o.value:end])), example); err != nil {
			return d, err
		}
	}
	return d, nil
}

func (d *declaration) set(name, value, example string) error {
	needs := func() error {
		return incidents.Errorf(incidents.Invalid, "--%s needs a value. Write it like: %s", name, example)
	}
	switch name {
	case "private":
		if value != "" && value != "true" {
			return incidents.Errorf(incidents.Invalid, "Options stand at the end, but %q follows --private. Write it like: %s", value, example)
		}
		d.private = true
	case "severity", "sev":
		word, rest := splitWord(value)
		if word == "" {
			return needs()
		}
		severity, err := incidents.ParseSeverity(word)
		if err != nil {
			return err
		}
		if rest != "" {
			return incidents.Errorf(incidents.Invalid, "Options stand at the end, but %q follows --%s %s. Write it like: %s", rest, name, word, example)
		}
		d.severity = severity
	case "service":
		if value == "" {
			return needs()
		}
		d.service = value
	case "summary":
		if value == "" {
			return needs()
		}
		d.summary = value
	}
	return nil
}

// optionNames lists the options of declare and drill.
func optionNames() []string { return []string{"severity", "sev", "service", "summary", "private"} }

// findOptions finds the options in text, in order. What is almost an option is
// refused, since it was meant as one.
func findOptions(text, example string) ([]option, error) {
	var found []option
	for _, at := range wordPattern.FindAllStringIndex(text, -1) {
		m := optionPattern.FindStringSubmatch(text[at[0]:at[1]])
		if m == nil {
			continue
		}
		dashes, name, rest := m[1], strings.ToLower(m[2]), m[3]
		known, exact := nearOption(name)
		switch {
		case known == "":
		case exact && dashes != "-" && (rest == "" || rest[0] == '='):
			o := option{name: name, start: at[0], value: at[1]}
			if rest != "" {
				o.value = at[1] - len(rest) + 1
			}
			found = append(found, o)
		case exact || dashes != "-":
			return nil, incidents.Errorf(incidents.Invalid, "Did you mean --%s? Nothing was declared. Write it like: %s", known, example)
		}
	}
	return found, nil
}

// nearOption finds the option that a name was meant to be, and whether it is
// exactly that.
func nearOption(name string) (known string, exact bool) {
	for _, known := range optionNames() {
		if name == known {
			return known, true
		}
	}
	for _, known := range optionNames() {
		if len(known) > 4 && slips(name, known) <= 2 {
			return known, false
		}
	}
	return "", false
}

// unquote takes one pair of quotes off a value.
func unquote(value string) string {
	for _, pair := range [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"„", "“"}, {"‘", "’"}} {
		if inner, ok := strings.CutPrefix(value, pair[0]); ok {
			if inner, ok := strings.CutSuffix(inner, pair[1]); ok {
				return strings.TrimSpace(inner)
			}
		}
	}
	return value
}
