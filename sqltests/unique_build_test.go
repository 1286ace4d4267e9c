package sqltests

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestUniqueBuildReads: a UNIQUE index is proved with a bounded number of reads for each document, also
// where its first column has the same value in all of them.
func TestUniqueBuildReads(t *testing.T) {
	base := harness.InMemory(t, pebblekv.Options{})
	t.Cleanup(func() { _ = base.Close() })
	store := faultkv.New(base)
	db := harness.Connect(t, harness.ServeStore(t, store, server.Options{}).Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id INT PRIMARY KEY, _doc JSON)")
	const documents = 600
	var rows []string
	for i := range documents {
		rows = append(rows, fmt.Sprintf(`(%d, '{"same": "x", "n": %d}')`, i, i))
	}
	harness.MustExec(t, db, "INSERT INTO d.t (_id, _doc) VALUES "+strings.Join(rows, ","))
	store.Inject(func(faultkv.Call) faultkv.Fault { return faultkv.None })
	harness.MustExec(t, db, "CREATE UNIQUE INDEX u ON d.t (same, n)")
	if calls, _ := store.Inject(nil); calls > 40*documents {
		t.Errorf("%d operations of the store for %d documents", calls, documents)
	} else {
		t.Logf("%d operations", calls)
	}
	harness.CheckAll(t, db)
}

// TestUniqueBuildWriters: while a UNIQUE index is built, a writer reads a bounded number of keys, also where the first
// column has the same value in all documents. What it stores twice is refused; that there is such a document from
// before, with no entry yet, is for the index's proof, which then fails.
func TestUniqueBuildWriters(t *testing.T) {
	base := harness.InMemory(t, pebblekv.Options{})
	t.Cleanup(func() { _ = base.Close() })
	store := faultkv.New(base)
	db := harness.Connect(t, harness.ServeStore(t, store, server.Options{}).Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id INT PRIMARY KEY, _doc JSON)")
	var rows []string
	for i := range 300 {
		rows = append(rows, fmt.Sprintf(`(%d, '{"same": "x", "n": %d}')`, i, i))
	}
	harness.MustExec(t, db, "INSERT INTO d.t (_id, _doc) VALUES "+strings.Join(rows, ","),
		"SET GLOBAL sqlfdb_jobs = hold",
		"CREATE UNIQUE INDEX u ON d.t (same, n)")
	store.Inject(func(faultkv.Call) faultkv.Fault { return faultkv.None })
	harness.MustExec(t, db, `INSERT INTO d.t (_id, _doc) VALUES (1000, '{"same": "x", "n": 1000}')`)
	if calls, _ := store.Inject(nil); calls > 100 {
		t.Errorf("%d operations of the store", calls)
	} else {
		t.Logf("%d operations", calls)
	}
	if _, err := db.Exec(`INSERT INTO d.t (_id, _doc) VALUES (1001, '{"same": "x", "n": 1000}')`); harness.ErrorNumber(
		err) != 1062 {
		t.Errorf("what a writer has stored meanwhile: %v", err)
	}
	harness.MustExec(t, db, `UPDATE d.t SET n = -1 WHERE _id = 7`) // written meanwhile too
	if _, err := db.Exec(`UPDATE d.t SET n = -1 WHERE _id = 8`); harness.ErrorNumber(err) != 1062 {
		t.Errorf("what a writer has changed meanwhile: %v", err)
	}
	state := func() []string { return harness.Texts(t, db, "SELECT state FROM sqlfdb.indexes WHERE `index` = 'u'") }
	harness.MustExec(t, db, `INSERT INTO d.t (_id, _doc) VALUES (1002, '{"same": "x", "n": 5}')`,
		"SET GLOBAL sqlfdb_jobs = run")
	harness.WaitForJobs(t, db)
	if s := state(); len(s) != 0 {
		t.Errorf("with two equal documents the index is %v", s)
	}
	harness.MustExec(t, db, "DELETE FROM d.t WHERE _id = 1002", "CREATE UNIQUE INDEX u ON d.t (same, n)")
	if s := state(); len(s) != 1 || s[0] != "readable" {
		t.Errorf("without them the index is %v", s)
	}
	harness.CheckAll(t, db)
}

// TestBuildOutlivesTransaction: CREATE INDEX waits for its index for longer than a transaction lives.
func TestBuildOutlivesTransaction(t *testing.T) {
	const life = 500 * time.Millisecond
	base := harness.InMemory(t, pebblekv.Options{TransactionLife: life})
	t.Cleanup(func() { _ = base.Close() })
	store := faultkv.New(base)
	db := harness.Connect(t, harness.ServeStore(t, store, server.Options{}).Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id INT PRIMARY KEY, _doc JSON)")
	var rows []string
	for i := range 300 {
		rows = append(rows, fmt.Sprintf(`(%d, '{"same": "x", "n": %d}')`, i, i))
	}
	harness.MustExec(t, db, "INSERT INTO d.t (_id, _doc) VALUES "+strings.Join(rows, ","))
	slept := false
	store.Inject(func(c faultkv.Call) faultkv.Fault {
		if c.Number == 400 {
			slept = true
			time.Sleep(life + life/2)
		}
		return faultkv.None
	})
	harness.MustExec(t, db, "CREATE UNIQUE INDEX u ON d.t (same, n)")
	if store.Inject(nil); !slept {
		t.Fatal("the build was over before it could be made to wait")
	}
	if state := harness.Number(t, db, "SELECT COUNT(*) FROM sqlfdb.indexes WHERE state = 'readable'"); state != 1 {
		t.Errorf("%d indexes are readable", state)
	}
	harness.CheckAll(t, db)
}
