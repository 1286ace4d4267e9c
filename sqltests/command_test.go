package sqltests

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// built is the command, built once for all tests of this package.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// TestMain also quiets the driver, whose logger all tests share: servers go away as a matter of course here.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = mysql.SetLogger(silent{})
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	endClusters()
	os.Exit(code)
}

// command returns the path of the built command.
func command(t testing.TB) string {
	t.Helper()
	if raced && testing.Short() {
		t.Skip("the race detector does not see into another process")
	}
	built.once.Do(func() {
		root := moduleRoot(t)
		// go test answers from its cache unless a file that the test has opened
		// has changed, and it doesn't see what the compiler opens.
		if built.err = touchSources(root); built.err != nil {
			return
		}
		if built.dir, built.err = os.MkdirTemp("", "sqlfdb-command"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "sqlfdb")
		if runtime.GOOS == "windows" {
			built.path += ".exe"
		}
		build := osexec.Command("go", "build", "-tags", buildTags, "-o", built.path, "./cmd/sqlfdb")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatalf("build the command: %v", built.err)
	}
	return built.path
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t testing.TB) string {
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

// environment is the test's own without settings of the command, and with those given.
func environment(settings ...string) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SQLFDB_") {
			env = append(env, e)
		}
	}
	return append(env, settings...)
}

// outcome is what a command that ended left.
type outcome struct {
	stdout, stderr string
	exit           int
}

// call is one run of the command.
type call struct {
	dir   string // where it runs; a fresh one if empty
	stdin string
	input io.Reader // instead of stdin
	env   []string
	args  []string
}

// run runs the command to its end.
func run(t testing.TB, c call) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := osexec.CommandContext(ctx, command(t), c.args...)
	if cmd.Dir = c.dir; cmd.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = environment(c.env...)
	if cmd.Stdin = c.input; c.input == nil {
		cmd.Stdin = strings.NewReader(c.stdin)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exited *osexec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatalf("%v: %v", c.args, err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%v did not end: %s%s", c.args, stdout.String(), stderr.String())
	}
	if strings.Contains(stderr.String(), "goroutine ") {
		t.Errorf("%v panicked: %s", c.args, stderr.String())
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// process is a running server, a child of the test.
type process struct {
	t      testing.TB
	cmd    *osexec.Cmd
	addr   address
	stdout *output
	stderr *output
	ended  chan struct{} // closed when it has ended
	again  call          // how it was started
}

// address is a TCP address as text.
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

var _ net.Addr = address("")

// spawn starts a command that serves, and waits until it listens. It is killed when
// the test ends, unless it has ended before.
func spawn(t testing.TB, c call) *process {
	t.Helper()
	p, err := trySpawn(t, c)
	for began := time.Now(); err != nil && strings.Contains(err.Error(), "address already in use") &&
		time.Since(began) < patience; {
		// The port of a server that was stopped has been given to a process of another test: it will have it again.
		time.Sleep(100 * time.Millisecond)
		p, err = trySpawn(t, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func trySpawn(t testing.TB, c call) (*process, error) {
	t.Helper()
	cmd := osexec.Command(command(t), c.args...)
	if cmd.Dir = c.dir; cmd.Dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = environment(c.env...)
	p := &process{t: t, cmd: cmd, stdout: &output{}, stderr: &output{}, ended: make(chan struct{}), again: c}
	cmd.Stderr = p.stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	listening := make(chan address, 1)
	go func() {
		defer close(p.ended)
		lines := bufio.NewScanner(pipe)
		for lines.Scan() {
			fmt.Fprintln(p.stdout, lines.Text())
			if a, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- address(a)
			}
		}
		_, _ = io.Copy(io.Discard, pipe)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		select {
		case <-p.ended:
		default:
			_ = cmd.Process.Kill()
			<-p.ended
		}
		if strings.Contains(p.stderr.String(), "goroutine ") {
			t.Errorf("a panic in the server: %.3000s", p.stderr.String())
		}
	})
	select {
	case p.addr = <-listening:
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("%v ended before it listened (%v): %s%s", c.args, cmd.ProcessState, p.stdout.String(),
			p.stderr.String())
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		return nil, fmt.Errorf("%v does not listen: %s%s", c.args, p.stdout.String(), p.stderr.String())
	}
}

// kill ends the process as a crash would.
func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
	<-p.ended
}

// stop ends the process with SIGTERM and requires that it goes in good order.
func (p *process) stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("SIGTERM did not end the server: %s", p.stderr.String())
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Errorf("after SIGTERM the server ended with %d: %s", code, p.stderr.String())
	}
}

func (p *process) dsn() string { return "root@tcp(" + p.addr.String() + ")/" }

