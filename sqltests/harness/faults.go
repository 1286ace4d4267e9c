package harness

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/server"
)

// FaultEvery is the share of the operations that meet faults: every n-th.
var FaultEvery = flag.Int("fault-every", 7, "of the operations of each statement, every n-th meets each fault")

// FaultRun is a server over a store with faults, and what its table must hold.
type FaultRun struct {
	T      *testing.T
	Store  *faultkv.Store
	Server *server.Server
	Conn   *sql.Conn
	Want   map[string]int // _id -> n
	next   int
}

// Fresh is a key that no document has had.
func (r *FaultRun) Fresh() string {
	r.next++
	return fmt.Sprintf("k%06d", r.next)
}

// Some is a key that a document has.
func (r *FaultRun) Some() string { return slices.Min(slices.Collect(maps.Keys(r.Want))) }

// A Write is one change of the table: its statements, and what it makes of the content.
type Write struct {
	Name string
	// statements begins with BEGIN where it is a transaction of several.
	Make func(r *FaultRun) (statements []string, after map[string]int)
}

// Run runs the statements and reports whether they took effect.
func (r *FaultRun) Run(statements []string) (bool, error) {
	ctx := context.Background()
	for _, s := range statements {
		if _, err := r.Conn.ExecContext(ctx, s); err != nil {
			if len(statements) > 1 {
				if _, rollback := r.Conn.ExecContext(ctx, "ROLLBACK"); rollback != nil {
					r.T.Fatal(rollback)
				}
			}
			return false, err
		}
	}
	return true, nil
}

// verify compares the table, the feed and the counts with what was acknowledged.
func (r *FaultRun) verify(what string) {
	r.T.Helper()
	ctx := context.Background()
	for _, of := range []string{"SELECT _id, n FROM t", "SELECT _id, _doc->>'$.n' FROM t__changes WHERE NOT deleted"} {
		rows, err := r.Conn.QueryContext(ctx, of)
		if err != nil {
			r.T.Fatalf("%s: %v", what, err)
		}
		have := map[string]int{}
		for rows.Next() {
			var k string
			var n int
			if err := rows.Scan(&k, &n); err != nil {
				r.T.Fatal(err)
			}
			if _, twice := have[k]; twice {
				r.T.Fatalf("%s: %s: %s is there twice", what, of, k)
			}
			have[k] = n
		}
		if err := rows.Err(); err != nil {
			r.T.Fatalf("%s: %v", what, err)
		}
		rows.Close()
		if !maps.Equal(have, r.Want) {
			r.T.Fatalf("%s: %s: there is %v, want %v", what, of, have, r.Want)
		}
	}
	r.Check(what, "t")
}

// Check runs CHECK TABLE.
func (r *FaultRun) Check(what, name string) {
	r.T.Helper()
	var table, op, kind, text string
	if err := r.Conn.QueryRowContext(context.Background(), "CHECK TABLE "+name).Scan(&table, &op, &kind,
		&text); err != nil {
		r.T.Fatal(err)
	}
	if kind != "status" || text != "OK" {
		r.T.Fatalf("%s: CHECK TABLE: %s %s", what, kind, text)
	}
}

// StartFaulty serves a store with faults, with a table of three rows.
func StartFaulty(t *testing.T) *FaultRun {
	t.Helper()
	base := NewStore(t)
	store := faultkv.New(base)
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: TestLog{t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close(context.Background())
		store.Close()
	})
	db := Connect(t, s.Addr(), "", "")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r := &FaultRun{T: t, Store: store, Server: s, Conn: conn, Want: map[string]int{}}
	for _, s := range []string{"CREATE DATABASE f", "USE f", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO t (_id, n) VALUES ('k0', 1), ('k1', 1), ('k2', 1)"} {
		if _, err := conn.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	r.Want = map[string]int{"k0": 1, "k1": 1, "k2": 1}
	return r
}

// Faults makes a write meet a fault at one operation after the other, until it
// has no more.
func (r *FaultRun) Faults(w Write, fault faultkv.Fault) {
	var statements []string
	var after map[string]int
	r.Everywhere(w.Name, fault, func() {
		if len(r.Want) > 12 { // small again
			for _, k := range slices.Sorted(maps.Keys(r.Want))[3:] {
				delete(r.Want, k)
				if _, err := r.Run([]string{"DELETE FROM t WHERE _id = '" + k + "'"}); err != nil {
					r.T.Fatal(err)
				}
			}
		}
		for len(r.Want) < 3 {
			k := r.Fresh()
			r.Want[k] = 1
			if _, err := r.Run([]string{"INSERT INTO t (_id, n) VALUES ('" + k + "', 1)"}); err != nil {
				r.T.Fatal(err)
			}
		}
		statements, after = w.Make(r)
	}, func() error {
		_, err := r.Run(statements)
		return err
	}, func(what string, err error, hits int64) {
		var refused *mysql.MySQLError
		switch {
		case err == nil:
			r.Want = after
		case hits == 0:
			r.T.Fatalf("%s: %v", what, err)
		case len(statements) == 1:
			r.T.Fatalf("%s: the statement is not run again: %v", what, err)
		case !errors.As(err, &refused) || refused.Number != 1213 && refused.Number != 1205:
			r.T.Fatalf("%s: %v, want 1213 or 1205", what, err)
		}
		r.verify(what)
	})
}

// Everywhere prepares something and does it while one operation meets a fault, again with each operation in turn (or
// each -fault-every-th; of commits each), until there are no more; judge is told what it gave and how many operations
// met the fault.
func (r *FaultRun) Everywhere(name string, fault faultkv.Fault, prepare func(), do func() error,
	judge func(what string, err error, hits int64)) {
	r.T.Helper()
	met := r.atEvery(*FaultEvery, name, fault, prepare, do, judge)
	if met == 0 { // there are few operations, and the steps have missed those that can meet it
		met = r.atEvery(1, name, fault, prepare, do, judge)
	}
	if met == 0 {
		r.T.Errorf("%s never meets %v", name, fault)
	}
}

// atEvery does it with a fault at each operation of so many, and returns how often one was met.
func (r *FaultRun) atEvery(step int, name string, fault faultkv.Fault, prepare func(), do func() error,
	judge func(what string, err error, hits int64)) (met int) {
	r.T.Helper()
	for at := int64(1); ; at++ {
		what := fmt.Sprintf("%s, %v at operation %d", name, fault, at)
		prepare()
		number := 2 + (at-1)*int64(step)
		// Commits are few: each meets every fault of its own.
		commits := int64(0)
		r.Store.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Op == faultkv.Commit {
				commits++
			}
			if fault.OfCommits() && c.Op == faultkv.Commit && commits == at || !fault.OfCommits() && c.Number == number {
				return fault
			}
			return faultkv.None
		})
		err := do()
		calls, hits := r.Store.Inject(nil)
		if hits > 0 {
			met++
		}
		judge(what, err, hits)
		if hits == 0 && (fault.OfCommits() || calls < number) {
			break
		}
		if at > 20_000 {
			r.T.Fatalf("%s: no end of operations", what)
		}
	}
	return met
}
