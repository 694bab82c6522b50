package alertmanager

import (
	"context"
	"net/http"
	"time"

	"github.com/go-openapi/runtime"
	"github.com/go-openapi/strfmt"
	"github.com/prometheus/alertmanager/api/v2/client/silence"
	"github.com/prometheus/alertmanager/api/v2/models"
)

// Silence is one silence at an Alertmanager.
type Silence struct {
	ID        string // empty: a new one
	Matchers  map[string]string
	CreatedBy string
	Comment   string
	StartsAt  time.Time
	EndsAt    time.Time
	Expired   bool
}

// Silences lists all silences that are not forgotten yet.
func (c *Client) Silences(ctx context.Context) ([]Silence, error) {
	answer, err := c.api.Silence.GetSilences(silence.NewGetSilencesParamsWithContext(ctx))
	if err != nil {
		return nil, c.failure(err)
	}
	list := make([]Silence, 0, len(answer.Payload))
	for _, s := range answer.Payload {
		list = append(list, Silence{
			ID: value(s.ID), CreatedBy: value(s.CreatedBy), Comment: value(s.Comment),
			StartsAt: time.Time(value(s.StartsAt)), EndsAt: time.Time(value(s.EndsAt)),
			Expired: s.Status != nil && value(s.Status.State) == models.SilenceStatusStateExpired,
		})
	}
	return list, nil
}

// Put creates a silence, or changes the one of its ID, and gives the id that it
// has afterwards.
func (c *Client) Put(ctx context.Context, s Silence) (string, error) {
	yes, no := true, false
	var matchers models.Matchers
	for name, value := range s.Matchers {
		matchers = append(matchers, &models.Matcher{Name: &name, Value: &value, IsRegex: &no, IsEqual: &yes})
	}
	startsAt, endsAt := strfmt.DateTime(s.StartsAt), strfmt.DateTime(s.EndsAt)
	answer, err := c.api.Silence.PostSilences(silence.NewPostSilencesParamsWithContext(ctx).WithSilence(&models.PostableSilence{
		ID: s.ID, Silence: models.Silence{
			CreatedBy: &s.CreatedBy, Comment: &s.Comment, StartsAt: &startsAt, EndsAt: &endsAt, Matchers: matchers,
		},
	}))
	if err != nil {
		return "", c.failure(err)
	}
	return answer.Payload.SilenceID, nil
}

// Expire ends a silence. One that is unknown or has ended already is success:
// Alertmanager 0.35 answers 404 for an unknown one, 0.25 a 500.
func (c *Client) Expire(ctx context.Context, id string) error {
	_, err := c.api.Silence.DeleteSilence(silence.NewDeleteSilenceParamsWithContext(ctx).WithSilenceID(strfmt.UUID(id)))
	if err == nil {
		return nil
	}
	if status, ok := err.(runtime.ClientResponseStatus); ok && status.IsCode(http.StatusNotFound) { // go-openapi returns it bare
		return nil
	}
	all, listErr := c.Silences(ctx)
	if listErr != nil {
		return c.failure(err)
	}
	for _, s := range all {
		if s.ID == id && !s.Expired {
			return c.failure(err)
		}
	}
	return nil
}

// value reads one of the client's fields, all of which are pointers.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
