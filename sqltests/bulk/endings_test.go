package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv/fulldisk"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestReaderStops: a client that stops reading its rows is cut off, and its statement ends.
func TestReaderStops(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE t (id INT PRIMARY KEY)",
		"INSERT INTO t VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)")
	stuck, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	harness.MustRun(t, stuck, "SET net_write_timeout = 1")
	id := strings.TrimSuffix(harness.TextOf(t, stuck, "SELECT CONNECTION_ID()"), "|")
	there := "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + id
	harness.WantText(t, conn, there, "1|")
	rows, err := stuck.QueryContext(context.Background(), "SELECT a.id, REPEAT('x', 1000000) FROM t a, t b") // 100 MB
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	harness.Eventually(t, func() string { return "the statement goes on" }, func() bool {
		return harness.TextOf(t, conn,
			there) == "0|"
	})
	n := 0
	for rows.Next() {
		n++
	}
	if rows.Err() == nil || n == 100 {
		t.Errorf("%d rows, %v: want the connection to have ended", n, rows.Err())
	}
}

// TestDiskFull: when there is no room left, statements that write say so; what was acknowledged
// is there, can be read, and is there when the store is opened again.
func TestDiskFull(t *testing.T) {
	harness.Embedded(t)
	disk := fulldisk.New()
	serve := func(opts pebblekv.Options) (addr net.Addr, end func()) {
		store, err := pebblekv.Open("store", opts)
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.Start(context.Background(), store,
			server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
		if err != nil {
			t.Fatal(err)
		}
		return s.Addr(), func() {
			_ = s.Close(context.Background())
			_ = store.Close()
		}
	}
	addr, end := serve(pebblekv.Options{FS: disk})
	db := harness.Connect(t, addr, "", "")
	harness.MustExec(t, db, "CREATE DATABASE f", "CREATE TABLE f.t (id INT PRIMARY KEY, n INT)",
		"INSERT INTO f.t VALUES (1, 1), (2, 2)", "UPDATE f.t SET n = 3 WHERE id = 2")
	disk.Fill()
	for i, stmt := range []string{"INSERT INTO f.t VALUES (3, 3)", "INSERT INTO f.t VALUES (4, 4)", "UPDATE f.t SET n = 0",
		"CREATE TABLE f.u (id INT PRIMARY KEY)"} {
		_, err := db.Exec(stmt)
		var e *mysql.MySQLError
		if !errors.As(err, &e) || !strings.Contains(e.Message, "no space left on device") || i > 0 && e.Number != 1021 {
			t.Errorf("%s: %v", stmt, err)
		}
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) * 10 + SUM(n) FROM f.t"); n != 24 {
		t.Errorf("%d: not what was acknowledged", n)
	}
	crashed := disk.Crash()
	end()
	addr, end = serve(pebblekv.Options{FS: crashed})
	defer end()
	db = harness.Connect(t, addr, "", "")
	if n := harness.Number(t, db, "SELECT COUNT(*) * 10 + SUM(n) FROM f.t WHERE id < 3"); n != 24 {
		t.Errorf("%d after a restart: not what was acknowledged", n)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM f.t WHERE id > 3"); n != 0 {
		t.Errorf("%d rows of statements that were refused", n)
	}
	harness.MustExec(t, db, "INSERT INTO f.t VALUES (5, 5)")
	harness.CheckAll(t, db)
}

// TestDiskNearlyFull: below the reserve statements that write get 1021, those that read go on, and so does all once
// there is room again.
func TestDiskNearlyFull(t *testing.T) {
	harness.Embedded(t)
	disk := fulldisk.New()
	store, err := pebblekv.Open("store", pebblekv.Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(s.Close(context.Background()), store.Close()); err != nil {
			t.Error(err)
		}
	}()
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE f", "CREATE TABLE f.t (id INT PRIMARY KEY, n INT)",
		"INSERT INTO f.t VALUES (1, 1), (2, 2)")
	disk.SetFree(7 << 20)
	time.Sleep(50 * time.Millisecond)
	for _, stmt := range []string{"INSERT INTO f.t VALUES (3, 3)", "UPDATE f.t SET n = 0", "DELETE FROM f.t",
		"CREATE TABLE f.u (id INT PRIMARY KEY)", "DROP TABLE f.t"} {
		_, err := db.Exec(stmt)
		var e *mysql.MySQLError
		if !errors.As(err, &e) || e.Number != 1021 || !strings.HasPrefix(e.Message,
			"the store's disk is nearly full: 7 MiB are free, 512 MiB are kept free") {
			t.Errorf("%s: %v", stmt, err)
		}
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) * 10 + SUM(n) FROM f.t"); n != 23 {
		t.Errorf("%d: not what was stored", n)
	}
	disk.SetFree(7 << 30)
	time.Sleep(50 * time.Millisecond)
	harness.MustExec(t, db, "UPDATE f.t SET n = 5 WHERE id = 1")
	harness.CheckAll(t, db)
}

