package proctest

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// supervise starts the program and ends it when the pipe on its standard
// input closes, which the kernel does for us when the test process dies.
//
//go:embed supervise.sh
var supervise string

// stopPatience is how long a program may take to end after it was told to.
const stopPatience = 20 * time.Second

// Command says which program to run.
type Command struct {
	Path string
	Args []string

	// Dir is the program's own folder and its working directory. It must
	// exist. It is removed with the test process; output.log in it holds
	// what the program prints.
	Dir string

	// User runs the program as somebody else; nil is the test's own user.
	User *syscall.Credential

	// Quit names the signal that ends the program at once, "KILL" when
	// empty. It is sent when the test process is gone, and by Close.
	Quit string
}

// Process is a running program. Its methods are for one goroutine at a time.
type Process struct {
	dir   string
	stdin io.WriteCloser
	done  chan struct{}
	err   error // how it ended, valid once done is closed
}

// Start runs the program. It does not wait until the program is of any use.
// The program ends when ctx does.
func Start(ctx context.Context, c Command) (*Process, error) {
	quit := c.Quit
	if quit == "" {
		quit = "KILL"
	}
	log, err := os.OpenFile(filepath.Join(c.Dir, "output.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	defer log.Close() //nolint:errcheck // the program has its own copy of the descriptor

	args := append([]string{"-c", supervise, "supervise", c.Dir, quit, c.Path}, c.Args...)
	cmd := exec.CommandContext(ctx, "/bin/sh", args...)
	cmd.Dir = c.Dir
	// Not ours: go test waits for whoever holds the test's own output.
	cmd.Stdout, cmd.Stderr = log, log
	// A session of its own: Ctrl-C must reach the tests, not the supervisor.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: c.User}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	// Killing the supervisor would leave the program behind.
	cmd.Cancel = stdin.Close
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Path, err)
	}
	p := &Process{dir: c.Dir, stdin: stdin, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Wait waits until the program has ended by itself and gives the error of a
// non-zero exit, with what it printed.
func (p *Process) Wait() error {
	<-p.done
	if p.err != nil {
		return fmt.Errorf("%w; it printed:\n%s", p.err, p.Output())
	}
	return nil
}

// Ready polls probe until it succeeds. It gives up, with what the program
// printed, when the program ends or when ctx does.
func (p *Process) Ready(ctx context.Context, probe func(context.Context) error) error {
	for {
		err := probe(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("ended before it was ready: %w; it printed:\n%s", errors.Join(p.err, err), p.Output())
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w; it printed:\n%s", errors.Join(ctx.Err(), err), p.Output())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop sends the named signal, such as "TERM", waits for the end and keeps the
// folder. A program that has ended already is no failure.
func (p *Process) Stop(signal string) error {
	if _, err := fmt.Fprintln(p.stdin, signal); err != nil && !gone(err) {
		return fmt.Errorf("stop: %w", err)
	}
	return p.ended()
}

// Close ends the program at once and removes its folder.
func (p *Process) Close() error {
	if err := p.stdin.Close(); err != nil && !gone(err) {
		return fmt.Errorf("close: %w", err)
	}
	if err := p.ended(); err != nil {
		return err
	}
	return os.RemoveAll(p.dir)
}

// Ended reports whether the program has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Output gives what the program has printed so far, its last 8 KiB.
func (p *Process) Output() string {
	const most = 8 << 10
	out, err := os.ReadFile(filepath.Join(p.dir, "output.log"))
	if err != nil {
		return err.Error()
	}
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.TrimSpace(string(out))
}

func (p *Process) ended() error {
	select {
	case <-p.done:
		return nil
	case <-time.After(stopPatience):
		return fmt.Errorf("did not end within %s; it printed:\n%s", stopPatience, p.Output())
	}
}

// gone reports that nobody reads the pipe any more: the program has ended.
func gone(err error) bool {
	return errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE)
}
