package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/houston-sre/houston/incidents/proctest"
)

const (
	part = "postgres" // its name in HOUSTON_TEST_REQUIRE

	// startPatience covers initdb and the first start on a busy machine.
	startPatience = 90 * time.Second
)

// Config says how a cluster is to be; the zero value is for ordinary tests.
type Config struct {
	// Fsync makes a commit wait for the disk, as in production. Tests that
	// measure want it; the others are several times faster without.
	Fsync bool
}

// Cluster is one PostgreSQL server with one empty database.
type Cluster struct {
	postgres string // the server program
	user     *syscall.Credential
	dir      string // holds the data and the socket
	port     int
	cfg      Config
	server   *proctest.Process
}

// New starts a cluster for this test alone and removes it when the test ends.
func New(t testing.TB, cfg Config) *Cluster {
	t.Helper()
	c, err := start(context.WithoutCancel(t.Context()), cfg)
	need(t, err)
	t.Cleanup(func() {
		if err := c.server.Close(); err != nil {
			t.Errorf("close the PostgreSQL cluster: %v", err)
		}
	})
	return c
}

// need ends the test when a cluster could not be had.
func need(t testing.TB, err error) {
	t.Helper()
	if _, missing := errors.AsType[*proctest.NotInstalledError](err); missing {
		proctest.Missing(t, part, err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Stop ends the server as an administrator would (a fast shutdown, which cuts
// every connection) and keeps its data.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	if err := c.server.Stop("INT"); err != nil {
		t.Fatalf("stop PostgreSQL: %v", err)
	}
}

// Start starts the server again, on the same port and data.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	if err := c.run(context.WithoutCancel(t.Context())); err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
}

// PID is the number of the server's first process, the postmaster.
func (c *Cluster) PID() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	return pid, err
}

func start(ctx context.Context, cfg Config) (*Cluster, error) {
	postgres, err := proctest.Find([]string{"postgres"}, "/usr/lib/postgresql/*/bin")
	if err != nil {
		return nil, err
	}
	initdb, err := proctest.Find([]string{"initdb"}, "/usr/lib/postgresql/*/bin")
	if err != nil {
		return nil, err
	}
	c := &Cluster{postgres: postgres, cfg: cfg}
	if c.user, err = unprivileged(); err != nil {
		return nil, err
	}
	if c.dir, err = os.MkdirTemp("", "houston-pg-"); err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	if c.user != nil {
		if err := os.Chown(c.dir, int(c.user.Uid), int(c.user.Gid)); err != nil {
			return nil, fmt.Errorf("hand the folder to the user postgres: %w", err)
		}
	}
	err = c.create(ctx, initdb)
	if err == nil {
		err = c.runOnFreePort(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	return c, nil
}

// unprivileged is the user to run as: PostgreSQL refuses to run as root. It is
// nil when the tests do not run as root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("root needs a user postgres to run PostgreSQL as: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user id of postgres: %w", err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("group id of postgres: %w", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func (c *Cluster) create(ctx context.Context, initdb string) error {
	p, err := proctest.Start(ctx, proctest.Command{
		Path: initdb, Dir: c.dir, User: c.user,
		Args: []string{
			"--pgdata=data", "--username=postgres", "--auth=trust",
			"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
		},
	})
	if err != nil {
		return err
	}
	if err := p.Wait(); err != nil {
		return fmt.Errorf("initdb: %w", err)
	}
	return nil
}

// runOnFreePort tries more than once: between finding a free port and taking
// it, somebody else may take it.
func (c *Cluster) runOnFreePort(ctx context.Context) error {
	var failures error
	for range 5 {
		port, err := freePort(ctx)
		if err != nil {
			return err
		}
		c.port = port
		if err = c.run(ctx); err == nil {
			return nil
		}
		failures = errors.Join(failures, err)
	}
	return failures
}

func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func (c *Cluster) run(ctx context.Context) error {
	onOff := map[bool]string{false: "off", true: "on"}
	p, err := proctest.Start(ctx, proctest.Command{
		Path: c.postgres, Dir: c.dir, User: c.user,
		// QUIT is PostgreSQL's immediate shutdown; after KILL its children
		// would linger. https://www.postgresql.org/docs/15/server-shutdown.html
		Quit: "QUIT",
		Args: []string{
			"-D", "data", "-k", c.dir, "-h", "127.0.0.1", "-p", strconv.Itoa(c.port),
			"-c", "fsync=" + onOff[c.cfg.Fsync], "-c", "full_page_writes=" + onOff[c.cfg.Fsync],
			"-c", "max_connections=200", "-c", "timezone=Asia/Kathmandu",
		},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	if err := p.Ready(ctx, c.answers); err != nil {
		return errors.Join(err, p.Stop("QUIT"))
	}
	c.server = p
	return nil
}

func (c *Cluster) answers(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.url(""))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// url names the database, and the schema that unqualified names mean.
func (c *Cluster) url(schema string) string {
	q := url.Values{}
	if schema != "" {
		q.Set("search_path", schema)
	}
	return c.address("postgres", q)
}

// databaseURL names a database of its own.
func (c *Cluster) databaseURL(name string) string { return c.address(name, url.Values{}) }

func (c *Cluster) address(database string, query url.Values) string {
	query.Set("sslmode", "disable")
	u := url.URL{
		Scheme: "postgres", User: url.User("postgres"), Path: "/" + database,
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)), RawQuery: query.Encode(),
	}
	return u.String()
}
