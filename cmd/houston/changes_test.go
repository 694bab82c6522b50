package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/bot/sandbox"
)

// post posts to the API and gives the status and the answer.
func (h *house) post(path, body string, headers map[string]string) (int, map[string]any) {
	h.t.Helper()
	all := map[string]string{"Authorization": "Bearer " + apiToken}
	maps.Copy(all, headers)
	status, raw := h.call(http.MethodPost, "/api/v1"+path, body, all)
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		h.t.Fatalf("POST %s answered %d %s", path, status, raw)
	}
	return status, answer
}

type told struct {
	At         time.Time
	Kind, Text string
}

// changeEntries gives the timeline of an incident, only those of a kind.
func (h *house) changeEntries(key, kind string) []told {
	h.t.Helper()
	var timeline struct{ Entries []told }
	h.api("/incidents/"+key+"/timeline", &timeline)
	var list []told
	for _, e := range timeline.Entries {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// TestTheUpgradeBesideTheBurn is DESIGN's second story: an SLO burns while the
// API server is upgraded, and the timeline shows both by itself.
func TestTheUpgradeBesideTheBurn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		h := newHouse(t, p)
		at := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }

		window := `{"title":"Kubernetes maintenance","kind":"maintenance","labels":{"cluster":"prod-1"},"started_at":"` + at(time.Hour) + `","ended_at":"` + at(-time.Hour) + `"}`
		if status, answer := h.post("/changes", window, nil); status != http.StatusCreated || answer["state"] != "running" {
			t.Fatalf("a maintenance window: %d %v", status, answer)
		}
		upgrade := func(state, more string) string {
			return `{"id":"up-1","title":"Upgrade the API server to 1.34","kind":"upgrade","labels":{"cluster":"prod-1"},"actor":"platform","state":"` + state + `","started_at":"` + at(20*time.Minute) + `"` + more + `}`
		}
		begun := upgrade("running", "")
		for i, want := range []int{http.StatusCreated, http.StatusOK} {
			if status, answer := h.post("/changes", begun, map[string]string{"Idempotency-Key": "k1"}); status != want {
				t.Fatalf("upgrade, time %d: %d %v, want %d", i+1, status, answer, want)
			}
		}
		if status, _ := h.post("/changes", upgrade("failed", ""), map[string]string{"Idempotency-Key": "k1"}); status != http.StatusUnprocessableEntity {
			t.Errorf("the same key with another change was answered %d", status)
		}
		other := `{"title":"Deploy scoring","kind":"deployment","service":"scoring","labels":{"cluster":"prod-2"},"started_at":"` + at(5*time.Minute) + `"}`
		h.post("/changes", other, nil)

		slo := `{"receiver":"r","groupKey":"slo","alerts":[{"status":"firing","labels":{"alertname":"APIServerErrors","sloth_slo":"requests","sloth_service":"apiserver","sloth_severity":"page","severity":"page","cluster":"prod-1"},"startsAt":"` + at(2*time.Minute) + `","fingerprint":"1"}]}`
		if status := h.hook("alertmanager", slo, nil); status != http.StatusOK {
			t.Fatalf("alertmanager: %d", status)
		}
		h.until("the upgrade stands in the timeline", func() bool { return len(h.changeEntries("INC-1", "change")) >= 2 })
		h.post("/changes", upgrade("succeeded", `,"ended_at":"`+at(0)+`"`), nil)
		h.until("and its end", func() bool { return len(h.changeEntries("INC-1", "change")) == 3 })
		var texts []string
		for _, e := range h.changeEntries("INC-1", "change") {
			texts = append(texts, e.Text)
		}
		story := strings.Join(texts, "\n")
		for _, part := range []string{
			"Kubernetes maintenance began", "Upgrade the API server to 1.34 began (upgrade by platform)", "same cluster prod-1",
			"was under way when the incident began, since 18 min", `during the maintenance "Kubernetes maintenance"`, "Upgrade the API server to 1.34 ended: succeeded",
		} {
			if !strings.Contains(story, part) {
				t.Errorf("the timeline does not say %q:\n%s", part, story)
			}
		}
		if strings.Contains(story, "scoring") {
			t.Errorf("a change of another cluster is in the timeline:\n%s", story)
		}

		// The channel is told, and catchup and the list say why.
		channel, ok := h.slack.Channel("inc-1-apiservererrors")
		if !ok {
			t.Fatal("no channel")
		}
		h.until("the channel is told", func() bool {
			for _, m := range h.slack.Messages(channel.ID) {
				if strings.Contains(m.Text, "Upgrade the API server") {
					return true
				}
			}
			return false
		})
		if text := h.say(anna, channel.ID, "catchup"); !strings.Contains(text, "Change: Upgrade the API server to 1.34 (same cluster prod-1") {
			t.Errorf("catchup says nothing of the change:\n%s", text)
		}
		reply, err := h.slack.Command(t.Context(), sandbox.Command{User: anna, Channel: channel.ID, Command: "/incident", Text: "changes"})
		if err != nil {
			t.Fatal(err)
		}
		first, second := strings.Index(reply.Text, "Upgrade the API server"), strings.Index(reply.Text, "Deploy scoring")
		if first < 0 || second < first {
			t.Errorf("the list of changes is not ranked:\n%s", reply.Text)
		}
		// A person says that the other one belongs to it too.
		var listed struct {
			Changes []struct {
				Key        int64
				Title      string
				InTimeline bool `json:"in_timeline"`
			}
		}
		h.api("/incidents/INC-1/changes", &listed)
		var key int64
		for _, c := range listed.Changes {
			if c.Title == "Deploy scoring" && !c.InTimeline {
				key = c.Key
			}
		}
		shown := h.slack.Ephemerals(channel.ID, anna)
		click := sandbox.Click{User: anna, Channel: channel.ID, MessageTS: shown[len(shown)-1].TS, ActionID: "link_change", Value: fmt.Sprintf("INC-1/%d", key)}
		for range 2 { // a second click says that it is there
			if _, err := h.slack.Click(t.Context(), click); err != nil {
				t.Fatal(err)
			}
		}
		h.until("the chosen change is in the timeline once", func() bool { return len(h.changeEntries("INC-1", "change")) == 4 })
	})
}

