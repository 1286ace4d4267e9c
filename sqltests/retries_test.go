package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// told is the number and the SQLSTATE of an error.
func told(err error) (uint16, string) {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number, string(e.SQLState[:])
	}
	return 0, ""
}

// TestRetriesEnd: over an engine where every commit conflicts, an autocommit statement is tried a bounded number of
// times, with waits that grow and are bounded, and then told 1213; nothing of it is left.
func TestRetriesEnd(t *testing.T) {
	for _, e := range harness.Engines {
		store := faultkv.New(e.Fresh(t))
		pool := harness.Connect(t, harness.ServeStore(t, store, server.Options{HoldJobs: true}).Addr(), "", "")
		db, err := pool.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		harness.MustExec(t, db, "CREATE DATABASE d", "USE d", "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
			"INSERT INTO t VALUES (1, 0)")
		var commits []time.Time
		store.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Op == faultkv.Commit {
				commits = append(commits, time.Now())
			}
			return faultkv.Conflict
		})
		_, err = db.ExecContext(context.Background(), "UPDATE t SET n = n + 1, id = id + 1")
		store.Inject(nil)
		if number, state := told(err); number != 1213 || state != "40001" {
			t.Errorf("%s: %v", e.Name, err)
		}
		if len(commits) != 30 {
			t.Fatalf("%s: %d attempts", e.Name, len(commits))
		}
		// The waits are random below a bound that doubles up to 200 ms: those of the last 20 are 2 s on average, and
		// less than a quarter of that once in more than 10¹² times.
		if waited := commits[29].Sub(commits[9]); waited < 500*time.Millisecond {
			t.Errorf("%s: the last 20 attempts waited %v in all", e.Name, waited)
		}
		if waited := commits[5].Sub(commits[0]); waited > 30*time.Second {
			t.Errorf("%s: the first 5 retries came after %v", e.Name, waited)
		}
		if rows := harness.Texts(t, db, "SELECT id, n FROM t"); len(rows) != 1 || rows[0] != "1 | 0" {
			t.Errorf("%s: %v", e.Name, rows)
		}
		harness.MustExec(t, db, "UPDATE t SET n = n + 1") // the connection goes on
		harness.CheckAll(t, pool)
	}
}

// TestRetriesInTransaction: within BEGIN … COMMIT nothing is tried again: the statement, or the COMMIT, that has met a
// conflict is told 1213/40001, or 1205 where the engine was not to be reached. The transaction is over then, and the
// connection goes on.
func TestRetriesInTransaction(t *testing.T) {
	for _, e := range harness.Engines {
		store := faultkv.New(e.Fresh(t))
		pool := harness.Connect(t, harness.ServeStore(t, store, server.Options{HoldJobs: true}).Addr(), "", "")
		harness.MustExec(t, pool, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, n INT)")
		for _, c := range []struct {
			at     string // the statement that meets the fault
			fault  faultkv.Fault
			number uint16
		}{
			{"COMMIT", faultkv.Conflict, 1213},
			{"COMMIT", faultkv.Unavailable, 1205},
			{"SELECT n FROM t WHERE id = 1", faultkv.TooOld, 1213},
			{"SELECT SUM(n) FROM t WHERE n >= 0", faultkv.TooOld, 1213},
			{"UPDATE t SET n = n + 1 WHERE id = 1", faultkv.TooOld, 1213},
			{"INSERT INTO t VALUES (3, 3)", faultkv.TooOld, 1213},
			{"DELETE FROM t WHERE n = 0", faultkv.Unavailable, 1205},
		} {
			what := e.Name + ": " + c.at + ": " + c.fault.String()
			harness.MustExec(t, pool, "DELETE FROM d.t", "INSERT INTO d.t VALUES (1, 0)")
			conn, err := pool.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			harness.MustExec(t, conn, "USE d", "BEGIN", "INSERT INTO t VALUES (2, 0)")
			if c.at == "COMMIT" {
				harness.MustExec(t, conn, "UPDATE t SET n = n + 1")
			}
			met := 0
			store.Inject(func(call faultkv.Call) faultkv.Fault {
				if c.at == "COMMIT" && call.Op != faultkv.Commit {
					return faultkv.None
				}
				met++
				return c.fault
			})
			err = ended(conn, c.at)
			store.Inject(nil)
			if number, state := told(err); number != c.number || c.number == 1213 && state != "40001" {
				t.Errorf("%s: %v", what, err)
			}
			if c.at == "COMMIT" && met != 1 {
				t.Errorf("%s: %d commits", what, met)
			}
			// A statement alone is committed at once: there is no transaction any more.
			harness.MustExec(t, conn, "INSERT INTO t VALUES (4, 4)")
			if rows := harness.Texts(t, pool,
				"SELECT id, n FROM d.t"); len(rows) != 2 || rows[0] != "1 | 0" || rows[1] != "4 | 4" {
				t.Errorf("%s: afterwards %v", what, rows)
			}
			harness.MustExec(t, conn, "ROLLBACK")
			_ = conn.Close()
		}
		harness.CheckAll(t, pool)
	}
}

