package incidents

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (m *memory) Events(_ context.Context, number int64) ([]Event, error) {
	return m.events[number], nil
}

func (m *memory) Effect(_ context.Context, key string) (Effect, error) {
	e, ok := m.effects[key]
	if !ok {
		return Effect{}, Errorf(NotFound, "There is no effect %s.", key)
	}
	return e, nil
}

func gil() Actor {
	return Actor{Person: Person{ID: "U3", Name: "Gil"}, Via: FromSlack, Standing: Guest}
}

// written is how an entry reads in the tests: kind, flags and text.
func written(e Entry) string {
	var flags strings.Builder
	for flag, set := range map[string]bool{"edited": e.Edited, "internal": e.Internal, "deleted": e.Deleted} {
		if set {
			flags.WriteString(" " + flag)
		}
	}
	return string(e.Kind) + flags.String() + ": " + e.Text
}

// TestCapture sets and takes away marks with several hands on one message.
func TestCapture(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	message := Message{"C1", "1700000000.000100"}
	by := func(a Actor) Request { return Request{Actor: a, In: "C1"} }
	pin := func(a Actor, mark Mark) Capture {
		return Capture{Request: by(a), Message: message, Author: ben().Person, Text: "Restarted offers", At: clockAt(13, 30), Mark: mark}
	}
	off := func(a Actor, mark Mark) Release { return Release{by(a), message, mark} }
	const plain, edited = "observation: Restarted offers", "observation edited: Restarted the offers service"
	for _, step := range []struct {
		name    string
		command Command
		want    string
		actions string
	}{
		{"pinned", pin(ada(), ""), plain, ""},
		{"pinned again by the same", pin(ada(), MarkTimeline), plain, ""},
		{"pinned by another", pin(ben(), MarkTimeline), plain, ""},
		{"edited", Edited{by(ben()), message, "Restarted the offers service"}, edited, ""},
		{"one pin taken away", off(ada(), MarkTimeline), edited, ""},
		{"a pin he has not", off(ada(), MarkTimeline), edited, ""},
		{"the last pin taken away", off(ben(), ""), "", ""},
		{"edited when it is no entry", Edited{by(ben()), message, "x"}, "", ""},
		{"evidence", pin(ben(), MarkEvidence), "evidence: Restarted offers", ""},
		{"and in the timeline", pin(gil(), MarkTimeline), "evidence: Restarted offers", ""},
		{"evidence no more", off(ben(), MarkEvidence), plain, ""},
		{"evidence after all", pin(ada(), MarkEvidence), "evidence: Restarted offers", ""},
		{"internal", pin(ada(), MarkInternal), "evidence internal: Restarted offers", ""},
		{"internal for two", pin(ben(), MarkInternal), "evidence internal: Restarted offers", ""},
		{"internal for one", off(ada(), MarkInternal), "evidence internal: Restarted offers", ""},
		{"for everybody", off(ben(), MarkInternal), "evidence: Restarted offers", ""},
		{"an action item too", pin(gil(), MarkAction), "evidence: Restarted offers", "1 Restarted offers"},
		{"an action item once", pin(ben(), MarkAction), "evidence: Restarted offers", "1 Restarted offers"},
		{"one of two ticks less", off(gil(), MarkAction), "evidence: Restarted offers", "1 Restarted offers"},
		{"the last tick less", off(ben(), MarkAction), "evidence: Restarted offers", ""},
		{"evidence less", off(ada(), MarkEvidence), plain, ""},
		{"the last mark less", off(gil(), MarkTimeline), "", ""},
		{"only an action item", pin(ada(), MarkAction), "", "2 Restarted offers"},
		{"and an internal entry", pin(ada(), MarkInternal), "observation internal: Restarted offers", "2 Restarted offers"},
		{"deleted", Deleted{by(Houston()), message}, "observation deleted internal: (the message was deleted at 2026-03-29 14:00 UTC)", "2 Restarted offers"},
		{"edited in the wrong order", Edited{by(ben()), message, "late"}, "observation deleted internal: (the message was deleted at 2026-03-29 14:00 UTC)", "2 Restarted offers"},
	} {
		if _, err := s.Do(t.Context(), 1, step.command); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		var got, actions strings.Builder
		for _, e := range Timeline(s.memory.events[1]) {
			if e.Seq > 2 {
				got.WriteString(written(e))
			}
		}
		for _, item := range s.incident(1).Actions {
			fmt.Fprint(&actions, item.ID, " ", item.Text)
		}
		if sorted(got.String()) != sorted(step.want) || actions.String() != step.actions {
			t.Errorf("%s: the timeline reads %q and the actions %q, want %q and %q", step.name, got.String(), actions.String(), step.want, step.actions)
		}
	}
}

// sorted puts the flags of an entry in one order.
func sorted(entry string) string {
	head, text, _ := strings.Cut(entry, ": ")
	for _, flag := range []string{" edited", " deleted", " internal"} {
		if strings.Contains(head, flag) {
			head = strings.Replace(head, flag, "", 1) + flag
		}
	}
	return head + ": " + text
}

