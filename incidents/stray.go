package incidents

import (
	"context"
	"slices"
)

// endStrays ends alerts of a delivery where they were before: routes have been
// changed meanwhile, or an alert's labels, so that it belongs to another group now
// and nobody would ever tell the old one its end.
func (s *Service) endStrays(ctx context.Context, own string, parts []part) error {
	at := map[string][]string{} // the groups of each fingerprint now
	moves := false
	for _, p := range parts {
		moves = moves || p.group.ID != own
		for _, a := range p.alerts {
			at[a.Fingerprint] = append(at[a.Fingerprint], p.group.ID)
		}
	}
	open, err := s.store.OpenOf(ctx, own, moves)
	if err != nil {
		return err
	}
	for _, before := range open {
		strays := slices.DeleteFunc(before.Fingerprints, func(fp string) bool {
			now, delivered := at[fp]
			return !delivered || slices.Contains(now, before.Group)
		})
		if len(strays) == 0 {
			continue
		}
		err := s.over(ctx, before.Group, strays, func(Alert) bool { return true }, func(in *ingestion) { in.elsewhere = true })
		if err != nil {
			return err
		}
	}
	return nil
}
