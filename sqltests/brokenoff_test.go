package sqltests

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// fillRows makes a table t of so many rows.
func fillRows(t testing.TB, db *sql.DB, n int) {
	t.Helper()
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(100))")
	for from := 0; from < n; from += 1000 {
		var rows []string
		for i := from; i < min(n, from+1000); i++ {
			rows = append(rows, fmt.Sprintf("(%d, '%d')", i, i))
		}
		harness.MustExec(t, db, "INSERT INTO t VALUES "+strings.Join(rows, ","))
	}
}

// failsAt is a query of all rows of t that fails at one of them.
func failsAt(i int) string {
	return fmt.Sprintf("SELECT id, JSON_EXTRACT(IF(id = %d, '{', CONCAT(id)), '$') FROM t", i)
}

// TestErrorBehindRows: a statement that fails when rows of it have been sent tells its error, and the session, with its
// transaction, goes on.
func TestErrorBehindRows(t *testing.T) {
	srv, db := harness.Database(t)
	fillRows(t, db, 5000)
	harness.MustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY)")
	ctx := context.Background()
	s := harness.NewSession(t, harness.Connect(t, srv.Addr(), "d", "")) // parameters are prepared
	harness.MustExec(t, s, "BEGIN", "INSERT INTO kept VALUES (1)")
	for _, at := range []int{0, 5, 127, 128, 129, 2500, 4999} {
		for _, ask := range []func() (*sql.Rows, error){
			func() (*sql.Rows, error) { return s.QueryContext(ctx, failsAt(at)) },
			func() (*sql.Rows, error) { return s.QueryContext(ctx, failsAt(at)+" WHERE id >= ?", 0) },
		} {
			rows, err := ask()
			n := 0
			for err == nil && rows.Next() {
				n++
			}
			if err == nil {
				err = rows.Err()
				_ = rows.Close()
			}
			if harness.ErrorNumber(err) != 3141 || n > at {
				t.Fatalf("the statement that fails at row %d gave %d and %v", at, n, err)
			}
			harness.WantText(t, s.Conn, "SELECT CONNECTION_ID()", fmt.Sprint(s.ID, "|"))
		}
	}
	harness.MustExec(t, s, "INSERT INTO kept VALUES (2)", "COMMIT")
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM kept"); n != 2 {
		t.Errorf("%d rows of the transaction are there", n)
	}
	harness.CheckTables(t, s.Conn, "t", "kept")
}

// TestStatementsBehindAnError: the statements of one text behind one that fails are not run, whether rows have been
// sent or not.
func TestStatementsBehindAnError(t *testing.T) {
	s, one := harness.Database(t)
	fillRows(t, one, 3000)
	harness.MustExec(t, one, "CREATE TABLE kept (id INT PRIMARY KEY)")
	c := harness.NewSession(t, harness.Connect(t, s.Addr(), "d", "?multiStatements=true"))
	for _, failing := range []string{failsAt(2900), "SELECT missing FROM t", "INSERT INTO t VALUES (1, 'a')",
		"SELECT FROM", "SELECT id FROM t WHERE id < 10 AND JSON_EXTRACT(IF(id = 5, '{', CONCAT(id)), '$')"} {
		rows, err := c.QueryContext(context.Background(), "SELECT 1; "+failing+"; INSERT INTO kept VALUES (1)")
		for err == nil {
			for rows.Next() {
				continue
			}
			if !rows.NextResultSet() {
				err = errors.Join(rows.Err(), rows.Close())
				break
			}
		}
		if harness.ErrorNumber(err) == 0 {
			t.Errorf("%s: %v", failing, err)
		}
		harness.WantText(t, c.Conn, "SELECT CONNECTION_ID()", fmt.Sprint(c.ID, "|"))
	}
	if n := harness.Number(t, one, "SELECT COUNT(*) FROM kept"); n != 0 {
		t.Errorf("%d rows were inserted behind statements that failed", n)
	}
	harness.CheckTables(t, c.Conn, "t", "kept")
}

