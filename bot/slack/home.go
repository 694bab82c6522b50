package slack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const (
	// homeFor is how long a home tab is kept current after it was opened.
	homeFor = 24 * time.Hour
	// homesAtOnce bounds the tabs that one change refreshes: those opened last.
	homesAtOnce = 50
	// homeIncidents bounds the incidents looked through, the newest first.
	homeIncidents = 500
)

// homes remembers when the last refresh began, so that a burst of changes is
// shown by few.
type homes struct {
	mu    sync.Mutex
	begun time.Time
}

// covers reports whether a refresh has begun after a change, and notes that one
// begins now when not.
func (h *homes) covers(change, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begun.After(change) {
		return true
	}
	h.begun = now
	return false
}

// failed says that the last refresh has not shown everything.
func (h *homes) failed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun = time.Time{}
}

// takeHome has the home tab shown to a person who opens it
// (https://docs.slack.dev/reference/events/app_home_opened).
func (e *Edge) takeHome(ctx context.Context, d eventDelivery) error {
	var event struct {
		User string `json:"user"`
		Tab  string `json:"tab"`
		TS   string `json:"event_ts"`
	}
	if err := decodeEvent(d, &event); err != nil {
		return err
	}
	if event.Tab != "home" || event.User == "" {
		return nil
	}
	if d.EventID == "" {
		d.EventID = strings.Join([]string{"home", event.User, event.TS}, "/")
	}
	return e.enqueue(ctx, d, incidents.ShowHome{Person: event.User, Event: d.EventID})
}

// ShowHome publishes the home tab of a person who has opened it.
func (e *Edge) ShowHome(ctx context.Context, job incidents.ShowHome) error {
	store := e.config.Service.Store()
	if err := store.HomeOpened(ctx, job.Person, e.config.Clock.Now()); err != nil {
		return err
	}
	all, err := e.homeIncidents(ctx)
	if err != nil {
		return err
	}
	return e.publishHome(ctx, incidents.Home{Person: job.Person}, all)
}

// RefreshHomes publishes the home tabs opened lately whose content is another by
// now.
func (e *Edge) RefreshHomes(ctx context.Context, job incidents.RefreshHomes) error {
	now := e.config.Clock.Now()
	if e.homes.covers(job.At, now) {
		return nil
	}
	open, err := e.config.Service.Store().Homes(ctx, now.Add(-homeFor), homesAtOnce)
	if err != nil || len(open) == 0 {
		return err
	}
	all, err := e.homeIncidents(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, home := range open {
		failed = errors.Join(failed, e.publishHome(ctx, home, all))
	}
	if failed != nil {
		e.homes.failed()
	}
	return failed
}

func (e *Edge) homeIncidents(ctx context.Context) ([]incidents.Incident, error) {
	all, err := e.config.Service.Store().Incidents(ctx, incidents.Query{Private: true, Limit: homeIncidents})
	if err != nil {
		return nil, fmt.Errorf("list incidents for home tabs: %w", err)
	}
	return all, nil
}

// publishHome publishes a home tab unless it shows the same already
// (https://docs.slack.dev/reference/methods/views.publish).
func (e *Edge) publishHome(ctx context.Context, home incidents.Home, all []incidents.Incident) error {
	blocks := e.homeBlocks(ctx, home.Person, all)
	raw, err := json.Marshal(blocks)
	if err != nil {
		return fmt.Errorf("encode a home tab: %w", err)
	}
	sum := sha256.Sum256(raw)
	shown := hex.EncodeToString(sum[:])
	if shown == home.Shown {
		return nil
	}
	_, err = e.config.Client.API().PublishViewContext(ctx, slackgo.PublishViewContextRequest{
		UserID: home.Person, View: slackgo.HomeTabViewRequest{Type: slackgo.VTHomeTab, Blocks: slackgo.Blocks{BlockSet: blocks}},
	})
	if err != nil {
		if wait := retryAfter(err); wait > 0 {
			return &incidents.Error{Kind: incidents.Unavailable, Message: "Slack takes no home tab now.", After: wait}
		}
		e.config.Log.WarnContext(ctx, "a home tab could not be shown", "user", home.Person, "error", err)
		return nil // the next change, or opening it again, shows it
	}
	return e.config.Service.Store().HomeShown(ctx, home.Person, shown)
}
