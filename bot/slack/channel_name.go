package slack

import (
	"fmt"
	"strings"

	"github.com/mozillazg/go-unidecode"
)

// maxName is Slack's bound of a channel's name (docs.slack.dev,
// conversations.create).
const maxName = 80

// ChannelName makes the name of an incident's channel: inc-<number>-<slug> in
// Slack's alphabet, at most 80 characters with room for a suffix, and inc-<number>
// when nothing of the title is left or the incident is private. try is 1 for
// the first choice; later ones get a suffix, since a name that is taken, even
// by an archived channel, is never taken over.
func ChannelName(number int64, title string, private bool, try int) string {
	name := fmt.Sprintf("inc-%d", number)
	if slug := slugOf(title); slug != "" && !private {
		name += "-" + slug
	}
	suffix := ""
	if try > 1 {
		suffix = fmt.Sprintf("-%d", try)
	}
	name = name[:min(len(name), maxName-4)] // all ASCII here; 4: "-999"
	return strings.TrimRight(name, "-") + suffix
}

// slugOf transliterates a title into a-z, 0-9 and single dashes.
func slugOf(title string) string {
	var b strings.Builder
	title = strings.NewReplacer("'", "", "’", "", "ä", "ae", "ö", "oe", "ü", "ue", "Ä", "ae", "Ö", "oe", "Ü", "ue").Replace(title)
	for _, r := range strings.ToLower(unidecode.Unidecode(title)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' }), "-")
}
