package alertmanager

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/houston-sre/houston/bot"
	"github.com/houston-sre/houston/incidents"
)

// Set is the Alertmanagers that are configured.
type Set struct {
	clients []*Client
	clock   incidents.Clock
}

// NewSet makes a Set; the names of the clients differ.
func NewSet(clock incidents.Clock, clients ...*Client) *Set {
	return &Set{clients: clients, clock: clock}
}

// Names are what alerts of a source are matched with.
func (s *Set) Names() []string {
	names := make([]string, 0, len(s.clients))
	for _, c := range s.clients {
		names = append(names, c.name)
	}
	return names
}

// of gives the Alertmanager that alerts of a source came from: the one of that
// name, or the only one.
func (s *Set) of(source string) (*Client, bool) {
	for _, c := range s.clients {
		if c.name == source {
			return c, true
		}
	}
	if len(s.clients) == 1 {
		return s.clients[0], true
	}
	return nil, false
}

// Maker makes the silences of incidents, keeps their end, and expires them.
func (s *Set) Maker() bot.Maker { return silenceMaker{s} }

type silenceMaker struct{ set *Set }

// wanted gives the silence that an effect is about, and who is asked for it.
func (m silenceMaker) wanted(work bot.Work) (incidents.Silence, *Client, error) {
	id, err := strconv.ParseInt(work.Effect.Target, 10, 64)
	if err != nil {
		return incidents.Silence{}, nil, fmt.Errorf("read the silence of effect %s: %w", work.Effect.Key, err)
	}
	for _, s := range work.Incident.Silences {
		if s.ID != id {
			continue
		}
		client, ok := m.set.of(s.Source)
		if !ok {
			return s, nil, &bot.Failure{Reason: fmt.Sprintf("no Alertmanager is configured for %s", s.Source), Terminal: true}
		}
		return s, client, nil
	}
	return incidents.Silence{}, nil, &bot.Failure{Reason: "the silence is gone", Terminal: true}
}

func (m silenceMaker) Make(ctx context.Context, work bot.Work) (bot.Made, error) {
	want, client, err := m.wanted(work)
	if err != nil {
		return bot.Made{}, err
	}
	if want.Ended {
		// It was taken back before it was made: there is nothing to make.
		return bot.Made{ID: "none", Place: client.name, Shown: work.Incident.Seq}, nil
	}
	return m.put(ctx, work, want, client, Silence{StartsAt: m.set.clock.Now()})
}

// Look finds the silence by its comment, which carries the effect's marker.
func (m silenceMaker) Look(ctx context.Context, work bot.Work) (bot.Made, bool, error) {
	_, client, err := m.wanted(work)
	if err != nil {
		return bot.Made{}, false, err
	}
	ours, err := standing(ctx, client, work.Effect)
	if err != nil || len(ours) == 0 {
		return bot.Made{}, false, err
	}
	return bot.Made{ID: ours[0].ID, Place: client.name, Shown: 0}, true, nil
}

// standing gives the silences of an effect that have not expired: one, or none where
// somebody has expired it or an Alertmanager was started without its disk.
func standing(ctx context.Context, client *Client, effect incidents.Effect) ([]Silence, error) {
	all, err := client.Silences(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(s Silence) bool { return s.Expired || !strings.Contains(s.Comment, marker(effect)) }), nil
}

// Refresh moves the silence's end, or expires it. It goes by what stands at the
// Alertmanager: the id that is noted may be an older one, since an answer may have
// been lost.
func (m silenceMaker) Refresh(ctx context.Context, work bot.Work) (bot.Made, error) {
	want, client, err := m.wanted(work)
	if err != nil {
		return bot.Made{}, err
	}
	ours, err := standing(ctx, client, work.Effect)
	if err != nil {
		return bot.Made{}, err
	}
	keep := Silence{StartsAt: m.set.clock.Now()}
	if !want.Ended && len(ours) > 0 {
		keep, ours = ours[0], ours[1:]
	}
	for _, s := range ours {
		if err := client.Expire(ctx, s.ID); err != nil {
			return bot.Made{}, err
		}
	}
	if !want.Ended {
		return m.put(ctx, work, want, client, keep)
	}
	return bot.Made{ID: work.Effect.ID, Place: client.name, Shown: work.Incident.Seq}, nil
}

// put creates a silence, or changes the one that stands. With its start it keeps its
// id: Alertmanager expires one whose start is another, and makes a new one.
func (m silenceMaker) put(ctx context.Context, work bot.Work, want incidents.Silence, client *Client, stands Silence) (bot.Made, error) {
	id, err := client.Put(ctx, Silence{
		ID: stands.ID, Matchers: want.Matchers, StartsAt: stands.StartsAt, EndsAt: want.Until,
		CreatedBy: createdBy(want.By), Comment: work.Incident.Key() + " " + marker(work.Effect),
	})
	if err != nil {
		return bot.Made{}, err
	}
	return bot.Made{ID: id, Place: client.name, Shown: work.Incident.Seq}, nil
}

// ourSign ends the name of who created a silence through Houston.
const ourSign = " (Houston)"

func createdBy(p incidents.Person) string {
	if p.Name == "" {
		return "Houston" + ourSign
	}
	return p.Name + ourSign
}

// marker is what a silence is found by: Alertmanager keeps nothing but the
// comment. No title stands there, which may be private.
func marker(e incidents.Effect) string { return "[" + e.Marker() + "]" }
