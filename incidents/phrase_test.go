package incidents

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPhraseIsKept: read back, a phrase says the same, its words have the names
// they had, and written again it is the same.
func TestPhraseIsKept(t *testing.T) {
	t.Parallel()
	for _, p := range []Phrase{
		{},
		Phrasef("Mitigated"),
		Phrasef("Status: %s → %s. %s", Investigating, Resolved, "It \"works\" 100%"),
		Phrasef("%s fired (%s); %d firing now", alertCount(2), "A", 3),
		Phrasef("%s after %s by %q", Phrasef("%s%s", Phrasef("a %s", Commander), ""), 90*time.Second, "x"),
	} {
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Phrase
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(raw) || back.String() != p.String() {
			t.Errorf("%q came back as %q: %s, then %s, %v", p, back, raw, again, err)
		}
		for i, arg := range p.Args {
			if word, ok := arg.(interface{ Word() string }); ok {
				read, _ := back.Args[i].(interface{ Word() string })
				if read == nil || read.Word() != word.Word() {
					t.Errorf("%v is not the word %q any more", back.Args[i], word.Word())
				}
			}
		}
	}
}

// TestMergeKeepsWhatEntriesSay: an entry that comes with a merge is told in
// Houston's words, whatever language they are said in, and has its files.
func TestMergeKeepsWhatEntriesSay(t *testing.T) {
	t.Parallel()
	status := StatusChanged{From: Investigating, To: Identified}
	adopted := Adopted{Number: 2, Kind: StateChange, Text: status.Told().String(), Said: status.Told(), Files: []File{{ID: "F1", Digest: "ab"}}}
	raw, err := json.Marshal(adopted)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(adopted.Type(), raw)
	if err != nil {
		t.Fatal(err)
	}
	entry := Timeline([]Event{{Seq: 1, Data: back}})[0]
	if want := "INC-2: Status: investigating → identified"; entry.Text != want || entry.Told.String() != want {
		t.Errorf("got %q and %q, want %q", entry.Text, entry.Told, want)
	}
	inner, ok := entry.Told.Args[1].(Phrase)
	if !ok || inner.Format != status.Told().Format {
		t.Errorf("the sentence is lost in %#v", entry.Told)
	}
	if diff := cmp.Diff(adopted.Files, entry.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	old := Adopted{Number: 2, Text: "as it was kept before"}
	if got := old.Told().String(); got != "INC-2: as it was kept before" {
		t.Errorf("got %q", got)
	}
}
