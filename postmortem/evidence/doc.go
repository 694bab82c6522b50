// Package evidence asks Prometheus what it saw of an incident, and draws it.
//
// It follows Prometheus' HTTP API v1
// (https://prometheus.io/docs/prometheus/latest/querying/api/), which Thanos,
// Mimir and VictoriaMetrics speak too. It decides nothing about an incident and
// keeps nothing: whoever asks gets a picture, or a sentence that says what to do.
package evidence
