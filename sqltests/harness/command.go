package harness

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// built is the command, which a process of tests builds once.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// Main runs the tests of a package. It quiets the driver, whose logger all tests share: servers go away as a matter of
// course here.
func Main(m *testing.M) {
	flag.Parse()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // small heaps of many short servers: a seventh of the time would go into collecting them
	}
	_ = mysql.SetLogger(silent{})
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	endClusters()
	os.Exit(code)
}

// Command returns the path of the built command.
func Command(t testing.TB) string {
	t.Helper()
	if raced && testing.Short() {
		t.Skip("the race detector does not see into another process")
	}
	built.once.Do(func() { built.err = build(ModuleRoot(t)) })
	if built.err != nil {
		t.Fatalf("build the command: %v", built.err)
	}
	return built.path
}

// build builds the command of a module. Linking takes longest: the file is linked to where the next process of tests
// finds it, and go build leaves a file as it is whose sources have not changed.
func build(root string) error {
	// go test answers from its cache unless a file that the test has opened
	// has changed, and it doesn't see what the compiler opens.
	if err := touchSources(root); err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "sqlfdb-tests")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return err
	}
	if built.dir, err = os.MkdirTemp(cache, "run"); err != nil {
		return err
	}
	kept := filepath.Join(cache, fmt.Sprintf("sqlfdb-%08x%s", crc32.ChecksumIEEE([]byte(root)), buildTags))
	built.path = filepath.Join(built.dir, "sqlfdb")
	if runtime.GOOS == "windows" {
		built.path += ".exe"
	}
	_ = os.Link(kept, built.path) // without it the command is linked again
	cmd := osexec.Command("go", "build", "-tags", buildTags, "-ldflags", "-s -w", "-o", built.path, "./cmd/sqlfdb")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	next := filepath.Join(built.dir, "kept")
	if os.Link(built.path, next) == nil {
		_ = os.Rename(next, kept)
	}
	return nil
}

// ModuleRoot is the folder of go.mod.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// touchSources opens the files that the command is built of.
func touchSources(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if (filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go")) && name != "go.mod" && name != "go.sum" {
			return nil
		}
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return f.Close()
	})
}

// Environment is the test's own without settings of the command, and with those given.
func Environment(settings ...string) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SQLFDB_") {
			env = append(env, e)
		}
	}
	return append(env, settings...)
}

// Outcome is what a command that ended left.
type Outcome struct {
	Stdout, Stderr string
	Exit           int
}

// Call is one run of the command.
type Call struct {
	Dir   string // where it runs; a fresh one if empty
	Stdin string
	Input io.Reader // instead of stdin
	Env   []string
	Args  []string
}

// Run runs the command to its end.
func Run(t testing.TB, c Call) Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	cmd := osexec.CommandContext(ctx, Command(t), c.Args...)
	if cmd.Dir = c.Dir; cmd.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = Environment(c.Env...)
	if cmd.Stdin = c.Input; c.Input == nil {
		cmd.Stdin = strings.NewReader(c.Stdin)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exited *osexec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatalf("%v: %v", c.Args, err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%v did not end: %s%s", c.Args, stdout.String(), stderr.String())
	}
	if strings.Contains(stderr.String(), "goroutine ") {
		t.Errorf("%v panicked: %s", c.Args, stderr.String())
	}
	return Outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// Process is a running server, a child of the test.
type Process struct {
	t      testing.TB
	Cmd    *osexec.Cmd
	Addr   Address
	Stdout *Output
	Stderr *Output
	Ended  chan struct{} // closed when it has ended
	Again  Call          // how it was started
}

// Address is a TCP address as text.
type Address string

// Network implements net.Addr.
func (Address) Network() string { return "tcp" }

// String implements net.Addr.
func (a Address) String() string { return string(a) }

// Spawn starts a command that serves, and waits until it listens. It is killed when
// the test ends, unless it has ended before.
func Spawn(t testing.TB, c Call) *Process {
	t.Helper()
	p, err := trySpawn(t, c)
	for began := time.Now(); err != nil && strings.Contains(err.Error(), "address already in use") &&
		time.Since(began) < Patience; {
		// The port of a server that was stopped has been given to a process of another test: it will have it again.
		time.Sleep(100 * time.Millisecond)
		p, err = trySpawn(t, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func trySpawn(t testing.TB, c Call) (*Process, error) {
	t.Helper()
	cmd := osexec.Command(Command(t), c.Args...)
	if cmd.Dir = c.Dir; cmd.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = Environment(c.Env...)
	p := &Process{t: t, Cmd: cmd, Stdout: &Output{}, Stderr: &Output{}, Ended: make(chan struct{}), Again: c}
	cmd.Stderr = p.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	listening := make(chan Address, 1)
	go func() {
		defer close(p.Ended)
		lines := bufio.NewScanner(pipe)
		for lines.Scan() {
			fmt.Fprintln(p.Stdout, lines.Text())
			if a, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- Address(a)
			}
		}
		_, _ = io.Copy(io.Discard, pipe)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		select {
		case <-p.Ended:
		default:
			_ = cmd.Process.Kill()
			<-p.Ended
		}
		said := p.Stderr.String()
		if at := strings.Index(said, "goroutine "); at >= 0 {
			t.Errorf("a panic in the server: %.6000s", said[max(0, at-1000):])
		}
	})
	select {
	case p.Addr = <-listening:
		return p, nil
	case <-p.Ended:
		return nil, fmt.Errorf("%v ended before it listened (%v): %s%s", c.Args, cmd.ProcessState, p.Stdout.String(),
			p.Stderr.String())
	case <-time.After(Patience):
		_ = cmd.Process.Kill()
		return nil, fmt.Errorf("%v does not listen: %s%s", c.Args, p.Stdout.String(), p.Stderr.String())
	}
}

// Kill ends the process as a crash would.
func (p *Process) Kill() {
	p.t.Helper()
	if err := p.Cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
	<-p.Ended
}

// Stop ends the process with SIGTERM and requires that it goes in good order.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.Ended:
	case <-time.After(Patience):
		p.t.Fatalf("SIGTERM did not end the server: %s", p.Stderr.String())
	}
	if code := p.Cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Errorf("after SIGTERM the server ended with %d: %s", code, p.Stderr.String())
	}
}

// DSN is the name of the server, without a database, for the driver.
func (p *Process) DSN() string { return "root@tcp(" + p.Addr.String() + ")/" }

// Output collects what a process writes.
type Output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

// String is what has been written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// ServeCall serves the store of a directory, at a port of the system's choice.
func ServeCall(t testing.TB, dir string) Call {
	t.Helper()
	return Call{Args: []string{"serve", "--store", StoreIn(t, dir), "--listen", "127.0.0.1:0"}}
}

type silent struct{}

func (silent) Print(...any) {}
