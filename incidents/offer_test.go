package incidents

import (
	"testing"
	"time"
)

const warning = "alertname=Slow severity=warning service=checkout"

func asker() Request { return Request{Actor: ada(), In: "C0"} }

// offered gives the group and the offer's effect.
func (s *stage) offered() (AlertGroup, Effect) {
	g := s.memory.groups[GroupID("default", "r", "g")]
	return g, s.memory.effects[OfferKey(g.ID)]
}

func TestOfferIsKeptCurrent(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	s.deliver("g", s.firing(warning+" i=1"))
	g, e := s.offered()
	if g.Offer != Offered || g.Round != 1 || e.Generation != 1 || e.Wanted != 1 || e.Kind != MakeOffer || e.Incident != 0 {
		t.Fatalf("got group %+v and effect %+v, want the first offer", g, e)
	}
	s.deliver("g", s.firing(warning+" i=1")) // a repeat
	if g, _ := s.offered(); g.Version != 1 || len(s.memory.jobs) != 1 {
		t.Errorf("got version %d and %d jobs after a repeat, want nothing new", g.Version, len(s.memory.jobs))
	}
	s.deliver("g", s.firing(warning+" i=2"))
	s.deliver("g", s.ended(warning+" i=1"), s.ended(warning+" i=2"))
	if g, e := s.offered(); g.Version != 3 || e.Wanted != 3 || e.Generation != 1 || g.Firing != 0 {
		t.Errorf("got version %d, wanted %d, generation %d, want the one message edited", g.Version, e.Wanted, e.Generation)
	}
}

// TestOfferIsMadeAnew: an edit notifies nobody, so what fires long after the
// first offer gets a message of its own.
func TestOfferIsMadeAnew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		after time.Duration
		round int64
	}{
		{"flapping", 20 * time.Minute, 1},
		{"long after", 40 * time.Minute, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, Config{Announce: true, FlapWindow: 30 * time.Minute})
			s.deliver("g", s.firing(warning))
			s.clock.forward(time.Minute)
			s.deliver("g", s.ended(warning))
			s.clock.forward(tt.after)
			s.deliver("g", s.firing(warning))
			if g, e := s.offered(); g.Round != tt.round || e.Generation != tt.round {
				t.Errorf("got round %d, generation %d, want %d", g.Round, e.Generation, tt.round)
			}
		})
	}
}

func TestAcceptOffer(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	g := s.deliver("g", s.firing(warning))
	result, err := s.AcceptOffer(t.Context(), asker(), g.ID)
	if err != nil || result.Repeated {
		t.Fatalf("got %+v, %v", result, err)
	}
	inc := s.incident(1)
	if inc.Status != Investigating || inc.Reporter.ID != "U1" || inc.Detection != ByAlert || inc.AlertsFiring() != 1 || inc.Title != "Slow on checkout" {
		t.Errorf("got %+v, want one by Ada that is investigated", inc)
	}
	again, err := s.AcceptOffer(t.Context(), asker(), g.ID)
	if err != nil || !again.Repeated || again.Incident.Number != 1 || len(s.memory.incidents) != 1 {
		t.Errorf("got %+v, %v for the second click, want incident 1 again", again, err)
	}
	if err := s.DismissOffer(t.Context(), asker(), g.ID); KindOf(err) != Conflict {
		t.Errorf("got %v for dismissing it afterwards, want a conflict", err)
	}
	if g, e := s.offered(); g.Offer != Accepted || g.DecidedBy.Name != "Ada" || e.Wanted != g.Version {
		t.Errorf("got %+v, want it accepted by Ada and the message edited", g)
	}
	s.deliver("g", s.firing(warning+" i=2"))
	if got := s.incident(1).AlertsFiring(); got != 2 {
		t.Errorf("got %d firing, want later alerts of the group in the incident", got)
	}
}

func TestAcceptOfferOfResolvedAlerts(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	s.deliver("g", s.firing(warning))
	g := s.deliver("g", s.ended(warning))
	if _, err := s.AcceptOffer(t.Context(), asker(), g.ID); err != nil {
		t.Fatal(err)
	}
	entries := Timeline(s.memory.events[1])
	if got, want := entries[len(entries)-1].Text, "0 alerts firing now"; got != want {
		t.Errorf("got entry %q, want %q", got, want)
	}
}

func TestDismissOffer(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	g := s.deliver("g", s.firing(warning+" i=1"))
	for range 2 { // whoever clicks
		if err := s.DismissOffer(t.Context(), asker(), g.ID); err != nil {
			t.Fatal(err)
		}
	}
	count := len(s.memory.jobs)
	s.deliver("g", s.firing(warning+" i=2"))
	if g, _ := s.offered(); g.Offer != Dismissed || len(s.memory.jobs) != count || len(s.memory.incidents) != 0 {
		t.Errorf("got %q and %d jobs, want it to stay dismissed while alerts fire", g.Offer, len(s.memory.jobs))
	}
	s.deliver("g", s.ended(warning+" i=1"), s.ended(warning+" i=2"))
	if g, _ := s.offered(); g.Offer != NoOffer {
		t.Errorf("got %q when all are resolved, want none", g.Offer)
	}
	if _, err := s.AcceptOffer(t.Context(), asker(), g.ID); KindOf(err) != NotFound {
		t.Errorf("got %v for an offer that is over, want not found", err)
	}
	s.clock.forward(2 * time.Minute)
	s.deliver("g", s.firing(warning+" i=1"))
	if g, e := s.offered(); g.Offer != Offered || g.Round != 2 || e.Generation != 2 || g.DecidedBy.ID != "" {
		t.Errorf("got %+v, want it asked again in a message of its own", g)
	}
}

// TestOfferBecomesAnIncident: a worse alert in an offered group decides it.
func TestOfferBecomesAnIncident(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{Announce: true})
	s.deliver("g", s.firing(warning))
	s.deliver("g", s.firing(warning), s.firing(critical))
	if g, e := s.offered(); g.Offer != Accepted || g.Incident != 1 || e.Wanted != g.Version {
		t.Errorf("got %+v, want it accepted by incident 1", g)
	}
}

func TestWithoutAnAnnounceChannelNothingIsOffered(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.deliver("g", s.firing(warning))
	if len(s.memory.jobs) != 0 || len(s.memory.effects) != 0 {
		t.Errorf("got %d jobs and %d effects, want none", len(s.memory.jobs), len(s.memory.effects))
	}
}

func TestWhoMayDecideOffers(t *testing.T) {
	t.Parallel()
	for standing, kind := range map[Standing]ErrorKind{Guest: Forbidden, Stranger: Forbidden, Unproven: Unavailable} {
		s := newStage(t, Config{Announce: true})
		g := s.deliver("g", s.firing(warning))
		req := asker()
		req.Actor.Standing = standing
		if _, err := s.AcceptOffer(t.Context(), req, g.ID); KindOf(err) != kind {
			t.Errorf("accept as %q: got %v, want %s", standing, err, kind)
		}
		if err := s.DismissOffer(t.Context(), req, g.ID); KindOf(err) != kind {
			t.Errorf("dismiss as %q: got %v, want %s", standing, err, kind)
		}
	}
}
