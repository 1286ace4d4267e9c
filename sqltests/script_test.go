package sqltests

import (
	"context"
	"database/sql"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestScripts runs the files of testdata. Their commands, each on a connection
// that stays open and is named by conn=NAME:
//
//	exec [conn=NAME]    statements separated by ";\n": rows affected, or the error
//	query [conn=NAME]   one statement: its rows, values separated by " | "; with settled, once
//	                    the background jobs before it have ended; with near, its result tells of a path that is chosen
//
// where reads don't wait for answers from elsewhere: on the embedded store. Elsewhere its rows may come in another
// order
//
//	analyze [conn=NAME]  a query whose rows hold times, which are left out
//	prepared [conn=NAME] lines ": ARGUMENT", then one prepared statement
//
// Every script ends with CHECK TABLE of all its tables.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if filepath.Ext(path) != ".sql" {
			return
		}
		runScript(t, path, scriptDatabase(t))
	})
}

// scriptDatabase serves a fresh store with an empty database, and connects to it.
func scriptDatabase(t *testing.T) *sql.DB {
	t.Helper()
	s := harness.Start(t)
	if _, err := harness.Connect(t, s.Addr(), "", "?interpolateParams=false").Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	return harness.Connect(t, s.Addr(), "d", "?interpolateParams=false")
}

// runScript runs a file whose connections come from a pool.
func runScript(t *testing.T, path string, pool *sql.DB) {
	conns := map[string]*sql.Conn{}
	datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
		name := "main"
		if td.HasArg("conn") {
			td.ScanArgs(t, "conn", &name)
		}
		c := conns[name]
		if c == nil {
			var err error
			if c, err = pool.Conn(context.Background()); err != nil {
				t.Fatal(err)
			}
			conns[name] = c
		}
		switch td.Cmd {
		case "exec":
			got := harness.Exec(c, td.Input)
			if *harness.UnderTest != "pebble" && sameBesideSize(got, td.Expected) {
				return td.Expected
			}
			return got
		case "query":
			if *harness.UnderTest != "pebble" && td.HasArg("near") {
				got := harness.Query(c, td.Input)
				told := strings.HasPrefix(td.Input, "EXPLAIN") || strings.HasPrefix(td.Input, "SHOW STATUS")
				if told && !strings.HasPrefix(got, "ERROR") || slices.Equal(sortedLines(got), sortedLines(td.Expected)) {
					return td.Expected
				}
				return got
			}
			if *harness.UnderTest != "pebble" && strings.HasPrefix(td.Input, "EXPLAIN") {
				// Engines estimate sizes in their own ways: what is chosen must be the same, not what it is said to cost.
				if got := harness.Query(c, td.Input); numbers.ReplaceAllString(got,
					"…") != numbers.ReplaceAllString(td.Expected, "…") {
					return got
				}
				return td.Expected
			}
			if td.HasArg("settled") {
				settle(t, pool)
			}
			if comparable(td.Input) {
				if on, off, same := bothWays(c, td.Input); !same {
					t.Errorf("%s: %s\nwith the index %q\nwithout %q", td.Pos, td.Input, on, off)
				}
				// What is told of the next run is compared with the file: it is from a program, if the statement has one now. The
				// run behind it may know what that one has found out.
				told := harness.Query(c, td.Input)
				if again := harness.Query(c, td.Input); !slices.Equal(sortedLines(told), sortedLines(again)) {
					t.Errorf("%s: %s\ngives %q\nand then %q", td.Pos, td.Input, told, again)
				}
				return told
			}
			return harness.Query(c, td.Input)
		case "analyze":
			return timesTaken.ReplaceAllString(harness.Query(c, td.Input), "$1…")
		case "prepared":
			stmt, args := td.Input, []any(nil)
			for strings.HasPrefix(stmt, ": ") {
				line, rest, _ := strings.Cut(stmt, "\n")
				args, stmt = append(args, line[2:]), rest
			}
			if strings.HasPrefix(stmt, "SELECT") {
				return harness.Query(c, stmt, args...)
			}
			return harness.Exec(c, stmt, args...)
		case "close":
			_ = c.Close()
			delete(conns, name)
			return ""
		}
		t.Fatalf("unknown command %s", td.Cmd)
		return ""
	})
	for _, c := range conns {
		_, _ = c.ExecContext(context.Background(), "ROLLBACK")
	}
	harness.CheckAll(t, pool)
	for _, c := range conns {
		_ = c.Close()
	}
}

// sameBesideSize reports whether both refuse a transaction for its size, which engines count in their own ways.
func sameBesideSize(a, b string) bool {
	const refused = "ERROR 1197 "
	return strings.HasPrefix(a, refused) && numbers.ReplaceAllString(a, "…") == numbers.ReplaceAllString(b, "…")
}

// sortedLines are the lines of a result without their order.
func sortedLines(result string) []string { return slices.Sorted(strings.Lines(result)) }

// settle waits until no background job is left to do.
func settle(t *testing.T, db *sql.DB) {
	t.Helper()
	harness.Eventually(t, func() string { return "the background jobs don't end" }, func() bool {
		return harness.Number(t, db,
			"SELECT COUNT(*) FROM sqlfdb.jobs WHERE state IN ('queued', 'running') AND kind <> 'sweep'") == 0
	})
}

// numbers are the estimates in what EXPLAIN prints.
var numbers = regexp.MustCompile(`[0-9][0-9,.]*`)

// timesTaken are those in EXPLAIN ANALYZE, and its label before each.
var timesTaken = regexp.MustCompile(`(time=|seconds=|"seconds": |_ms": )[0-9.]+`)
