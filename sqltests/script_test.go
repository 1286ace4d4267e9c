package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
)

// start serves a fresh store.
func start(t testing.TB) *server.Server {
	t.Helper()
	return startOver(t, newStore(t))
}

// startWaiting is start over a store whose reads are started before they are asked for.
func startWaiting(t testing.TB) *server.Server {
	t.Helper()
	return startOver(t, waiting{newStore(t)})
}

// startOver serves a fresh store, which it closes.
func startOver(t testing.TB, store kv.Store) *server.Server {
	t.Helper()
	s := serveStore(t, store, server.Options{})
	// A new store's first job is the sweep's walk. What it writes shows in sqlfdb.jobs and in estimates of sizes: so it
	// has ended.
	db := connect(t, s.Addr(), "", "")
	eventually(t, func() string { return "the first sweep does not end" },
		func() bool { return number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs") == 0 })
	_ = db.Close()
	return s
}

// connect opens a pool of connections.
func connect(t testing.TB, addr net.Addr, database, params string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", "root@tcp("+addr.String()+")/"+database+params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

type silent struct{}

func (silent) Print(...any) {}

// testLog shows what the server logs with the test that failed.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Logf("server: %s", b)
	return len(b), nil
}

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
		s := start(t)
		pool := connect(t, s.Addr(), "", "?interpolateParams=false")
		if _, err := pool.Exec("CREATE DATABASE d"); err != nil {
			t.Fatal(err)
		}
		runScript(t, path, connect(t, s.Addr(), "d", "?interpolateParams=false"))
	})
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
			return exec(c, td.Input)
		case "query":
			if *underTest != "pebble" && td.HasArg("near") {
				got := query(c, td.Input)
				told := strings.HasPrefix(td.Input, "EXPLAIN") || strings.HasPrefix(td.Input, "SHOW STATUS")
				if told && !strings.HasPrefix(got, "ERROR") || slices.Equal(sortedLines(got), sortedLines(td.Expected)) {
					return td.Expected
				}
				return got
			}
			if *underTest != "pebble" && strings.HasPrefix(td.Input, "EXPLAIN") {
				// Engines estimate sizes in their own ways: what is chosen must be the same, not what it is said to cost.
				if got := query(c, td.Input); numbers.ReplaceAllString(got, "…") != numbers.ReplaceAllString(td.Expected, "…") {
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
				told := query(c, td.Input)
				if again := query(c, td.Input); !slices.Equal(sortedLines(told), sortedLines(again)) {
					t.Errorf("%s: %s\ngives %q\nand then %q", td.Pos, td.Input, told, again)
				}
				return told
			}
			return query(c, td.Input)
		case "analyze":
			return timesTaken.ReplaceAllString(query(c, td.Input), "$1…")
		case "prepared":
			stmt, args := td.Input, []any(nil)
			for strings.HasPrefix(stmt, ": ") {
				line, rest, _ := strings.Cut(stmt, "\n")
				args, stmt = append(args, line[2:]), rest
			}
			if strings.HasPrefix(stmt, "SELECT") {
				return query(c, stmt, args...)
			}
			return exec(c, stmt, args...)
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
	checkAll(t, pool)
	for _, c := range conns {
		_ = c.Close()
	}
}

// sortedLines are the lines of a result without their order.
func sortedLines(result string) []string { return slices.Sorted(strings.Lines(result)) }

// settle waits until no background job is left to do.
func settle(t *testing.T, db *sql.DB) {
	t.Helper()
	eventually(t, func() string { return "the background jobs don't end" }, func() bool {
		return number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE state IN ('queued', 'running') AND kind <> 'sweep'") == 0
	})
}

// numbers are the estimates in what EXPLAIN prints.
var numbers = regexp.MustCompile(`[0-9][0-9,.]*`)

// timesTaken are those in EXPLAIN ANALYZE, and its label before each.
var timesTaken = regexp.MustCompile(`(time=|seconds=|"seconds": |_ms": )[0-9.]+`)

// checkAll proves every table of the server.
func checkAll(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("SELECT `database`, `table` FROM sqlfdb.tables")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var database, table string
		if err := rows.Scan(&database, &table); err != nil {
			t.Fatal(err)
		}
		quoted := strings.NewReplacer("`", "``").Replace
		check(t, db, "`"+quoted(database)+"`.`"+quoted(table)+"`")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// check runs CHECK TABLE and reports what it finds.
func check(t testing.TB, db *sql.DB, table string) {
	t.Helper()
	rows, err := db.Query("CHECK TABLE " + table)
	if err != nil {
		t.Errorf("CHECK TABLE %s: %v", table, err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var name, op, kind, text string
		if err := rows.Scan(&name, &op, &kind, &text); err != nil {
			t.Fatal(err)
		}
		if kind == "note" {
			continue // an index is being rebuilt
		}
		if kind != "status" || text != "OK" {
			t.Errorf("CHECK TABLE %s: %s %s", table, kind, text)
		}
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}

func exec(c *sql.Conn, text string, args ...any) string {
	var out strings.Builder
	for _, stmt := range strings.Split(text, ";\n") {
		stmt = strings.TrimSuffix(strings.TrimSpace(stmt), ";")
		if stmt == "" {
			continue
		}
		res, err := c.ExecContext(context.Background(), stmt, args...)
		if err != nil {
			out.WriteString(errorText(err) + "\n")
			continue
		}
		n, _ := res.RowsAffected()
		fmt.Fprintf(&out, "ok, %d rows", n)
		if id, _ := res.LastInsertId(); id != 0 {
			fmt.Fprintf(&out, ", id %d", id)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Values that differ from run to run.
var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	sequences = regexp.MustCompile(`\b00[0-9a-f]{24}\b`)
)

func masked(s string) string {
	return sequences.ReplaceAllString(uuids.ReplaceAllString(s, "<uuid>"), "<sequence>")
}

func query(c *sql.Conn, text string, args ...any) string {
	rows, err := c.QueryContext(context.Background(), text, args...)
	if err != nil {
		return errorText(err) + "\n"
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return errorText(err) + "\n"
	}
	var out strings.Builder
	out.WriteString(strings.Join(columns, " | ") + "\n")
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return errorText(err) + "\n"
		}
		texts := make([]string, len(columns))
		for i, v := range values {
			texts[i] = "NULL"
			if v.Valid {
				texts[i] = v.String
			}
		}
		out.WriteString(strings.TrimRight(strings.Join(texts, " | "), " ") + "\n")
	}
	if err := rows.Err(); err != nil {
		out.WriteString(errorText(err) + "\n")
	}
	return masked(out.String())
}

func errorText(err error) string {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return masked(fmt.Sprintf("ERROR %d (%s): %s", e.Number, e.SQLState[:], e.Message))
	}
	return "error: " + err.Error()
}