// TestReplaceCounts: a row of REPLACE that takes the place of several counts each.
func TestReplaceCounts(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, UNIQUE KEY (a), UNIQUE KEY (b))",
		"INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)")
	for _, s := range []struct {
		statement string
		rows      int64
	}{
		{"REPLACE INTO t VALUES (5, 5, 5)", 1},
		{"REPLACE INTO t VALUES (5, 5, 6)", 2},
		{"REPLACE INTO t VALUES (1, 2, 3)", 4},
		{"REPLACE INTO t VALUES (6, 4, 6), (7, 7, 7)", 4},
	} {
		if rows := affected(t, conn, s.statement); rows != s.rows {
			t.Errorf("%s: %d rows, want %d", s.statement, rows, s.rows)
		}
	}
	harness.WantText(t, conn, "SELECT GROUP_CONCAT(id ORDER BY id) FROM t", "1,6,7|")
	harness.MustRun(t, conn, "REPLACE INTO t VALUES (6, 2, 7)")
	harness.WantText(t, conn, "SELECT ROW_COUNT()", "4|")
}

// TestHeldVersion: CHECK TABLE, and a SELECT with sqlfdb_long_reads = 'hold', read at one version for longer
// than a transaction lives.
func TestHeldVersion(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	const life = time.Second
	base := harness.InMemory(t, pebblekv.Options{TransactionLife: life})
	store := faultkv.New(base)
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = s.Close(context.Background())
		_ = store.Close()
	}()
	db := harness.Connect(t, s.Addr(), "", "")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustLive(t, conn, "CREATE DATABASE f", "USE f", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for i := range 8 { // small documents would all be read at once
		harness.MustLive(t, conn, fmt.Sprintf("INSERT INTO t (_id, n, text) VALUES ('k%d', 1, '%s')", i,
			strings.Repeat("x", 60_000)))
	}
	const slow = "SELECT n, LENGTH(text) > 0, SLEEP(0.35) FROM t"
	harness.WantError(t, conn, slow, 3024, "'hold'")
	harness.MustRun(t, conn, "SET sqlfdb_long_reads = 'hold'")
	done, reads := make(chan string, 1), make(chan struct{})
	var first sync.Once
	store.Inject(func(c faultkv.Call) faultkv.Fault {
		if c.Op == faultkv.Range {
			first.Do(func() { close(reads) })
		}
		return faultkv.None
	})
	go func() { done <- harness.TextOf(t, conn, slow) }()
	<-reads // it has its version
	store.Inject(nil)
	harness.MustLive(t, db, "UPDATE f.t SET n = 100 WHERE _id = 'k7'")
	if have := <-done; have != strings.TrimSpace(strings.Repeat("1|1|0| ", 8)) {
		t.Errorf("%s, want what was there when it began", have)
	}
	harness.WantText(t, conn, "SELECT @@warning_count", "0|")
	var walks atomic.Int64
	store.Inject(func(c faultkv.Call) faultkv.Fault {
		if c.Op == faultkv.Range && walks.Add(1) <= 12 {
			time.Sleep(life / 3)
		}
		return faultkv.None
	})
	began := time.Now()
	harness.CheckTables(t, conn, "t")
	store.Inject(nil)
	if time.Since(began) < 2*life {
		t.Errorf("it took %v, no longer than a transaction lives", time.Since(began))
	}
}

// TestCheckGoesOn: where a version can't be kept, CHECK TABLE goes on at a newer one, unless the table
// has been written to.
func TestCheckGoesOn(t *testing.T) {
	base := harness.NewStore(t)
	defer base.Close()
	store := faultkv.New(base)
	serve := func(store kv.Store) *sql.DB {
		s, err := server.Start(context.Background(), store,
			server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close(context.Background()) })
		return harness.Connect(t, s.Addr(), "", "")
	}
	db, other := serve(store), serve(base)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	harness.MustRun(t, conn, "CREATE DATABASE f", "USE f", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2)", "CHECK TABLE t")
	for _, writes := range []bool{false, true} {
		refused := 0
		for at := int64(1); ; at++ {
			walks := int64(0)
			store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Op != faultkv.Range {
					return faultkv.None
				}
				if walks++; walks != at {
					return faultkv.None
				}
				if writes {
					if _, err := other.Exec("UPDATE f.t SET n = n + 1 WHERE _id = 'b'"); err != nil {
						t.Error(err)
					}
				}
				return faultkv.TooOld
			})
			have, err := harness.RowsOf(conn, "CHECK TABLE t")
			_, met := store.Inject(nil)
			switch {
			case writes && harness.ErrorNumber(err) == 3024:
				refused++
			case err != nil || !strings.Contains(strings.Join(have, " "), "OK"):
				t.Fatalf("writes %t, at %d: %q, %v", writes, at, have, err)
			}
			if met == 0 {
				break
			}
		}
		if writes != (refused > 0) {
			t.Errorf("writes %t: %d checks refused", writes, refused)
		}
	}
}
