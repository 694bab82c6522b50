package incidents

import "testing"

func TestWhoSeesAndTouches(t *testing.T) {
	t.Parallel()
	member := func(id string, groups ...string) Actor {
		return Actor{Person: Person{ID: id, Name: id}, Via: FromSlack, Standing: Member, Groups: groups}
	}
	as := func(a Actor, standing Standing) Actor { a.Standing = standing; return a }
	api := Actor{Person: Person{Name: "API"}, Via: FromAPI, Standing: Trusted}
	const in, elsewhere = "C1", "C9"
	for _, tt := range []struct {
		name      string
		actor     Actor
		from      string
		private   bool
		see       []string // permissions.see_private
		tokenSees bool
		want      ErrorKind
	}{
		{name: "member", actor: member("U2"), from: elsewhere},
		{name: "guest in the channel", actor: as(member("U2"), Guest), from: in},
		{name: "guest elsewhere", actor: as(member("U2"), Guest), from: elsewhere, want: NotFound},
		{name: "stranger in the channel", actor: as(member("U2"), Stranger), from: in},
		{name: "stranger elsewhere", actor: as(member("U2"), Stranger), from: elsewhere, want: NotFound},
		{name: "nobody knows who, in the channel", actor: as(member("U2"), Unproven), from: in, want: Unavailable},
		{name: "nobody knows who, elsewhere", actor: as(member("U2"), Unproven), from: elsewhere, want: Unavailable},
		{name: "API", actor: api},
		{name: "Houston", actor: Houston()},

		{name: "private: member of the channel", actor: member("U2"), from: in, private: true},
		{name: "private: member elsewhere", actor: member("U2"), from: elsewhere, private: true, want: NotFound},
		{name: "private: nowhere", actor: member("U2"), private: true, want: NotFound},
		{name: "private: reporter elsewhere", actor: member("U1"), from: elsewhere, private: true},
		{name: "private: see_private by id", actor: member("U2"), private: true, see: []string{"U2"}},
		{name: "private: see_private by group", actor: member("U2", "S1"), private: true, see: []string{"S1"}},
		{name: "private: an empty entry is nobody", actor: member("", ""), private: true, see: []string{""}, want: NotFound},
		{name: "private: see_private is for members", actor: as(member("U2"), Guest), private: true, see: []string{"U2"}, want: NotFound},
		{name: "private: guest in the channel", actor: as(member("U2"), Guest), from: in, private: true},
		{name: "private: API", actor: api, private: true, want: NotFound},
		{name: "private: API with token_private", actor: api, private: true, tokenSees: true},
		{name: "private: Houston", actor: Houston(), private: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Permissions: Permissions{SeePrivate: tt.see, TokenPrivate: tt.tokenSees}})
			if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: ada()}, Title: "A", Private: tt.private}); err != nil {
				t.Fatal(err)
			}
			req := Request{Actor: tt.actor, In: tt.from}
			_, err := s.Do(t.Context(), 1, Note{Request: req, Text: "a"}) // there is no channel yet
			if tt.from == in && tt.actor.Standing != Member && err == nil {
				t.Error("got no error before the channel is known")
			}
			if _, err := s.ChannelMade(t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: in}); err != nil {
				t.Fatal(err)
			}
			if _, err = s.Do(t.Context(), 1, Note{Request: req, Text: "b"}); KindOf(err) != tt.want {
				t.Errorf("do: got %v (%s), want kind %q", err, KindOf(err), tt.want)
			}
			_, err = s.Incident(t.Context(), 1, req)
			if sees := err == nil; tt.want != Unavailable && sees != (tt.want == "") {
				t.Errorf("load: got %v, want kind %q", err, tt.want)
			}
			if err == nil != s.Sees(req, s.incident(1)) {
				t.Error("Sees and Incident differ")
			}
			if tt.private && tt.from == "" && s.SeesAllPrivate(tt.actor) != (tt.want == "" && tt.actor.Via != FromHouston) {
				t.Errorf("got %v in lists, want kind %q", s.SeesAllPrivate(tt.actor), tt.want)
			}
		})
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	as := func(id string, standing Standing, groups ...string) Actor {
		return Actor{Person: Person{ID: id, Name: id}, Via: FromSlack, Standing: standing, Groups: groups}
	}
	restricted := Permissions{Publish: []string{"U1", "S1"}, Page: []string{"U1"}, Silence: []string{"S2"}, Admin: []string{"U1"}}
	for _, tt := range []struct {
		name  string
		actor Actor
		what  Permission
		rules Permissions
		want  ErrorKind
	}{
		{name: "nothing is restricted", actor: as("U9", Member), what: ToPublish},
		{name: "named", actor: as("U1", Member), what: ToPublish, rules: restricted},
		{name: "in a named group", actor: as("U9", Member, "S0", "S1"), what: ToPublish, rules: restricted},
		{name: "not named", actor: as("U9", Member, "S2"), what: ToPublish, rules: restricted, want: Forbidden},
		{name: "page", actor: as("U9", Member), what: ToPage, rules: restricted, want: Forbidden},
		{name: "silence", actor: as("U1", Member), what: ToSilence, rules: restricted, want: Forbidden},
		{name: "silence by group", actor: as("U9", Member, "S2"), what: ToSilence, rules: restricted},
		{name: "admin", actor: as("U9", Member), what: ToAdmin, rules: restricted, want: Forbidden},
		{name: "an empty id is nobody", actor: as("", Member, ""), what: ToPage, rules: Permissions{Page: []string{""}}, want: Forbidden},
		{name: "a guest, nothing restricted", actor: as("U9", Guest), what: ToPublish, want: Forbidden},
		{name: "a named guest", actor: as("U1", Guest), what: ToPublish, rules: restricted, want: Forbidden},
		{name: "a stranger", actor: as("U9", Stranger), what: ToPage, want: Forbidden},
		{name: "nobody knows who", actor: as("U1", Unproven), what: ToPublish, rules: restricted, want: Unavailable},
		{name: "the API's token", actor: Actor{Via: FromAPI, Standing: Trusted}, what: ToPublish, rules: restricted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Permissions: tt.rules})
			if err := s.May(tt.actor, tt.what); KindOf(err) != tt.want {
				t.Errorf("got %v (%s), want kind %q", err, KindOf(err), tt.want)
			}
		})
	}
}

func TestPermissionsHoldForCommands(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Permissions: Permissions{Publish: []string{"S1"}}})
	if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: ada()}, Title: "A"}); err != nil {
		t.Fatal(err)
	}
	publish := func(actor Actor) error {
		_, err := s.Do(t.Context(), 1, PublishNotice{Request: Request{Actor: actor}, Status: NoticeInvestigating, Text: "We look"})
		return err
	}
	ann := ada()
	if err := publish(ann); KindOf(err) != Forbidden {
		t.Errorf("got %v, want it forbidden", err)
	}
	ann.Groups = []string{"S1"}
	if err := publish(ann); err != nil {
		t.Errorf("in the group: %v", err)
	}
	ann.Groups = nil // and out of it again
	if _, err := s.Do(t.Context(), 1, WithdrawNotice{Request: Request{Actor: ann}}); KindOf(err) != Forbidden {
		t.Errorf("undo: got %v, want it forbidden", err)
	}
}
