package main

import (
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestPermissionsFollowTheUserGroup has who may publish change while Houston
// runs: the next command is authorised by who is in the group then, and so is a
// click on a button that was posted before.
func TestPermissionsFollowTheUserGroup(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.slack, p.api = newSlack(t)
		group := p.slack.AddUserGroup(sandbox.UserGroup{Handle: "comms", Name: "Communications", Users: []string{ben}})
		p.env = map[string]string{"HOUSTON_PERMISSIONS_PUBLISH": group.ID}
		h := newHouse(t, p)
		channel := h.declared("Offers are missing").ID
		h.until("ben's group is known", func() bool { return len(p.slack.Calls("usergroups.users.list")) > 0 })
		const text = "statuspage investigating We look into missing offers"
		if answer := h.say(anna, channel, text); !strings.Contains(answer, "permissions.publish") {
			t.Errorf("someone outside of the group is answered %q", answer)
		}
		h.slack.Join(ben, channel)
		if answer := h.say(ben, channel, text); !strings.Contains(answer, "On the status page now") {
			t.Errorf("someone in the group is answered %q", answer)
		}
		group.Users = []string{anna}
		h.slack.SetUserGroup(group)
		h.until("anna may publish", func() bool {
			return strings.Contains(h.say(anna, channel, "statuspage identified We found the cause"), "On the status page now")
		})
		if answer := h.say(ben, channel, "statuspage undo"); !strings.Contains(answer, "permissions.publish") {
			t.Errorf("someone who left the group is answered %q", answer)
		}
	})
}
