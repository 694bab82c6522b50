package alertmanager

import (
	"context"

	"github.com/prometheus/alertmanager/api/v2/client/alert"
)

// known is what an Alertmanager knows of one alert that fires.
type known struct {
	silencedBy []string
}

// firing gives all alerts that fire, silenced or not, by their fingerprints.
func (c *Client) firing(ctx context.Context) (map[string]known, error) {
	yes := true
	answer, err := c.api.Alert.GetAlerts(alert.NewGetAlertsParamsWithContext(ctx).
		WithActive(&yes).WithSilenced(&yes).WithInhibited(&yes).WithUnprocessed(&yes))
	if err != nil {
		return nil, c.failure(err)
	}
	alerts := make(map[string]known, len(answer.Payload))
	for _, a := range answer.Payload {
		k := known{}
		if a.Status != nil {
			k.silencedBy = a.Status.SilencedBy
		}
		alerts[value(a.Fingerprint)] = k
	}
	return alerts, nil
}