// output collects what a process writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// wants fails unless the text holds every one of the parts.
func wants(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const mixedLines = `{"_id":"a","n":1.50,"s":"é"}
{"_id":"b"
{"_id":"a","again":true}

[1,2]
{"_id":"c","x":1,"x":2}
{"_id":"d","big":12345678901234567890123,"far":1e400}
`

// mixedRefusals are the lines of mixedLines that are refused, and words of the reasons.
var mixedRefusals = map[int]string{2: "", 3: "uplicate", 5: "", 6: "\"x\""}

func checkRefusals(t *testing.T, path string, o outcome) {
	t.Helper()
	if o.exit == 0 {
		t.Error("an import with refusals must end with another exit status than 0")
	}
	wants(t, "the import's output", o.stdout, "2 documents stored", "4 refused")
	var lines int
	for _, l := range strings.Split(o.stderr, "\n") {
		if strings.Contains(l, ": refused: ") {
			lines++
		}
	}
	if lines != len(mixedRefusals) {
		t.Errorf("%d refusals were named, want %d:\n%s", lines, len(mixedRefusals), o.stderr)
	}
	for line, reason := range mixedRefusals {
		wants(t, "the import's output", o.stderr, fmt.Sprintf("%s:%d: refused: ", path, line))
		for _, l := range strings.Split(o.stderr, "\n") {
			if rest, ok := strings.CutPrefix(l, fmt.Sprintf("%s:%d: refused: ", path, line)); ok {
				if rest == "" || !strings.Contains(rest, reason) {
					t.Errorf("the reason for line %d is %q, want something with %q", line, rest, reason)
				}
			}
		}
	}
	wants(t, "the import's output", o.stderr, "4 documents were refused")
}

const mixedExported = `{"_id":"a","n":1.50,"s":"é"}
{"_id":"d","big":12345678901234567890123,"far":1e400}
`

// TestCommandStore: import, export and check of a store that no server has open.
func TestCommandStore(t *testing.T) {
	t.Parallel()
	store := "pebble:" + filepath.Join(t.TempDir(), "store")
	path := writeFile(t, "mixed.jsonl", mixedLines)
	checkRefusals(t, path, run(t, call{args: []string{"import", "--store", store, "--table", "d.t", path}}))

	o := run(t, call{args: []string{"export", "--store", store, "--table", "d.t"}})
	if o.exit != 0 || o.stdout != mixedExported {
		t.Errorf("export: %+v", o)
	}
	o = run(t, call{args: []string{"check", "--store", store}})
	if o.exit != 0 {
		t.Errorf("check: %+v", o)
	}
	wants(t, "check", o.stdout, "d.t: 2 documents", "0 violations")
	for _, which := range []string{"nowhere", "d.nothing"} {
		if o := run(t, call{args: []string{"check", "--store", store, which}}); o.exit == 0 ||
			!strings.Contains(o.stderr, "unknown") {
			t.Errorf("check of %s: %+v", which, o)
		}
	}

	// An array, from standard input, into a file.
	o = run(t, call{args: []string{"import", "--store", store, "--table", "d.u", "--id", "k", "--format", "json", "-"},
		stdin: "[{\"k\":\"1\"},\n{\"k\":\"2\"}]"})
	if o.exit != 0 {
		t.Errorf("import of an array: %+v", o)
	}
	out := filepath.Join(t.TempDir(), "u.jsonl")
	if o := run(t, call{args: []string{"export", "--store", store, "--table", "d.u", out}}); o.exit != 0 {
		t.Errorf("export into a file: %+v", o)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "{\"k\":\"1\"}\n{\"k\":\"2\"}\n" {
		t.Errorf("the exported file: %q, %v", text, err)
	}
	// An array that is cut off: what came before is stored, and the exit status tells.
	o = run(t, call{args: []string{"import", "--store", store, "--table", "d.v", "--format", "json", "-"},
		stdin: `[{"_id":"1"},{"_id":"2`})
	if o.exit == 0 {
		t.Errorf("import of a truncated array: %+v", o)
	}
	wants(t, "import of a truncated array", o.stdout, "1 documents stored")
	// --max-errors stops.
	many := strings.Repeat("{}}\n", 100)
	o = run(t, call{args: []string{"import", "--store", store, "--table", "d.w", "--max-errors", "5", "-"}, stdin: many})
	if o.exit == 0 || !strings.Contains(o.stderr, "too many") {
		t.Errorf("--max-errors: %+v", o)
	}
	if o := run(t, call{args: []string{"check", "--store", store}}); o.exit != 0 {
		t.Errorf("check: %+v", o)
	}
}

// TestCommandServer: import, export and statements through a running server.
func TestCommandServer(t *testing.T) {
	t.Parallel()
	p := spawn(t, call{args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen", "127.0.0.1:0"}})
	path := writeFile(t, "mixed.jsonl", mixedLines)
	checkRefusals(t, path, run(t, call{args: []string{"import", "--dsn", p.dsn(), "--table", "d.t", path}}))
	o := run(t, call{args: []string{"export", "--dsn", p.dsn(), "--table", "d.t"}})
	if o.exit != 0 || o.stdout != mixedExported {
		t.Errorf("export: %+v", o)
	}
	o = run(t, call{args: []string{"sql", "--dsn", p.dsn(), "-e",
		"SELECT _id, n FROM d.t ORDER BY _id; SELECT COUNT(*) AS documents FROM d.t"}})
	if o.exit != 0 {
		t.Errorf("sql -e: %+v", o)
	}
	wants(t, "sql -e", o.stdout, "| _id | n", "| a ", "2 rows", "| documents |", "| 2 ", "1 row")
	o = run(t, call{args: []string{"sql", "--dsn", p.dsn()},
		stdin: "-- a comment;\nCREATE TABLE d.u (a INT);\nINSERT INTO d.u VALUES (1),(2);\nSELECT SUM(a) AS sum\nFROM d.u;"})
	if o.exit != 0 {
		t.Errorf("sql of standard input: %+v", o)
	}
	wants(t, "sql of standard input", o.stdout, "| sum", "| 3 ")
	o = run(t, call{args: []string{"sql", "--dsn", p.dsn(), "-e", "SELECT * FROM d.nothing; SELECT 'never'"}})
	if o.exit == 0 || strings.Contains(o.stdout, "never") {
		t.Errorf("sql of a wrong statement: %+v", o)
	}
	wants(t, "sql of a wrong statement", o.stderr, "ERROR 1146 (42S02)")
	checkAll(t, connect(t, p.addr, "", ""))
	p.stop()

	o = run(t, call{args: []string{"import", "--dsn", p.dsn(), "--table", "d.t", path}})
	if o.exit == 0 || !strings.Contains(o.stderr, "sqlfdb: ") {
		t.Errorf("import without a server: %+v", o)
	}
}

// TestCommandEnvironment: every flag can be given in the environment; a flag wins.
func TestCommandEnvironment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := spawn(t, call{args: []string{"serve"}, env: []string{"SQLFDB_STORE=pebble:" + dir, "SQLFDB_LISTEN=127.0.0.1:0",
		"SQLFDB_ROOT_PASSWORD=secret"}})
	dsn := "root:secret@tcp(" + p.addr.String() + ")/"
	o := run(t, call{args: []string{"sql", "-e", "SELECT 1+1 AS two"}, env: []string{"SQLFDB_DSN=" + dsn}})
	if o.exit != 0 {
		t.Errorf("sql by the environment: %+v", o)
	}
	wants(t, "sql by the environment", o.stdout, "| two |", "| 2 ")
	o = run(t, call{args: []string{"sql", "--dsn", "root@tcp(" + p.addr.String() + ")/", "-e", "SELECT 1"},
		env: []string{"SQLFDB_DSN=" + dsn}})
	if o.exit == 0 || !strings.Contains(o.stderr, "1045 (28000)") {
		t.Errorf("sql without the password: %+v", o)
	}
	o = run(t, call{args: []string{"import", "-"}, stdin: `{"_id":"x"}`,
		env: []string{"SQLFDB_DSN=" + dsn, "SQLFDB_TABLE=d.t", "SQLFDB_MAX_ERRORS=0"}})
	if o.exit != 0 {
		t.Errorf("import by the environment: %+v", o)
	}
	p.stop()
	o = run(t, call{args: []string{"check"}, env: []string{"SQLFDB_STORE=pebble:" + dir}})
	if o.exit != 0 {
		t.Errorf("check by the environment: %+v", o)
	}
	wants(t, "check", o.stdout, "d.t: 1 documents")
	o = run(t, call{args: []string{"import", "-"}, env: []string{"SQLFDB_MAX_ERRORS=many", "SQLFDB_TABLE=d.t"}})
	if o.exit == 0 || !strings.Contains(o.stderr, "SQLFDB_MAX_ERRORS") {
		t.Errorf("a wrong setting in the environment: %+v", o)
	}
}

// TestCommandRefusals: what the commands must not do, and say so.
func TestCommandRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		args []string
		env  []string
		want string
	}{
		{"all addresses without a password", []string{"serve", "--listen", "0.0.0.0:0"}, nil, "password"},
		{"no host without a password", []string{"serve", "--listen", ":0"}, nil, "password"},
		{"IPv6 without a password", []string{"serve", "--listen", "[::]:0"}, nil, "password"},
		{"the environment without a password", []string{"serve"}, []string{"SQLFDB_LISTEN=0.0.0.0:0"}, "password"},
		{"demo without a password", []string{"demo", "--listen", "0.0.0.0:0"}, nil, "password"},
		{"no port", []string{"serve", "--listen", "127.0.0.1"}, nil, "127.0.0.1"},
		{"no engine", []string{"serve", "--store", "somewhere"}, nil, "pebble:DIR"},
		{"unknown engine", []string{"serve", "--store", "oracle:x"}, nil, "oracle"},
		{"no such store", []string{"check", "--store", "pebble:" + filepath.Join(dir, "none")}, nil, "none"},
		{"no such file", []string{"import", "--table", "d.t", "--store", "pebble:" + filepath.Join(dir, "s"),
			filepath.Join(dir, "none.jsonl")}, nil, "none.jsonl"},
		{"no table", []string{"import", "-"}, nil, "table"},
		{"half a table", []string{"import", "--table", "t", "-"}, nil, "DB.TABLE"},
		{"unknown format", []string{"import", "--table", "d.t", "--format", "xml", "-"}, nil, "xml"},
		{"unknown flag", []string{"serve", "--colour", "red"}, nil, "colour"},
		{"unknown command", []string{"dance"}, nil, "dance"},
		{"bad DSN", []string{"sql", "--dsn", "nonsense", "-e", "SELECT 1"}, nil, "--dsn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := run(t, call{args: test.args, env: test.env})
			if o.exit == 0 || !strings.Contains(o.stderr, test.want) || !strings.HasPrefix(o.stderr, "sqlfdb: ") {
				t.Errorf("got %+v, want an error with %q", o, test.want)
			}
			if strings.Contains(o.stdout, "listening") {
				t.Errorf("it listened: %s", o.stdout)
			}
		})
	}
	p := spawn(t, call{args: []string{"serve", "--store", "pebble:" + dir, "--listen", "0.0.0.0:0"},
		env: []string{"SQLFDB_ROOT_PASSWORD=s3cret"}})
	p.stop()
}

