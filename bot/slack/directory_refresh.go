package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/incidents"
)

const (
	// userPage is how many people one call of users.list brings. Slack
	// recommends 200 at most and allows about 20 calls a minute
	// (https://docs.slack.dev/reference/methods/users.list).
	userPage = 200
	// storeBatch bounds what is stored in one transaction.
	storeBatch = 500
	// firstRetry is how soon a reading that failed is tried again.
	firstRetry = 15 * time.Second
)

// run keeps the directory current until ctx ends.
func (d *Directory) run(ctx context.Context) {
	ready := d.recall(ctx)
	if ready {
		close(d.ready)
	}
	for {
		wait := d.config.Refresh
		if err := d.refresh(ctx); err != nil && ctx.Err() == nil {
			d.config.Log.WarnContext(ctx, "reading people and groups from Slack failed", "error", err)
			wait = min(wait, firstRetry)
		}
		if !ready {
			close(d.ready)
			ready = true
		}
		if !d.storeUntil(ctx, wait) {
			return
		}
	}
}

// recall takes in what the store knows and reports whether that is anybody.
func (d *Directory) recall(ctx context.Context) bool {
	profiles, err := d.config.Store.Profiles(ctx)
	if err == nil {
		err = d.readLanguages(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			d.config.Log.ErrorContext(ctx, "reading people from the database failed", "error", err)
		}
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range profiles {
		if _, ok := d.people[p.ID]; !ok {
			d.people[p.ID] = person{Profile: p}
		}
	}
	return len(profiles) > 0
}

// storeUntil stores what is learnt meanwhile, until the time is over (true) or
// ctx ends (false).
func (d *Directory) storeUntil(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case p := <-d.learnt:
			profiles := []incidents.Profile{p}
			for len(d.learnt) > 0 && len(profiles) < storeBatch {
				profiles = append(profiles, <-d.learnt)
			}
			d.save(ctx, profiles)
		}
	}
}

func (d *Directory) save(ctx context.Context, profiles []incidents.Profile) {
	for batch := range slices.Chunk(profiles, storeBatch) {
		if err := d.config.Store.SaveProfiles(ctx, batch); err != nil && ctx.Err() == nil {
			d.config.Log.ErrorContext(ctx, "storing people failed", "people", len(batch), "error", err)
		}
	}
}

// refresh reads our workspace, the groups and all people from Slack. What can
// not be read stays as it was known.
func (d *Directory) refresh(ctx context.Context) error {
	api := d.config.Client.API()
	before := d.all()
	us, err := api.AuthTestContext(ctx)
	if err != nil {
		return fmt.Errorf("ask Slack who we are: %w", err)
	}
	d.mu.Lock()
	d.team = workspace{team: us.TeamID, enterprise: us.EnterpriseID}
	d.mu.Unlock()
	groupErr := errors.Join(d.readGroups(ctx, api), d.readLanguages(ctx))

	page := api.GetUsersPaginated(slack.GetUsersOptionLimit(userPage), slack.GetUsersOptionTeamID(us.TeamID))
	for {
		next, err := page.Next(ctx)
		if limited, ok := errors.AsType[*slack.RateLimitedError](err); ok {
			if !d.storeUntil(ctx, limited.RetryAfter) {
				return ctx.Err()
			}
			continue
		}
		if page.Done(err) {
			break
		}
		if err != nil {
			return fmt.Errorf("list people: %w", err)
		}
		page = next
		d.mu.Lock()
		for _, user := range page.Users {
			d.learn(user)
		}
		d.mu.Unlock()
	}
	d.regroup()
	d.save(ctx, changedSince(before, d.all()))
	return groupErr
}

// readGroups reads the members of the configured groups; one that can not be
// read does not keep the others from being read.
func (d *Directory) readGroups(ctx context.Context, api *slack.Client) error {
	var failed error
	for _, group := range d.config.Groups {
		ids, err := api.GetUserGroupMembersContext(ctx, group)
		if err != nil {
			failed = fmt.Errorf("list the members of user group %s: %w", group, err)
			continue
		}
		d.mu.Lock()
		d.groups[group] = ids
		d.mu.Unlock()
	}
	return failed
}

// regroup brings the groups of everybody up to date.
func (d *Directory) regroup() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.people {
		p.Groups = d.groupsOf(id, p.Groups)
		d.people[id] = p
	}
}

func changedSince(before, after map[string]person) []incidents.Profile {
	var changed []incidents.Profile
	for id, p := range after {
		if old, ok := before[id]; !ok || !sameProfile(old.Profile, p.Profile) {
			changed = append(changed, p.Profile)
		}
	}
	return changed
}
