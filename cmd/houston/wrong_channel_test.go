package main

import (
	"strings"
	"testing"
)

// TestInTheChannelOfAnother: who names an incident means that one, whichever
// channel he types in; where his words may be meant otherwise nothing is done.
func TestInTheChannelOfAnother(t *testing.T) {
	t.Parallel()
	inEach(t, func(t *testing.T, h *house) {
		one := h.declared("Offers are missing").ID
		h.declared("Scoring is slow")
		for _, step := range []struct{ command, answer, first, second string }{
			{"severity INC-2 sev4", "INC-2", "investigating", "investigating"},
			{"lead INC-2", "INC-2", "investigating", "investigating"},
			{"status inc-2 monitoring", "INC-2 is now *monitoring*", "investigating", "monitoring"},
			{"resolve INC-2 was the cause", "INC-2 resolve was the cause", "investigating", "monitoring"},
			{"resolve INC-2", "INC-2 is now *resolved*", "investigating", "resolved"},
			{"catchup INC-2", "Scoring is slow", "investigating", "resolved"},
			{"close INC-2", "INC-2 is now *closed*", "investigating", "closed"},
			{"resolve INC-1 The pool was too small", "INC-1 is now *resolved*", "resolved", "closed"},
			{"reopen INC-2", "INC-2 is now *investigating*", "resolved", "investigating"},
		} {
			answer := h.say(anna, one, step.command)
			first, second := h.state("INC-1").Status, h.state("INC-2").Status
			if !strings.Contains(answer, step.answer) || first != step.first || second != step.second {
				t.Errorf("%s is answered %q; INC-1 is %s, INC-2 %s", step.command, answer, first, second)
			}
		}
		h.say(anna, one, "update INC-2 has the same cause")
		h.posted(one, "INC-2 has the same cause")
	})
}
