package proctest

import (
	"encoding/json"
	"testing"
)

// notCopied are methods that facts/slack-methods.json leaves out, as their pages
// document them (https://docs.slack.dev/reference/methods/files.delete, read in
// November 2026).
const notCopied = `{
	"files.delete": {
		"http": "POST", "tier": "t3", "json_body": true, "bot_scopes_any": ["files:write"], "required": ["file"],
		"args": {"file": {"type": "string", "subtype": "file"}},
		"errors": ["cant_delete_file", "delete_not_allowed", "file_deleted", "file_deleting_disabled", "file_not_found"]
	}
}`

// SlackMethods gives what Slack documents of its methods, as JSON in the form of
// facts/slack-methods.json.
func SlackMethods(t *testing.T) []byte {
	t.Helper()
	var all, rest map[string]json.RawMessage
	if err := json.Unmarshal(Shared(t, "facts", "slack-methods.json"), &all); err != nil {
		t.Fatal(err)
	}
	var methods map[string]json.RawMessage
	if err := json.Unmarshal(all["methods"], &methods); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(notCopied), &rest); err != nil {
		t.Fatal(err)
	}
	for name, method := range rest {
		if methods[name] == nil {
			methods[name] = method
		}
	}
	raw, err := json.Marshal(methods)
	if err != nil {
		t.Fatal(err)
	}
	all["methods"] = raw
	if raw, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	return raw
}
