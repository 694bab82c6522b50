package sandbox

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/houston-sre/houston/incidents/proctest"
)

// extra lists what the stand-in may answer although the method's page does not
// list it, and where it is documented instead.
func extra(method string) map[string]string {
	out := map[string]string{
		"invalid_auth":      "guide page Authentication: any method with an unknown token",
		"invalid_arguments": "guide page Web API: any method with bad arguments",
	}
	if methodTable()[method].team {
		out["team_access_not_granted"] = "guide page Developing for Enterprise orgs: a workspace without the app"
	}
	if method == "conversations.unarchive" {
		out["not_in_channel"] = "what a bot token gets (the method's page calls it a bug; slack-go #1066)"
	}
	return out
}

// documented is the part of slack-methods.json that the table is held to.
type documented struct {
	Common  []string `json:"_common_errors"`
	Methods map[string]struct {
		JSON     bool     `json:"json_body"`
		Tier     string   `json:"tier"`
		Scopes   []string `json:"bot_scopes_any"`
		Required []string `json:"required"`
		Errors   []string `json:"errors"`
	} `json:"methods"`
}

func readDocumented(t *testing.T) documented {
	t.Helper()
	var d documented
	if err := json.Unmarshal(proctest.SlackMethods(t), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestMethodsAreAsDocumented(t *testing.T) {
	t.Parallel()
	d := readDocumented(t)
	table := methodTable()
	if len(table) < 40 {
		t.Errorf("only %d methods", len(table))
	}
	for name, m := range table {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, ok := d.Methods[name]
			if !ok {
				t.Fatal("not a method of Slack")
			}
			for _, code := range append(everyMethod(), m.errors...) {
				if !slices.Contains(doc.Errors, code) && !slices.Contains(d.Common, code) && extra(name)[code] == "" {
					t.Errorf("may answer %s, which is not documented", code)
				}
			}
			if m.team && !slices.Contains(doc.Errors, "missing_argument") {
				t.Error("wants team_id, which is not documented")
			}
			tier := ""
			if n := methodTiers()[name]; n > 0 {
				tier = "t" + strconv.Itoa(n)
			}
			if tier != doc.Tier {
				t.Errorf("is of tier %q, documented %q", tier, doc.Tier)
			}
			if m.json != doc.JSON {
				t.Errorf("takes JSON: %v, documented %v", m.json, doc.JSON)
			}
			for _, scope := range m.scopes {
				if !slices.Contains(doc.Scopes, scope) {
					t.Errorf("asks for scope %s, which is not documented", scope)
				}
			}
			if len(m.scopes) == 0 && len(doc.Scopes) > 0 {
				t.Errorf("asks for no scope, documented %v", doc.Scopes)
			}
		})
	}
}

// TestUndocumentedAnswerIsADefect shows that the table holds the code to itself.
func TestUndocumentedAnswerIsADefect(t *testing.T) {
	t.Parallel()
	w := New(Config{})
	m := &method{errors: []string{"is_archived"}}
	if w.refuse(m, "x.y", fail("is_archived")); len(w.Defects()) != 0 {
		t.Errorf("defects %q, want none", w.Defects())
	}
	if w.refuse(m, "x.y", fail("no_such_code")); len(w.Defects()) != 1 {
		t.Errorf("defects %q, want one", w.Defects())
	}
}
