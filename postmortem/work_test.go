package postmortem_test

import (
	"testing"

	"github.com/houston-sre/houston/postmortem"
)

func TestWork(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Restarted the broker service":                   true,
		"restarting offer-service now":                   true,
		"Restart offer-gateway":                          true,
		"I restarted scoring":                            true,
		"We're rolling back to 4.2.1":                    true,
		":arrows_counterclockwise: we’ve restarted it":   false, // an emoji's name is a word like any other
		"🔁 restarted `pricing`":                          true,
		"Rolled the release back":                        true,
		"Rollback of 4.2 started":                        true,
		"Deployed 4.2.2 to production; looks better":     true,
		"Redeploying the ingress. Should be up soon":     true,
		"Reverted the pool size":                         true,
		"just rebooted node-3":                           true,
		"Starte den Broker neu":                          true,
		"Starten jetzt den dritten Dienst neu":           true,
		"Habe offer-service neu gestartet":               true,
		"Ich habe gerade den Broker neugestartet.":       true,
		"offer-service wird neu gestartet":               false, // begins with its subject
		"Neustart von offer-service":                     true,
		"Wir rollen die neue Version zurück":             true,
		"Rolle 4.2.2 aus":                                true,
		"Deploye den Fix":                                true,
		"Restart did not help":                           false,
		"Restarting the broker doesn't help":             false,
		"Restart of the third service helped":            false,
		"Restart loop in the broker":                     false,
		"Restart the broker?":                            false,
		"Should we restart the broker?":                  false,
		"Deploy failed on node-3":                        false,
		"Restarted the broker. Did not help":             true,
		"The broker restarted at 12:05":                  false,
		"We have to restart the broker":                  false,
		"Deployments look fine":                          false,
		"Starte mal eine Messung":                        false,
		"Neustart hat nicht geholfen":                    false,
		"Habe den Chef informiert":                       false,
		"":                                               false,
		"\u2028 \x00":                                    false,
		"Slow requests and fast ones share a pool":       false,
		"Reverse proxy answers 502":                      false,
		"Rolling update of the control plane was at 11h": false,
	} {
		if got := postmortem.Work(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
