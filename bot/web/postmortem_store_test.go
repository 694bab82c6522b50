package web_test

import (
	"context"

	"github.com/houston-sre/houston/incidents"
	"github.com/houston-sre/houston/postmortem"
)

// papers is what the store in memory keeps of postmortems.
type papers struct {
	revisions    []incidents.Revision
	publications []incidents.Publication
}

func (p *papers) keep(change incidents.Change) {
	p.revisions = append(p.revisions, change.Revisions...)
	p.publications = append(p.publications, change.Publications...)
}

// postmortems makes the service over a store in memory.
func postmortems(s *store, service *incidents.Service) *postmortem.Service {
	return postmortem.NewService(postmortem.Config{Incidents: service, Store: s, Clock: clock{}})
}

func (s *store) Revision(_ context.Context, number, rev int64) (incidents.Revision, error) {
	for _, r := range s.papers.revisions {
		if r.Incident == number && r.Rev == rev {
			return r, nil
		}
	}
	return incidents.Revision{}, incidents.Errorf(incidents.NotFound, "There is no revision %d.", rev)
}

func (s *store) Revisions(_ context.Context, number int64) ([]incidents.Revision, error) {
	var list []incidents.Revision
	for _, r := range s.papers.revisions {
		if r.Incident == number {
			list = append([]incidents.Revision{r}, list...)
		}
	}
	return list, nil
}

func (s *store) Publication(_ context.Context, number, edition int64) (incidents.Publication, error) {
	for _, p := range s.papers.publications {
		if p.Incident == number && p.Edition == edition {
			return p, nil
		}
	}
	return incidents.Publication{}, incidents.Errorf(incidents.NotFound, "There is no edition %d.", edition)
}

func (s *store) Publications(_ context.Context, number int64, _ int) ([]incidents.Publication, error) {
	var list []incidents.Publication
	for _, p := range s.papers.publications {
		if p.Incident == number || (number == 0 && !s.all[p.Incident].Private) {
			list = append(list, p)
		}
	}
	return list, nil
}

func (s *store) ActionItems(_ context.Context, q incidents.ActionQuery) ([]incidents.ListedAction, error) {
	var list []incidents.ListedAction
	for _, inc := range s.all {
		for _, item := range inc.Actions {
			if (!inc.Private || q.Private) && (!q.Unfinished || item.Unfinished()) {
				list = append(list, incidents.ListedAction{Incident: inc, Item: item})
			}
		}
	}
	return list, nil
}

func (s *store) Gaps(_ context.Context, q incidents.GapQuery) ([]incidents.ListedGap, error) {
	var list []incidents.ListedGap
	for _, inc := range s.all {
		for _, gap := range inc.Gaps {
			if !inc.Private || q.Private {
				list = append(list, incidents.ListedGap{Incident: inc, Gap: gap})
			}
		}
	}
	return list, nil
}

func (s *store) Postmortems(_ context.Context, q incidents.PostmortemQuery) ([]incidents.Incident, error) {
	var list []incidents.Incident
	for _, inc := range s.all {
		if !inc.Status.Open() && (!inc.Private || q.Private) {
			list = append(list, inc)
		}
	}
	return list, nil
}
