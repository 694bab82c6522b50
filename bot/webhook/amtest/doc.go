// Package amtest gives tests a real Alertmanager, alone or as an HA pair, that
// posts to a webhook of theirs:
//
//	am := amtest.Start(t, amtest.Config{WebhookURL: server.URL + "/webhooks/alertmanager"})
//	am.Post(t, amtest.Alert{Labels: map[string]string{"alertname": "Down"}})
//
// It listens on loopback alone and ends with the test process, however that
// ends. Where Alertmanager is not installed the test is skipped, or fails when
// HOUSTON_TEST_REQUIRE names "alertmanager".
//
// It knows nothing of what Houston makes of an alert.
package amtest
