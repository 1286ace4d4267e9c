package server

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// counted is a store that knows which of its transactions have not ended.
type counted struct {
	kv.Store
	mu   sync.Mutex
	open map[*countedTx]struct{}
}

// countedTx is a transaction of a counted store.
type countedTx struct {
	kv.Transaction
	store *counted
}

func (s *counted) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	c := &countedTx{tx, s}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c] = struct{}{}
	return c, nil
}

func (s *counted) end(tx *countedTx) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, tx)
}

// Commit implements kv.Transaction.
func (tx *countedTx) Commit() error {
	defer tx.store.end(tx)
	return tx.Transaction.Commit()
}

// Cancel implements kv.Transaction.
func (tx *countedTx) Cancel() {
	defer tx.store.end(tx)
	tx.Transaction.Cancel()
}

// openPatience is how long a transaction may stay open once its statement is over: the background
// begins some of its own, and a lost client is found out about after a while. It is less
// than a transaction lives in this test.
const openPatience = 30 * time.Second

// settled waits until no transaction is open that was open at one and the same time as others of
// now, and returns how many stay.
func (s *counted) settled() int {
	now := map[*countedTx]struct{}{}
	s.mu.Lock()
	for tx := range s.open {
		now[tx] = struct{}{}
	}
	s.mu.Unlock()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		left := 0
		s.mu.Lock()
		for tx := range now {
			if _, open := s.open[tx]; open {
				left++
			}
		}
		s.mu.Unlock()
		if left == 0 || time.Since(began) > openPatience {
			return left
		}
	}
}

