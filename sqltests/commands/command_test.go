package commands

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var _ net.Addr = harness.Address("")

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

func checkRefusals(t *testing.T, path string, o harness.Outcome) {
	t.Helper()
	if o.Exit == 0 {
		t.Error("an import with refusals must end with another exit status than 0")
	}
	wants(t, "the import's output", o.Stdout, "2 documents stored", "4 refused")
	var lines int
	for _, l := range strings.Split(o.Stderr, "\n") {
		if strings.Contains(l, ": refused: ") {
			lines++
		}
	}
	if lines != len(mixedRefusals) {
		t.Errorf("%d refusals were named, want %d:\n%s", lines, len(mixedRefusals), o.Stderr)
	}
	for line, reason := range mixedRefusals {
		wants(t, "the import's output", o.Stderr, fmt.Sprintf("%s:%d: refused: ", path, line))
		for _, l := range strings.Split(o.Stderr, "\n") {
			if rest, ok := strings.CutPrefix(l, fmt.Sprintf("%s:%d: refused: ", path, line)); ok {
				if rest == "" || !strings.Contains(rest, reason) {
					t.Errorf("the reason for line %d is %q, want something with %q", line, rest, reason)
				}
			}
		}
	}
	wants(t, "the import's output", o.Stderr, "4 documents were refused")
}

const mixedExported = `{"_id":"a","n":1.50,"s":"é"}
{"_id":"d","big":12345678901234567890123,"far":1e400}
`

// TestCommandStore: import, export and check of a store that no server has open.
func TestCommandStore(t *testing.T) {
	t.Parallel()
	store := "pebble:" + filepath.Join(t.TempDir(), "store")
	path := writeFile(t, "mixed.jsonl", mixedLines)
	checkRefusals(t, path, harness.Run(t, harness.Call{Args: []string{"import", "--store", store, "--table", "d.t",
		path}}))

	o := harness.Run(t, harness.Call{Args: []string{"export", "--store", store, "--table", "d.t"}})
	if o.Exit != 0 || o.Stdout != mixedExported {
		t.Errorf("export: %+v", o)
	}
	o = harness.Run(t, harness.Call{Args: []string{"check", "--store", store}})
	if o.Exit != 0 {
		t.Errorf("check: %+v", o)
	}
	wants(t, "check", o.Stdout, "d.t: 2 documents", "0 violations")
	for _, which := range []string{"nowhere", "d.nothing"} {
		if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", store, which}}); o.Exit == 0 ||
			!strings.Contains(o.Stderr, "unknown") {
			t.Errorf("check of %s: %+v", which, o)
		}
	}

	// An array, from standard input, into a file.
	o = harness.Run(t, harness.Call{Args: []string{"import", "--store", store, "--table", "d.u", "--id", "k",
		"--format", "json", "-"},
		Stdin: "[{\"k\":\"1\"},\n{\"k\":\"2\"}]"})
	if o.Exit != 0 {
		t.Errorf("import of an array: %+v", o)
	}
	out := filepath.Join(t.TempDir(), "u.jsonl")
	if o := harness.Run(t, harness.Call{Args: []string{"export", "--store", store, "--table", "d.u",
		out}}); o.Exit != 0 {
		t.Errorf("export into a file: %+v", o)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "{\"k\":\"1\"}\n{\"k\":\"2\"}\n" {
		t.Errorf("the exported file: %q, %v", text, err)
	}
	// An array that is cut off: what came before is stored, and the exit status tells.
	o = harness.Run(t, harness.Call{Args: []string{"import", "--store", store, "--table", "d.v", "--format", "json",
		"-"},
		Stdin: `[{"_id":"1"},{"_id":"2`})
	if o.Exit == 0 {
		t.Errorf("import of a truncated array: %+v", o)
	}
	wants(t, "import of a truncated array", o.Stdout, "1 documents stored")
	// --max-errors stops.
	many := strings.Repeat("{}}\n", 100)
	o = harness.Run(t, harness.Call{Args: []string{"import", "--store", store, "--table", "d.w", "--max-errors", "5",
		"-"}, Stdin: many})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "too many") {
		t.Errorf("--max-errors: %+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", store}}); o.Exit != 0 {
		t.Errorf("check: %+v", o)
	}
}

