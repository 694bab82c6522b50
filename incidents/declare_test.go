package incidents

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDeclare(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Bridge: func(int64) string { return "https://meet.example/x" }, Invite: []string{"S1", "U1", "S1"}, Announce: true})
	result, err := s.Declare(t.Context(), Declare{
		Request: Request{Actor: ada(), In: "C0"}, Title: " No\toffers ", Summary: " a ", Service: " offers ", Severity: Sev2,
		Detection: ByPartner, ImpactStart: clockAt(13, 0), Detected: clockAt(13, 30),
	})
	if err != nil {
		t.Fatal(err)
	}
	now := clockAt(14, 0)
	want := Incident{
		Number: 1, Seq: 1, Title: "No offers", Summary: "a", Service: "offers", Severity: Sev2, Status: Investigating, Detection: ByPartner,
		Reporter: Actor{Person: ada().Person, Via: FromSlack}, ReportedIn: "C0", BridgeURL: "https://meet.example/x",
		UpdatedAt: now, OpenedAt: now, ActiveAt: now,
		Times: map[KeyTime]Instant{
			ImpactStart: {clockAt(13, 0), ToMinute, FromSlack}, Detected: {clockAt(13, 30), ToMinute, FromSlack}, DeclaredAt: {now, ToSecond, FromSlack},
		},
	}
	if diff := cmp.Diff(want, result.Incident); diff != "" {
		t.Errorf("incident (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Job{OpenChannel{1}}, s.memory.jobs); diff != "" {
		t.Errorf("jobs before the channel (-want +got):\n%s", diff)
	}
	if got := s.owed(MakeInvite); !cmp.Equal(got, []string{"U1"}) {
		t.Errorf("got invitations %v, want the reporter alone before the channel", got)
	}
	if _, err := s.ChannelMade(t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: "C1", Name: "inc-1-no-offers"}); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[EffectKind][]string{
		MakeInvite: {"S1", "U1"}, MakeTopic: {"INC-1/topic"}, MakeBookmark: {"bridge"}, MakeAnnounce: {"INC-1/announce"}, MakePin: {"INC-1/pin"}, MakeTell: nil,
	} {
		if got := s.owed(kind); !cmp.Equal(got, want) {
			t.Errorf("got %s owed to %v, want %v", kind, got, want)
		}
	}
}

// TestNothingOutsideOfAPrivateOne and drills: neither is announced, and a drill
// calls nobody.
func TestNothingIsToldOutside(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		declare Declare
		invites []string
	}{
		{"private", Declare{Private: true}, []string{"U1"}},
		{"drill", Declare{Drill: true}, []string{"U1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Announce: true, Invite: []string{"S1"}})
			tt.declare.Title, tt.declare.Request = "A", Request{Actor: ada()}
			if _, err := s.Declare(t.Context(), tt.declare); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ChannelMade(t.Context(), s.memory.effects["INC-1/channel"], Channel{ID: "C1"}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Do(t.Context(), 1, SetSeverity{Request{Actor: ada(), In: "C1"}, Sev1}); err != nil {
				t.Fatal(err)
			}
			if got := s.owed(MakeAnnounce); got != nil {
				t.Errorf("got %v, want no announcement", got)
			}
			if got := s.owed(MakeInvite); !cmp.Equal(got, tt.invites) {
				t.Errorf("got invitations %v, want %v", got, tt.invites)
			}
		})
	}
}

func TestDeclareRefuses(t *testing.T) {
	t.Parallel()
	guest, nobody := ada(), ada()
	guest.Standing, nobody.Standing = Guest, Unproven
	for _, tt := range []struct {
		name    string
		declare Declare
		kind    ErrorKind
		says    string
	}{
		{"no title", Declare{Title: " \n\x00"}, Invalid, "needs a title"},
		{"long title", Declare{Title: strings.Repeat("ß", MaxTitle+1)}, Invalid, "201 characters"},
		{"longest title", Declare{Title: strings.Repeat("ß", MaxTitle)}, "", ""},
		{"long summary", Declare{Title: "A", Summary: strings.Repeat("x", MaxText+1)}, Invalid, "summary"},
		{"long service", Declare{Title: "A", Service: strings.Repeat("x", MaxTitle+1)}, Invalid, "service"},
		{"impact in the future", Declare{Title: "A", ImpactStart: clockAt(14, 2)}, Invalid, "impact_start is in the future"},
		{"detected in the future", Declare{Title: "A", Detected: clockAt(14, 2)}, Invalid, "detected is in the future"},
		{"clocks differ a little", Declare{Title: "A", Detected: clockAt(14, 0).Add(30 * time.Second)}, "", ""},
		{"guest", Declare{Title: "A", Request: Request{Actor: guest}}, Forbidden, "Guests"},
		{"nobody knows who", Declare{Title: "A", Request: Request{Actor: nobody}}, Unavailable, "Try again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{})
			if tt.declare.Actor.ID == "" {
				tt.declare.Actor = ada()
			}
			_, err := s.Declare(t.Context(), tt.declare)
			if KindOf(err) != tt.kind || (err != nil && !strings.Contains(err.Error(), tt.says)) {
				t.Errorf("got %v (%s), want kind %q saying %q", err, KindOf(err), tt.kind, tt.says)
			}
			if len(s.memory.incidents) > 0 && err != nil {
				t.Error("something was stored")
			}
		})
	}
}

func TestDeclareInvitesOthers(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	if _, err := s.Declare(t.Context(), Declare{Request: Request{Actor: ada()}, Title: "Offers missing", With: []string{"U2", "", "U1"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.owed(MakeInvite), []string{"U1", "U2"}; !slices.Equal(got, want) {
		t.Errorf("invitations owed: %v, want %v", got, want)
	}
}
