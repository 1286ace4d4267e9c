package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// affected runs a statement and returns how many rows it says it has changed.
func affected(t *testing.T, conn *sql.Conn, statement string) int64 {
	t.Helper()
	r, err := conn.ExecContext(context.Background(), statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	n, err := r.RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// fillBatches makes a table of n rows with v = 1.
func fillBatches(t *testing.T, conn *sql.Conn, name string, n int) {
	t.Helper()
	harness.MustRun(t, conn, "CREATE TABLE "+name+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("('k%04d', %d, 1)", i, i))
	}
	harness.MustRun(t, conn, "INSERT INTO "+name+" (_id, n, v) VALUES "+strings.Join(rows, ", "))
}

// TestBulkWrites: a statement that is committed in batches changes each row once, counts them
// all, says that it was not atomic, and leaves nothing behind.
func TestBulkWrites(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 50)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7",
		"CREATE TABLE p (a INT, b INT, v INT, PRIMARY KEY (a, b))",
		"CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE serial (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
	for _, s := range []struct {
		statement string
		rows      int64
		batches   int
		query     string
		want      string
	}{
		{"UPDATE t SET v = v + 1", 50, 8, "SELECT COUNT(*), SUM(v) FROM t", "50|100|"},
		{"UPDATE t SET v = v + 1 WHERE n >= 20 AND v = 2", 30, 5, "SELECT COUNT(*), SUM(v) FROM t", "50|130|"},
		{"UPDATE t SET v = v + 1 WHERE _id >= 'k0010' AND _id < 'k0030'", 20, 3,
			"SELECT COUNT(*), SUM(v) FROM t WHERE n >= 10 AND n < 30", "20|70|"},
		{"UPDATE t SET v = 2 WHERE n < 40", 30, 5, "SELECT COUNT(*), SUM(v) FROM t", "50|110|"},
		{"INSERT INTO u (_id, n) SELECT CONCAT('u', _id), n FROM t WHERE n < 20", 20, 3,
			"SELECT COUNT(*), SUM(n), MAX(_id) FROM u", "20|190|uk0019|"},
		{"INSERT INTO p SELECT n DIV 5, n, v FROM t", 50, 8, "SELECT COUNT(*), SUM(a), SUM(b) FROM p", "50|225|1225|"},
		{"INSERT INTO t (_id, n, v) SELECT CONCAT('z', _id), n + 1000, 5 FROM t", 50, 8, "SELECT COUNT(*), SUM(n) FROM t",
			"100|52450|"},
		{"INSERT INTO serial (n) SELECT n FROM t WHERE n < 1000", 50, 8,
			"SELECT COUNT(*), COUNT(DISTINCT id), SUM(n) FROM serial", "50|50|1225|"},
		{"INSERT IGNORE INTO u (_id, n) SELECT CONCAT('u', _id), 5000 FROM t WHERE n < 30", 10, 2,
			"SELECT COUNT(*) FROM u WHERE n = 5000", "10|"},
		{"REPLACE INTO u (_id, n) SELECT CONCAT('u', _id), 6000 FROM t WHERE n < 30", 60, 8, "SELECT COUNT(*), SUM(n) FROM u",
			"30|180000|"},
		{"DELETE FROM t WHERE n >= 1000 AND n < 1045", 45, 7, "SELECT COUNT(*) FROM t", "55|"},
		{"UPDATE p SET v = v + 10 WHERE a > 2", 35, 5, "SELECT SUM(v) FROM p", "460|"},
		{"DELETE FROM p WHERE a = 3 OR a > 5", 25, 4, "SELECT COUNT(*) FROM p", "25|"},
		{"DELETE FROM p", 25, 4, "SELECT COUNT(*) FROM p", "0|"},
	} {
		if rows := affected(t, conn, s.statement); rows != s.rows {
			t.Errorf("%s: %d rows, want %d", s.statement, rows, s.rows)
		}
		warnings := harness.TextOf(t, conn, "SHOW WARNINGS")
		if !strings.Contains(warnings, fmt.Sprintf("committed in %d batches: it was not atomic", s.batches)) {
			t.Errorf("%s: the warnings are %s, want %d batches", s.statement, warnings, s.batches)
		}
		harness.WantText(t, conn, s.query, s.want)
		harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
	}
	// What fits is one transaction, also in parts that can't be told apart.
	if rows := affected(t, conn, "UPDATE t SET v = v + 1 WHERE n < 7"); rows != 7 ||
		strings.Contains(harness.TextOf(t, conn, "SHOW WARNINGS"), "batches") {
		t.Errorf("a statement that fits is committed in batches")
	}
	for _, whole := range []string{"UPDATE t JOIN t b ON b.n = t.n SET t.v = t.v + 1 WHERE b.n < 20",
		"DELETE FROM t WHERE n IN (SELECT b.n + 30 FROM t b)"} {
		affected(t, conn, whole)
		if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); strings.Contains(warnings, "batches") {
			t.Errorf("%s: %s", whole, warnings)
		}
	}
	harness.WantError(t, conn, "UPDATE t SET _id = CONCAT('m', _id)", 1235, "primary keys")
	harness.MustRun(t, conn, "BEGIN")
	affected(t, conn, "UPDATE t SET v = 0")
	harness.MustRun(t, conn, "ROLLBACK")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM t WHERE v = 0", "0|")
	harness.CheckTables(t, conn, "t", "u", "p", "serial")
	for _, wrong := range []string{"SET sqlfdb_batch_rows = 0", "SET sqlfdb_batch_rows = 65537",
		"SET sqlfdb_batch_rows = 'many'"} {
		if _, err := harness.RowsOf(conn, wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// TestBulkWritesPrepared: parameters are a part of the statement.
func TestBulkWritesPrepared(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 20)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 6",
		"CREATE UNIQUE INDEX one ON t (w)")
	stmt, err := conn.PrepareContext(context.Background(), "UPDATE t SET v = v + ?, w = NULLIF(n, ?) WHERE n >= ?")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	harness.MustRun(t, conn, "UPDATE t SET w = 15 WHERE n = 19") // in the way of the third batch
	if _, err := stmt.Exec(10, -1, 0); err == nil || !strings.Contains(err.Error(), "2 batches") {
		t.Fatalf("%v, want an error behind two batches", err)
	}
	if r, err := stmt.Exec(100, -1, 18); err != nil {
		t.Fatal(err)
	} else if n, _ := r.RowsAffected(); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
	if r, err := stmt.Exec(10, -1, 0); err != nil {
		t.Fatal(err)
	} else if n, _ := r.RowsAffected(); n != 20 {
		t.Errorf("%d rows, want 20: all that the statement has changed", n)
	}
	harness.WantText(t, conn, "SELECT SUM(v), COUNT(DISTINCT w) FROM t", "420|20|")
	harness.CheckTables(t, conn, "t")
}

