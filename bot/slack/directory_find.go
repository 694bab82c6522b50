package slack

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/houston-sre/houston/incidents"
)

// mentionPattern is a mention as Slack writes it when should_escape is on.
var mentionPattern = regexp.MustCompile(`^<@([UW][A-Z0-9]+)(?:\|([^>]*))?>$`)

// mostNamesakes bounds the list of people to choose from.
const mostNamesakes = 8

// Find tells whom people mean by a mention: <@U1|name>, @name, or a bare name.
// Names are display names, real names and user names, in any case. The error is
// an *incidents.Error: NotFound when nobody has the name, Invalid when several
// people do; it lists them.
func (d *Directory) Find(ctx context.Context, mention string) (incidents.Person, error) {
	mention = strings.TrimSpace(mention)
	if m := mentionPattern.FindStringSubmatch(mention); m != nil {
		profile, ok := d.Profile(ctx, m[1])
		switch {
		case ok && profile.Bot:
			return incidents.Person{}, incidents.Errorf(incidents.Invalid, "%s is a bot. Name a person.", firstOf(profile.Name, m[1]))
		case ok && profile.Deleted:
			return incidents.Person{}, incidents.Errorf(incidents.Invalid, "%s's account is deactivated. Name somebody else.", firstOf(profile.Name, m[1]))
		}
		return incidents.Person{ID: m[1], Name: firstOf(profile.Name, m[2], m[1])}, nil
	}
	name := strings.TrimSpace(strings.TrimPrefix(mention, "@"))
	if name == "" {
		return incidents.Person{}, incidents.Errorf(incidents.Invalid, "Say who, like @anna.")
	}
	switch found := d.named(name); len(found) {
	case 0:
		return incidents.Person{}, incidents.Errorf(incidents.NotFound, "I know nobody called %q in this workspace. Mention the person, like @anna.", name)
	case 1:
		return found[0].Person, nil
	default:
		return incidents.Person{}, incidents.Errorf(incidents.Invalid, "Several people are called %q: %s. Use the user name.", name, listPeople(found))
	}
}

// named lists the people of a name, bots and deactivated accounts left out. A
// user name is unique, so it wins.
func (d *Directory) named(name string) []person {
	var found []person
	for _, p := range d.all() {
		switch {
		case p.Bot || p.Deleted:
		case p.handle != "" && strings.EqualFold(p.handle, name):
			return []person{p}
		case strings.EqualFold(p.Name, name) || strings.EqualFold(p.realName, name):
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b person) int { return cmp.Or(cmp.Compare(a.handle, b.handle), cmp.Compare(a.ID, b.ID)) })
	return found
}

func listPeople(people []person) string {
	var names []string
	for i, p := range people {
		if i == mostNamesakes {
			names = append(names, "…")
			break
		}
		names = append(names, p.Name+" (@"+firstOf(p.handle, p.ID)+")")
	}
	return strings.Join(names, ", ")
}
