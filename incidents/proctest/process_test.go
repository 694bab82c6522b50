package proctest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/houston-sre/houston/incidents/proctest"
)

// endEnv makes this test binary start a program in the folder named by
// dirEnv and then end in the way that endEnv names.
const (
	endEnv = "PROCTEST_END"
	dirEnv = "PROCTEST_DIR"
)

func TestMain(m *testing.M) {
	if end := os.Getenv(endEnv); end != "" {
		startAndEnd(end, os.Getenv(dirEnv))
	}
	os.Exit(m.Run())
}

// startAndEnd never returns.
func startAndEnd(end, dir string) {
	p, err := proctest.Start(context.Background(), sleeper(dir))
	if err != nil {
		panic(err)
	}
	if err := p.Ready(context.Background(), func(context.Context) error { _, err := readPID(dir); return err }); err != nil {
		panic(err)
	}
	// The parent waits for this line before it looks.
	fmt.Fprintln(os.Stdout, "up")
	switch end {
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(3)
	default: // killed from outside
		select {}
	}
}

// sleeper is a program that ends well on USR1 and ignores TERM.
func sleeper(dir string) proctest.Command {
	return proctest.Command{
		Path: "/bin/sh",
		Args: []string{"-c", `trap '' TERM; trap 'echo told; exit 0' USR1; echo started; echo $$ >pid.new; mv pid.new pid; while :; do sleep 0.05 & wait $!; done`},
		Dir:  dir,
	}
}

func readPID(dir string) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// The program must not outlive the test process, whatever ended that.
func TestProgramEndsWithTheTestProcess(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"panic", "exit", "kill -9"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "program")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			child := exec.CommandContext(t.Context(), os.Args[0])
			child.Env = append(os.Environ(), endEnv+"="+end, dirEnv+"="+dir)
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fscanln(out, new(string)); err != nil {
				t.Fatalf("wait for the child's line: %v", err)
			}
			pid, err := readPID(dir)
			if err != nil && end == "kill -9" {
				t.Fatal(err) // in the other cases the folder may be gone by now
			}
			if end == "kill -9" {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			if err := child.Wait(); err == nil {
				t.Fatal("the child ended well, want it to fail")
			}
			until(t, "the folder is removed", func() bool { _, err := os.Stat(dir); return errors.Is(err, os.ErrNotExist) })
			if pid != 0 {
				until(t, "the program is gone", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
			}
		})
	}
}

func TestStopKeepsTheFolderAndCloseRemovesIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "program")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := start(t, sleeper(dir))
	if err := p.Stop("USR1"); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the program took USR1 for a failure: %v", err)
	}
	if got, want := p.Output(), "started\ntold"; got != want {
		t.Errorf("output = %q, want %q", got, want)
	}
	if err := p.Stop("USR1"); err != nil {
		t.Errorf("stopping what is stopped: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("stat of the folder after Close = %v, want it gone", err)
	}
}

func TestReadyTellsWhatTheProgramPrinted(t *testing.T) {
	t.Parallel()
	p, err := proctest.Start(t.Context(), proctest.Command{
		Path: "/bin/sh", Args: []string{"-c", "echo port is taken >&2; exit 7"}, Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Ready(t.Context(), func(context.Context) error { return errors.New("connection refused") })
	for _, want := range []string{"exit status 7", "connection refused", "port is taken"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Ready = %v, want it to say %q", err, want)
		}
	}
}

func start(t *testing.T, c proctest.Command) *proctest.Process {
	t.Helper()
	p, err := proctest.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Ready(t.Context(), func(context.Context) error { _, err := readPID(c.Dir); return err }); err != nil {
		t.Fatal(err)
	}
	return p
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(15 * time.Second)
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain until %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
