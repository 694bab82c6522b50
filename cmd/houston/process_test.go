package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is houston serve in a process of its own.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	ready  chan string // gives its URL, once
	ended  chan struct{}
	status int // valid once ended is closed; -1 when a signal ended it
	log    lockedBuffer
}

// launch starts houston serve with the house's environment and waits for
// nothing. What it logs goes to the house's log too.
func (h *house) launch() *process {
	h.t.Helper()
	p := &process{ready: make(chan string, 1), ended: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(h.t.Context()), os.Args[0], "serve")
	p.cmd.Dir = h.t.TempDir()
	p.cmd.Env = []string{processEnv + "=1"}
	for key, value := range h.env {
		p.cmd.Env = append(p.cmd.Env, key+"="+value)
	}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		h.t.Fatalf("start houston: %v", err)
	}
	p.stdin = stdin
	go p.follow(stderr, h.log)
	h.t.Cleanup(p.kill)
	return p
}

// follow reads what the process logs until it is gone.
func (p *process) follow(stderr io.Reader, log io.Writer) {
	listening := regexp.MustCompile(`msg="houston is ready" listen=(\S+)`)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		line := append(bytes.Clone(lines.Bytes()), '\n')
		_, _ = log.Write(line)
		_, _ = p.log.Write(line)
		if found := listening.FindSubmatch(line); found != nil {
			p.ready <- "http://" + string(found[1])
		}
	}
	_ = p.cmd.Wait() // the status says it
	p.status = p.cmd.ProcessState.ExitCode()
	close(p.ended)
}

// serving waits until the process serves and gives its URL.
func (p *process) serving(t *testing.T) string {
	t.Helper()
	select {
	case url := <-p.ready:
		return url
	case <-p.ended:
		t.Fatalf("houston ended with status %d before it served:\n%s", p.status, p.log.String())
	case <-time.After(patience):
		t.Fatalf("houston did not serve within %s:\n%s", patience, p.log.String())
	}
	return ""
}

// kill ends the process as kill -9 does, at once, and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
	_ = p.stdin.Close()
}

// terminate ends the process as an operator does and waits until it is gone.
func (p *process) terminate(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("send SIGTERM: %v", err)
	}
	select {
	case <-p.ended:
		if p.status != 0 {
			t.Errorf("houston ended with status %d after SIGTERM", p.status)
		}
	case <-time.After(2 * patience):
		t.Errorf("houston did not end within %s of SIGTERM", 2*patience)
	}
}

// front is what stands before the processes, as a load balancer does: senders
// know one address, whichever process is alive.
type front struct {
	*httptest.Server

	mu      sync.Mutex
	targets []string // URLs of the processes that serve
	turn    int
	double  bool      // each request goes to all of them at the same moment
	answers []answers // of the commands that went to all of them
}

// answers are the bodies that one request was answered with.
type answers []string

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// to sends what comes from now on to these processes, in turns.
func (f *front) to(targets ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.targets = targets
}

// toAll sends each request to all processes at the same moment, or in turns again.
func (f *front) toAll(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.double = on
}

// took gives the answers to the commands that went to all, and forgets them.
func (f *front) took() []answers {
	f.mu.Lock()
	defer f.mu.Unlock()
	taken := f.answers
	f.answers = nil
	return taken
}

// pick says where the next request goes.
func (f *front) pick() (targets []string, double bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case len(f.targets) == 0 || f.double:
		return f.targets, f.double
	default:
		f.turn++
		return f.targets[f.turn%len(f.targets):][:1], false
	}
}

// ServeHTTP answers what the processes answer, and 502 when one of them does not.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	targets, double := f.pick()
	if err != nil || len(targets) == 0 {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	results := make([]*httptest.ResponseRecorder, len(targets))
	var all sync.WaitGroup
	for i, target := range targets {
		all.Go(func() { results[i] = forward(r, target, body) })
	}
	all.Wait()
	if double && r.URL.Path == "/slack/commands" {
		var said answers
		for _, result := range results {
			said = append(said, result.Body.String())
		}
		f.mu.Lock()
		f.answers = append(f.answers, said)
		f.mu.Unlock()
	}
	last := results[0]
	for _, result := range results {
		if result.Code >= 300 {
			last = result
		}
	}
	w.Header().Set("Content-Type", last.Header().Get("Content-Type"))
	w.WriteHeader(last.Code)
	_, _ = w.Write(last.Body.Bytes())
}

// forward sends a request on as it is.
func forward(r *http.Request, target string, body []byte) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	req, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		answer.Code = http.StatusBadGateway
		return answer
	}
	req.Header = r.Header.Clone()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		answer.Code = http.StatusBadGateway
		return answer
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(answer.Body, res.Body); err != nil {
		answer.Code = http.StatusBadGateway
		return answer
	}
	answer.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	answer.Code = res.StatusCode
	return answer
}
