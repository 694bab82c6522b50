package amtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

const (
	part = "alertmanager" // its name in HOUSTON_TEST_REQUIRE

	// startPatience covers a start on a busy machine, and a pair's meeting.
	startPatience = 60 * time.Second
)

// Server is one running Alertmanager.
type Server struct {
	url     string
	process *proctest.Process
}

// Start runs one Alertmanager, without a cluster, until the test ends.
func Start(t testing.TB, c Config) *Server {
	t.Helper()
	s := run(t, c, "--cluster.listen-address=")
	s.ready(t, s.answers)
	return s
}

// StartPair runs two Alertmanagers that know of each other. As a pair behind
// Prometheus, each wants every alert; they agree on who delivers.
func StartPair(t testing.TB, c Config) [2]*Server {
	t.Helper()
	addresses := [2]string{freeAddress(t), freeAddress(t)}
	var pair [2]*Server
	for i := range pair {
		flags := []string{
			"--cluster.listen-address=" + addresses[i],
			"--cluster.peer=" + addresses[1-i],
			"--cluster.settle-timeout=10s", "--cluster.gossip-interval=50ms", // it settles in 40 gossips
			"--cluster.reconnect-interval=200ms",
		}
		if c.PeerTimeout != 0 {
			flags = append(flags, "--cluster.peer-timeout="+c.PeerTimeout.String())
		}
		pair[i] = run(t, c, flags...)
	}
	for _, s := range pair {
		s.ready(t, s.hasMetItsPeer)
	}
	return pair
}

// URL is the address of the Alertmanager without a slash at the end.
func (s *Server) URL() string { return s.url }

// Stop ends the Alertmanager before the test does. It keeps its notification
// log for nobody: a new one knows nothing of what was delivered.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.process.Stop("TERM"); err != nil {
		t.Fatalf("stop Alertmanager: %v", err)
	}
}

func run(t testing.TB, c Config, flags ...string) *Server {
	t.Helper()
	program, err := proctest.Find([]string{"prometheus-alertmanager", "alertmanager"})
	if err != nil {
		proctest.Missing(t, part, err)
	}
	file, err := c.file()
	if err != nil {
		t.Fatalf("write Alertmanager's configuration: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "alertmanager")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "alertmanager.yml"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	p, err := proctest.Start(context.WithoutCancel(t.Context()), proctest.Command{
		Path: program, Dir: dir,
		Args: append([]string{
			"--config.file=alertmanager.yml", "--storage.path=data",
			"--web.listen-address=" + address,
		}, flags...),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close Alertmanager: %v", err)
		}
	})
	return &Server{url: "http://" + address, process: p}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (s *Server) ready(t testing.TB, probe func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startPatience)
	defer cancel()
	if err := s.process.Ready(ctx, probe); err != nil {
		t.Fatalf("start Alertmanager: %v", err)
	}
}

func (s *Server) answers(ctx context.Context) error {
	return call(ctx, http.MethodGet, s.url+"/-/ready", nil, nil)
}

// hasMetItsPeer asks /api/v2/status, whose cluster names the peers.
func (s *Server) hasMetItsPeer(ctx context.Context) error {
	var status struct {
		Cluster struct {
			Status string     `json:"status"`
			Peers  []struct{} `json:"peers"`
		} `json:"cluster"`
	}
	if err := call(ctx, http.MethodGet, s.url+"/api/v2/status", nil, &status); err != nil {
		return err
	}
	if status.Cluster.Status != "ready" || len(status.Cluster.Peers) != 2 {
		return fmt.Errorf("cluster is %s with %d peers", status.Cluster.Status, len(status.Cluster.Peers))
	}
	return nil
}

// call sends one request and decodes the JSON answer into out unless it is
// nil. An answer other than 200 is an error with its body.
func call(ctx context.Context, method, url string, body io.Reader, out any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status + ": " + string(text))
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(text, out)
}