// TestBulkWritesLimit: over the size of a transaction, a statement says how large it was and
// what helps, or is committed in batches.
func TestBulkWritesLimit(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn,
		`CREATE TABLE big (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"excluded": ["text"]}'`,
		`CREATE TABLE big2 (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"excluded": ["text"]}'`)
	for i := range 14 {
		harness.MustRun(t, conn, fmt.Sprintf("INSERT INTO big (_id, n, text) VALUES ('k%02d', %d, '%s')", i, i,
			strings.Repeat("x", 900_000)))
	}
	const update, insert = "UPDATE big SET n = n + 1", "INSERT INTO big2 (_doc) SELECT _doc FROM big"
	for _, s := range []string{update, insert} {
		harness.WantError(t, conn, s, 1197, "bytes in", "rows so far", "10,000,000 bytes", "65,536 rows",
			"sqlfdb_bulk_writes = 'batched'")
	}
	harness.WantText(t, conn, "SELECT SUM(n) FROM big", "91|")
	harness.MustRun(t, conn, "BEGIN")
	harness.WantError(t, conn, update, 1197, "transaction", "commit more often")
	harness.MustRun(t, conn, "ROLLBACK", "SET sqlfdb_bulk_writes = 'batched'")
	harness.MustRun(t, conn, "CREATE TABLE o (k VARCHAR(255) PRIMARY KEY, n INT)",
		"INSERT INTO o SELECT _id, n FROM big")
	harness.WantError(t, conn, update+" ORDER BY text, n LIMIT 13", 1235, "ORDER BY", "text")
	harness.WantError(t, conn, "UPDATE big JOIN big b ON b._id = big._id SET big.n = b.n + 1", 1197,
		"can't be committed in batches: it has a join of the table that it changes with itself")
	harness.WantError(t, conn, "UPDATE big JOIN o ON o.k = big._id SET big.n = 1, o.n = 2", 1197,
		"can't be committed in batches: it has several tables that it changes")
	harness.WantError(t, conn, "UPDATE big SET n = (SELECT MAX(b.n) FROM big b)", 1197, "subquery")
	for _, s := range []string{update + " ORDER BY n LIMIT 14", "UPDATE big JOIN o ON o.k = big._id SET big.n = o.n",
		update, insert, "DELETE FROM big"} {
		if rows := affected(t, conn, s); rows != 14 {
			t.Errorf("%s: %d rows", s, rows)
		}
		if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); s != "DELETE FROM big" &&
			!strings.Contains(warnings, "it was not atomic") {
			t.Errorf("%s: %s", s, warnings)
		}
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n), MIN(LENGTH(_doc->>'$.text')) FROM big2", "14|105|900000|")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM big", "0|")
	harness.CheckTables(t, conn, "big", "big2")
}

