package slack

import (
	"regexp"
	"strings"
	"unicode"
)

// Slack's markup inside text (https://docs.slack.dev/messaging/formatting-message-text):
// <@user>, <#channel|name>, <!special|label>, <url|label>. Anything else in
// angle brackets is what somebody typed.
var (
	markupPattern = regexp.MustCompile(`<([^<>]*)>`)
	linkPattern   = regexp.MustCompile(`^(?:[a-z][a-z0-9+.-]*://|mailto:|tel:)`)
	emojiPattern  = regexp.MustCompile(`:([a-z0-9_+'-]+):((?::skin-tone-[2-6]:)?)`)
)

// unescaper undoes the three entities Slack makes; each is undone once.
var unescaper = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")

// plain decodes text from Slack into what is stored: no markup, names for ids.
// nameOf gives the name of a user id, or "" when it is not known. Control
// characters but newline and tab are dropped: a database need not take them.
func plain(raw string, nameOf func(id string) string) string {
	var b strings.Builder
	rest := strings.ToValidUTF8(raw, "\uFFFD")
	for rest != "" {
		at := markupPattern.FindStringSubmatchIndex(rest)
		if at == nil {
			b.WriteString(decodeText(rest))
			break
		}
		b.WriteString(decodeText(rest[:at[0]]))
		if text, ok := decodeMarkup(rest[at[2]:at[3]], nameOf); ok {
			b.WriteString(unescaper.Replace(text))
		} else {
			b.WriteString(decodeText(rest[at[0]:at[1]]))
		}
		rest = rest[at[1]:]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, b.String())
}

func decodeText(text string) string {
	text = emojiPattern.ReplaceAllStringFunc(text, func(match string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(match, ":"), ":")
		if emoji, ok := emojiOf(name); ok {
			return emoji
		}
		return match
	})
	return unescaper.Replace(text)
}

// decodeMarkup decodes what stands between angle brackets.
func decodeMarkup(inner string, nameOf func(id string) string) (string, bool) {
	target, label, _ := strings.Cut(inner, "|")
	switch {
	case strings.HasPrefix(target, "@"):
		return "@" + firstOf(nameOf(target[1:]), strings.TrimPrefix(label, "@"), target[1:]), len(target) > 1
	case strings.HasPrefix(target, "#"):
		return "#" + firstOf(strings.TrimPrefix(label, "#"), target[1:]), len(target) > 1
	case strings.HasPrefix(target, "!"):
		return decodeSpecial(target[1:], label), len(target) > 1
	case linkPattern.MatchString(strings.ToLower(target)):
		return decodeLink(target, label), true
	default:
		return "", false
	}
}

// decodeSpecial decodes <!here>, <!subteam^S1|@group> and <!date^…|fallback>.
func decodeSpecial(name, label string) string {
	if strings.HasPrefix(name, "date^") {
		return firstOf(label, name)
	}
	if id, ok := strings.CutPrefix(name, "subteam^"); ok {
		name = id
	}
	return "@" + firstOf(strings.TrimPrefix(label, "@"), name)
}

// decodeLink keeps both label and address unless Slack made the link by itself
// of a bare address.
func decodeLink(target, label string) string {
	if label == "" {
		return target
	}
	bare := linkPattern.ReplaceAllString(target, "")
	if label == target || label == bare || label+"/" == bare {
		return label
	}
	return label + " (" + target + ")"
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