func TestCommandVersion(t *testing.T) {
	o := run(t, call{args: []string{"version"}})
	if o.exit != 0 || o.stderr != "" {
		t.Errorf("version: %+v", o)
	}
	wants(t, "version", o.stdout, "sqlfdb ", "store format ", "collation UCA ")
}

// TestCommandDemo: the first run makes the samples; the second starts on them at once;
// every statement that it prints runs.
func TestCommandDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 20,000 documents")
	}
	dir := t.TempDir()
	c := call{dir: dir, args: []string{"demo", "--listen", "127.0.0.1:0"}}
	p := spawn(t, c)
	wants(t, "the first run", p.stdout.String(), "made ")
	p.stop()
	first := p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	p = spawn(t, c)
	p.stop()
	// Processor time, which others on the machine don't change: a fraction of a second, and several for the first run.
	if used := p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime(); used > 5*time.Second || used > first/2 {
		t.Errorf("the second run used %v of the processors until it listened and ended, the first one %v", used, first)
	}
	p = spawn(t, c)
	if strings.Contains(p.stdout.String(), "made ") {
		t.Errorf("the second run made samples again: %s", p.stdout.String())
	}
	eventually(t, func() string { return "it does not say what to try: " + p.stdout.String() },
		func() bool { return strings.Contains(p.stdout.String(), "Ctrl-C") })
	invitation := p.stdout.String()
	db := connect(t, p.addr, "shop", "")
	_, statements, _ := strings.Cut(invitation, "and try:")
	statements, _, _ = strings.Cut(statements, "The server is at")
	n := 0
	for _, block := range strings.Split(statements, "\n\n") {
		var lines []string
		for _, l := range strings.Split(block, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(l), "--") {
				lines = append(lines, l)
			}
		}
		stmt := strings.TrimSuffix(strings.TrimSpace(strings.Join(lines, "\n")), ";")
		if stmt == "" {
			continue
		}
		n++
		rows, err := db.Query(stmt)
		if err != nil {
			t.Errorf("%s: %v", stmt, err)
			continue
		}
		found := 0
		for rows.Next() {
			found++
		}
		if err := rows.Err(); err != nil {
			t.Errorf("%s: %v", stmt, err)
		}
		columns, _ := rows.Columns()
		if found == 0 && len(columns) > 0 {
			t.Errorf("%s: no rows", stmt)
		}
		_ = rows.Close()
	}
	if n < 5 {
		t.Errorf("%d statements to try:\n%s", n, invitation)
	}
	var documents int
	if err := db.QueryRow("SELECT COUNT(*) FROM orders").Scan(&documents); err != nil || documents < 10_000 {
		t.Errorf("%d orders, %v", documents, err)
	}
	checkAll(t, db)
	p.stop()
}
