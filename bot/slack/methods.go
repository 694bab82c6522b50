package slack

import (
	"slices"
	"strings"
)

// method is one method of Slack's Web API that Houston calls. This table is the
// only place that says which permissions Houston asks for: the manifest is
// written from it, doctor checks a token against it, and a test holds it to the
// calls in the code of this package and of setup below it.
type method struct {
	name  string   // "conversations.create"
	calls []string // the methods of slack-go's client that call it
	needs []Scope  // every one of them
}

// Scope is a permission of the bot's token and what Houston wants it for.
type Scope struct {
	Name string // "pins:write"
	For  string // completes "Houston needs it to …"
}

// methods lists what is called, with the scopes that docs.slack.dev names on
// each method's page. Where a page names one scope for public and one for
// private channels, both are needed.
func methods() []method {
	var (
		manage     = Scope{"channels:manage", "open a channel for each incident, bring people in and set its topic"}
		private    = Scope{"groups:write", "do the same for private incidents"}
		read       = Scope{"channels:read", "find the announce channel and its own channels"}
		readToo    = Scope{"groups:read", "find its private channels, and the announce channel when that is private"}
		people     = Scope{"users:read", "know people's names, time zones and who is a guest"}
		file       = Scope{"files:write", "put the postmortem into the channel as a file"}
		history    = Scope{"channels:history", "find what it has posted already, so that nothing is posted twice, and read what people pin"}
		direct     = Scope{"im:write", "ask a person directly, such as the owner of a postmortem"}
		directToo  = Scope{"im:history", "find what it has told a person already, so that nobody is asked twice"}
		historyToo = Scope{"groups:history", "do the same in private channels"}
		post       = Scope{"chat:write", "post the card, updates and announcements, and keep them current"}
		react      = Scope{"reactions:write", "show on a message, by the same reaction, that it is in the timeline"}
	)
	return []method{
		{name: "apps.connections.open", calls: []string{"StartSocketModeContext"}}, // with the app's token
		{name: "auth.test", calls: []string{"AuthTestContext"}},
		{name: "bookmarks.add", calls: []string{"AddBookmarkContext"}, needs: []Scope{{"bookmarks:write", "bookmark the video call in the channel"}}},
		{name: "bookmarks.edit", calls: []string{"EditBookmarkContext"}, needs: []Scope{{"bookmarks:write", "bookmark the video call in the channel"}}},
		{name: "bookmarks.list", calls: []string{"ListBookmarksContext"}, needs: []Scope{{"bookmarks:read", "see that the video call is bookmarked already"}}},
		{name: "bookmarks.remove", calls: []string{"RemoveBookmarkContext"}, needs: []Scope{{"bookmarks:write", "bookmark the video call in the channel"}}},
		{name: "chat.delete", calls: []string{"DeleteMessageContext"}, needs: []Scope{post}},
		{name: "chat.getPermalink", calls: []string{"GetPermalinkContext"}},
		{name: "chat.postEphemeral", calls: []string{"PostEphemeralContext"}, needs: []Scope{post}},
		{name: "chat.postMessage", calls: []string{"PostMessageContext"}, needs: []Scope{post}},
		{name: "chat.update", calls: []string{"UpdateMessageContext"}, needs: []Scope{post}},
		{name: "conversations.archive", calls: []string{"ArchiveConversationContext"}, needs: []Scope{manage, private}},
		{name: "conversations.create", calls: []string{"CreateConversationContext"}, needs: []Scope{manage, private}},
		{name: "conversations.history", calls: []string{"GetConversationHistoryContext"}, needs: []Scope{history, historyToo, directToo}},
		{name: "conversations.info", calls: []string{"GetConversationInfoContext"}, needs: []Scope{read, readToo}},
		{name: "conversations.invite", calls: []string{"InviteUsersToConversationContext"}, needs: []Scope{manage, private}},
		{name: "conversations.join", calls: []string{"JoinConversationContext"}, needs: []Scope{{"channels:join", "join the announce channel"}}},
		{name: "conversations.list", calls: []string{"GetConversationsContext"}, needs: []Scope{read, readToo}},
		{name: "conversations.open", calls: []string{"OpenConversationContext"}, needs: []Scope{direct}},
		{name: "conversations.rename", calls: []string{"RenameConversationContext"}, needs: []Scope{manage, private}},
		{name: "conversations.replies", calls: []string{"GetConversationRepliesContext"}, needs: []Scope{history, historyToo}},
		{name: "conversations.setTopic", calls: []string{"SetTopicOfConversationContext"}, needs: []Scope{manage, private}},
		{name: "files.completeUploadExternal", calls: []string{"UploadFileContext"}, needs: []Scope{file}},
		{name: "files.delete", calls: []string{"DeleteFileContext"}, needs: []Scope{file}},
		{name: "files.getUploadURLExternal", calls: []string{"UploadFileContext"}, needs: []Scope{file}},
		{name: "files.info", calls: []string{"GetFileInfoContext"}, needs: []Scope{{"files:read", "keep the images and files of messages that are timeline entries"}}},
		{name: "pins.add", calls: []string{"AddPinContext"}, needs: []Scope{{"pins:write", "pin the card"}}},
		{name: "pins.list", calls: []string{"ListPinsContext"}, needs: []Scope{{"pins:read", "see that the card is still pinned"}}},
		{name: "reactions.add", calls: []string{"AddReactionContext"}, needs: []Scope{react}},
		{name: "reactions.remove", calls: []string{"RemoveReactionContext"}, needs: []Scope{react}},
		{name: "usergroups.users.list", calls: []string{"GetUserGroupMembersContext"}, needs: []Scope{{"usergroups:read", "invite user groups and know who is in them"}}},
		{name: "users.conversations", calls: []string{"GetConversationsForUserContext"}, needs: []Scope{read, readToo}},
		{name: "users.info", calls: []string{"GetUserInfoContext"}, needs: []Scope{people}},
		{name: "users.list", calls: []string{"GetUsersPaginated"}, needs: []Scope{people}},
		{name: "views.publish", calls: []string{"PublishViewContext"}},
		{name: "views.open", calls: []string{"OpenViewContext"}},
		{name: "views.update", calls: []string{"UpdateViewContext"}},
	}
}

// Scopes lists the permissions that Houston asks for, each once, by name.
func Scopes() []Scope {
	needed := []Scope{{"commands", "take the slash command"}}
	for _, m := range methods() {
		needed = append(needed, m.needs...)
	}
	for _, e := range events() {
		if e.built && e.needs != (Scope{}) {
			needed = append(needed, e.needs)
		}
	}
	slices.SortStableFunc(needed, func(a, b Scope) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(needed, func(a, b Scope) bool { return a.Name == b.Name })
}
