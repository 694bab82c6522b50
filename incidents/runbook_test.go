package incidents

import "testing"

func TestRunbookMatches(t *testing.T) {
	t.Parallel()
	inc := Incident{Severity: Sev2, Service: "offers"}
	alerts := []map[string]string{{"team": "lending", "runbook": "Named"}}
	for _, tt := range []struct {
		name    string
		runbook Runbook
		want    bool
	}{
		{"everything", Runbook{}, true},
		{"severity", Runbook{Severities: []Severity{Sev1, Sev2}}, true},
		{"another severity", Runbook{Severities: []Severity{Sev1}}, false},
		{"service", Runbook{Services: []string{"offers"}}, true},
		{"another service", Runbook{Services: []string{"scoring"}}, false},
		{"labels", Runbook{Labels: map[string]string{"team": "lending"}}, true},
		{"other labels", Runbook{Labels: map[string]string{"team": "lending", "zone": "a"}}, false},
		{"its name on an alert", Runbook{Name: "Named", Services: []string{"scoring"}}, true},
	} {
		if got := tt.runbook.matches(inc, alerts) || tt.runbook.named(alerts); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
