package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

// What the program may take, in bytes and of time.
const (
	binaryLimit = 60_000_000
	idleLimit   = 80_000_000
	startLimit  = 1500 * time.Millisecond
	idleFor     = 10 * time.Second
)

// TestHeavyStartAndIdle builds the program as it is shipped, starts it on an
// empty SQLite file and prints its size, how soon it is ready, and what it
// takes while nothing happens.
func TestHeavyStartAndIdle(t *testing.T) {
	proctest.Heavy(t)
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	t.Log(machine())
	path := filepath.Join(t.TempDir(), "houston")
	if out, err := exec.CommandContext(t.Context(), "../../.ci/build", path).CombinedOutput(); err != nil {
		t.Fatalf(".ci/build: %v\n%s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("binary: %.1f MB", float64(info.Size())/1e6)
	if info.Size() > binaryLimit {
		t.Errorf("the binary has %d bytes, want at most %d", info.Size(), binaryLimit)
	}
	for _, transport := range []string{"http", "socket"} {
		t.Run(transport, func(t *testing.T) {
			rounds(t, func(t *testing.T) []string {
				t.Helper()
				w, api := newSlack(t)
				s := launch(t, path, plan{socket: transport == "socket"}.environment(t, w, api))
				<-time.After(3 * time.Second) // what a start leaves behind
				usedBefore, began := s.used(t), time.Now()
				<-time.After(idleFor)
				busy := 100 * (s.used(t) - usedBefore).Seconds() / time.Since(began).Seconds()
				memory := s.resident(t)
				t.Logf("ready after %s; idle: %.1f MB resident, %.1f %% of a processor", s.ready.Round(time.Millisecond), float64(memory)/1e6, busy)
				s.stop(t)
				missed := figures{s.ready}.within("ready", 1, startLimit)
				if memory > idleLimit {
					missed = append(missed, fmt.Sprintf("%d bytes resident while idle, want at most %d", memory, idleLimit))
				}
				return missed
			})
		})
	}
}

// shipped is a running process of the program as it is shipped.
type shipped struct {
	cmd   *exec.Cmd
	log   *lockedBuffer
	ready time.Duration // from its start until /readyz said so
}

// launch starts the program and waits until it is ready.
func launch(t *testing.T, path string, env map[string]string) *shipped {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s := &shipped{log: &lockedBuffer{}}
	s.cmd = exec.Command(path, "serve") //nolint:noctx // it outlives ctx and is ended below
	s.cmd.Stdout, s.cmd.Stderr, s.cmd.Dir = s.log, s.log, t.TempDir()
	for key, value := range env {
		s.cmd.Env = append(s.cmd.Env, key+"="+value)
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	})
	listens := regexp.MustCompile(`msg="houston is ready" listen=(\S+)`)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if found := listens.FindStringSubmatch(s.log.String()); found != nil && readyz(ctx, "http://"+found[1]) {
			s.ready = time.Since(began)
			return s
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("houston was not ready within %s:\n%s", patience, s.log.String())
		}
	}
}

func readyz(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// stop ends the process as an administrator does.
func (s *shipped) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("houston ended with %v:\n%s", err, s.log.String())
	}
}

// resident is the memory of the process, in bytes.
func (s *shipped) resident(t *testing.T) int64 {
	t.Helper()
	for line := range bytes.Lines(s.proc(t, "status")) {
		if kb, found := strings.CutPrefix(string(line), "VmRSS:"); found {
			var n int64
			if _, err := fmt.Sscan(kb, &n); err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("/proc tells no VmRSS")
	return 0
}

// used is the processor time of the process. /proc counts it in hundredths of a
// second (proc_pid_stat(5), fields 14 and 15).
func (s *shipped) used(t *testing.T) time.Duration {
	t.Helper()
	stat := string(s.proc(t, "stat"))
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

func (s *shipped) proc(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
