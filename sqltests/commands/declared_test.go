package commands

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var crashIndexes = flag.Bool("crash-indexes", false,
	"TestCrashIndexes runs: it waits for the leases of servers that were killed")

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

// TestCrashIndexes kills the server while declared indexes are built, the last of them one that
// documents are equal in: after the last start the jobs go on, and end as the statements would have.
func TestCrashIndexes(t *testing.T) {
	if !*crashIndexes {
		t.Skip("-crash-indexes is not set")
	}
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	db := harness.Connect(t, p.Addr, "", "")
	var documents []string
	for i := range 2000 {
		documents = append(documents, fmt.Sprintf(`('{"_id":"k%04d","a":%d,"b":"%d","c":%d}')`, i, i%50, i%1950, i))
	}
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"INSERT INTO d.t (_doc) VALUES "+strings.Join(documents, ","))
	_ = db.Close()
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 1))
	statements := []string{"CREATE INDEX ab ON t (a, b)", "CREATE UNIQUE INDEX bca ON t (b, c, a)",
		"CREATE UNIQUE INDEX ba ON t (b, a)"}
	for _, s := range statements {
		conn := harness.Connect(t, p.Addr, "d", "")
		var running sync.WaitGroup
		running.Add(1)
		go func() {
			defer running.Done()
			_, err := conn.Exec(s)
			t.Logf("%s: %v", s, err)
		}()
		time.Sleep(time.Duration(5+random.IntN(300)) * time.Millisecond)
		p.Kill()
		running.Wait()
		_ = conn.Close()
		p = harness.Spawn(t, harness.ServeCall(t, dir))
		again := harness.Connect(t, p.Addr, "d", "")
		harness.Check(t, again, "d.t")
		if _, err := again.Exec(s); err == nil && strings.Contains(s, " ba ") {
			t.Errorf("%s: two documents are equal", s)
		}
		_ = again.Close()
	}
	db = harness.Connect(t, p.Addr, "d", "")
	harness.WaitForJobs(t, db)
	harness.Check(t, db, "d.t")
	if n := harness.Number(t, db,
		"SELECT COUNT(*) FROM sqlfdb.indexes WHERE `table` = 't' AND state = 'readable'"); n != 2 {
		t.Errorf("%d indexes are readable, want 2", n)
	}
	if n := harness.Number(t, db,
		"SELECT COUNT(*) FROM sqlfdb.jobs WHERE state = 'failed' AND error LIKE 'Duplicate entry ''%'' for key ''t.ba''' "); n == 0 {
		t.Error("no job tells of the duplicates")
	}
	if _, err := db.Exec(`INSERT INTO t (_doc) VALUES ('{"_id":"twice","a":1,"b":"1","c":1}')`); err == nil ||
		!strings.Contains(err.Error(), "1062") {
		t.Errorf("a duplicate: %v", err)
	}
}
