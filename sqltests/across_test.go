package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// shape makes t anew: small documents, with n = id and s.
func shape(t testing.TB, db *sql.DB) {
	t.Helper()
	harness.MustExec(t, db, "DROP TABLE IF EXISTS t", "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(20))",
		"INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 850) SELECT i, i, "+
			"'x' FROM c",
		"INSERT INTO t SELECT id + 1000, n + 1000, s FROM t", "INSERT INTO t SELECT id + 2000, n + 2000, s FROM t")
}

const shaped = 3_400

// schemaChanges are what another session does to t meanwhile; after is what SELECT n, COUNT(*) FROM t
// then says, by its error or by the rows that are there.
var schemaChanges = []struct {
	stmt string
	left int64  // rows
	err  uint16 // of a statement that names n
}{
	{stmt: "ALTER TABLE t ADD COLUMN m INT DEFAULT 5 FIRST", left: shaped},
	{stmt: "ALTER TABLE t DROP COLUMN n", left: shaped, err: 1054},
	{stmt: "ALTER TABLE t MODIFY n VARCHAR(20)", left: shaped},
	{stmt: "ALTER TABLE t RENAME COLUMN n TO k", left: shaped, err: 1054},
	{stmt: "CREATE INDEX i ON t (n, id)", left: shaped},
	{stmt: "ALTER TABLE t COLLATE utf8mb4_0900_ai_ci", left: shaped},
	{stmt: "TRUNCATE TABLE t", left: 0},
	{stmt: "DROP TABLE t", err: 1146},
	{stmt: "RENAME TABLE t TO u", err: 1146},
}

// TestAcrossSchemaChange: what begins before the schema changes runs on the old one to its
// end, or fails and leaves nothing; what begins afterwards, on the new one.
func TestAcrossSchemaChange(t *testing.T) {
	f := harness.ServeFleet(t, harness.NewStore(t), 2, server.Options{})
	harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
	db, other := f.Only(f.Member(0), "d", "?interpolateParams=true"), f.Only(f.Member(1), "d",
		"?interpolateParams=true")
	ctx := context.Background()
	prepared := f.Only(f.Member(0), "d", "") // prepares on the server
	for i, c := range schemaChanges {
		t.Run(c.stmt, func(t *testing.T) {
			changer := db // the same server, or another one
			if i%2 == 1 {
				changer = other
			}
			harness.MustExec(t, db, "DROP TABLE IF EXISTS u")
			shape(t, db)
			// A result that is longer than what fits between server and client, not read yet. The documents are small, so that
			// each of the changes fits into one transaction.
			rows, err := db.QueryContext(ctx, "SELECT id, n, REPEAT(s, 3000) FROM t ORDER BY id")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			read := harness.NewSession(t, db)
			harness.MustExec(t, read, "BEGIN")
			if n := single(t, read, "SELECT COUNT(n) FROM t"); n != shaped {
				t.Fatal(n)
			}
			written := harness.NewSession(t, db)
			harness.MustExec(t, written, "BEGIN", "UPDATE t SET n = -1 WHERE id = 7")
			fresh := harness.NewSession(t, db)
			harness.MustExec(t, fresh, "BEGIN") // reads nothing before the change
			query, err := prepared.Prepare("SELECT COUNT(n) FROM t WHERE id > ?")
			if err != nil {
				t.Fatal(err)
			}
			defer query.Close()
			update, err := prepared.Prepare("UPDATE t SET n = n WHERE id = ?")
			if err != nil {
				t.Fatal(err)
			}
			defer update.Close()
			slow := harness.NewSession(t, db)
			updated := slow.Begin(ctx, "UPDATE t SET n = id + SLEEP(0.3 + n * 0) WHERE id IN (3, 5)")
			harness.Running(t, db, slow.ID, "UPDATE")

			harness.MustExec(t, changer, c.stmt)

			var got int64
			for rows.Next() {
				var id, n int64
				var text string
				if err := rows.Scan(&id, &n, &text); err != nil || n != id || len(text) != 3000 {
					t.Fatalf("row %d: %d, %d bytes: %v", id, n, len(text), err)
				}
				got++
			}
			if err := rows.Err(); err != nil || got != shaped {
				t.Errorf("the result that was open: %d rows, %v", got, err)
			}
			if n := single(t, read, "SELECT COUNT(n) FROM t"); n != shaped {
				t.Errorf("a transaction that has read before reads %d rows", n)
			}
			if _, err := read.ExecContext(ctx, "COMMIT"); err != nil {
				t.Errorf("one that only reads: %v", err)
			}
			if _, err := written.ExecContext(ctx, "COMMIT"); harness.ErrorNumber(err) != 1213 {
				t.Errorf("one that has written by the old definition: %v", err)
			}
			var n int64
			if err := fresh.QueryRowContext(ctx,
				"SELECT COUNT(n) FROM t").Scan(&n); harness.ErrorNumber(err) != c.err || err == nil &&
				n != c.left {
				t.Errorf("one that had read nothing: %d, %v", n, err)
			}
			harness.MustExec(t, fresh, "COMMIT")
			if err := query.QueryRow(0).Scan(&n); harness.ErrorNumber(err) != c.err || err == nil && n != c.left {
				t.Errorf("a prepared SELECT: %d, %v", n, err)
			}
			if _, err := update.Exec(9); harness.ErrorNumber(err) != c.err {
				t.Errorf("a prepared UPDATE: %v", err)
			}
			if err := <-updated; err != nil && harness.ErrorNumber(err) != c.err { // it may have been faster
				t.Errorf("an UPDATE that ran: %v", err)
			}
			if c.err == 1146 {
				return
			}
			if n := single(t, db, "SELECT COUNT(*) FROM t"); n != c.left {
				t.Errorf("%d rows", n)
			}
			if c.err == 0 && c.left > 0 {
				if n := single(t, db, "SELECT COUNT(*) FROM t WHERE n = '-1'"); n != 0 {
					t.Error("what did not commit is there")
				}
			}
			harness.CheckAll(t, db)
		})
	}
}

