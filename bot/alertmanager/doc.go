// Package alertmanager asks Alertmanagers for silences and for what they know of
// alerts, by their API v2 (github.com/prometheus/alertmanager/api/v2/client).
//
// What Alertmanager tells unasked comes in through package webhook; what it means
// is decided by incidents.
package alertmanager
