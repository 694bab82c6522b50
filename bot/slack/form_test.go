package slack_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/sandbox"
	"github.com/houston-sre/houston/incidents"
)

// form waits for the declare form to be open before a user and gives it.
func (w *world) form(t *testing.T, user sandbox.User) sandbox.Modal {
	t.Helper()
	var open []sandbox.Modal
	if err := w.WaitFor(deadline(t), func(v *sandbox.View) bool { open = v.Modals(user.ID); return len(open) > 0 }); err != nil {
		t.Fatalf("no form was opened: %v", err)
	}
	if len(open) != 1 || open[0].CallbackID != "declare" {
		t.Fatalf("got forms %+v, want one to declare", open)
	}
	return open[0]
}

// filled waits until the form that stands open has an input.
func (w *world) filled(t *testing.T, user sandbox.User, input string) {
	t.Helper()
	err := w.WaitFor(deadline(t), func(v *sandbox.View) bool {
		open := v.Modals(user.ID)
		return len(open) > 0 && strings.Contains(string(open[len(open)-1].Blocks), `"block_id":"`+input+`"`)
	})
	if err != nil {
		t.Fatalf("no form has the input %s: %v", input, err)
	}
}

func TestACommandWithoutAVerbOpensTheForm(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		reply := w.say(t, w.ann, w.ops.ID, "Checkout is <down> & out")
		if reply.Text != "" {
			t.Errorf("got answer %q beside the form", reply.Text)
		}
		w.form(t, w.ann)
		if _, err := reply.Redeliver(deadline(t)); err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		if shown := w.Ephemerals(w.ops.ID, w.ann.ID); len(shown) != 0 {
			t.Errorf("a repeated delivery was answered %q", shown[0].Text)
		}
		if n := w.count(t); n != 0 {
			t.Fatalf("%d incidents declared before the form was submitted", n)
		}
		submitted, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{
			"severity": "sev2", "summary": "Since 14:00 <all> users & partners", "service": "checkout",
		}})
		if err != nil || submitted.ResponseAction != "" {
			t.Fatalf("submitted: %q, %v", submitted.ResponseAction, err)
		}
		if len(w.Modals(w.ann.ID)) != 0 {
			t.Error("the form is still open")
		}
		if _, err := w.WaitEphemeral(deadline(t), w.ops.ID, w.ann.ID, "*INC-1* declared as sev2"); err != nil {
			t.Error(err)
		}
		if _, err := submitted.Redeliver(deadline(t)); err != nil {
			t.Fatal(err)
		}
		w.edge.Wait()
		if n := w.count(t); n != 1 {
			t.Fatalf("got %d incidents, want 1", n)
		}
		inc := w.incident(t, 1)
		got := []string{inc.Title, inc.Summary, inc.Service, string(inc.Severity), inc.ReportedIn, inc.Reporter.ID}
		want := []string{"Checkout is <down> & out", "Since 14:00 <all> users & partners", "checkout", "sev2", w.ops.ID, w.ann.ID}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("incident (-want +got):\n%s", diff)
		}
	})
}

func TestFormDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	for i, tt := range []struct {
		name   string
		values map[string]string
		check  func(incidents.Incident) bool
	}{
		{"only a title", map[string]string{"title": "Offers missing"}, func(i incidents.Incident) bool {
			return i.Title == "Offers missing" && i.Severity == incidents.Sev3 && !i.Private && i.Summary == "" && i.Detection == incidents.ByEmployee
		}},
		{"private", map[string]string{"title": "Keys leaked", "private": "private"}, func(i incidents.Incident) bool { return i.Private }},
	} {
		w.say(t, w.ann, w.ops.ID, "")
		w.form(t, w.ann)
		if _, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, Values: tt.values}); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if inc := w.incident(t, int64(i+1)); !tt.check(inc) {
			t.Errorf("%s: got %+v", tt.name, inc)
		}
	}
}

func TestFormRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.say(t, w.ann, w.ops.ID, "")
	opened := w.form(t, w.ann)
	for _, tt := range []struct {
		name   string
		values map[string]string
		block  string
		want   string
	}{
		{"a title of spaces", map[string]string{"title": "   "}, "title", "needs a title"},
	} {
		reply, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, ViewID: opened.ID, Values: tt.values})
		if err != nil || reply.ResponseAction != "errors" {
			t.Errorf("%s: got %q, %v", tt.name, reply.ResponseAction, err)
			continue
		}
		if errs := w.Modals(w.ann.ID)[0].Errors; len(errs) != 1 || !strings.Contains(errs[tt.block], tt.want) {
			t.Errorf("%s: got errors %q, want %q at %s", tt.name, errs, tt.want, tt.block)
		}
	}
	// What is too long does not leave Slack's own form: the inputs have their bounds.
	for block, most := range map[string]int{"title": 200, "summary": 3000, "service": 200} {
		values := map[string]string{"title": "Offers"}
		values[block] = strings.Repeat("x", most+1)
		_, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, ViewID: opened.ID, Values: values})
		if refused, ok := errors.AsType[*sandbox.ActError](err); !ok || refused.Code != "invalid_input" {
			t.Errorf("a %s of %d characters: got %v, want the form to refuse it", block, most+1, err)
		}
	}
	if _, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, ViewID: opened.ID, Values: map[string]string{"title": "Offers"}}); err != nil {
		t.Errorf("mended after all: %v", err)
	}
	if n := w.count(t); n != 1 {
		t.Errorf("got %d incidents, want 1", n)
	}
}

func TestAFormThatCanNotBeOpenedLosesNothing(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sandbox.FaultKind{
		"expired": sandbox.FaultError{Code: "expired_trigger_id"}, "an outage": sandbox.FaultStatus{}, "no answer": sandbox.FaultDropBefore{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, setup{})
			w.Inject(sandbox.Fault{Method: "views.open", Times: 1, Kind: fault})
			if reply := w.say(t, w.ann, w.ops.ID, "Pod `a` is <down>"); reply.Text != "" {
				t.Errorf("got answer %q", reply.Text)
			}
			if _, err := w.WaitEphemeral(deadline(t), w.ops.ID, w.ann.ID, "`/incident declare Pod 'a' is &lt;down&gt;`"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNoCallDelaysTheAnswer(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		w.Inject(sandbox.Fault{Method: "views.open", Times: 1, Kind: sandbox.FaultDelay{Delay: 2 * time.Second}})
		if reply := w.say(t, w.ann, w.ops.ID, "Offers missing"); reply.Latency > time.Second {
			t.Errorf("answered after %s, want at once", reply.Latency)
		}
		w.form(t, w.ann)
	})
}

func TestGuestsGetNoForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	w.say(t, w.guest, w.ops.ID, "Offers missing")
	if _, err := w.WaitEphemeral(deadline(t), w.ops.ID, w.guest.ID, "Guests can not declare"); err != nil {
		t.Error(err)
	}
	if calls := w.Calls("views.open"); len(calls) != 0 {
		t.Errorf("a form was opened: %+v", calls)
	}
}

func TestNoFormInAnIncidentsChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	_, channel := w.opened(t, "Checkout is down", false)
	w.answers(t, w.ann, channel.ID, "", "*Houston*", "/incident &lt;title&gt;", "`declare`")
	w.answers(t, w.ann, channel.ID, "we restart the pods", "Nothing was done")
	w.edge.Wait()
	if calls := w.Calls("views.open"); len(calls) != 0 {
		t.Errorf("a form was opened: %+v", calls)
	}
}

func TestShortcutsToDeclare(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		if _, err := w.Shortcut(deadline(t), sandbox.Shortcut{User: w.ann.ID, CallbackID: "declare"}); err != nil {
			t.Fatal(err)
		}
		w.form(t, w.ann)
		if _, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "Login page is slow"}}); err != nil {
			t.Fatal(err)
		}
		posted, err := w.Post(deadline(t), w.bob.ID, w.ops.ID, "The broker misses <his> offers\nsince noon & before", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Shortcut(deadline(t), sandbox.Shortcut{User: w.ann.ID, CallbackID: "declare_from_message", Channel: w.ops.ID, MessageTS: posted.TS}); err != nil {
			t.Fatal(err)
		}
		w.form(t, w.ann)
		if _, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.ann.ID}); err != nil {
			t.Fatal(err)
		}
		inc := w.incident(t, 2)
		if inc.Title != "The broker misses <his> offers" || inc.Summary != "The broker misses <his> offers\nsince noon & before" || inc.Detection != incidents.ByEmployee {
			t.Errorf("got %+v", inc)
		}
		if at := inc.Times[incidents.Detected].At; at.Format("05.000000") != secondsOf(t, posted.TS) {
			t.Errorf("detected at %s, want the time of message %s", at, posted.TS)
		}
		effects, err := w.store.Effects(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		invited := map[string]bool{}
		for _, e := range effects {
			if e.Kind == incidents.MakeInvite {
				invited[e.Target] = true
			}
		}
		if want := map[string]bool{w.ann.ID: true, w.bob.ID: true}; !cmp.Equal(invited, want) {
			t.Errorf("invited %v, want the one who declared and the author", invited)
		}
	})
}

