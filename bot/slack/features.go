package slack

import "slices"

// Subscriptions lists the events that Houston asks Slack for, "message.channels"
// as the manifest has it.
func Subscriptions() []string {
	var names []string
	for _, e := range events() {
		if e.built {
			names = append(names, e.subscription)
		}
	}
	return names
}

// event is a subscription to the Events API. What is not built is not asked
// for: nobody shall grant more than is used.
type event struct {
	subscription string // "message.channels", as the manifest has it
	inner        string // "message", the type of what is delivered
	needs        Scope  // none for some
	built        bool
}

// events lists the subscriptions of the whole design, with the scopes that
// docs.slack.dev names on each event's page. A test holds built to the code.
func events() []event {
	reactions := Scope{"reactions:read", "take reactions as timeline entries"}
	public := Scope{"channels:read", "find the announce channel and its own channels"}
	closed := Scope{"groups:read", "find its private channels, and the announce channel when that is private"}
	return []event{
		{subscription: "channel_archive", inner: "channel_archive", needs: public, built: true},
		{subscription: "channel_rename", inner: "channel_rename", needs: public, built: true},
		{subscription: "channel_unarchive", inner: "channel_unarchive", needs: public, built: true},
		{subscription: "group_archive", inner: "group_archive", needs: closed, built: true},
		{subscription: "group_rename", inner: "group_rename", needs: closed, built: true},
		{subscription: "group_unarchive", inner: "group_unarchive", needs: closed, built: true},
		{subscription: "app_home_opened", inner: "app_home_opened", built: true},
		{subscription: "app_mention", inner: "app_mention", needs: Scope{"app_mentions:read", "answer when it is mentioned"}, built: true},
		{subscription: "message.channels", inner: "message", needs: Scope{"channels:history", "follow the messages that are timeline entries, and offer to declare"}, built: true},
		{subscription: "message.groups", inner: "message", needs: Scope{"groups:history", "follow the messages that are timeline entries in private channels"}, built: true},
		{subscription: "reaction_added", inner: "reaction_added", needs: reactions, built: true},
		{subscription: "reaction_removed", inner: "reaction_removed", needs: reactions, built: true},
		{subscription: "subteam_updated", inner: "subteam_updated", needs: Scope{"usergroups:read", "invite user groups and know who is in them"}, built: true},
		{subscription: "team_join", inner: "team_join", needs: Scope{"users:read", "know people's names, time zones and who is a guest"}, built: true},
		{subscription: "user_change", inner: "user_change", needs: Scope{"users:read", "know people's names, time zones and who is a guest"}, built: true},
	}
}

// Shortcut is an entry of a message's menu, or of the menu beside the message
// field ("global").
type Shortcut struct {
	Callback          string
	Kind              string // "message" or "global"
	Name, Description string // of at most 24 and 150 characters
	built             bool
}

// Shortcuts lists those that Houston offers.
func Shortcuts() []Shortcut {
	return slices.DeleteFunc(shortcuts(), func(s Shortcut) bool { return !s.built })
}

// shortcuts lists those of the whole design. A test holds built to the code.
func shortcuts() []Shortcut {
	return []Shortcut{
		{Callback: "declare", Kind: "global", Name: "Declare an incident", Description: "Open a channel, a video call and a timeline for an incident", built: true},
		{Callback: "declare_from_message", Kind: "message", Name: "Declare an incident", Description: "Declare an incident from this message", built: true},
		{Callback: "add_to_timeline", Kind: "message", Name: "Add to the timeline", Description: "Keep this message in the incident's timeline", built: true},
		{Callback: "add_action", Kind: "message", Name: "Add an action item", Description: "Make an action item from this message", built: true},
	}
}
