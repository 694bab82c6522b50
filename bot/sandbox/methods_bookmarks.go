package sandbox

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bookmark is a link at the top of a channel.
type Bookmark struct {
	ID, Channel, Title, Link, Emoji, Type string
	Created                               int64 // Unix seconds
	By                                    string
}

func bookmarkMethods() map[string]*method {
	write := []string{"bookmarks:write"}
	return map[string]*method{
		"bookmarks.add": {json: true, scopes: write, required: []string{"channel_id", "title", "type"},
			errors: []string{"channel_not_found", "invalid_bookmark_type", "invalid_emoji", "invalid_link", "permission_denied", "too_many_bookmarks"}, run: bookmarkAdd},
		"bookmarks.edit": {json: true, scopes: write, required: []string{"channel_id", "bookmark_id"},
			errors: []string{"channel_not_found", "invalid_emoji", "invalid_link", "not_found", "permission_denied"}, run: bookmarkEdit},
		"bookmarks.remove": {json: true, scopes: write, required: []string{"channel_id", "bookmark_id"},
			errors: []string{"channel_not_found", "not_found", "permission_denied"}, run: bookmarkRemove},
		"bookmarks.list": {json: true, scopes: []string{"bookmarks:read"}, required: []string{"channel_id"}, errors: []string{"channel_not_found"}, run: bookmarkList},
	}
}

// shelf finds the channel whose bookmarks may be changed. The pages list no
// not_in_channel; who is outside lacks the permission.
func (c *call) shelf() (*channel, error) {
	ch, err := c.visible("channel_id", noScope)
	if err != nil {
		return nil, err
	}
	if !ch.has(c.st.botUser) {
		return nil, fail("permission_denied")
	}
	return ch, nil
}

// bookmarkAdd adds a link; the same link twice is two bookmarks.
func bookmarkAdd(c *call) (object, error) {
	ch, err := c.shelf()
	switch {
	case err != nil:
		return nil, err
	case c.args["type"] != "link":
		return nil, fail("invalid_bookmark_type")
	case len(ch.bookmarks) >= 100:
		return nil, fail("too_many_bookmarks")
	}
	b := &Bookmark{ID: "Bk" + c.st.id('K')[1:], Channel: ch.ID, Type: "link", Created: c.st.now().Unix(), By: c.st.botUser}
	if err := c.fill(b, true); err != nil {
		return nil, err
	}
	ch.bookmarks = append(ch.bookmarks, b)
	return object{"bookmark": b.wire()}, nil
}

// fill takes title, link and emoji from the arguments; all or nothing.
func (c *call) fill(b *Bookmark, linked bool) error {
	next := *b
	if c.args.has("title") {
		next.Title = c.args["title"]
	}
	if c.args.has("emoji") {
		next.Emoji = c.args["emoji"]
	}
	if c.args.has("link") || linked {
		next.Link = c.args["link"]
		u, err := url.Parse(next.Link)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || len(next.Link) > 2048 {
			return fail("invalid_link")
		}
	}
	if next.Title == "" || utf8.RuneCountInString(next.Title) > 256 {
		return invalidArguments("must be between 1 and 256 characters [json-pointer:/title]")
	}
	if e := next.Emoji; e != "" && (len(e) < 3 || !strings.HasPrefix(e, ":") || !strings.HasSuffix(e, ":")) {
		return fail("invalid_emoji")
	}
	*b = next
	return nil
}

func bookmarkEdit(c *call) (object, error) {
	ch, at, err := c.bookmark()
	if err != nil {
		return nil, err
	}
	if err := c.fill(ch.bookmarks[at], false); err != nil {
		return nil, err
	}
	return object{"bookmark": ch.bookmarks[at].wire()}, nil
}

func bookmarkRemove(c *call) (object, error) {
	ch, at, err := c.bookmark()
	if err != nil {
		return nil, err
	}
	ch.bookmarks = slices.Delete(ch.bookmarks, at, at+1)
	return nil, nil
}

func (c *call) bookmark() (*channel, int, error) {
	ch, err := c.shelf()
	if err != nil {
		return nil, 0, err
	}
	at := slices.IndexFunc(ch.bookmarks, func(b *Bookmark) bool { return b.ID == c.args["bookmark_id"] })
	if at < 0 {
		return nil, 0, fail("not_found")
	}
	return ch, at, nil
}

func bookmarkList(c *call) (object, error) {
	ch, err := c.visible("channel_id", noScope)
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, b := range ch.bookmarks {
		list = append(list, b.wire())
	}
	return object{"bookmarks": list}, nil
}

func (b *Bookmark) wire() object {
	return object{
		"id": b.ID, "channel_id": b.Channel, "title": b.Title, "link": b.Link, "emoji": b.Emoji, "icon_url": "", "type": b.Type,
		"entity_id": nil, "date_created": b.Created, "date_updated": 0, "rank": "i", "last_updated_by_user_id": b.By,
		"last_updated_by_team_id": "", "shortcut_id": nil, "app_id": nil,
	}
}
