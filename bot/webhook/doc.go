// Package webhook takes in what other systems tell Houston over HTTP. It has
// one decoder file per sender and one handler for all of them.
//
// It answers 2xx only when everything is durable, 5xx when the sender should
// deliver again, and 4xx when that would be no use. It never redirects:
// Alertmanager turns a redirected POST into a GET and counts it as delivered.
// What a delivery means is decided by incidents, not here.
package webhook