// ended runs a statement and reads all that it gives.
func ended(conn *sql.Conn, statement string) error {
	return harness.ReadAll(conn.QueryContext(context.Background(), statement))
}

// TestRetriesKeepNumbers: a statement that runs again takes the AUTO_INCREMENT values that it had taken, unless a
// client has given one of them itself meanwhile.
func TestRetriesKeepNumbers(t *testing.T) {
	_, db := harness.Database(t)
	for i := range 5 {
		table := fmt.Sprintf("numbered%d", i)
		harness.MustExec(t, db, "CREATE TABLE "+table+" (id INT AUTO_INCREMENT PRIMARY KEY, u INT UNIQUE, v INT)")
		for _, rows := range []string{"(1, 1), (2, 2)", "(3, 3)"} {
			harness.MustExec(t, db, "INSERT INTO "+table+" (u, v) VALUES "+rows)
		}
		if have := harness.Answered(db, "SELECT id, u FROM "+table+" ORDER BY u"); have != "1 1; 2 2; 3 3" {
			t.Errorf("%s: %s", table, have)
		}
	}
	harness.MustExec(t, db, "CREATE TABLE given (id INT AUTO_INCREMENT PRIMARY KEY, u INT)",
		"INSERT INTO given (u) VALUES (1)",
		"CREATE TABLE pace (a INT)", "INSERT INTO pace VALUES (1)")
	one := harness.NewSession(t, db)
	done := one.Begin(context.Background(), "INSERT INTO given (u) SELECT a + 1 + SLEEP(a) FROM pace") // takes 2
	harness.Running(t, db, one.ID, "INSERT")
	harness.MustExec(t, db, "INSERT INTO given VALUES (2, 9)", "UPDATE pace SET a = 0")
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := harness.Number(t, db, "SELECT COUNT(DISTINCT id) FROM given"); n != 3 {
		t.Errorf("%d rows", n)
	}
	harness.CheckAll(t, db)
}

// TestRetriesEvaluateAgain: a statement that runs again has the new values of the subqueries that are run to plan it.
func TestRetriesEvaluateAgain(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE pace (a INT)", "INSERT INTO pace VALUES (1)",
		"CREATE TABLE t (n INT PRIMARY KEY, pause INT, v INT)", "INSERT INTO t VALUES (1, 2, 0), (2, 0, 0)")
	one := harness.NewSession(t, db)
	done := one.Begin(context.Background(),
		"UPDATE t SET v = 5 + SLEEP(pause) WHERE n = (SELECT a FROM pace)") // takes 2
	harness.Running(t, db, one.ID, "UPDATE")
	harness.MustExec(t, db, "UPDATE pace SET a = 2")
	if err := <-done; err != nil {
		t.Error(err)
	}
	// it may not have begun before
	if have := harness.Answered(db, "SELECT n, v FROM t ORDER BY n"); have != "1 0; 2 5" && have != "1 5; 2 0" {
		t.Error(have)
	}
	harness.CheckAll(t, db)
}
