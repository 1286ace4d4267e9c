package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/server"
)

var faultEvery = flag.Int("fault-every", 7, "of the operations of each statement, every n-th meets each fault")

// faultRun is a server over a store with faults, and what its table must hold.
type faultRun struct {
	t      *testing.T
	store  *faultkv.Store
	server *server.Server
	conn   *sql.Conn
	want   map[string]int // _id -> n
	next   int
}

func (r *faultRun) fresh() string {
	r.next++
	return fmt.Sprintf("k%06d", r.next)
}

func (r *faultRun) some() string { return slices.Min(slices.Collect(maps.Keys(r.want))) }

// A write is one change of the table: its statements, and what it makes of the content.
type write struct {
	name string
	// statements begins with BEGIN where it is a transaction of several.
	make func(r *faultRun) (statements []string, after map[string]int)
}

func with(old map[string]int, key string, n int) map[string]int {
	next := maps.Clone(old)
	next[key] = n
	return next
}

var faultWrites = []write{
	{"insert", func(r *faultRun) ([]string, map[string]int) {
		k := r.fresh()
		return []string{fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "%s", "n": 1, "tags": ["a", "b"]}')`, k)},
			with(r.want, k, 1)
	}},
	{"insert of a new keypath", func(r *faultRun) ([]string, map[string]int) {
		k := r.fresh()
		return []string{fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "%s", "n": 2, "p%s": true}')`, k, k)},
			with(r.want, k, 2)
	}},
	{"insert of several", func(r *faultRun) ([]string, map[string]int) {
		k, l := r.fresh(), r.fresh()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 3), ('%s', 4)", k, l)},
			with(with(r.want, k, 3), l, 4)
	}},
	{"update", func(r *faultRun) ([]string, map[string]int) {
		k := r.some()
		return []string{fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s'", k)}, with(r.want, k, r.want[k]+1)
	}},
	{"update of all", func(r *faultRun) ([]string, map[string]int) {
		after := maps.Clone(r.want)
		for k := range after {
			after[k] += 10
		}
		return []string{"UPDATE t SET n = n + 10 WHERE n > 0"}, after
	}},
	{"replace", func(r *faultRun) ([]string, map[string]int) {
		k := r.some()
		return []string{fmt.Sprintf("REPLACE INTO t (_id, n) VALUES ('%s', 7)", k)}, with(r.want, k, 7)
	}},
	{"upsert", func(r *faultRun) ([]string, map[string]int) {
		k := r.some()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 7) ON DUPLICATE KEY UPDATE n = n + 100", k)},
			with(r.want, k, r.want[k]+100)
	}},
	{"delete", func(r *faultRun) ([]string, map[string]int) {
		after := maps.Clone(r.want)
		k := r.some()
		delete(after, k)
		return []string{fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", k)}, after
	}},
	{"upsert of several", func(r *faultRun) ([]string, map[string]int) {
		k, l := r.some(), r.fresh()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 5), ('%s', 6) ON DUPLICATE KEY UPDATE n = n + 100",
			l, k)}, with(with(r.want, k, r.want[k]+100), l, 5)
	}},
	{"replace of several", func(r *faultRun) ([]string, map[string]int) {
		k, l := r.some(), r.fresh()
		return []string{fmt.Sprintf("REPLACE INTO t (_id, n) VALUES ('%s', 5), ('%s', 6)", l, k)},
			with(with(r.want, k, 6), l, 5)
	}},
	{"insert of what is not there", func(r *faultRun) ([]string, map[string]int) {
		k, l := r.some(), r.fresh()
		return []string{fmt.Sprintf("INSERT IGNORE INTO t (_id, n) VALUES ('%s', 5), ('%s', 6)", k, l)}, with(r.want, l, 6)
	}},
	{"insert of what is read", func(r *faultRun) ([]string, map[string]int) {
		l, most := r.fresh(), 0
		for _, n := range r.want {
			most = max(most, n)
		}
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) SELECT '%s', MAX(n) + 1 FROM t", l)}, with(r.want, l, most+1)
	}},
	{"update of a revision", func(r *faultRun) ([]string, map[string]int) {
		k := r.some()
		return []string{fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s' AND sqlfdb_rev('f.t', _id) IS NOT NULL", k)},
			with(r.want, k, r.want[k]+1)
	}},
	{"delete in order", func(r *faultRun) ([]string, map[string]int) {
		after := maps.Clone(r.want)
		for _, k := range slices.Sorted(maps.Keys(after))[:2] {
			delete(after, k)
		}
		return []string{"DELETE FROM t ORDER BY _id LIMIT 2"}, after
	}},
	{"transaction", func(r *faultRun) ([]string, map[string]int) {
		k, l := r.some(), r.fresh()
		after := with(with(r.want, k, r.want[k]+1), l, 9)
		return []string{"BEGIN", fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s'", k), "SELECT COUNT(*) FROM t",
			"SAVEPOINT s", fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", k), "ROLLBACK TO SAVEPOINT s",
			fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 9)", l), "COMMIT"}, after
	}},
}