// TestCommandServer: import, export and statements through a running server.
func TestCommandServer(t *testing.T) {
	t.Parallel()
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen",
		"127.0.0.1:0"}})
	path := writeFile(t, "mixed.jsonl", mixedLines)
	checkRefusals(t, path, harness.Run(t, harness.Call{Args: []string{"import", "--dsn", p.DSN(), "--table", "d.t",
		path}}))
	o := harness.Run(t, harness.Call{Args: []string{"export", "--dsn", p.DSN(), "--table", "d.t"}})
	if o.Exit != 0 || o.Stdout != mixedExported {
		t.Errorf("export: %+v", o)
	}
	o = harness.Run(t, harness.Call{Args: []string{"sql", "--dsn", p.DSN(), "-e",
		"SELECT _id, n FROM d.t ORDER BY _id; SELECT COUNT(*) AS documents FROM d.t"}})
	if o.Exit != 0 {
		t.Errorf("sql -e: %+v", o)
	}
	wants(t, "sql -e", o.Stdout, "| _id | n", "| a ", "2 rows", "| documents |", "| 2 ", "1 row")
	o = harness.Run(t, harness.Call{Args: []string{"sql", "--dsn", p.DSN()},
		Stdin: "-- a comment;\nCREATE TABLE d.u (a INT);\nINSERT INTO d.u VALUES (1),(2);\nSELECT SUM(a) AS sum\nFROM d.u;"})
	if o.Exit != 0 {
		t.Errorf("sql of standard input: %+v", o)
	}
	wants(t, "sql of standard input", o.Stdout, "| sum", "| 3 ")
	o = harness.Run(t, harness.Call{Args: []string{"sql", "--dsn", p.DSN(), "-e",
		"SELECT * FROM d.nothing; SELECT 'never'"}})
	if o.Exit == 0 || strings.Contains(o.Stdout, "never") {
		t.Errorf("sql of a wrong statement: %+v", o)
	}
	wants(t, "sql of a wrong statement", o.Stderr, "ERROR 1146 (42S02)")
	harness.CheckAll(t, harness.Connect(t, p.Addr, "", ""))
	p.Stop()

	o = harness.Run(t, harness.Call{Args: []string{"import", "--dsn", p.DSN(), "--table", "d.t", path}})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "sqlfdb: ") {
		t.Errorf("import without a server: %+v", o)
	}
}