// TestChangesFromEverywhere: each tool's delivery becomes one change, with the
// state it came to, however often and in whatever order it is told.
func TestChangesFromEverywhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p plan) {
		p.env = map[string]string{"HOUSTON_WEBHOOK_GITHUB_SECRET": "gh", "HOUSTON_WEBHOOK_GITLAB_SECRET": "gl", "HOUSTON_WEBHOOK_FLUX_SECRET": "fx"}
		h := newHouse(t, p)
		now := time.Now().UTC()
		stamp := func(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }
		github := func(event, delivery, body string) map[string]string {
			return map[string]string{"X-GitHub-Event": event, "X-GitHub-Delivery": delivery, "X-Hub-Signature-256": "sha256=" + hex.EncodeToString(hmacOf("gh", body))}
		}
		repo := `"repository":{"name":"offers","full_name":"kreditsmart/offers","html_url":"https://github.com/kreditsmart/offers","default_branch":"main"},"sender":{"login":"octo"}`
		deployment := `"deployment":{"id":42,"sha":"abc","ref":"v2","environment":"production","created_at":"` + stamp(10*time.Minute) + `"}`
		status := func(state string, ago time.Duration) string {
			return `{"action":"created",` + deployment + `,"deployment_status":{"state":"` + state + `","created_at":"` + stamp(ago) + `"},` + repo + `}`
		}
		plain := map[string]string{"Authorization": "Bearer " + webhookToken}
		gitlab := `{"object_kind":"deployment","status":"failed","status_changed_at":"` + now.Format("2006-01-02 15:04:05 -0700") + `","deployment_id":15,"environment":"staging","project":{"id":30,"name":"scoring","path_with_namespace":"ks/scoring"},"user":{"username":"tanuki"},"ref":"1.0.0"}`
		flux := `{"involvedObject":{"kind":"Kustomization","name":"pool","namespace":"flux-system"},"severity":"info","reason":"ReconciliationSucceeded","timestamp":"` + stamp(time.Minute) + `","metadata":{"kustomize.toolkit.fluxcd.io/revision":"main@sha1:0123456789012345678901234567890123456789"}}`
		cd := `{"context":{"id":"cd-1","source":"/ci","type":"dev.cdevents.service.rolledback.0.2.0","timestamp":"` + stamp(3*time.Minute) + `"},"subject":{"id":"broker","content":{"environment":{"id":"prod"}}}}`
		k8s := `{"metadata":{"uid":"u-1"},"involvedObject":{"kind":"Deployment","name":"gateway","namespace":"edge"},"reason":"ScalingReplicaSet","message":"Scaled up replica set gateway-7d to 3","lastTimestamp":"` + stamp(4*time.Minute) + `"}`
		argo := `{"app":"ledger","project":"bank","revision":"0123456789012345678901234567890123456789","phase":"Succeeded","health":"Healthy","cluster":"prod-1","namespace":"ledger","started_at":"` + stamp(6*time.Minute) + `","finished_at":"` + stamp(5*time.Minute) + `"}`
		for i, d := range []struct {
			path, body string
			headers    map[string]string
			status     int
		}{
			{"github", `{"action":"created",` + deployment + `,` + repo + `}`, nil, 200},
			{"github", status("success", time.Minute), nil, 200},
			{"github", status("success", time.Minute), nil, 200},
			{"github", status("in_progress", 9*time.Minute), nil, 200}, // overtaken
			{"github", `{"zen":"Keep it logically awesome."}`, github("ping", "p", `{"zen":"Keep it logically awesome."}`), 200},
			{"github", status("failure", 0), github("deployment_status", "x", "another body"), 401},
			{"gitlab", gitlab, map[string]string{"X-Gitlab-Token": "gl"}, 200},
			{"gitlab", gitlab, map[string]string{"X-Gitlab-Token": "other"}, 401},
			{"flux", flux, map[string]string{"X-Signature": "sha256=" + hex.EncodeToString(hmacOf("fx", flux))}, 200},
			{"flux", flux, plain, 200}, // reconciled again
			{"cdevents", cd, plain, 200},
			{"cdevents", `{"specversion":"1.0","id":"e","type":"t","data":` + cd + `}`, plain, 200},
			{"generic?source=kubernetes", k8s, plain, 200},
			{"argocd", argo, plain, 200},
		} {
			if d.headers == nil {
				event := "deployment_status"
				if i == 0 {
					event = "deployment"
				}
				d.headers = github(event, fmt.Sprint("delivery-", i), d.body)
			}
			if got := h.hook(d.path, d.body, d.headers); got != d.status {
				t.Errorf("delivery %d to %s was answered %d, want %d", i, d.path, got, d.status)
			}
		}
		var page struct {
			Changes []struct{ Title, State, Service, Kind, Source string }
			Next    *string
		}
		h.api("/changes", &page)
		var got []string
		for _, c := range page.Changes {
			got = append(got, fmt.Sprintf("%s %s %s: %s", c.Source, c.Kind, c.State, c.Title))
		}
		want := []string{
			"gitlab deployment failed: Deploy 1.0.0 of scoring to staging",
			"flux deployment succeeded: Kustomization pool 01234567",
			"cdevents deployment succeeded: broker rolled back in prod",
			"kubernetes rollout succeeded: Rollout of gateway: Scaled up replica set gateway-7d to 3",
			"argocd deployment succeeded: Sync of ledger to 01234567",
			"github deployment succeeded: Deploy v2 of offers to production",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("the changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for query, n := range map[string]int{"?service=Offers": 1, "?q=rollback+broker": 0, "?q=rolled+broker": 1, "?since=" + stamp(90*time.Second): 3, "?limit=2": 2} {
			page.Changes, page.Next = nil, nil
			if h.api("/changes"+query, &page); len(page.Changes) != n {
				t.Errorf("/changes%s gives %d changes, want %d: %+v", query, len(page.Changes), n, page.Changes)
			}
		}
		if h.api("/changes?limit=2&cursor="+*pageNext(t, h), &page); len(page.Changes) != 2 || page.Changes[0].Source != "cdevents" {
			t.Errorf("the second page is %+v", page.Changes)
		}
	})
}

func pageNext(t *testing.T, h *house) *string {
	t.Helper()
	var page struct{ Next *string }
	if h.api("/changes?limit=2", &page); page.Next == nil {
		t.Fatal("there is no next page")
	}
	return page.Next
}
