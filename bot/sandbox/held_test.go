package sandbox_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"

	"github.com/houston-sre/houston/bot/sandbox"
)

func picker(action string, values ...string) *slack.SelectBlockElement {
	var options []*slack.OptionBlockObject
	for _, v := range values {
		options = append(options, slack.NewOptionBlockObject(v, plain(v), nil))
	}
	return slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, action, options...)
}

// chosen takes the values of selects and inputs out of state.values.
func chosen(state any) map[string]any {
	out := map[string]any{}
	values, _ := state.(map[string]any)["values"].(map[string]any)
	for block, actions := range values {
		for action, element := range actions.(map[string]any) {
			e := element.(map[string]any)
			out[block+"/"+action] = e["value"]
			if e["type"] == "static_select" {
				o, _ := e["selected_option"].(map[string]any)
				out[block+"/"+action] = o["value"]
			}
		}
	}
	return out
}

func TestStateOfAMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	id := w.create("card", false)
	w.Join(w.ann.ID, id)
	w.Join(w.bob.ID, id)
	severity := picker("severity", "sev1", "sev2")
	severity.InitialOption = slack.NewOptionBlockObject("sev2", plain("sev2"), nil)
	ts := w.post(id, slack.MsgOptionBlocks(slack.NewActionBlock("acts", severity, picker("service", "offers", "users"), button("go", "1"))))

	for _, step := range []struct {
		name, user, action, value string
		want                      map[string]any
	}{
		{"nothing chosen", w.ann.ID, "go", "", map[string]any{"acts/severity": "sev2", "acts/service": nil}},
		{"the choice counts at once", w.ann.ID, "service", "offers", map[string]any{"acts/severity": "sev2", "acts/service": "offers"}},
		{"and stays", w.ann.ID, "severity", "sev1", map[string]any{"acts/severity": "sev1", "acts/service": "offers"}},
		{"for a button too", w.ann.ID, "go", "", map[string]any{"acts/severity": "sev1", "acts/service": "offers"}},
		{"but not for others", w.bob.ID, "go", "", map[string]any{"acts/severity": "sev2", "acts/service": nil}},
	} {
		if _, err := w.Click(t.Context(), sandbox.Click{User: step.user, Channel: id, MessageTS: ts, ActionID: step.action, Value: step.value}); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		payload := a.next(t, "/interactivity").payload(t)
		if diff := cmp.Diff(step.want, chosen(payload["state"])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

func TestStateOfAView(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sandbox.Config{})
	a := newApp(t, w.Workspace, nil)
	view := form("declare")
	view.Blocks.BlockSet = append(view.Blocks.BlockSet,
		slack.NewSectionBlock(plain("Service"), nil, slack.NewAccessory(picker("service", "offers", "users")), slack.SectionBlockOptionBlockID("service")),
		slack.NewContextBlock("hint", plain("nothing to fill in here")))
	v := w.open(view)
	a.next(t, "/commands")

	click := sandbox.Click{User: w.ann.ID, ViewID: v.ID, ActionID: "service", Value: "users", Values: map[string]string{"title": "it burns"}}
	if _, err := w.Click(t.Context(), click); err != nil {
		t.Fatal(err)
	}
	payload := a.next(t, "/interactivity").payload(t)
	if payload["state"] != nil {
		t.Error("a view's state stands at the top too")
	}
	want := map[string]any{"title/title": "it burns", "severity/severity": "sev3", "service/service": "users"}
	if diff := cmp.Diff(want, chosen(payload["view"].(map[string]any)["state"])); diff != "" {
		t.Errorf("clicked (-want +got):\n%s", diff)
	}

	// An update leaves what was chosen, and the submission has it.
	if _, err := w.api.UpdateViewContext(t.Context(), view, "", "", v.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SubmitView(t.Context(), sandbox.SubmitView{User: w.ann.ID, Values: map[string]string{"title": "it burns"}}); err != nil {
		t.Fatal(err)
	}
	payload = a.next(t, "/interactivity").payload(t)
	if diff := cmp.Diff(want, chosen(payload["view"].(map[string]any)["state"])); diff != "" {
		t.Errorf("submitted (-want +got):\n%s", diff)
	}
}
