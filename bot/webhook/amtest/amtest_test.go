package amtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/houston-sre/houston/bot/webhook/amtest"
)

// delivery is what the receiver keeps of one notification.
type delivery struct {
	Authorization string
	Receiver      string
	ExternalURL   string
	Truncated     int
	Alerts        map[string]string // the label instance: the alert's status
}

// receiver is a webhook that hands on each delivery and answers 200.
func receiver(t *testing.T) (string, <-chan delivery) {
	t.Helper()
	deliveries := make(chan delivery, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Receiver        string `json:"receiver"`
			ExternalURL     string `json:"externalURL"`
			TruncatedAlerts int    `json:"truncatedAlerts"`
			Alerts          []struct {
				Status string            `json:"status"`
				Labels map[string]string `json:"labels"`
			} `json:"alerts"`
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Errorf("decode the delivery: %v", err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		d := delivery{
			Authorization: r.Header.Get("Authorization"), Receiver: body.Receiver,
			ExternalURL: body.ExternalURL, Truncated: body.TruncatedAlerts, Alerts: map[string]string{},
		}
		for _, a := range body.Alerts {
			d.Alerts[a.Labels["instance"]] = a.Status
		}
		deliveries <- d
	}))
	t.Cleanup(server.Close)
	return server.URL, deliveries
}

func next(t *testing.T, deliveries <-chan delivery) delivery {
	t.Helper()
	select {
	case d := <-deliveries:
		return d
	case <-time.After(30 * time.Second):
		t.Fatal("Alertmanager delivers nothing")
		return delivery{}
	}
}

func down(instance string) amtest.Alert {
	return amtest.Alert{Labels: map[string]string{"alertname": "Down", "instance": instance}}
}

func TestFiringAndResolved(t *testing.T) {
	t.Parallel()
	url, deliveries := receiver(t)
	am := amtest.Start(t, amtest.Config{WebhookURL: url, BearerToken: "sesame", Receiver: "oncall"})

	am.Post(t, down("a"), down("b"))
	want := delivery{
		Authorization: "Bearer sesame", Receiver: "oncall",
		Alerts: map[string]string{"a": "firing", "b": "firing"},
	}
	got := next(t, deliveries)
	got.ExternalURL = "" // the machine's name
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first delivery (-want +got):\n%s", diff)
	}

	resolved := down("a")
	resolved.StartsAt, resolved.EndsAt = time.Now().Add(-time.Minute), time.Now()
	am.Post(t, resolved)
	if diff := cmp.Diff(map[string]string{"a": "resolved", "b": "firing"}, next(t, deliveries).Alerts); diff != "" {
		t.Errorf("second delivery (-want +got):\n%s", diff)
	}
}

func TestMaxAlertsAndGroupBy(t *testing.T) {
	t.Parallel()
	url, deliveries := receiver(t)
	am := amtest.Start(t, amtest.Config{WebhookURL: url, GroupBy: []string{"team"}, MaxAlerts: 1})
	am.Post(t, down("a"), down("b"), down("c"))
	got := next(t, deliveries)
	if len(got.Alerts) != 1 || got.Truncated != 2 {
		t.Errorf("delivery has %d alerts and left out %d, want 1 and 2", len(got.Alerts), got.Truncated)
	}
}

// The two of a pair agree: one delivers. When it is gone, the other does.
func TestPair(t *testing.T) {
	t.Parallel()
	url, deliveries := receiver(t)
	pair := amtest.StartPair(t, amtest.Config{WebhookURL: url, PeerTimeout: 2 * time.Second})
	for _, am := range pair {
		am.Post(t, down("a"))
	}
	next(t, deliveries)
	select {
	case d := <-deliveries:
		t.Errorf("delivered twice: %v", d)
	case <-time.After(3 * time.Second): // longer than the second waits for the first
	}
	pair[0].Stop(t)
	pair[1].Post(t, down("b"))
	if got := next(t, deliveries); got.Alerts["b"] != "firing" {
		t.Errorf("the survivor delivers %v, want b firing", got.Alerts)
	}
}

// childEnv makes TestChildHoldsAnAlertmanager the test that a killed process
// was in the middle of.
const childEnv = "AMTEST_CHILD"

func TestChildHoldsAnAlertmanager(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		return
	}
	fmt.Fprintln(os.Stdout, "\nurl", amtest.Start(t, amtest.Config{WebhookURL: "http://127.0.0.1:9"}).URL())
	select {} // until it is killed
}

func TestEndsWithTheTestProcess(t *testing.T) {
	t.Parallel()
	amtest.Start(t, amtest.Config{WebhookURL: "http://127.0.0.1:9"}) // skips where the child would
	tmp := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildHoldsAnAlertmanager$")
	child.Env = append(os.Environ(), childEnv+"=1", "TMPDIR="+tmp)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var url string
	if _, err := fmt.Fscanf(out, "\nurl %s", &url); err != nil {
		t.Fatalf("wait for the child's Alertmanager: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil {
		t.Fatal("the child ended well, want it killed")
	}
	deadline := time.After(20 * time.Second)
	for {
		refused := ask(t, url)
		left, err := filepath.Glob(filepath.Join(tmp, "*/*/alertmanager"))
		if err != nil {
			t.Fatal(err)
		}
		if refused && len(left) == 0 {
			return
		}
		select {
		case <-deadline:
			t.Fatalf("after 20 s: connection refused = %t, folders left = %v", refused, left)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ask reports that nobody listens at url any more.
func ask(t *testing.T, url string) bool {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
