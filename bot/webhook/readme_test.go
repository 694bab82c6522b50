package webhook_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
)

func readme(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestReadmeNamesTheSenders: who is not told of an address never uses it.
func TestReadmeNamesTheSenders(t *testing.T) {
	t.Parallel()
	text := readme(t)
	for _, kind := range []string{
		"alertmanager", "alertmanager/api/v2/alerts", "grafana", "pagerduty", "zendesk", "goalert", "github", "gitlab", "argocd", "flux", "cdevents", "generic",
	} {
		if !strings.Contains(text, "| `"+kind) && !strings.Contains(text, "/webhooks/"+kind) {
			t.Errorf("the README does not say what /webhooks/%s is for", kind)
		}
	}
}

// TestReadmesArgoCD fills the README's template in as Argo CD does and posts it.
func TestReadmesArgoCD(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(readme(t), "method: POST\n            body: |\n")
	body, _, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("the README has no template for Argo CD")
	}
	type m = map[string]any
	app := func(phase string, finished any) m {
		return m{"context": m{"argocdUrl": "https://argo.example"}, "app": m{
			"metadata": m{"name": "ledger"},
			"spec":     m{"project": "bank", "source": m{"repoURL": "https://git.example/ledger"}, "destination": m{"namespace": "ledger"}}, // by server, without a name
			"status": m{"health": m{"status": "Healthy"}, "operationState": m{
				"phase": phase, "startedAt": "2026-12-01T11:50:00Z", "finishedAt": finished,
				"syncResult": m{"revision": "0123456789012345678901234567890123456789"},
			}},
		}}
	}
	s := &sink{}
	for _, data := range []m{app("Running", nil), app("Succeeded", "2026-12-01T11:52:00Z")} {
		var filled strings.Builder
		if err := template.Must(template.New("").Parse(body)).Execute(&filled, data); err != nil {
			t.Fatal(err)
		}
		if w := post(t, newHandler(s), "/webhooks/argocd", []byte(filled.String())); w.Code != http.StatusOK {
			t.Errorf("answered %d %s to %s", w.Code, w.Body, filled.String())
		}
	}
	var got []string
	for _, c := range s.changes {
		got = append(got, changeSummary(c))
		if c.External != s.changes[0].External || c.Labels["cluster"] != "" || c.Labels["namespace"] != "ledger" || c.URL != "https://argo.example/applications/ledger" {
			t.Errorf("got %+v", c)
		}
	}
	want := []string{
		"deployment running of ledger (Sync of ledger to 01234567) at 2026-12-01T11:50:00Z",
		"deployment succeeded of ledger (Sync of ledger to 01234567) at 2026-12-01T11:50:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestKubernetesRollouts posts what kubectl prints by the README's command.
func TestKubernetesRollouts(t *testing.T) {
	t.Parallel()
	event := func(uid, reason string) string {
		return `{"apiVersion":"v1","kind":"Event","metadata":{"uid":"` + uid + `","namespace":"edge"},"involvedObject":{"kind":"Deployment","name":"gateway","namespace":"edge"},
			"reason":"` + reason + `","message":"Scaled up replica set gateway-7d to 3","lastTimestamp":"2026-12-01T11:56:00Z","count":1,"type":"Normal"}`
	}
	s := &sink{}
	body := `{"apiVersion":"v1","kind":"List","items":[` + event("u-1", "ScalingReplicaSet") + "," + event("u-2", "DeploymentRollback") + `],"metadata":{"resourceVersion":""}}`
	for _, body := range []string{body, `{"apiVersion":"v1","kind":"List","items":[]}`, event("u-1", "ScalingReplicaSet")} {
		if w := post(t, newHandler(s), "/webhooks/generic?source=kubernetes", []byte(body)); w.Code != http.StatusOK {
			t.Errorf("answered %d %s", w.Code, w.Body)
		}
	}
	var got []string
	for _, c := range s.changes {
		got = append(got, c.External+" "+c.Labels["namespace"]+" "+changeSummary(c))
	}
	const rest = " of gateway (Rollout of gateway: Scaled up replica set gateway-7d to 3) at 2026-12-01T11:56:00Z"
	want := []string{"u-1 edge rollout " + rest, "u-2 edge other " + rest, "u-1 edge rollout " + rest}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