// TestCommandEnvironment: every flag can be given in the environment; a flag wins.
func TestCommandEnvironment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := harness.Spawn(t, harness.Call{Args: []string{"serve"}, Env: []string{"SQLFDB_STORE=pebble:" + dir,
		"SQLFDB_LISTEN=127.0.0.1:0",
		"SQLFDB_ROOT_PASSWORD=secret"}})
	dsn := "root:secret@tcp(" + p.Addr.String() + ")/"
	o := harness.Run(t, harness.Call{Args: []string{"sql", "-e", "SELECT 1+1 AS two"},
		Env: []string{"SQLFDB_DSN=" + dsn}})
	if o.Exit != 0 {
		t.Errorf("sql by the environment: %+v", o)
	}
	wants(t, "sql by the environment", o.Stdout, "| two |", "| 2 ")
	o = harness.Run(t, harness.Call{Args: []string{"sql", "--dsn", "root@tcp(" + p.Addr.String() + ")/", "-e",
		"SELECT 1"},
		Env: []string{"SQLFDB_DSN=" + dsn}})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "1045 (28000)") {
		t.Errorf("sql without the password: %+v", o)
	}
	o = harness.Run(t, harness.Call{Args: []string{"import", "-"}, Stdin: `{"_id":"x"}`,
		Env: []string{"SQLFDB_DSN=" + dsn, "SQLFDB_TABLE=d.t", "SQLFDB_MAX_ERRORS=0"}})
	if o.Exit != 0 {
		t.Errorf("import by the environment: %+v", o)
	}
	p.Stop()
	o = harness.Run(t, harness.Call{Args: []string{"check"}, Env: []string{"SQLFDB_STORE=pebble:" + dir}})
	if o.Exit != 0 {
		t.Errorf("check by the environment: %+v", o)
	}
	wants(t, "check", o.Stdout, "d.t: 1 documents")
	o = harness.Run(t, harness.Call{Args: []string{"import", "-"}, Env: []string{"SQLFDB_MAX_ERRORS=many",
		"SQLFDB_TABLE=d.t"}})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "SQLFDB_MAX_ERRORS") {
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
		{"the environment without a password", []string{"serve"}, []string{"SQLFDB_LISTEN=0.0.0.0:0"}, "password"},
		{"unknown flag", []string{"serve", "--colour", "red"}, nil, "colour"},
		{"bad DSN", []string{"sql", "--dsn", "nonsense", "-e", "SELECT 1"}, nil, "--dsn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := harness.Run(t, harness.Call{Args: test.args, Env: test.env})
			if o.Exit == 0 || !strings.Contains(o.Stderr, test.want) || !strings.HasPrefix(o.Stderr, "sqlfdb: ") {
				t.Errorf("got %+v, want an error with %q", o, test.want)
			}
			if strings.Contains(o.Stdout, "listening") {
				t.Errorf("it listened: %s", o.Stdout)
			}
		})
	}
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + dir, "--listen", "0.0.0.0:0"},
		Env: []string{"SQLFDB_ROOT_PASSWORD=s3cret"}})
	p.Stop()
}

func TestCommandVersion(t *testing.T) {
	o := harness.Run(t, harness.Call{Args: []string{"version"}})
	if o.Exit != 0 || o.Stderr != "" {
		t.Errorf("version: %+v", o)
	}
	wants(t, "version", o.Stdout, "sqlfdb ", "store format ", "collation UCA ")
}

// TestCommandDemo: the first run makes the samples; the second starts on them at once;
// every statement that it prints runs.
func TestCommandDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 20,000 documents")
	}
	dir := t.TempDir()
	c := harness.Call{Dir: dir, Args: []string{"demo", "--listen", "127.0.0.1:0"}}
	p := harness.Spawn(t, c)
	wants(t, "the first run", p.Stdout.String(), "made ")
	p.Stop()
	first := p.Cmd.ProcessState.UserTime() + p.Cmd.ProcessState.SystemTime()
	p = harness.Spawn(t, c)
	p.Stop()
	// Processor time, which others on the machine don't change: a fraction of a second, and several for the first run.
	if used := p.Cmd.ProcessState.UserTime() + p.Cmd.ProcessState.SystemTime(); used > 5*time.Second || used > first/2 {
		t.Errorf("the second run used %v of the processors until it listened and ended, the first one %v", used, first)
	}
	p = harness.Spawn(t, c)
	if strings.Contains(p.Stdout.String(), "made ") {
		t.Errorf("the second run made samples again: %s", p.Stdout.String())
	}
	harness.Eventually(t, func() string { return "it does not say what to try: " + p.Stdout.String() },
		func() bool { return strings.Contains(p.Stdout.String(), "Ctrl-C") })
	invitation := p.Stdout.String()
	harness.Eventually(t, func() string { return "it does not end with the page's address: " + p.Stdout.String() },
		func() bool { return strings.HasSuffix(p.Stdout.String(), "/\n") })
	said := strings.Fields(p.Stdout.String())
	page, err := http.Get(said[len(said)-1])
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(page.Body)
	if err := errors.Join(err, page.Body.Close()); err != nil || !strings.Contains(string(text), "<title>sqlfdb</title>") {
		t.Errorf("the page: %s, %v", text, err)
	}
	db := harness.Connect(t, p.Addr, "shop", "")
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
	harness.CheckAll(t, db)
	p.Stop()
}
