package sandbox

import "strings"

// readEmoji reads lines of a name and a character; a line with more names gives
// all of them the same one, and the picker shows the first.
func readEmoji(list string) (byName map[string]string, names []string) {
	byName = map[string]string{}
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		names = append(names, fields[1])
		for _, name := range fields[1:] {
			byName[name] = fields[0]
		}
	}
	return byName, names
}

// Emoji is a name and its character.
type Emoji struct{ Name, Char string }

// emoji finds an emoji by name; an unknown one is written out, as Slack does.
func (u *ui) emoji(name string) Emoji {
	base, _, _ := strings.Cut(name, "::")
	if char, ok := u.p.look.emoji[base]; ok {
		return Emoji{name, char}
	}
	return Emoji{name, ":" + name + ":"}
}

// Picker lists the emoji to choose from.
func (u *ui) Picker() (out []Emoji) {
	for _, name := range u.p.look.names {
		out = append(out, u.emoji(name))
	}
	return out
}