// TestBulkWritesLife: a statement that takes longer than a transaction lives is
// committed in batches that take less.
func TestBulkWritesLife(t *testing.T) {
	t.Parallel()
	conn, _ := harness.StartShort(t, 300*time.Millisecond)
	fillBatches(t, conn, "t", 12)
	const slow = "UPDATE t SET v = v + 1 + SLEEP(0.05)"
	harness.WantError(t, conn, slow, 3024, "300 ms", "sqlfdb_bulk_writes = 'batched'")
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'")
	// A busy machine may stand still for longer than a row's transaction lives; then the statement goes on when it is
	// given again.
	var rows int64
	var failed error
	for range harness.Standstills {
		result, err := conn.ExecContext(context.Background(), slow)
		if failed = err; harness.ErrorNumber(err) == 3024 {
			continue
		}
		if err == nil {
			rows, _ = result.RowsAffected()
		}
		break
	}
	if failed != nil || rows != 12 {
		t.Errorf("%d rows, %v", rows, failed)
	}
	harness.WantText(t, conn, "SELECT SUM(v) FROM t", "24|")
	harness.CheckTables(t, conn, "t")
}

// TestBulkWritesInterrupted: what ends a statement between two batches is told with what was
// done; the same statement goes on there, in another connection too, and others begin anew.
func TestBulkWritesInterrupted(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 30)
	harness.MustRun(t, conn, "CREATE TABLE u (n INT PRIMARY KEY, v INT)", "INSERT INTO u VALUES (17, 0)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	const insert = "INSERT INTO u SELECT n, v FROM t"
	harness.WantError(t, conn, insert, 1062, "15 rows were changed in 3 batches", "goes on behind them")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM u", "16|")
	jobs := harness.TextOf(t, conn,
		"SELECT kind, `table`, state, done, message FROM sqlfdb.jobs WHERE kind = 'statement'")
	if !strings.Contains(jobs, "statement|u|interrupted|15|insert into u select n, v from t|") {
		t.Errorf("sqlfdb.jobs: %s", jobs)
	}
	harness.MustRun(t, conn, "DELETE FROM u WHERE n = 17")
	other, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	harness.MustRun(t, other, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	if rows := affected(t, other, insert); rows != 30 {
		t.Errorf("%d rows, want all 30", rows)
	}
	if warnings := harness.TextOf(t, other, "SHOW WARNINGS"); !strings.Contains(warnings, "behind the 15 rows") ||
		!strings.Contains(warnings, "6 batches") {
		t.Errorf("the warnings are %s", warnings)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n) FROM u", "30|435|")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")

	// KILL, and a statement that differs by a comment.
	harness.MustRun(t, conn,
		"UPDATE t SET pause = IF(n = 12, 600, 0)") // in the third batch it sleeps until it is killed
	slow := "UPDATE t SET v = v + 1 + SLEEP(pause)"
	failed := make(chan error, 1)
	id := harness.TextOf(t, other, "SELECT CONNECTION_ID()")
	go func() {
		_, err := other.ExecContext(context.Background(), slow)
		failed <- err
	}()
	harness.Eventually(t, func() string { return "the statement does not show in sqlfdb.jobs" }, func() bool {
		return harness.TextOf(t, conn,
			"SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement' AND state = 'running' AND done = 10") == "1|"
	})
	harness.MustRun(t, conn, "KILL QUERY "+strings.TrimSuffix(id, "|"))
	var e *mysql.MySQLError
	if err := <-failed; !errors.As(err, &e) || !strings.Contains(e.Message, "batches before that") {
		t.Fatalf("after KILL: %v", err)
	}
	harness.MustRun(t, conn, "UPDATE t SET pause = 0 WHERE n = 12")
	affected(t, conn, slow)
	harness.WantText(t, conn, "SELECT MIN(v), MAX(v) FROM t", "2|2|")
	affected(t, conn, "UPDATE /* once more */ t SET v = v + 1 + SLEEP(pause)")
	harness.WantText(t, conn, "SELECT MIN(v), MAX(v) FROM t", "3|3|")
	harness.CheckTables(t, conn, "t", "u")
}

