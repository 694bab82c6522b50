package incidents

import (
	"strconv"
	"testing"
	"time"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestAnIncidentGoesPrivateOnceThePrivateChannelStands(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	s.declared()
	req := Request{Actor: ada()}
	asked, err := s.Do(t.Context(), 1, MakePrivate{req})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Incident.Private {
		t.Error("it is private before there is a private channel")
	}
	if _, err := s.Do(t.Context(), 1, MakePrivate{req}); KindOf(err) != Conflict {
		t.Errorf("asked again: %v", err)
	}
	effect := s.memory.effects["INC-1/private_channel"]
	if err := s.PrivateChannelMade(t.Context(), effect, Channel{ID: "G1", Name: "inc-1"}); err != nil {
		t.Fatal(err)
	}
	inc := s.incident(1)
	if !inc.Private || inc.Channel.ID != "G1" || inc.Card != nil || len(inc.Former) != 1 || inc.Former[0].ID != "C1" {
		t.Errorf("it is %+v", inc)
	}
	channel := s.memory.effects["INC-1/channel"]
	if channel.State() != Done || channel.ID != "G1" {
		t.Errorf("the channel's effect is %+v", channel)
	}
	for _, key := range []string{"INC-1/card", "INC-1/pin", "INC-1/invite/U1", "INC-1/retract", "INC-1/leave/C1"} {
		e, ok := s.memory.effects[key]
		if !ok || e.State() != Owed {
			t.Errorf("%s is %q, want it owed", key, e.State())
		}
	}
}

func TestAnIncidentStaysAsItWasWithoutAPrivateChannel(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	if _, err := s.Do(t.Context(), 1, MakePrivate{Request{Actor: ada()}}); err != nil {
		t.Fatal(err)
	}
	effect := s.memory.effects["INC-1/private_channel"]
	effect.Failed, effect.Reason = true, "no permission"
	if err := s.EffectFailing(t.Context(), effect); err != nil {
		t.Fatal(err)
	}
	inc := s.incident(1)
	if inc.Private || inc.GoingPrivate != nil || inc.Channel.ID != "C1" {
		t.Errorf("it is %+v", inc)
	}
	if _, told := s.memory.effects["INC-1/tell/U1"]; !told {
		t.Error("nobody is told")
	}
	if _, err := s.Do(t.Context(), 1, MakePrivate{Request{Actor: ada()}}); err != nil {
		t.Errorf("asked again: %v", err)
	}
	if again := s.memory.effects["INC-1/private_channel"]; again.Failed || again.Generation <= effect.Generation {
		t.Errorf("the second attempt is %+v", again)
	}
}

func TestAnArchivedChannelIsFollowedByANewOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{ArchiveAfter: time.Hour})
	s.declared()
	req := Request{Actor: ada()}
	for _, command := range []Command{Resolve{Request: req}, Close{Request: req}} {
		if _, err := s.Do(t.Context(), 1, command); err != nil {
			t.Fatal(err)
		}
	}
	effect := s.memory.effects["INC-1/archive/"+itoa(s.incident(1).Ended)]
	if err := s.ChannelPutAway(t.Context(), effect, "C1"); err != nil {
		t.Fatal(err)
	}
	result, err := s.Do(t.Context(), 1, Reopen{Request: req})
	if err != nil {
		t.Fatal(err)
	}
	if result.Incident.Ended != 0 {
		t.Errorf("ended by event %d", result.Incident.Ended)
	}
	channel := s.memory.effects["INC-1/channel"]
	if channel.State() != Owed || channel.Generation < 2 {
		t.Fatalf("the channel's effect is %+v", channel)
	}
	inc, err := s.ChannelMade(t.Context(), channel, Channel{ID: "C2", Name: "inc-1-2"})
	if err != nil {
		t.Fatal(err)
	}
	if inc.Channel.ID != "C2" || inc.Channel.Archived || len(inc.Former) != 1 || inc.Former[0].ID != "C1" {
		t.Errorf("it is in %+v, before in %+v", inc.Channel, inc.Former)
	}
}

func TestPeopleRenameAndArchiveTheChannel(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	yes, no := true, false
	for _, step := range []NoteChannel{
		{Channel: "C9", Name: "another", At: "1.000009"},
		{Channel: "C1", Name: "offers-war-room", At: "1.000002"},
		{Channel: "C1", Name: "inc-1-offers", At: "1.000001"}, // told late
		{Channel: "C1", Archived: &yes},
		{Channel: "C1", Archived: &yes}, // delivered twice
	} {
		step.Request = Request{Actor: Houston()}
		if _, err := s.Do(t.Context(), 1, step); err != nil {
			t.Fatal(err)
		}
	}
	if c := s.incident(1).Channel; c.Name != "offers-war-room" || !c.Archived {
		t.Errorf("the channel is %+v", c)
	}
	count := len(s.memory.events[1])
	if _, err := s.Do(t.Context(), 1, NoteChannel{Request: Request{Actor: Houston()}, Channel: "C1", Archived: &no}); err != nil {
		t.Fatal(err)
	}
	if c := s.incident(1).Channel; c.Archived || len(s.memory.events[1]) != count+1 {
		t.Errorf("the channel is %+v", c)
	}
}
