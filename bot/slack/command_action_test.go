package slack

import "testing"

func TestParseAction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       actionText
	}{
		{"text alone", "Give slow requests a pool", actionText{text: "Give slow requests a pool"}},
		{"owner", "Add a pool <@U1|ann>", actionText{text: "Add a pool", owner: "<@U1|ann>"}},
		{"owner by name and due", "Add a pool @ann due 2030-01-31", actionText{"Add a pool", "@ann", "2030-01-31"}},
		{"the other way round", "Add a pool due 2030-01-31 <@U1>", actionText{"Add a pool", "<@U1>", "2030-01-31"}},
		{"a date that is none is no text", "Add a pool due 31.01.2030", actionText{"Add a pool", "", "31.01.2030"}},
		{"due is a word too", "Tell who is due next", actionText{text: "Tell who is due next"}},
		{"a person inside", "Ask <@U1> for the pool", actionText{text: "Ask <@U1> for the pool"}},
		{"mail addresses are no people", "Write to ops@example.com", actionText{text: "Write to ops@example.com"}},
		{"nothing", "", actionText{}},
		{"an owner alone", "@ann", actionText{owner: "@ann"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := parseAction(tt.text); got != tt.want {
				t.Errorf("parseAction(%q) = %+v, want %+v", tt.text, got, tt.want)
			}
		})
	}
}