// TestBulkWritesWrongClock: where servers share a store, a statement that was interrupted goes on also when it is given
// again to one whose clock is days ahead; it begins anew when it is that old by the store's versions too.
func TestBulkWritesWrongClock(t *testing.T) {
	store := faultkv.New(harness.NewStore(t))
	store.Pass(10 * 24 * time.Hour)
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(s.Close(context.Background()), store.Close()) })
	conn, err := harness.Connect(t, s.Addr(), "", "").Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustRun(t, conn, "CREATE DATABASE f", "USE f")
	fillBatches(t, conn, "t", 30)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5",
		"CREATE TABLE u (n INT PRIMARY KEY, v INT)")
	const insert = "INSERT INTO u SELECT n, v FROM t"
	for _, c := range []struct {
		passes  time.Duration
		left    string // of u
		warning string
	}{
		{time.Hour, "n < 17", "went on from where an earlier run was interrupted"},
		{30 * time.Hour, "FALSE", "too long ago to go on"},
	} {
		harness.MustRun(t, conn, "DELETE FROM u", "INSERT INTO u VALUES (17, 0)")
		harness.WantError(t, conn, insert, 1062, "15 rows were changed in 3 batches", "goes on behind them")
		store.Pass(c.passes)
		longAgo(t, store)
		harness.MustRun(t, conn, "DELETE FROM u WHERE NOT ("+c.left+")")
		if rows := affected(t, conn, insert); rows != 30 {
			t.Errorf("%v later: %d rows, want all 30", c.passes, rows)
		}
		if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings, c.warning) {
			t.Errorf("%v later: the warnings are %s", c.passes, warnings)
		}
		harness.WantText(t, conn, "SELECT COUNT(*), SUM(n) FROM u", "30|435|")
	}
	harness.CheckTables(t, conn, "t", "u")
}

// longAgo makes statements in batches look as if they had moved 30 hours before now, by the clock.
func longAgo(t *testing.T, store kv.Store) {
	t.Helper()
	moved := regexp.MustCompile(`"moved":"[^"]+"`)
	past := []byte(time.Now().Add(-30 * time.Hour).UTC().Format(`"moved":"` + time.RFC3339Nano + `"`))
	found := 0
	err := kv.Transact(context.Background(), store, kv.TransactOptions{}, func(tx kv.Transaction) error {
		found = 0
		it := tx.Snapshot().Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{})
		defer it.Close()
		for it.Next() {
			if moved.Match(it.Value()) {
				tx.Set(it.Key(), moved.ReplaceAll(it.Value(), past))
				found++
			}
		}
		return it.Err()
	})
	if err != nil || found != 1 {
		t.Fatalf("%d markers: %v", found, err)
	}
}

// TestBulkWritesWithWriters: a statement in batches and others that change the same rows
// at the same time lose nothing and do nothing twice.
func TestBulkWritesWithWriters(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 60)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 4")
	stop, done := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				done <- n
				return
			default:
			}
			if _, err := db.Exec(fmt.Sprintf("UPDATE t SET v = v + 1000 WHERE _id = 'k%04d'", n%60)); err == nil {
				n++
			}
		}
	}()
	for range 5 {
		if rows := affected(t, conn, "UPDATE t SET v = v + 1"); rows != 60 {
			t.Errorf("%d rows", rows)
		}
	}
	close(stop)
	harness.WantText(t, conn, "SELECT SUM(v) FROM t", fmt.Sprintf("%d|", 60+5*60+1000*<-done))
	harness.CheckTables(t, conn, "t")
}

// TestBulkWritesFaults: whatever an operation of the store meets, each row is changed once;
// where the statement fails, giving it again goes on.
func TestBulkWritesFaults(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Conn.ExecContext(context.Background(), "DROP TABLE t")
	fillBatches(t, r.Conn, "t", 7)
	harness.MustRun(t, r.Conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 2",
		"CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	v := 1
	eachFault(t, r, "UPDATE t SET v = v + 1", func(what string, rows int64) {
		v++
		if have := harness.TextOf(t, r.Conn, "SELECT COUNT(*), MIN(v), MAX(v) FROM t"); have != fmt.Sprintf("7|%d|%d|",
			v, v) ||
			rows != 7 {
			t.Fatalf("%s: %s, %d rows, want v = %d in 7", what, have, rows, v)
		}
	})
	for _, fault := range faultkv.Faults() {
		for at := int64(1); fault.OfCommits(); at++ {
			commits := int64(0)
			r.Store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Op == faultkv.Commit {
					if commits++; commits == at {
						return fault
					}
				}
				return faultkv.None
			})
			affected(t, r.Conn, "INSERT INTO u (_id, n) SELECT _id, n FROM t")
			_, met := r.Store.Inject(nil)
			harness.WantText(t, r.Conn, "SELECT COUNT(*), SUM(n) FROM u", "7|21|")
			affected(t, r.Conn, "DELETE FROM u")
			if met == 0 {
				break
			}
		}
	}
	r.Check("at the end", "t")
	r.Check("at the end", "u")
}