// secondsOf gives the seconds within the minute of a time stamp.
func secondsOf(t *testing.T, ts string) string {
	t.Helper()
	at, err := time.ParseDuration(ts + "s")
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(0, 0).Add(at.Round(time.Microsecond)).UTC().Format("05.000000")
}

func TestShortcutToAnActionItem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, setup{})
	inc, channel := w.opened(t, "Offers missing", false)
	posted, err := w.Post(deadline(t), w.bob.ID, channel.ID, "We should split the pool", "")
	if err != nil {
		t.Fatal(err)
	}
	shortcut := sandbox.Shortcut{User: w.guest.ID, CallbackID: "add_action", Channel: channel.ID, MessageTS: posted.TS}
	open := func() {
		t.Helper()
		if _, err := w.Shortcut(deadline(t), shortcut); err != nil {
			t.Fatal(err)
		}
		w.filled(t, w.guest, "owner")
	}
	open()
	reply, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.guest.ID, Values: map[string]string{"type": "detect", "due": "2099-01-31"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reply.Redeliver(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.WaitEphemeral(deadline(t), channel.ID, w.guest.ID, "Action item 1 of INC-1"); err != nil {
		t.Error(err)
	}
	want := []incidents.ActionItem{{
		ID: 1, Text: "We should split the pool", Type: incidents.Detect, Due: "2099-01-31", Message: &incidents.Message{Channel: channel.ID, TS: posted.TS},
	}}
	got := w.incident(t, inc.Number).Actions
	if len(got) == 1 {
		if !strings.Contains(got[0].Permalink, channel.ID) {
			t.Errorf("the link to the message is %q", got[0].Permalink)
		}
		want[0].Permalink = got[0].Permalink
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("action items (-want +got):\n%s", diff)
	}
	open()
	reply, err = w.SubmitView(deadline(t), sandbox.SubmitView{User: w.guest.ID})
	if err != nil || !strings.Contains(string(reply.Body), "action item 1 of INC-1 already") {
		t.Errorf("the same message again: %+v, %v", reply, err)
	}
}

// TestSimilarIncidentsAreShownBeforeASecondOne declares what is open already: it
// is shown once, with nothing lost that was filled in, and the next submission
// declares.
func TestSimilarIncidentsAreShownBeforeASecondOne(t *testing.T) {
	t.Parallel()
	bothTransports(t, func(t *testing.T, w *world) {
		w.opened(t, "Checkout is <down>", false)
		w.opened(t, "Checkout keys leaked", true)
		w.say(t, w.bob, w.ops.ID, "")
		w.form(t, w.bob)
		values := map[string]string{"title": "Checkout answers 500", "severity": "sev1", "summary": "Since noon", "service": "shop"}
		reply, err := w.SubmitView(deadline(t), sandbox.SubmitView{User: w.bob.ID, Values: values})
		if err != nil || reply.ResponseAction != "update" {
			t.Fatalf("got %q, %v, want the similar incident shown", reply.ResponseAction, err)
		}
		shown := string(w.form(t, w.bob).Blocks)
		if !strings.Contains(shown, "*INC-1*") || strings.Contains(shown, "INC-2") || strings.Contains(shown, "<down>") {
			t.Errorf("the form shows %s", shown)
		}
		if n := w.count(t); n != 2 {
			t.Fatalf("got %d incidents before the second submission", n)
		}
		if reply, err = w.SubmitView(deadline(t), sandbox.SubmitView{User: w.bob.ID}); err != nil || reply.ResponseAction != "" {
			t.Fatalf("got %q, %v, want it declared", reply.ResponseAction, err)
		}
		inc := w.incident(t, 3)
		got := []string{inc.Title, string(inc.Severity), inc.Summary, inc.Service}
		if diff := cmp.Diff([]string{"Checkout answers 500", "sev1", "Since noon", "shop"}, got); diff != "" {
			t.Errorf("incident (-want +got):\n%s", diff)
		}
		if _, err := reply.Redeliver(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if open := w.Modals(w.bob.ID); len(open) != 0 || w.count(t) != 3 {
			t.Errorf("a repeated delivery left %d forms and %d incidents", len(open), w.count(t))
		}

		w.say(t, w.bob, w.ops.ID, "Checkout is gone")
		w.edge.Wait()
		if shown := string(w.form(t, w.bob).Blocks); !strings.Contains(shown, "*INC-3*") {
			t.Errorf("a title that was typed with the command shows nothing similar: %s", shown)
		}
		if reply, err = w.SubmitView(deadline(t), sandbox.SubmitView{User: w.bob.ID}); err != nil || reply.ResponseAction != "" {
			t.Errorf("got %q, %v, want no second question", reply.ResponseAction, err)
		}
	})
}