// TestFailuresLeaveNoTransaction: whatever a statement fails by, no transaction of
// the store stays open behind it.
func TestFailuresLeaveNoTransaction(t *testing.T) {
	base, err := pebblekv.Open(t.TempDir(), pebblekv.Options{TransactionLife: 10 * openPatience})
	if err != nil {
		t.Fatal(err)
	}
	store := &counted{Store: base, open: map[*countedTx]struct{}{}}
	defer store.Close()
	w := dial(t, store, Options{})
	defer w.close()
	w.exec("CREATE DATABASE d", "USE d", "CREATE TABLE t (a INT PRIMARY KEY, b INT NOT NULL, UNIQUE KEY ub (b))",
		"CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
	expect := func(what string) {
		t.Helper()
		if n := store.settled(); n > 0 {
			t.Errorf("%s: %d transactions of the store are open", what, n)
		}
	}
	expect("at the beginning")
	for _, autocommit := range []int{1, 0} {
		w.exec(fmt.Sprintf("SET autocommit = %d", autocommit))
		for _, q := range failingStatements {
			if got := w.rows(q); !strings.HasPrefix(got, "Error ") {
				t.Errorf("%s does not fail: %s", q, got)
			}
			if autocommit == 0 {
				w.exec("ROLLBACK")
			}
			expect(q)
			if st, err := w.db.Prepare(q); err == nil {
				_, err = st.Exec()
				if err == nil {
					t.Errorf("%s does not fail when it is prepared", q)
				}
				st.Close()
			}
			if autocommit == 0 {
				w.exec("ROLLBACK")
			}
			expect("prepared: " + q)
		}
	}
	w.exec("SET autocommit = 1")
	for _, how := range []string{"KILL QUERY", "KILL CONNECTION", "lost"} {
		for _, q := range []string{
			"SELECT a, SLEEP(1000) AS s FROM t",
			"UPDATE t SET b = b + SLEEP(1000)",
			"CREATE TABLE s AS SELECT a, SLEEP(1000) AS s FROM t",
			"ALTER TABLE t ADD COLUMN c INT DEFAULT (b + SLEEP(1000))",
		} {
			w.exec("DROP TABLE IF EXISTS d.s")
			interrupt(t, w, how, q)
			expect(how + ": " + q)
		}
	}
	if got := w.rows("CHECK TABLE d.t"); !strings.Contains(got, "OK") {
		t.Error(got)
	}
}

// failingStatements fail where they are parsed, bound, planned, run or committed.
var failingStatements = []string{
	"SELEC 1",
	"SELECT a FROM",
	"SELECT x FROM t",
	"SELECT a FROM nowhere",
	"SELECT a FROM nowhere.t",
	"SELECT t.a FROM t JOIN o ON t.a = o.nothing.more",
	"SELECT COUNT(a, b, c) FROM t",
	"SELECT NOFUNCTION(a) FROM t",
	"SELECT a FROM t WHERE (a, b) = (1, 2, 3)",
	"SELECT a FROM t UNION SELECT a, b FROM t",
	"INSERT INTO t (a, x) VALUES (1, 2)",
	"INSERT INTO t VALUES (1)",
	"INSERT INTO t VALUES (1, 7)",
	"INSERT INTO t VALUES (7, 1)",
	"INSERT INTO t VALUES (7, NULL)",
	"INSERT INTO t VALUES ('x', 1)",
	"INSERT INTO t SELECT a FROM t",
	"INSERT INTO o (_doc) VALUES ('{')",
	"UPDATE t SET x = 1",
	"UPDATE t SET b = 1",
	"UPDATE t SET b = NULL",
	"DELETE FROM nowhere",
	"DELETE FROM t WHERE x = 1",
	"REPLACE INTO t VALUES (1, NULL)",
	"CREATE DATABASE d",
	"DROP DATABASE nowhere",
	"CREATE TABLE t (a INT)",
	"CREATE TABLE n (a INT, a INT)",
	"CREATE TABLE n (a INT, KEY (x))",
	"CREATE TABLE n (a INT, FOREIGN KEY (a) REFERENCES nothing (a))",
	"CREATE TABLE n LIKE nowhere",
	"CREATE TABLE n AS SELECT a, b AS a FROM t",
	"CREATE VIEW t AS SELECT 1",
	"CREATE VIEW v AS SELECT x FROM t",
	"DROP VIEW nothing",
	"DROP TABLE nothing",
	"DROP TABLE t, nothing",
	"TRUNCATE TABLE nothing",
	"RENAME TABLE nothing TO n",
	"RENAME TABLE t TO o",
	"ALTER TABLE nothing ADD COLUMN c INT",
	"ALTER TABLE t ADD COLUMN a INT",
	"ALTER TABLE t ADD COLUMN c INT AFTER x",
	"ALTER TABLE t DROP COLUMN x",
	"ALTER TABLE t DROP PRIMARY KEY, ADD COLUMN c INT PRIMARY KEY",
	"ALTER TABLE t MODIFY x INT",
	"ALTER TABLE t MODIFY b DATE",
	"ALTER TABLE t RENAME COLUMN a TO b",
	"ALTER TABLE t ADD INDEX (x)",
	"ALTER TABLE t ADD INDEX ub (b)",
	"ALTER TABLE t DROP INDEX x",
	"ALTER TABLE t ADD CHECK (b > 2)",
	"ALTER TABLE t ADD CHECK (x > 2)",
	"ALTER TABLE t DROP CHECK x",
	"ALTER TABLE t ADD COLUMN c INT, DROP COLUMN x",
	"ALTER TABLE t ADD COLUMN c INT, ADD CHECK (b > 2)",
	"ALTER TABLE t ENGINE_ATTRIBUTE '{\"max_depth\": 1000}'",
	"CHECK TABLE nowhere.t EXTENDEDLY",
	"SHOW COLUMNS FROM nothing",
	"DESCRIBE nothing",
	"EXPLAIN SELECT x FROM t",
	"CALL nothing()",
	"SET sqlfdb_use_index = 'perhaps'",
	"LOAD DATA INFILE 'nothing' INTO TABLE t",
}

// interrupt runs a statement that takes long on a connection of its own and interrupts it.
func interrupt(t *testing.T, w *wire, how, q string) {
	t.Helper()
	other, err := stdsql.Open("mysql", "root@tcp("+w.s.Addr().String()+")/d")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	conn, err := other.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var id int64
	if err := conn.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		rows, err := conn.QueryContext(ctx, q)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		done <- err
	}()
	running := fmt.Sprintf("SELECT COUNT(*) FROM information_schema.processlist WHERE id = %d AND info = '%s'", id, q)
	for began := time.Now(); w.rows(running) != "1"; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > openPatience {
			t.Fatalf("%s does not run", q)
		}
	}
	if how == "lost" {
		cancel() // the driver closes the connection
	} else {
		w.exec(fmt.Sprintf("%s %d", how, id))
	}
	if err := <-done; err == nil {
		t.Errorf("%s: %s does not fail", how, q)
	}
}
