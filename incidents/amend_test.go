package incidents

import (
	"strings"
	"testing"
	"time"
)

func TestAmendEntry(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{}) // it is 14:00
	s.declared()
	by := func(a Actor) Request { return Request{Actor: a, In: "C1"} }
	message := Message{"C1", "1.000001"}
	for _, c := range []Command{
		Note{Request: by(ada()), Text: "Restarted scoring", At: clockAt(13, 20), Until: clockAt(13, 30), Significant: true},
		Capture{Request: by(ada()), Message: message, Author: ben().Person, Text: "It is slow", At: clockAt(13, 40)},
		Note{Request: by(gil()), Text: "A guest's", At: clockAt(13, 50)},
	} {
		if _, err := s.Do(t.Context(), 1, c); err != nil {
			t.Fatal(err)
		}
	}
	entries := map[string]Entry{}
	read := func() {
		clear(entries)
		for _, e := range Timeline(s.memory.events[1]) {
			text, _, _ := strings.Cut(e.Text, " as ") // "Declared as …"
			entries[text] = e
		}
	}
	read()
	note, captured, guests, state := entries["Restarted scoring"].Seq, entries["It is slow"].Seq, entries["A guest's"].Seq, entries["Declared"].Seq
	if e := entries["Restarted scoring"]; !e.Until.At.Equal(clockAt(13, 30)) || e.Until.Precision != ToMinute || !e.Significant {
		t.Fatalf("got %+v, want a key moment until 13:30", e)
	}
	at := func(hour, minute int) *time.Time { return new(clockAt(hour, minute)) }
	for _, tt := range []struct {
		name string
		c    AmendEntry
		want ErrorKind
	}{
		{"nobody knows who", AmendEntry{Request: by(Actor{Person: Person{ID: "U2"}}), Seq: note, Significant: new(false)}, Unavailable},
		{"no such entry", AmendEntry{Request: by(ada()), Seq: 999, Significant: new(true)}, NotFound},
		{"not the last one either", AmendEntry{Request: by(ada()), Significant: new(true), Seq: 0}, NotFound},
		{"a guest, what another noted", AmendEntry{Request: by(gil()), Seq: note, Significant: new(false)}, Forbidden},
		{"a guest, his own", AmendEntry{Request: by(gil()), Seq: guests, Significant: new(true)}, ""},
		{"an end before the beginning", AmendEntry{Request: by(ada()), Seq: note, Until: at(13, 20)}, Invalid},
		{"a beginning behind the end", AmendEntry{Request: by(ada()), Seq: note, At: at(13, 30)}, Invalid},
		{"an end to come", AmendEntry{Request: by(ada()), Seq: note, Until: at(15, 0)}, Invalid},
		{"no words", AmendEntry{Request: by(ada()), Seq: note, Text: new(" ")}, Invalid},
		{"the words of a message", AmendEntry{Request: by(ada()), Seq: captured, Text: new("It is fast")}, Conflict},
		{"the words of a change of state", AmendEntry{Request: by(ada()), Seq: state, Text: new("No")}, Conflict},
		{"the end of a change of state", AmendEntry{Request: by(ada()), Seq: state, Until: at(13, 59)}, Invalid},
		{"a change of state that counts", AmendEntry{Request: by(ada()), Seq: state, Significant: new(true)}, ""},
		{"a message that took a while", AmendEntry{Request: by(ben()), Seq: captured, Until: at(13, 45), Kind: new(Action)}, ""},
		{"all of a note", AmendEntry{Request: by(ben()), Seq: note, Text: new("Restarted pricing"), At: at(13, 10), Until: new(time.Time{}), Significant: new(false)}, ""},
	} {
		before := len(s.memory.events[1])
		_, err := s.AmendEntry(t.Context(), 1, tt.c)
		if KindOf(err) != tt.want || (err != nil && tt.want == "") {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if got := len(s.memory.events[1]) - before; err != nil && got != 0 || err == nil && got != 1 {
			t.Errorf("%s: %d events were recorded", tt.name, got)
		}
	}
	read()
	if e := entries["Restarted pricing"]; !e.At.Equal(clockAt(13, 10)) || e.Precision != ToMinute || !e.Until.At.IsZero() || e.Significant || !e.Edited {
		t.Errorf("the note is %+v", e)
	}
	if e := entries["It is slow"]; e.Kind != Action || !e.Until.At.Equal(clockAt(13, 45)) {
		t.Errorf("the message is %+v", e)
	}
	if !entries["Declared"].Significant || !entries["A guest's"].Significant {
		t.Error("key moments got lost")
	}
	events := len(s.memory.events[1])
	if _, err := s.AmendEntry(t.Context(), 1, AmendEntry{Request: by(ada()), Seq: note, Text: new("Restarted pricing"), Significant: new(false)}); err != nil || len(s.memory.events[1]) != events {
		t.Errorf("the same again: %v, and %d events more", err, len(s.memory.events[1])-events)
	}
	for name, c := range map[string]Note{
		"ends before it begins": {Text: "n", At: clockAt(13, 20), Until: clockAt(13, 10)},
		"ends in the future":    {Text: "n", At: clockAt(13, 20), Until: clockAt(15, 0)},
		"a state with an end":   {Text: "n", Kind: StateChange, At: clockAt(13, 20), Until: clockAt(13, 30)},
	} {
		c.Request = by(ada())
		if _, err := s.Do(t.Context(), 1, c); KindOf(err) != Invalid {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
	}
	if _, _, err := s.Redact(t.Context(), 1, Redact{Request: by(ada()), Seq: note}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AmendEntry(t.Context(), 1, AmendEntry{Request: by(ada()), Seq: note, Significant: new(true)}); KindOf(err) != NotFound {
		t.Errorf("a redacted entry: got %v, want that there is none", err)
	}
}