// TestCrashBulkWrites: a statement in batches that kill -9 interrupts, again and again, has changed
// each row once when it comes to its end. Rows that it sleeps at see to it that the server is killed before that.
func TestCrashBulkWrites(t *testing.T) {
	const rows, kills, apart = 2000, 4, 310
	const update = "UPDATE t SET v = v + 1 + SLEEP(pause)"
	dir := t.TempDir()
	for round := range kills + 1 {
		p := harness.Spawn(t, harness.ServeCall(t, dir))
		db := harness.Connect(t, p.Addr, "", "")
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			harness.MustRun(t, conn, "CREATE DATABASE f", "USE f")
			fillBatches(t, conn, "t", rows)
			harness.MustRun(t, conn, fmt.Sprintf("UPDATE t SET pause = IF(n > 0 AND n %% %d = 0 AND n <= %d, 600, 0)",
				apart,
				apart*kills))
		}
		harness.MustRun(t, conn, "USE f", fmt.Sprintf("UPDATE t SET pause = 0 WHERE n = %d", apart*round),
			"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 20")
		if round == kills {
			if n := affected(t, conn, update); n != rows {
				t.Errorf("%d rows, want %d", n, rows)
			}
			if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings,
				"an earlier run was interrupted") {
				t.Errorf("the warnings are %s", warnings)
			}
			harness.WantText(t, conn, "SELECT COUNT(*), MIN(v), MAX(v) FROM t", fmt.Sprintf("%d|2|2|", rows))
			harness.CheckTables(t, conn, "t")
			_ = db.Close()
			p.Kill()
			break
		}
		finished := make(chan error, 1)
		go func() {
			_, err := conn.ExecContext(context.Background(), update)
			finished <- err
		}()
		harness.Eventually(t, func() string { return "the statement does not come so far" }, func() bool {
			return len(finished) > 0 || harness.Number(
				t, db, "SELECT COALESCE(MAX(done), 0) FROM sqlfdb.jobs WHERE kind = 'statement' AND state = 'running'") >= int64(
				apart*(round+1)-30)
		})
		p.Kill()
		if err := <-finished; err == nil {
			t.Fatal("the statement came to its end before it was to be interrupted")
		}
		_ = db.Close()
	}
}

// TestBulkWritesList: the keys of a long list are looked up, also those that nobody has: they do not make a transaction
// too large, nor does the time that planning takes make batches small.
func TestBulkWritesList(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn,
		`CREATE TABLE big (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"excluded": ["text"]}'`)
	const rows = 40
	for i := range rows {
		harness.MustRun(t, conn, fmt.Sprintf("INSERT INTO big (_id, n, text) VALUES ('k%06d', %d, '%s')", i*7_500, i,
			strings.Repeat("x", 150_000)))
	}
	keys := make([]string, 300_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("'k%06d'", i)
	}
	in := " WHERE _id IN (" + strings.Join(keys, ",") + ")"
	if n := affected(t, conn, "DELETE FROM big"+in+" AND n = 7"); n != 1 {
		t.Errorf("%d rows of one are deleted", n)
	}
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'")
	if n := affected(t, conn, "UPDATE big SET n = n + 1"+in); n != rows-1 {
		t.Errorf("%d rows are changed", n)
	}
	warning := harness.TextOf(t, conn, "SHOW WARNINGS")
	var batches int
	if _, err := fmt.Sscanf(warning, "Warning|1105|The statement was larger than a transaction, and was committed in %d "+
		"batches", &batches); err != nil || batches > rows/3 {
		t.Errorf("%s, %v", warning, err)
	}
	if n := affected(t, conn, "DELETE FROM big"+in); n != rows-1 {
		t.Errorf("%d rows are deleted", n)
	}
	harness.WantText(t, conn, "SELECT COUNT(*) FROM big", "0|")
	harness.CheckTables(t, conn, "big")
}
