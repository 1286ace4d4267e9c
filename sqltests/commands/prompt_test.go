package commands

import (
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// terminal is the command's prompt on a terminal of its own, as a person has it.
type terminal struct {
	t   *testing.T
	cmd *osexec.Cmd
	pty *os.File

	mu   sync.Mutex
	seen string // without what steers the terminal
	from int    // what has been waited for
}

// steering is what moves the cursor and colours texts.
var steering = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

func startTerminal(t *testing.T, history string, args ...string) *terminal {
	t.Helper()
	term := &terminal{t: t, cmd: osexec.Command(harness.Command(t), append([]string{"sql"}, args...)...)}
	term.cmd.Dir = t.TempDir()
	pager := filepath.Join(term.cmd.Dir, "pager")
	err := os.WriteFile(pager, []byte("#!/bin/sh\necho paged\ncat\nsleep 3\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	term.cmd.Env = harness.Environment("SQLFDB_HISTORY="+history, "TERM=xterm", "PAGER="+pager, "NO_COLOR=1")
	if term.pty, err = pty.StartWithSize(term.cmd, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Skipf("no terminal can be had: %v", err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buffer := make([]byte, 4096)
		for {
			n, err := term.pty.Read(buffer)
			term.mu.Lock()
			term.seen += steering.ReplaceAllString(string(buffer[:n]), "")
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = term.cmd.Process.Kill()
		_ = term.cmd.Wait()
		_ = term.pty.Close()
		<-read
	})
	return term
}

// wait waits for a text behind what was waited for before.
func (term *terminal) wait(text string) {
	term.t.Helper()
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		term.mu.Lock()
		at := strings.Index(term.seen[term.from:], text)
		if at >= 0 {
			term.from += at + len(text)
		}
		term.mu.Unlock()
		if at >= 0 {
			return
		}
	}
	term.t.Fatalf("the terminal does not show %s but\n%s", text, term.rest())
}

func (term *terminal) rest() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return strings.ReplaceAll(term.seen[term.from:], "\r\n", "\n")
}

func (term *terminal) send(keys string) {
	term.t.Helper()
	if _, err := io.WriteString(term.pty, keys); err != nil {
		term.t.Fatal(err)
	}
}

const (
	ctrlC   = "\x03"
	ctrlD   = "\x04"
	ctrlR   = "\x12"
	enter   = "\r"
	tabKey  = "\t"
	arrowUp = "\x1b[A"
)

// TestPrompt types at the prompt as a person does.
func TestPrompt(t *testing.T) {
	harness.Embedded(t)
	store := "pebble:" + filepath.Join(t.TempDir(), "store")
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", store, "--listen", "127.0.0.1:0"}})
	db := harness.Connect(t, p.Addr, "", "")
	for _, s := range []string{
		"CREATE DATABASE shop", "CREATE TABLE shop.orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`INSERT INTO shop.orders (_doc) VALUES ('{"_id":"a","status":"paid","customer":{"name":"Zoë","city":"Zürich"}}')`,
		"CREATE TABLE shop.numbers (n INT PRIMARY KEY)",
		"INSERT INTO shop.numbers WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 900) " +
			"SELECT n FROM c",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	_, port, _ := strings.Cut(p.Addr.String(), ":")
	history := filepath.Join(t.TempDir(), "history")
	term := startTerminal(t, history, "-h", "127.0.0.1", "-P", port, "-u", "root")
	term.wait("connection")
	term.wait("sqlfdb> ")

	// A database, a list, a table; none of them with a semicolon.
	term.send("use shop" + enter)
	term.wait("Database changed")
	term.wait("shop> ")
	term.send(`\d` + enter)
	term.wait("| orders  | BASE TABLE | 1")
	term.send(`\d orders` + enter)
	term.wait("customer.name")

	// JSON has its structure, a statement has several lines.
	term.send("SELECT _doc" + enter)
	term.wait("-> ")
	term.send("FROM orders;" + enter)
	term.wait(`    "city": "Zürich"`)
	term.wait("1 row (")
	term.send(`SELECT status, 2 AS two FROM orders\G` + enter)
	term.wait("status: paid")
	term.wait("two: 2")

	// Names are completed, what was typed is found again.
	term.send("SELECT `customer.n" + tabKey + " AS who FROM ord" + tabKey + ";" + enter)
	term.wait("| who |")
	term.send(ctrlR + "two FROM")
	term.wait("SELECT status, 2 AS two FROM")
	term.send(enter)
	term.wait("status: paid")

	// Keys that move and cut.
	term.send("3 + 4 AS moved;\x01SELECT \x05" + enter) // to the beginning, and to the end
	term.wait("| 7     |")
	term.send("SELECT 5 AS cut nonsense\x17\x02;\x0b" + enter) // a word, one place back, the rest
	term.wait("| 5   |")
	term.send("SELECT 6 AS x9\x7f;" + enter)
	term.wait("| x |")

	// Who reads in a pager takes their time, not the statement's.
	term.send("SELECT n FROM numbers WHERE n <= 100;" + enter)
	term.wait("paged")
	term.wait("100 rows (")
	var seconds float64
	if _, err := fmt.Sscanf(term.rest(), "%f s)", &seconds); err != nil || seconds >= 3 {
		t.Errorf("a statement whose rows were read for 3 s is said to have taken %v s, %v", seconds, err)
	}

	// Ctrl-C forgets what was begun.
	term.send("SELECT 'nobody" + enter)
	term.wait("'> ")
	term.send(ctrlC)
	term.wait("shop> ")

	// It ends a statement, and the session stays as it is.
	term.send("SET @kept = 7; CREATE TEMPORARY TABLE own (i INT); BEGIN; INSERT INTO own VALUES (1);" + enter)
	term.wait("1 row affected")
	began := time.Now()
	term.send("SELECT COUNT(*) FROM numbers a, numbers b, numbers c WHERE a.n + b.n + c.n < 0;" + enter)
	term.wait("Ctrl-C ends it")
	term.send(ctrlC)
	term.wait("ERROR 1317 (70100)")
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v to end a statement", took)
	}
	term.send("SELECT @kept + (SELECT COUNT(*) FROM own) AS kept;" + enter)
	term.wait("| 8    |")
	term.send("ROLLBACK; SELECT COUNT(*) AS none FROM own;" + enter)
	term.wait("| 0    |")

	// Warnings and errors.
	term.send("INSERT IGNORE INTO numbers VALUES (1);" + enter)
	term.wait("Query OK, 0 rows affected, 1 warning")
	term.wait("Warning (1062)")
	term.send("SELECT * FROM ordrs;" + enter)
	term.wait("did you mean 'orders'?")

	// The server is started anew.
	p.Stop()
	again := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", store, "--listen", p.Addr.String()}})
	term.send("SELECT 1;" + enter)
	term.wait("Connected again")
	term.send("SELECT COUNT(*) + 1000 AS there FROM numbers;" + enter)
	term.wait("| 1900  |")

	term.send(arrowUp + enter)
	term.wait("| 1900  |")
	term.send("quit" + enter)
	if err := term.cmd.Wait(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(history)
	if err != nil || !strings.Contains(string(kept), "SELECT _doc FROM orders;\n") {
		t.Errorf("the history is %s, %v", kept, err)
	}
	if info, err := os.Stat(history); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	term = startTerminal(t, history, "-P", port, "shop")
	term.wait("shop> ")
	term.send(ctrlR + "1000")
	term.wait("SELECT COUNT(*) + 1000 AS there")
	term.send(enter)
	term.wait("| 1900  |")
	term.send(ctrlD)
	if err := term.cmd.Wait(); err != nil {
		t.Error(err)
	}
	harness.Check(t, harness.Connect(t, again.Addr, "", ""), "shop.orders")
}

// TestPromptEnds: a signal ends the prompt and leaves the terminal as it was.
func TestPromptEnds(t *testing.T) {
	harness.Embedded(t)
	s := harness.Start(t)
	term := startTerminal(t, "", "--dsn", "root@tcp("+s.Addr().String()+")/")
	term.wait("sqlfdb> ")
	if err := term.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := term.cmd.Wait(); err == nil {
		t.Error("it ends as if it had been left")
	}
}

// TestSQLFlags: the flags of the mysql client, formats, and what a pipe does at an error.
func TestSQLFlags(t *testing.T) {
	harness.Embedded(t)
	p := harness.Spawn(t, harness.Call{
		Args: []string{"serve", "--store", "pebble:" + filepath.Join(t.TempDir(), "store"), "--listen", "127.0.0.1:0"},
		Env:  []string{"SQLFDB_ROOT_PASSWORD=s3 cret"},
	})
	_, port, _ := strings.Cut(p.Addr.String(), ":")
	sql := func(stdin string, args ...string) harness.Outcome {
		t.Helper()
		flags := []string{"sql", "-h", "127.0.0.1", "-P", port, "-uroot", "-ps3 cret"}
		return harness.Run(t, harness.Call{Args: append(flags, args...), Stdin: stdin})
	}
	for _, c := range []struct {
		stdin          string
		args           []string
		stdout, stderr string
		exit           int
	}{
		{args: []string{"-e", "SELECT DATABASE() AS d", "sqlfdb"},
			stdout: "+--------+\n| d      |\n+--------+\n| sqlfdb |\n+--------+\n1 row\n"},
		{args: []string{"--format", "csv", "-e", "SELECT 1 AS a, NULL AS b, 'x,y' AS c"}, stdout: "a,b,c\n1,,\"x,y\"\n"},
		{args: []string{"--format", "json", "--database=sqlfdb", "-e",
			"SELECT DATABASE() AS d, 1.50 AS n, CAST('{\"a\": [1]}' AS JSON) AS j"},
			stdout: "[{\"d\": \"sqlfdb\", \"n\": 1.50, \"j\": {\"a\":[1]}}]\n"},
		{stdin: "SELECT 1 AS a;\n\n-- so\nSELECT\n b;\nSELECT 2 AS c\n", args: []string{"--format=tsv"}, exit: 1,
			stdout: "a\n1\n", stderr: "ERROR 1054 (42S22) at line 4: "},
		{stdin: "SELECT 1 AS a;\nSELECT b;\nSELECT 2 AS c\n", args: []string{"--format=tsv", "--force"}, exit: 1,
			stdout: "a\n1\nc\n2\n", stderr: "ERROR 1054 (42S22) at line 2: "},
		{args: []string{"--format", "xml"}, exit: 1, stderr: `sqlfdb: --format "xml": want one of table, vertical`},
		{args: []string{"a", "b"}, exit: 1, stderr: "one database is current at a time"},
		{args: []string{"-pwrong", "-e", "SELECT 1"}, exit: 1, stderr: "ERROR 1045 (28000): "},
	} {
		o := sql(c.stdin, c.args...)
		told := strings.Contains(o.Stderr, c.stderr) && (c.stderr != "" || o.Stderr == "")
		if o.Stdout != c.stdout || !told || o.Exit != c.exit {
			t.Errorf("%q: %d\n%s\n%s", c.args, o.Exit, o.Stdout, o.Stderr)
		}
	}
}
