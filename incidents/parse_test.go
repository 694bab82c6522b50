package incidents

import (
	"strconv"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	severity := func(s string) (string, error) { v, err := ParseSeverity(s); return string(v), err }
	status := func(s string) (string, error) { v, err := ParseStatus(s); return string(v), err }
	detection := func(s string) (string, error) { v, err := ParseDetection(s); return string(v), err }
	kind := func(s string) (string, error) { v, err := ParseEntryKind(s); return string(v), err }
	key := func(s string) (string, error) { v, err := ParseKey(s); return strconv.FormatInt(v, 10), err }
	for _, tt := range []struct {
		name  string
		parse func(string) (string, error)
		text  string
		want  string // empty: refused
	}{
		{"severity", severity, "sev2", "sev2"},
		{"severity", severity, " SEV-1 ", "sev1"},
		{"severity", severity, "s3", "sev3"},
		{"severity", severity, "4", "sev4"},
		{"severity", severity, "sev0", ""},
		{"severity", severity, "sev5", ""},
		{"severity", severity, "sev22", ""},
		{"severity", severity, "sevsev1", ""},
		{"severity", severity, "high", ""},
		{"severity", severity, "", ""},
		{"status", status, "Investigating", "investigating"},
		{"status", status, " resolved\n", "resolved"},
		{"status", status, "fixed", ""},
		{"status", status, "", ""},
		{"detection", detection, "Partner", "partner"},
		{"detection", detection, "luck", ""},
		{"kind", kind, "", "observation"},
		{"kind", kind, "ACTION", "action"},
		{"kind", kind, "gossip", ""},
		{"key", key, "INC-12", "12"},
		{"key", key, "inc-12", "12"},
		{"key", key, " #12 ", "12"},
		{"key", key, "12", "12"},
		{"key", key, "INC-0", ""},
		{"key", key, "INC--1", ""},
		{"key", key, "INC-1-checkout", ""},
		{"key", key, "99999999999999999999", ""},
		{"key", key, "", ""},
	} {
		t.Run(tt.name+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			got, err := tt.parse(tt.text)
			switch {
			case tt.want == "" && KindOf(err) != Invalid:
				t.Errorf("got %q, %v, want it refused", got, err)
			case tt.want != "" && (err != nil || got != tt.want):
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestSeverityOrder(t *testing.T) {
	t.Parallel()
	for i, s := range Severities() {
		for j, other := range Severities() {
			if got, want := s.WorseThan(other), i < j; got != want {
				t.Errorf("%s worse than %s: got %v, want %v", s, other, got, want)
			}
		}
	}
}
