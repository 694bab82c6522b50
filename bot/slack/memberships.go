package slack

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const (
	// membershipsFor is how long an answer about a person's channels holds. It
	// is also how long somebody who left a private channel still sees it on the
	// pages.
	membershipsFor = 10 * time.Second
	// membershipsTimeout bounds what a page waits for Slack.
	membershipsTimeout = 3 * time.Second
	// membershipsPage is the most that users.conversations gives at once
	// (https://docs.slack.dev/reference/methods/users.conversations).
	membershipsPage = 999
	// membershipsKept bounds the people remembered; beyond it all are asked anew.
	membershipsKept = 1000
)

// Memberships knows which private channels a person shares with Houston. Slack
// is asked, since nobody tells an app of all changes.
type Memberships struct {
	client *Client
	clock  incidents.Clock

	mu    sync.Mutex
	known map[string]membership
}

type membership struct {
	channels []string
	at       time.Time
}

// NewMemberships makes one that knows nothing yet.
func NewMemberships(client *Client, clock incidents.Clock) *Memberships {
	return &Memberships{client: client, clock: clock, known: map[string]membership{}}
}

// PrivateChannels lists the ids of the private channels that a person and
// Houston are in. When Slack does not answer there are none, and an error.
func (m *Memberships) PrivateChannels(ctx context.Context, id string) ([]string, error) {
	now := m.clock.Now()
	m.mu.Lock()
	known, ok := m.known[id]
	m.mu.Unlock()
	if ok && now.Sub(known.at) < membershipsFor && !now.Before(known.at) {
		return known.channels, nil
	}
	channels, err := m.ask(ctx, id)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.known) >= membershipsKept {
		clear(m.known)
	}
	m.known[id] = membership{channels, now}
	return channels, nil
}

func (m *Memberships) ask(ctx context.Context, id string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, membershipsTimeout)
	defer cancel()
	params := &slack.GetConversationsForUserParameters{
		UserID: id, Types: []string{"private_channel"}, ExcludeArchived: false, Limit: membershipsPage,
	}
	ids := []string{}
	for {
		channels, next, err := m.client.API().GetConversationsForUserContext(ctx, params)
		if err != nil {
			return nil, fmt.Errorf("list the private channels of %s: %w", id, err)
		}
		for _, c := range channels {
			ids = append(ids, c.ID)
		}
		if next == "" {
			return ids, nil
		}
		params.Cursor = next
	}
}
