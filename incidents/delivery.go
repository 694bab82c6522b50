package incidents

import (
	"context"
	"time"
)

// keepDelivery is how long the id of a webhook's delivery is remembered:
// PagerDuty sends one again for 48 hours.
const keepDelivery = 72 * time.Hour

// Acted reports whether a delivery of this id was acted on before.
func (s *Service) Acted(ctx context.Context, id string) (bool, error) {
	return s.store.Used(ctx, deliveryKey(id))
}

// Act remembers that a delivery was acted on.
func (s *Service) Act(ctx context.Context, id string) error {
	_, err := s.store.Enqueue(ctx, Once{Key: deliveryKey(id), Keep: keepDelivery})
	return err
}

func deliveryKey(id string) string { return "delivery/" + id }
