// Package promtest gives tests a real Prometheus that knows what they write:
//
//	prom := promtest.Start(t, promtest.Sample{Name: "up", At: start, Value: 1}, …)
//
// It listens on loopback alone and ends with the test process, however that
// ends. Where Prometheus is not installed the test is skipped, or fails when
// HOUSTON_TEST_REQUIRE names "prometheus".
//
// It knows nothing of what Houston asks.
package promtest