func single(t testing.TB, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, query string) (n int64) {
	t.Helper()
	if err := db.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return n
}

// TestFailedStatements: a statement that fails midway leaves nothing of itself, within
// transactions and savepoints.
func TestFailedStatements(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT UNIQUE, CHECK (n < 1000))",
		"CREATE TABLE u (id INT PRIMARY KEY, n INT)")
	for _, level := range []string{"autocommit", "transaction", "savepoint"} {
		for _, c := range []struct {
			stmt string
			err  uint16
			sum  string // COUNT(*), SUM(n) of t and of u, where they are 4, 10 and 4, 10 before
		}{
			{"INSERT INTO t VALUES (10, 10), (11, 11), (1, 12)", 1062, "4 10 4 10"},
			{"INSERT INTO t VALUES (10, 10), (11, 11), (12, 1)", 1062, "4 10 4 10"},
			{"INSERT INTO t VALUES (10, 10), (11, 11), (12, 5000)", 3819, "4 10 4 10"},
			{"INSERT IGNORE INTO t VALUES (10, 10), (1, 11), (12, 1), (13, 13)", 0, "6 33 4 10"},
			{"INSERT INTO t VALUES (10, 10), (1, 11), (12, 2) ON DUPLICATE KEY UPDATE n = n + 100", 0, "5 220 4 10"},
			{"INSERT INTO t VALUES (10, 10), (1, 11) ON DUPLICATE KEY UPDATE n = 4", 1062, "4 10 4 10"},
			{"REPLACE INTO t VALUES (1, 2), (10, 3), (11, 4000)", 3819, "4 10 4 10"},
			{"UPDATE t SET n = n + 996 ORDER BY id", 3819, "4 10 4 10"},
			{"UPDATE t SET id = id + 1 ORDER BY id", 1062, "4 10 4 10"},
			{"UPDATE t JOIN u ON t.id = u.id SET u.n = 7, t.n = t.n + 996", 3819, "4 10 4 10"},
			{"UPDATE u SET n = n / (SELECT n FROM t WHERE id < id + u.id)", 1242, "4 10 4 10"},
			{"DELETE FROM t WHERE id = 1 OR id < (SELECT n FROM u)", 1242, "4 10 4 10"},
			{"INSERT INTO u SELECT id + 10, n FROM t UNION ALL SELECT 1, 1", 1062, "4 10 4 10"},
		} {
			harness.MustExec(t, db, "DELETE FROM t", "DELETE FROM u", "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
				"INSERT INTO u VALUES (1, 1), (2, 2), (3, 3)")
			s := harness.NewSession(t, db)
			if level != "autocommit" {
				harness.MustExec(t, s, "BEGIN")
			}
			harness.MustExec(t, s, "INSERT INTO t VALUES (4, 4)", "INSERT INTO u VALUES (4, 4)")
			if level == "savepoint" {
				harness.MustExec(t, s, "SAVEPOINT outer1", "INSERT INTO t VALUES (5, 5)", "SAVEPOINT here",
					"ROLLBACK TO outer1",
					"SAVEPOINT inner1")
			}
			if _, err := s.ExecContext(context.Background(),
				c.stmt); harness.ErrorNumber(err) != c.err || c.err == 0 && err != nil {
				t.Errorf("%s, %s: %v", level, c.stmt, err)
			}
			if level == "savepoint" && c.err != 0 {
				harness.MustExec(t, s, "ROLLBACK TO inner1", "RELEASE SAVEPOINT outer1")
			}
			harness.MustExec(t, s, "COMMIT")
			var got string
			q := "SELECT CONCAT_WS(' ', (SELECT COUNT(*) FROM t), (SELECT SUM(n) FROM t), (SELECT COUNT(*) FROM u), " +
				"(SELECT SUM(n) FROM u))"
			if err := db.QueryRow(q).Scan(&got); err != nil || got != c.sum {
				t.Errorf("%s, %s: %s, %v; want %s", level, c.stmt, got, err, c.sum)
			}
			_ = s.Close()
		}
	}
	harness.CheckAll(t, db)
}

// TestFailedStatementChanges: changes of statements that failed don't count among those that
// a transaction may have.
func TestFailedStatementChanges(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)")
	s := harness.NewSession(t, db)
	harness.MustExec(t, s, "BEGIN")
	many := "WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 900) "
	for range 80 { // 72,000 changes
		if _, err := s.ExecContext(context.Background(),
			fmt.Sprintf("INSERT INTO t %s SELECT i FROM c UNION ALL SELECT 1",
				many)); harness.ErrorNumber(err) != 1062 {
			t.Fatal(err)
		}
	}
	harness.MustExec(t, s, "INSERT INTO t VALUES (1)", "COMMIT")
	harness.CheckAll(t, db)
}
