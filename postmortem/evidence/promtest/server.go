package promtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

const (
	part = "prometheus" // its name in HOUSTON_TEST_REQUIRE

	// startPatience covers a start on a busy machine.
	startPatience = 60 * time.Second
)

// Sample is one value of one series.
type Sample struct {
	Name   string
	Labels map[string]string
	At     time.Time
	Value  float64
}

// Server is one running Prometheus.
type Server struct {
	url     string
	process *proctest.Process
}

// Start runs a Prometheus that scrapes nothing and holds the samples, until the
// test ends. Samples of one series must be in order of time and stand together,
// those of one name too.
func Start(t testing.TB, samples ...Sample) *Server {
	t.Helper()
	program, err := proctest.Find([]string{"prometheus"})
	if err != nil {
		proctest.Missing(t, part, err)
	}
	dir := filepath.Join(t.TempDir(), "prometheus")
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	backfill(t, dir, samples)
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte("scrape_configs: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	p, err := proctest.Start(context.WithoutCancel(t.Context()), proctest.Command{
		Path: program, Dir: dir,
		Args: []string{"--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address=" + address},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close Prometheus: %v", err)
		}
	})
	s := &Server{url: "http://" + address, process: p}
	ctx, cancel := context.WithTimeout(t.Context(), startPatience)
	defer cancel()
	if err := p.Ready(ctx, s.answers); err != nil {
		t.Fatalf("start Prometheus: %v", err)
	}
	return s
}

// URL is the address of the Prometheus without a slash at the end.
func (s *Server) URL() string { return s.url }

// Stop ends the Prometheus before the test does.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if err := s.process.Stop("TERM"); err != nil {
		t.Fatalf("stop Prometheus: %v", err)
	}
}

// backfill writes the samples as blocks, by promtool
// (https://prometheus.io/docs/prometheus/latest/storage/#backfilling-from-openmetrics-format).
func backfill(t testing.TB, dir string, samples []Sample) {
	t.Helper()
	if len(samples) == 0 {
		return
	}
	promtool, err := proctest.Find([]string{"promtool"})
	if err != nil {
		proctest.Missing(t, part, err)
	}
	var text strings.Builder
	name := ""
	for _, s := range samples {
		if s.Name != name {
			fmt.Fprintf(&text, "# TYPE %s gauge\n", s.Name)
			name = s.Name
		}
		var labels []string
		for label, value := range s.Labels {
			labels = append(labels, fmt.Sprintf("%s=%q", label, value))
		}
		fmt.Fprintf(&text, "%s{%s} %g %d.%03d\n", s.Name, strings.Join(labels, ","), s.Value, s.At.Unix(), s.At.Nanosecond()/1e6)
	}
	text.WriteString("# EOF\n")
	file := filepath.Join(dir, "samples")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := exec.CommandContext(t.Context(), promtool, "tsdb", "create-blocks-from", "openmetrics", file, filepath.Join(dir, "data")).CombinedOutput()
	if err != nil {
		t.Fatalf("write samples: %v\n%s", err, made)
	}
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

func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/-/ready", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}