// TestAnActionItemInUseStays takes the last ✅ from an item that has an owner.
func TestAnActionItemInUseStays(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	message := Message{"C1", "1700000000.000100"}
	req := Request{Actor: ada(), In: "C1"}
	if _, err := s.Do(t.Context(), 1, Capture{Request: req, Message: message, Text: "Alert on it", At: clockAt(13, 0), Mark: MarkAction}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), 1, ChangeAction{Request: req, ID: 1, Owner: new(ben().Person)}); err != nil {
		t.Fatal(err)
	}
	result, err := s.Do(t.Context(), 1, Release{req, message, MarkAction})
	if err != nil {
		t.Fatal(err)
	}
	captured, _ := result.Incident.CapturedAs(message)
	if len(result.Incident.Actions) != 1 || captured.Action != 1 || len(captured.Holders(MarkAction)) != 0 {
		t.Errorf("got actions %+v and captured %+v, want that the item stays without a mark", result.Incident.Actions, captured)
	}
}

// TestFilesOfAMessage: each file is owed, and the entry says what became of it.
func TestFilesOfAMessage(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{})
	s.declared()
	var files []File
	for i := range MaxFiles + 2 {
		files = append(files, File{ID: fmt.Sprint("F", i), Name: "a.png", Type: "image/png", Size: 3})
	}
	_, err := s.Do(t.Context(), 1, Capture{
		Request: Request{Actor: ada(), In: "C1"}, Message: Message{"C1", "1.000001"}, Text: "[a.png]", At: clockAt(13, 0), Files: files,
	})
	if err != nil {
		t.Fatal(err)
	}
	if owed := s.owed(MakeFetch); len(owed) != MaxFiles {
		t.Fatalf("owed are %v, want the first %d files", owed, MaxFiles)
	}
	seq, id, ok := ParseFetchTarget(s.owed(MakeFetch)[0])
	if entry := s.memory.events[1][seq-1]; !ok || id != "F0" || entry.Data.Type() != "noted" {
		t.Errorf("the target names %d and %s, want the entry and its first file", seq, id)
	}
}

func TestRedact(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	s := newStage(t, Config{Permissions: Permissions{Admin: []string{"U9"}}})
	s.declared()
	message := Message{"C1", "1.000001"}
	by := func(a Actor) Request { return Request{Actor: a, In: "C1"} }
	for _, c := range []Command{
		Update{Request: by(ada()), Text: "The password is " + secret},
		Capture{Request: by(ada()), Message: message, Author: ben().Person, Text: secret, At: clockAt(13, 30)},
		Capture{Request: by(ada()), Message: message, Author: ben().Person, Text: secret, At: clockAt(13, 30), Mark: MarkAction},
	} {
		if _, err := s.Do(t.Context(), 1, c); err != nil {
			t.Fatal(err)
		}
	}
	update, entry := int64(0), int64(0)
	for _, e := range Timeline(s.memory.events[1]) {
		switch e.Kind {
		case Communication:
			update = e.Seq
		case Observation:
			entry = e.Seq
		default:
		}
	}
	admin := Actor{Person: Person{ID: "U9", Name: "Adm"}, Via: FromSlack, Standing: Member}
	for _, tt := range []struct {
		name string
		c    Redact
		want ErrorKind
	}{
		{"what another wrote", Redact{by(ada()), entry, ""}, Forbidden},
		{"a guest", Redact{by(gil()), entry, ""}, Forbidden},
		{"nobody knows who", Redact{by(Actor{Person: Person{ID: "U2"}}), entry, ""}, Unavailable},
		{"no such entry", Redact{by(ada()), 999, ""}, NotFound},
		{"the last of one who wrote nothing", Redact{by(admin), 0, ""}, NotFound},
		{"the last, his own", Redact{by(ben()), 0, "a password"}, ""},
		{"again", Redact{by(ben()), entry, ""}, NotFound},
		{"by the admin", Redact{by(admin), update, "a password"}, ""},
	} {
		if _, _, err := s.Redact(t.Context(), 1, tt.c); KindOf(err) != tt.want || (err != nil && tt.want == "") {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	inc := s.incident(1)
	if text := fmt.Sprintf("%+v %+v", Timeline(s.memory.events[1]), inc); strings.Contains(text, secret) {
		t.Errorf("the words still stand somewhere: %s", text)
	}
	got := Redactions(s.memory.events[1])
	want := []Redaction{{entry, clockAt(14, 0), ben().Person, "a password"}, {update, clockAt(14, 0), admin.Person, "a password"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("on record (-want +got):\n%s", diff)
	}
	post := s.memory.effects[EffectKey(1, MakePost, strconv.FormatInt(update, 10))]
	if post.Wanted <= 1 {
		t.Errorf("the message about the update is wanted at %d: nobody edits it", post.Wanted)
	}
	if _, err := s.Do(t.Context(), 1, Capture{Request: by(ada()), Message: message, Text: secret, At: clockAt(13, 30), Mark: MarkEvidence}); KindOf(err) != Conflict {
		t.Errorf("a redacted message can be captured again: %v", err)
	}
}
