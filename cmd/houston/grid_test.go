package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/houston-sre/houston/bot/sandbox"
)

// TestGridConnectAndGroups works in a workspace of an Enterprise organisation,
// whose people's ids begin with W, with a user group that is on call and invited
// to each incident, and with somebody from a connected workspace in the channel:
// he may write things down and read, and nothing else, by command or by click.
func TestGridConnectAndGroups(t *testing.T) {
	t.Parallel()
	eachPlan(t, func(t *testing.T, p plan) {
		p.slack, p.api = newSlackOf(t, sandbox.Config{EnterpriseID: "E0SB000001", EnterpriseName: "Acme"})
		cleo := p.slack.AddUser(sandbox.User{Name: "cleo", RealName: "Cleo Grid", TZ: "Europe/Zurich"}).ID
		far := p.slack.AddUser(sandbox.User{Name: "fay", RealName: "Fay Far", Stranger: true}).ID
		if !strings.HasPrefix(cleo, "W") {
			t.Fatalf("cleo is %s", cleo)
		}
		p.slack.Join(cleo, announced)
		group := p.slack.AddUserGroup(sandbox.UserGroup{Handle: "oncall", Name: "On call", Users: []string{cleo, ben}})
		p.env = map[string]string{"HOUSTON_SLACK_INVITE": group.ID}
		h := newHouse(t, p)
		answer := h.say(cleo, announced, "declare Offers are missing --severity sev2")
		if !strings.Contains(answer, "INC-1") {
			t.Fatalf("declare was answered %q", answer)
		}
		channel := "inc-1-offers-are-missing"
		h.until("the group is in the channel", func() bool {
			members := h.slack.Members(channel)
			return slices.Contains(members, cleo) && slices.Contains(members, ben)
		})
		h.until("the card is pinned", func() bool { return len(h.slack.Pins(channel)) == 1 })
		h.say(ben, channel, "lead <@"+cleo+"|cleo>")
		h.shows(channel, "<@"+cleo+">")
		h.say(ben, channel, "action Watch the pool <@"+cleo+"|cleo> due 2099-01-31")
		h.until("the owner is told", func() bool { return h.told(channel, "for <@"+cleo+"> · due 2099-01-31") })
		var inc struct{ Commander struct{ ID, Name string } }
		h.api("/incidents/INC-1", &inc)
		if inc.Commander.ID != cleo {
			t.Errorf("the commander is %+v", inc.Commander)
		}

		h.slack.Join(far, channel)
		for text, want := range map[string]string{
			"lead": "As a guest", "resolve It is over": "As a guest", "declare Something else": "Guests can not declare",
			"timeline Our partner sees it too": "timeline", "catchup": "Offers are missing",
		} {
			if answer := h.say(far, channel, text); !strings.Contains(answer, want) {
				t.Errorf("somebody from elsewhere: %s was answered %q, want %q", text, answer, want)
			}
		}
		h.pressCard(far, channel, "take_lead")
		h.whispered(far, channel, "As a guest")
		h.pressCard(far, channel, "post_update")
		h.filled(far, "update", "")
		h.shows(channel, "<@"+cleo+">")
		private := h.slack.Channels()
		h.say(cleo, announced, "declare A key leaked --private")
		h.until("a private channel is made", func() bool { return len(h.slack.Channels()) > len(private) })
		h.until("its card is pinned", func() bool { return len(h.slack.Pins("inc-2")) == 1 })
		if members := h.slack.Members("inc-2"); slices.Contains(members, ben) {
			t.Error("the group was invited to a private incident")
		}
		if answer := h.say(far, channel, "catchup INC-2"); strings.Contains(answer, "A key leaked") {
			t.Errorf("somebody from elsewhere reads of a private incident: %q", answer)
		}
	})
}
