package sqltests

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
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

// TestUniquePairs: of clients that store the same values in a UNIQUE index on two columns
// at the same time one succeeds, whether they store documents or change them, before the index
// is proved and after.
func TestUniquePairs(t *testing.T) {
	_, pool := harness.Database(t)
	db := pool
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(40) PRIMARY KEY, _doc JSON)")
	for i := range 300 {
		harness.MustExec(t, db, fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"old%d","a":"old","b":%d}')`, i, i))
	}
	harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = hold", "CREATE UNIQUE INDEX ab ON t (a, b)")
	const clients, rounds = 4, 40
	seed := testseed.Of(t, "", 0)
	var done sync.WaitGroup
	var stored [rounds]atomic.Int64
	for client := range clients {
		done.Add(1)
		go func() {
			defer done.Done()
			conn, err := pool.Conn(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			r := rand.New(rand.NewPCG(seed, uint64(client)))
			for round := range rounds {
				id := fmt.Sprintf("r%dc%d", round, client)
				pair := fmt.Sprintf(`"a":"new","b":%d`, round)
				statements := []string{fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"%s",%s}')`, id, pair)}
				if r.IntN(2) == 0 {
					statements = []string{
						fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"%s","a":"own","b":"%s"}')`, id, id),
						fmt.Sprintf(`UPDATE t SET _doc = JSON_SET(_doc, '$.a', 'new', '$.b', %d) WHERE _id = '%s'`, round, id)}
				}
				for i, s := range statements {
					_, err := conn.ExecContext(context.Background(), s)
					var answer *mysql.MySQLError
					switch {
					case err == nil && i == len(statements)-1:
						stored[round].Add(1)
					case err == nil:
					case errors.As(err, &answer) && (answer.Number == 1062 || answer.Number == 1213):
					default:
						t.Errorf("%s: %v", s, err)
					}
				}
			}
		}()
	}
	harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = run")
	done.Wait()
	harness.WaitForJobs(t, pool)
	if n := harness.Number(t, pool,
		"SELECT COUNT(*) FROM sqlfdb.indexes WHERE `index` = 'ab' AND state = 'readable'"); n != 1 {
		t.Errorf("%d such indexes are readable", n)
	}
	for round := range rounds {
		n := harness.Number(t, pool, fmt.Sprintf("SELECT COUNT(*) FROM t WHERE a = 'new' AND b = %d", round))
		if n != stored[round].Load() || n > 1 {
			t.Errorf("round %d: %d documents have the pair, %d clients were told that they stored it", round, n,
				stored[round].Load())
		}
	}
	harness.Check(t, pool, "t")
}
