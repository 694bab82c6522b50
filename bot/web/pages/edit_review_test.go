package pages_test

import (
	"net/http"
	"testing"
)

// TestEditorReviewRecord writes the record of the review in the editor; what can
// not be stored comes back as it was typed, with the reason.
func TestEditorReviewRecord(t *testing.T) {
	t.Parallel()
	k := resolved(t)
	b := k.as(ben)
	form := b.get(editor).form("editor")
	form.Set("facilitator", hostile)
	form.Set("participants.0.name", "Zoe Quist")
	form.Set("participants.0.as", hostile)
	form.Set("decisions.0.text", "Split the pool")
	form.Set("survey.0.question", "learned")
	form.Set("survey.0.yes", "five")
	refused := b.send(http.MethodPost, editor, form)
	refused.wellFormed()
	refused.shows("does not count answers")
	if refused.status != http.StatusUnprocessableEntity || k.rev() != 0 {
		t.Fatalf("five: %d, revision %d", refused.status, k.rev())
	}
	form = refused.form("editor")
	if got := form.Get("facilitator"); got != hostile {
		t.Errorf("what was typed came back as %q", got)
	}
	form.Set("survey.0.yes", "5")
	form.Set("survey.1.question", "come_again")
	form.Set("survey.1.no", "1")
	saved := b.send(http.MethodPost, editor, form)
	saved.wellFormed()
	saved.shows("Saved.", "Facilitator; better somebody who did not respond")
	for field, want := range map[string]string{
		"facilitator": hostile, "participants.0.as": hostile, "decisions.0.text": "Split the pool",
		"survey.0.yes": "5", "survey.1.question": "come_again", "survey.1.no": "1", "survey.1.yes": "",
	} {
		if got := saved.form("editor").Get(field); got != want && got != "\n"+want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	k.as(anna).get(editor).shows("Wer am Review teilnahm", "Würdest Du wieder kommen?")
	b.get("/i/1/postmortem/history").shows("Who took part in the review", "What was decided")
}