// run runs the statements and reports whether they took effect.
func (r *faultRun) run(statements []string) (bool, error) {
	ctx := context.Background()
	for _, s := range statements {
		if _, err := r.conn.ExecContext(ctx, s); err != nil {
			if len(statements) > 1 {
				if _, rollback := r.conn.ExecContext(ctx, "ROLLBACK"); rollback != nil {
					r.t.Fatal(rollback)
				}
			}
			return false, err
		}
	}
	return true, nil
}

// verify compares the table, the feed and the counts with what was acknowledged.
func (r *faultRun) verify(what string) {
	r.t.Helper()
	ctx := context.Background()
	for _, of := range []string{"SELECT _id, n FROM t", "SELECT _id, _doc->>'$.n' FROM t__changes WHERE NOT deleted"} {
		rows, err := r.conn.QueryContext(ctx, of)
		if err != nil {
			r.t.Fatalf("%s: %v", what, err)
		}
		have := map[string]int{}
		for rows.Next() {
			var k string
			var n int
			if err := rows.Scan(&k, &n); err != nil {
				r.t.Fatal(err)
			}
			if _, twice := have[k]; twice {
				r.t.Fatalf("%s: %s: %s is there twice", what, of, k)
			}
			have[k] = n
		}
		if err := rows.Err(); err != nil {
			r.t.Fatalf("%s: %v", what, err)
		}
		rows.Close()
		if !maps.Equal(have, r.want) {
			r.t.Fatalf("%s: %s: there is %v, want %v", what, of, have, r.want)
		}
	}
	r.check(what, "t")
}

// check runs CHECK TABLE.
func (r *faultRun) check(what, name string) {
	r.t.Helper()
	var table, op, kind, text string
	if err := r.conn.QueryRowContext(context.Background(), "CHECK TABLE "+name).Scan(&table, &op, &kind,
		&text); err != nil {
		r.t.Fatal(err)
	}
	if kind != "status" || text != "OK" {
		r.t.Fatalf("%s: CHECK TABLE: %s %s", what, kind, text)
	}
}

// startFaulty serves a store with faults, with a table of three rows.
func startFaulty(t *testing.T) *faultRun {
	t.Helper()
	base := newStore(t)
	store := faultkv.New(base)
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: testLog{t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close(context.Background())
		store.Close()
	})
	db := connect(t, s.Addr(), "", "")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r := &faultRun{t: t, store: store, server: s, conn: conn, want: map[string]int{}}
	for _, s := range []string{"CREATE DATABASE f", "USE f", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO t (_id, n) VALUES ('k0', 1), ('k1', 1), ('k2', 1)"} {
		if _, err := conn.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	r.want = map[string]int{"k0": 1, "k1": 1, "k2": 1}
	return r
}

// TestFaults: whatever an operation of the store meets, a statement happens once and is
// acknowledged, or not at all and says why; documents, counts and changes agree.
func TestFaults(t *testing.T) {
	r := startFaulty(t)
	for _, w := range faultWrites {
		t.Run(strings.ReplaceAll(w.name, " ", "_"), func(t *testing.T) {
			r.t = t
			for _, fault := range faultkv.Faults() {
				r.faults(w, fault)
			}
		})
	}
}

// faults makes a write meet a fault at one operation after the other, until it
// has no more.
func (r *faultRun) faults(w write, fault faultkv.Fault) {
	var statements []string
	var after map[string]int
	r.everywhere(w.name, fault, func() {
		if len(r.want) > 12 { // small again
			for _, k := range slices.Sorted(maps.Keys(r.want))[3:] {
				delete(r.want, k)
				if _, err := r.run([]string{"DELETE FROM t WHERE _id = '" + k + "'"}); err != nil {
					r.t.Fatal(err)
				}
			}
		}
		for len(r.want) < 3 {
			k := r.fresh()
			r.want[k] = 1
			if _, err := r.run([]string{"INSERT INTO t (_id, n) VALUES ('" + k + "', 1)"}); err != nil {
				r.t.Fatal(err)
			}
		}
		statements, after = w.make(r)
	}, func() error {
		_, err := r.run(statements)
		return err
	}, func(what string, err error, hits int64) {
		var refused *mysql.MySQLError
		switch {
		case err == nil:
			r.want = after
		case hits == 0:
			r.t.Fatalf("%s: %v", what, err)
		case len(statements) == 1:
			r.t.Fatalf("%s: the statement is not run again: %v", what, err)
		case !errors.As(err, &refused) || refused.Number != 1213 && refused.Number != 1205:
			r.t.Fatalf("%s: %v, want 1213 or 1205", what, err)
		}
		r.verify(what)
	})
}

// everywhere prepares something and does it while one operation meets a fault, again with each operation in turn (or
// each -fault-every-th; of commits each), until there are no more; judge is told what it gave and how many operations
// met the fault.
func (r *faultRun) everywhere(name string, fault faultkv.Fault, prepare func(), do func() error,
	judge func(what string, err error, hits int64)) {
	r.t.Helper()
	met := r.atEvery(*faultEvery, name, fault, prepare, do, judge)
	if met == 0 { // there are few operations, and the steps have missed those that can meet it
		met = r.atEvery(1, name, fault, prepare, do, judge)
	}
	if met == 0 {
		r.t.Errorf("%s never meets %v", name, fault)
	}
}

