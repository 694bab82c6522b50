package slack

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/incidents"
)

func TestSplitVerb(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		verb       verb
		rest       string
	}{
		{"nothing", "  ", "", ""},
		{"one word", "list", "list", ""},
		{"upper case", "List", "list", ""},
		{"a rest with lines", " update  one\ntwo ", "update", "one\ntwo"},
		{"a line break after the verb", "update\none", "update", "one"},
		{"a wide space", "update\u00a0one", "update", "one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			verb, rest := splitVerb(tt.text)
			if verb != tt.verb || rest != tt.rest {
				t.Errorf("got %q %q, want %q %q", verb, rest, tt.verb, tt.rest)
			}
		})
	}
}

func TestSplitKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, key, rest string }{
		{"a key", "INC-3 resolved", "INC-3", "resolved"},
		{"lower case", "inc-3", "inc-3", ""},
		{"no key", "resolved INC-3", "", "resolved INC-3"},
		{"a number", "3 resolved", "", "3 resolved"},
		{"a channel", "inc-3-checkout resolved", "", "inc-3-checkout resolved"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, rest := splitKey(tt.text)
			if key != tt.key || rest != tt.rest {
				t.Errorf("got %q %q, want %q %q", key, rest, tt.key, tt.rest)
			}
		})
	}
}

func TestNearVerb(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       verb
	}{
		{"one letter missing", "statu", "status"},
		{"two letters swapped", "sttaus", "status"},
		{"upper case", "STATSU", "status"},
		{"the nearest wins", "decline1", "decline"},
		{"a verb to come", "postmortm", "postmortem"},
		{"three slips", "stxxxs", ""},
		{"a title", "statu of checkout", ""},
		{"one long word", strings.Repeat("status", 100), ""},
		{"another word", "Datenbankausfall", ""},
		{"a word as short as the slips", "ab", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := nearVerb(tt.text)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q %t, want %q", got, ok, tt.want)
			}
		})
	}
}

func TestParseDeclare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       declaration
		refused    string // a part of the message
	}{
		{name: "a title", text: "Checkout answers 500", want: declaration{title: "Checkout answers 500"}},
		{name: "nothing", text: "", want: declaration{}},
		{name: "severity", text: "Checkout answers 500 --severity sev2", want: declaration{title: "Checkout answers 500", severity: "sev2"}},
		{name: "a long dash", text: "Checkout down —severity sev1", want: declaration{title: "Checkout down", severity: "sev1"}},
		{name: "a shorter dash", text: "Checkout down –private", want: declaration{title: "Checkout down", private: true}},
		{name: "an equals sign", text: "Checkout down --severity=SEV-2", want: declaration{title: "Checkout down", severity: "sev2"}},
		{name: "a long dash and an equals sign", text: "Checkout down —severity=2", want: declaration{title: "Checkout down", severity: "sev2"}},
		{name: "short", text: "Checkout down --sev 1", want: declaration{title: "Checkout down", severity: "sev1"}},
		{name: "upper case", text: "Checkout down --Private", want: declaration{title: "Checkout down", private: true}},
		{
			name: "all of them", text: "Brokers see no offers --severity sev2 --service offers api --private --summary Since 9:00, some brokers",
			want: declaration{title: "Brokers see no offers", severity: "sev2", service: "offers api", private: true, summary: "Since 9:00, some brokers"},
		},
		{name: "quotes are text", text: `"Payment's" 'API' “down”`, want: declaration{title: `"Payment's" 'API' “down”`}},
		{name: "an open quote", text: `Broker's list is empty --severity sev2`, want: declaration{title: "Broker's list is empty", severity: "sev2"}},
		{name: "a quoted value", text: `Slow --service "offers api"`, want: declaration{title: "Slow", service: "offers api"}},
		{name: "a dash in the title", text: "Checkout — really — down", want: declaration{title: "Checkout — really — down"}},
		{name: "other people's options", text: "curl --insecure fails with -v", want: declaration{title: "curl --insecure fails with -v"}},
		{name: "a minus", text: "Balance is -5 and -x", want: declaration{title: "Balance is -5 and -x"}},
		{name: "a title in lines", text: "Checkout\ndown --private", want: declaration{title: "Checkout\ndown", private: true}},
		{name: "a wide space", text: "Checkout down\u3000--private", want: declaration{title: "Checkout down", private: true}},

		{name: "options first", text: "--severity sev2 Checkout down", refused: "title comes first"},
		{name: "only options", text: "--private", refused: "title comes first"},
		{name: "severity in the middle", text: "Checkout --severity sev2 is down", refused: "stand at the end"},
		{name: "private in the middle", text: "Leak --private of customer data", refused: "stand at the end"},
		{name: "an unknown severity", text: "Checkout down --severity high", refused: "no severity"},
		{name: "no severity", text: "Checkout down --severity", refused: "needs a value"},
		{name: "no severity before an option", text: "Checkout down --severity --private", refused: "needs a value"},
		{name: "no service", text: "Checkout down --service", refused: "needs a value"},
		{name: "no summary", text: "Checkout down --summary=", refused: "needs a value"},
		{name: "a slip", text: "Leak --privat", refused: "mean --private"},
		{name: "a slip in severity", text: "Leak --serverity sev1", refused: "mean --severity"},
		{name: "one dash", text: "Leak -private", refused: "mean --private"},
		{name: "punctuation", text: "Leak --private.", refused: "mean --private"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseDeclare(tt.text, "/incident declare X")
			if tt.refused != "" {
				if incidents.KindOf(err) != incidents.Invalid || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("got %+v, %v, want a refusal that says %q", got, err, tt.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(declaration{})); diff != "" {
				t.Errorf("declaration (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"declare Checkout answers 500 --severity sev2", "declare x —private", "role commander <@U1>", "status INC-3 resolved",
		"timeline Restarted at 14:05", "declare --summary=\u3000 —", "declare a --private=", "statsu",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, rest := splitVerb(text)
		nearVerb(text)
		splitKey(rest)
		d, err := parseDeclare(rest, "/incident declare X")
		if err != nil {
			if incidents.KindOf(err) != incidents.Invalid {
				t.Errorf("%q: %v is no answer for a user", text, err)
			}
			return
		}
		if !strings.HasPrefix(strings.TrimSpace(rest), d.title) {
			t.Errorf("%q: the title %q is not what was typed", text, d.title)
		}
		if strings.Contains(strings.ToLower(d.title), "--private") && !d.private && strings.HasSuffix(strings.ToLower(rest), " --private") {
			t.Errorf("%q would become public", text)
		}
	})
}
