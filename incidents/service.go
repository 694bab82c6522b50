package incidents

import (
	"context"
	"time"
)

// Service is the one door to the truth: every edge calls one of its methods for
// each thing that happened, and workers tell it what they learnt.
type Service struct {
	store  Store
	config Config
}

// Config of a Service. Store and Clock are required.
type Config struct {
	Store Store
	Clock Clock
	// Bridge gives the link of an incident's video call when it needs no call
	// to anybody, so that it stands on the first card; nil or "" for none.
	Bridge func(number int64) string
	// Routes are tried before [DefaultRoutes].
	Routes []Route
	// JoinBy groups alerts by these labels instead of by the sender's groupKey.
	JoinBy []string
	// FlapWindow is how long after its end an incident still takes the alerts
	// of its groups.
	FlapWindow time.Duration
	// StaleAfter is how long a sender that tells no end of its alerts may be silent of
	// one before it counts as over; 0: for ever.
	StaleAfter time.Duration
	// MaxDeclaredPerMinute bounds the incidents that alerts open; what is
	// beyond joins the newest one they opened. 0: no bound.
	MaxDeclaredPerMinute int
	// Announce says whether there is an announce channel.
	Announce bool
	// Invite lists user and user group ids that every incident invites.
	Invite []string
	// Alertmanagers names those that can be asked for silences.
	Alertmanagers []string
	Permissions   Permissions
	// PostmortemFor lists the severities that owe a postmortem.
	PostmortemFor []Severity
	// ArchiveAfter is how long after its end an incident's channel is archived;
	// 0: never.
	ArchiveAfter time.Duration
	// Nudges says when people are asked for something; nil: never.
	Nudges *NudgePolicy
	// Runbooks are attached to the incidents that they match.
	Runbooks []Runbook
	// Homes says that home tabs are to follow what happens.
	Homes bool
	// PageTargets lists whom the pager can wake; empty: there is no pager.
	PageTargets []string
}

// NewService makes a Service.
func NewService(config Config) *Service {
	config.Routes = withDefaults(config.Routes)
	return &Service{store: config.Store, config: config}
}

func (s *Service) now() time.Time { return Micros(s.config.Clock.Now()) }

// Store gives the reading side.
func (s *Service) Store() Store { return s.store }

// Incident loads an incident that the actor may see. One he may not see does
// not exist for him.
func (s *Service) Incident(ctx context.Context, number int64, req Request) (Incident, error) {
	inc, err := s.store.Incident(ctx, number)
	if err != nil {
		return Incident{}, err
	}
	if !s.config.Permissions.sees(req, inc) {
		return Incident{}, unknownIncident(number)
	}
	return inc, nil
}

// Do has one command done to one incident, once.
func (s *Service) Do(ctx context.Context, number int64, command Command) (Result, error) {
	req := command.request()
	if req.Actor.Standing == Unproven {
		return Result{}, unproven() // or the incident would seem not to exist
	}
	return s.store.Update(ctx, number, req.Once, func(inc Incident) (Change, error) {
		if !s.config.Permissions.sees(req, inc) {
			return Change{}, unknownIncident(number)
		}
		if err := s.config.Permissions.mayDo(req, command); err != nil {
			return Change{}, err
		}
		if inc.Status == Merged && isWork(command) {
			return Change{}, Errorf(Conflict, "%s was merged into %s; work goes on there.", inc.Key(), Key(inc.MergedInto))
		}
		d := newDecision(s.config, inc, req.Actor, s.now())
		if err := command.decide(d); err != nil {
			return Change{}, err
		}
		return d.change(), nil
	})
}

func unknownIncident(number int64) *Error {
	return Errorf(NotFound, "There is no %s. `list` shows the open incidents.", Key(number))
}

// NotFoundIncident is the answer for a number that names no incident.
func NotFoundIncident(number int64) *Error { return unknownIncident(number) }