// atEvery does it with a fault at each operation of so many, and returns how often one was met.
func (r *faultRun) atEvery(step int, name string, fault faultkv.Fault, prepare func(), do func() error,
	judge func(what string, err error, hits int64)) (met int) {
	r.t.Helper()
	for at := int64(1); ; at++ {
		what := fmt.Sprintf("%s, %v at operation %d", name, fault, at)
		prepare()
		number := 2 + (at-1)*int64(step)
		// Commits are few: each meets every fault of its own.
		commits := int64(0)
		r.store.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Op == faultkv.Commit {
				commits++
			}
			if fault.OfCommits() && c.Op == faultkv.Commit && commits == at || !fault.OfCommits() && c.Number == number {
				return fault
			}
			return faultkv.None
		})
		err := do()
		calls, hits := r.store.Inject(nil)
		if hits > 0 {
			met++
		}
		judge(what, err, hits)
		if hits == 0 && (fault.OfCommits() || calls < number) {
			break
		}
		if at > 20_000 {
			r.t.Fatalf("%s: no end of operations", what)
		}
	}
	return met
}

// TestFaultsOfDefinitions: a change of definitions happens once too, and is acknowledged.
func TestFaultsOfDefinitions(t *testing.T) {
	r := startFaulty(t)
	columns := func() string {
		var names string
		if err := r.conn.QueryRowContext(context.Background(),
			"SELECT COALESCE(GROUP_CONCAT(column_name ORDER BY ordinal_position), '') FROM information_schema.columns WHERE table_schema = 'f' AND table_name = 'd'").Scan(&names); err != nil {
			t.Fatal(err)
		}
		return names
	}
	rows := func() (text string) {
		if err := r.conn.QueryRowContext(context.Background(),
			"SELECT CONCAT(COUNT(DISTINCT id), ' with ', COALESCE(GROUP_CONCAT(a ORDER BY a), 'none')) FROM d").Scan(
			&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	steps := []struct {
		statement string
		columns   string
		rows      string
	}{
		{"CREATE TABLE d (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(20))", "id,a", "0 with none"},
		{"INSERT INTO d (a) VALUES ('1'), ('2')", "id,a", "2 with 1,2"},
		{"ALTER TABLE d ADD COLUMN b INT DEFAULT 3", "id,a,b", "2 with 1,2"},
		{"CREATE UNIQUE INDEX ua ON d (a)", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d ADD COLUMN c INT DEFAULT (a + 1), MODIFY b BIGINT FIRST, ADD UNIQUE INDEX uc (c), ADD INDEX ab (a, b)", "b,id,a,c", "2 with 1,2"},
		{"ALTER TABLE d DROP INDEX uc, DROP COLUMN c, DROP INDEX ab, MODIFY b INT AFTER a", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d MODIFY a INT", "id,a,b", "2 with 1,2"},
		{"DROP INDEX ua ON d", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d DROP COLUMN b", "id,a", "2 with 1,2"},
		{"RENAME TABLE d TO x, x TO d", "id,a", "2 with 1,2"},
		{"TRUNCATE TABLE d", "id,a", "0 with none"},
		{"DROP TABLE d", "", ""},
	}
	every := int64(*faultEvery) * 4 // there are many operations, and each run begins at another one
	first := 2 + int64(seedOf(t)%uint64(every))
	for _, fault := range faultkv.Faults() {
		for at := int64(1); ; at++ {
			met, longest := int64(0), int64(0)
			for _, step := range steps {
				commits := int64(0)
				r.store.Inject(func(c faultkv.Call) faultkv.Fault {
					if c.Op == faultkv.Commit {
						commits++
					}
					if fault.OfCommits() && c.Op == faultkv.Commit && commits == at || !fault.OfCommits() &&
						c.Number == first+(at-1)*every {
						return fault
					}
					return faultkv.None
				})
				_, err := r.conn.ExecContext(context.Background(), step.statement)
				calls, hits := r.store.Inject(nil)
				met, longest = met+hits, max(longest, calls)
				what := fmt.Sprintf("%s, %v at operation %d", step.statement, fault, at)
				if err != nil && !strings.Contains(err.Error(), "definitions have been changed") {
					t.Fatalf("%s: %v", what, err)
				}
				if have := columns(); have != step.columns {
					t.Fatalf("%s: the columns are %s, want %s", what, have, step.columns)
				}
				if step.rows != "" {
					if have := rows(); have != step.rows {
						t.Fatalf("%s: the rows are %s, want %s", what, have, step.rows)
					}
				}
				if step.columns != "" {
					r.check(what, "d")
				}
			}
			if met == 0 && (fault.OfCommits() || longest < first+(at-1)*every) {
				break
			}
		}
	}
}