// TestCursors: a client that asks for a cursor is given all rows at once, and errors as without one.
func TestCursors(t *testing.T) {
	s, db := harness.Database(t)
	fillRows(t, db, 300)
	w := dial(t, s.Addr())
	w.command(t, comQuery, "USE d")
	prepare := func(query string) string {
		p := w.command(t, comStmtPrepare, query)
		if p[0] != 0 {
			t.Fatalf("%s: %q", query, p)
		}
		for n := binary.LittleEndian.Uint16(p[5:]); n > 0; n = 0 { // columns
			for p := w.packet(t); p[0] != 0xfe; p = w.packet(t) {
				continue
			}
		}
		return string(p[1:5])
	}
	// execute asks for a read-only cursor, and counts the rows.
	execute := func(statement string) (rows, failed int) {
		p := w.command(t, comStmtExecute, statement+"\x01\x01\x00\x00\x00")
		if p[0] == 0xff || p[0] == 0 {
			return 0, w.number(p)
		}
		for p = w.packet(t); p[0] != 0xfe; p = w.packet(t) {
			continue
		}
		if status := binary.LittleEndian.Uint16(p[3:]); status&0x40 != 0 {
			t.Fatal("the server says that there is a cursor")
		}
		for p = w.packet(t); p[0] == 0; p = w.packet(t) {
			rows++
		}
		return rows, w.number(p)
	}
	all, none := prepare("SELECT id FROM t"), prepare("SELECT id FROM t WHERE id < 0")
	late, changes := prepare(failsAt(250)), prepare("INSERT INTO t VALUES (1000, 'x')")
	for range 3 {
		if rows, failed := execute(all); rows != 300 || failed != 0 {
			t.Fatalf("%d rows, error %d", rows, failed)
		}
		if rows, failed := execute(none); rows != 0 || failed != 0 {
			t.Fatalf("%d rows, error %d", rows, failed)
		}
		if rows, failed := execute(late); rows > 250 || failed != 3141 {
			t.Fatalf("%d rows, error %d, of a statement that fails", rows, failed)
		}
	}
	if _, failed := execute(changes); failed != 0 {
		t.Fatalf("error %d", failed)
	}
	if _, failed := execute(changes); failed != 1062 {
		t.Fatalf("error %d of a duplicate key", failed)
	}
	harness.MustExec(t, db, "DROP TABLE t")
	if _, failed := execute(all); failed != 1146 {
		t.Fatalf("error %d of a table that is not there", failed)
	}
	// COM_STMT_FETCH
	if p := w.command(t, 0x1c, all+"\x01\x00\x00\x00"); p[0] != 0xff || bytes.Contains(p, []byte("panic")) {
		t.Fatalf("%q of a cursor that is not open", p)
	}
	if got := w.value(t, "SELECT 7"); got != "7" {
		t.Fatalf("%s after all that", got)
	}
}

// TestKillBehindRows: KILL QUERY and max_execution_time end a statement whose rows are being read with their errors,
// and nothing else.
func TestKillBehindRows(t *testing.T) {
	srv, db := harness.Database(t)
	fillRows(t, db, 3000)
	harness.MustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY)")
	ctx := context.Background()
	for _, c := range []struct {
		hint   string
		number uint16
	}{{"", 1317}, {"/*+ MAX_EXECUTION_TIME(100) */ ", 3024}} {
		for _, prepared := range []bool{false, true} {
			s := harness.NewSession(t, harness.Connect(t, srv.Addr(), "d", ""))
			harness.MustExec(t, s, "BEGIN", "INSERT INTO kept VALUES (1)")
			query, parameters := "SELECT "+c.hint+"a.id, REPEAT('x', 500) FROM t a CROSS JOIN t b", []any(nil)
			if prepared {
				query, parameters = query+" WHERE a.id >= ?", []any{0}
			}
			rows, err := s.QueryContext(ctx, query, parameters...)
			for n := 0; err == nil; n++ {
				if n == 1 && c.hint == "" {
					harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", s.ID))
				}
				if !rows.Next() {
					err = errors.Join(rows.Err(), rows.Close())
					break
				}
			}
			if harness.ErrorNumber(err) != c.number {
				t.Fatalf("%s: %v, want error %d", query, err, c.number)
			}
			harness.WantText(t, s.Conn, "SELECT CONNECTION_ID(), COUNT(*) FROM kept", fmt.Sprint(s.ID, "|1|"))
			harness.MustExec(t, s, "COMMIT", "DELETE FROM kept")
			harness.CheckTables(t, s.Conn, "t", "kept")
		}
	}
}
