package sandbox

import (
	"regexp"
	"slices"
	"strings"
)

// Refer turns what a person types into what Slack stores, as its message box
// does: @name, @group, #channel and @here become references, the rest is escaped
// and linked. Refer of its own result is the same text.
func (w *Workspace) Refer(text string) string {
	w.st.mu.Lock()
	defer w.st.mu.Unlock()
	return w.st.refer(text)
}

// refer does what Slack does to a command's text when should_escape is on: the
// three characters are escaped, URLs linked, @name becomes <@U…>, @group
// <!subteam^S…|@group>, and #channel <#C…|name>, with an empty name for private
// channels.
func (s *state) refer(text string) string {
	text = s.text.rewrite(text, true)
	return regexp.MustCompile(`(^|\s)([@#])([a-z0-9._-]*[a-z0-9_-])`).ReplaceAllStringFunc(text, func(found string) string {
		at := strings.IndexAny(found, "@#")
		reference := s.referTo(found[at+1:])
		if found[at] == '#' {
			reference = s.referToChannel(found[at+1:])
		}
		if reference == "" {
			return found
		}
		return found[:at] + reference
	})
}

// referTo names whom @name means; "" when nobody.
func (s *state) referTo(name string) string {
	if slices.Contains([]string{"here", "channel", "everyone"}, name) {
		return "<!" + name + ">"
	}
	for _, id := range s.userOrder {
		if s.users[id].Name == name {
			return "<@" + id + ">"
		}
	}
	for _, g := range s.groups {
		if g.Handle == name && !g.Disabled {
			return "<!subteam^" + g.ID + "|@" + g.Handle + ">"
		}
	}
	return ""
}

func (s *state) referToChannel(name string) string {
	switch c := s.named(name); {
	case c == nil:
		return ""
	case c.Private:
		return "<#" + c.ID + "|>"
	default:
		return "<#" + c.ID + "|" + c.Name + ">"
	}
}
