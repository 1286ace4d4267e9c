package commands

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var crashIndexes = flag.Bool("crash-indexes", false,
	"TestCrashIndexes runs: it waits for the leases of servers that were killed")

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
		"SELECT COUNT(*) FROM sqlfdb.jobs WHERE state = 'failed' AND error LIKE 'Duplicate entry ''%'' for key "+
			"''t.ba''' "); n == 0 {
		t.Error("no job tells of the duplicates")
	}
	if _, err := db.Exec(`INSERT INTO t (_doc) VALUES ('{"_id":"twice","a":1,"b":"1","c":1}')`); err == nil ||
		!strings.Contains(err.Error(), "1062") {
		t.Errorf("a duplicate: %v", err)
	}
}
