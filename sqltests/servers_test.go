package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// Several servers of one store: what one does holds for the others from their next statement on.

// serversOf starts servers of a new store, with a database d. Each pool leads to one server, the last one to all in
// turn.
func serversOf(t *testing.T, e harness.Engine, n int) (f *harness.Fleet, each []*sql.DB, all *sql.DB) {
	t.Helper()
	var opts server.Options
	opts.Jobs.Lease, opts.Jobs.Budget = 300*time.Millisecond, 1
	f = harness.ServeFleet(t, e.Fresh(t), n, opts)
	harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
	for i := range n {
		each = append(each, f.Only(f.Member(i), "d", "?interpolateParams=true"))
	}
	return f, each, f.Connect("d", "?interpolateParams=true")
}

// onEngines runs a test with the servers of a new store of each engine.
func onEngines(t *testing.T, n int, test func(t *testing.T, f *harness.Fleet, each []*sql.DB, all *sql.DB)) {
	for _, e := range harness.Engines {
		t.Run(e.Name, func(t *testing.T) {
			f, each, all := serversOf(t, e, n)
			test(t, f, each, all)
			harness.CheckAll(t, each[n-1])
		})
	}
}

// TestServersDefinitions: what one server defines, or finds in documents, the next statement of another one knows.
func TestServersDefinitions(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, f *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		const columns = "SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY ORDINAL_POSITION) FROM information_schema.COLUMNS " +
			"WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 't'"
		steps := []struct{ here, there, want string }{
			{"", "SELECT 1 FROM t", "error 1146"},
			{"CREATE TABLE t (id INT PRIMARY KEY, n INT)", "SELECT COUNT(*) FROM t", "0"},
			{"INSERT INTO t VALUES (1, 10), (2, 20)", "SELECT id, n FROM t WHERE n > 10", "2 20"},
			{"ALTER TABLE t ADD COLUMN m INT DEFAULT 5", "SELECT * FROM t ORDER BY id", "1 10 5; 2 20 5"},
			{"ALTER TABLE t MODIFY n VARCHAR(10)", "SELECT id FROM t WHERE n < '1a'", "1"},
			{"", columns, "id,n,m"},
			{"ALTER TABLE t RENAME COLUMN m TO k", "SELECT k FROM t WHERE id = 1", "5"},
			{"", "SELECT m FROM t", "error 1054"},
			{"ALTER TABLE t DROP COLUMN k", columns, "id,n"},
			{"CREATE UNIQUE INDEX u ON t (n)", "INSERT INTO t VALUES (3, '20')", "error 1062"},
			{"DROP INDEX u ON t", "INSERT INTO t VALUES (3, '20')", ""},
			{"ALTER TABLE t ADD CONSTRAINT c CHECK (id < 10)", "INSERT INTO t VALUES (30, 'x')", "error 3819"},
			{"CREATE VIEW v AS SELECT id FROM t WHERE id > 1", "SELECT * FROM v", "2; 3"},
			{"CREATE OR REPLACE VIEW v AS SELECT n FROM t WHERE id = 1", "SELECT * FROM v", "10"},
			{"DROP VIEW v", "SELECT * FROM v", "error 1146"},
			{"RENAME TABLE t TO u", "SELECT COUNT(*) FROM t", "error 1146"},
			{"", "SELECT COUNT(*) FROM u", "3"},
			{"CREATE TABLE t (a VARCHAR(9) PRIMARY KEY, b INT)", columns, "a,b"},
			{"RENAME TABLE t TO w, u TO t, w TO u", "SELECT id FROM t WHERE n = '10'", "1"},
			{"TRUNCATE TABLE t", "SELECT COUNT(*) FROM t", "0"},
			{"DROP TABLE t", "SELECT COUNT(*) FROM t", "error 1146"},
			{"CREATE TABLE t (_id VARCHAR(99) PRIMARY KEY, _doc JSON)", "INSERT INTO t (_id, a, `b.c`) VALUES ('there', 1, 'x')",
				""},
			{"INSERT INTO t (_doc) VALUES ('{\"_id\": \"here\", \"z\": {\"y\": [1, 2]}, \"a\": 2}')", columns, "_id,a,b.c,z.y"},
			{"", "SELECT _id FROM t WHERE JSON_CONTAINS(`z.y`, '2')", "here"},
			{"", "SELECT SUM(a) FROM t", "3"},
			{"ALTER TABLE t ENGINE_ATTRIBUTE '{\"excluded\": [\"a\"]}'", "SELECT _id FROM t WHERE a = 1", "there"},
			{"", "SELECT GROUP_CONCAT(keypath ORDER BY keypath) FROM sqlfdb.keypaths WHERE keypath LIKE 'a%'", ""},
			{"ALTER TABLE t ENGINE_ATTRIBUTE '{}'", "SELECT _id FROM t WHERE a > 1", "here"},
			{"CREATE DATABASE e", "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'e'", "e"},
			{"CREATE TABLE e.t (id INT PRIMARY KEY)", "SHOW TABLES FROM e", "t"},
			{"DROP DATABASE e", "SHOW TABLES FROM e", "error 1049"},
		}
		for round, way := range [][2]int{{0, 1}, {1, 0}} {
			here, there := each[way[0]], each[way[1]]
			for _, s := range steps {
				if s.here != "" {
					harness.MustExec(t, here, s.here)
				}
				if got := harness.Answered(there, s.there); got != s.want {
					t.Errorf("round %d: after %q the other server answers %s with %s, want %s", round, s.here, s.there, got, s.want)
				}
			}
			harness.WaitForJobs(t, there)
			harness.MustExec(t, there, "DROP TABLE t, u")
		}
	})
}

// TestServersPrepared: what is prepared on one server runs on the definition that another one has made.
func TestServersPrepared(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, f *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		ctx := context.Background()
		a, b := each[0], f.Only(f.Member(1), "d", "") // prepares on the server
		harness.MustExec(t, a, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 10), (2, 20)")
		conn, err := b.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		find, err := conn.PrepareContext(ctx, "SELECT n FROM t WHERE id = ?")
		if err != nil {
			t.Fatal(err)
		}
		defer find.Close()
		put, err := conn.PrepareContext(ctx, "INSERT INTO t (id, n) VALUES (?, ?)")
		if err != nil {
			t.Fatal(err)
		}
		defer put.Close()
		for i, s := range []struct {
			here      string
			found     string // of id 1
			foundErr  uint16
			putErr    uint16
			thenCount int64
		}{
			{"INSERT INTO t VALUES (3, 30)", "10", 0, 0, 4},
			{"ALTER TABLE t MODIFY n VARCHAR(9) FIRST", "10", 0, 0, 5},
			{"DROP TABLE t", "", 1146, 1146, -1},
			{"CREATE TABLE t (x INT, n DOUBLE, id BIGINT PRIMARY KEY)", "", 0, 0, 1},
			{"INSERT INTO t VALUES (7, 1.5, 1)", "1.5", 0, 0, 3},
			{"ALTER TABLE t RENAME COLUMN n TO m", "", 1054, 1054, 3},
			{"TRUNCATE TABLE t", "", 1054, 1054, 0},
		} {
			harness.MustExec(t, a, s.here)
			var got sql.NullString
			err := find.QueryRow(1).Scan(&got)
			if errors.Is(err, sql.ErrNoRows) {
				err = nil
			}
			if harness.ErrorNumber(err) != s.foundErr || got.String != s.found {
				t.Errorf("after %q the prepared SELECT gives %q, %v", s.here, got.String, err)
			}
			if _, err := put.Exec(1000+i, 1); harness.ErrorNumber(err) != s.putErr {
				t.Errorf("after %q the prepared INSERT: %v", s.here, err)
			}
			if s.thenCount >= 0 {
				if n := single(t, b, "SELECT COUNT(*) FROM t"); n != s.thenCount {
					t.Errorf("after %q there are %d rows", s.here, n)
				}
			}
		}
	})
}

// TestServersIfNotExists: two servers told to make the same things at once, as several instances of a program do when
// they start, both say that all is well.
func TestServersIfNotExists(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, _ *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		for round := range 10 {
			name := fmt.Sprintf("x%d", round)
			for _, text := range []string{"CREATE DATABASE IF NOT EXISTS %s",
				"CREATE TABLE IF NOT EXISTS %s.t (id INT PRIMARY KEY)", "CREATE OR REPLACE VIEW %s.v AS SELECT 1",
				"DROP VIEW IF EXISTS %s.v", "DROP TABLE IF EXISTS %s.t", "DROP DATABASE IF EXISTS %s"} {
				var both sync.WaitGroup
				for _, db := range each {
					both.Go(func() {
						if _, err := db.Exec(fmt.Sprintf(text, name)); err != nil {
							t.Errorf(text+": %v", name, err)
						}
					})
				}
				both.Wait()
			}
		}
	})
}

// TestServersAutoIncrement: three servers hand out no value twice, nor one that a client of any of them has given, also
// while they are killed.
func TestServersAutoIncrement(t *testing.T) {
	onEngines(t, 3, func(t *testing.T, f *harness.Fleet, each []*sql.DB, all *sql.DB) {
		harness.MustExec(t, each[0], "CREATE TABLE s (id BIGINT PRIMARY KEY AUTO_INCREMENT, client INT)")
		// One after the other: a value given on one server that another one has taken.
		for _, db := range each {
			harness.MustExec(t, db, "INSERT INTO s (client) VALUES (-1)")
		}
		for i, db := range each {
			for _, other := range each {
				id := single(t, other, "SELECT MAX(id) FROM s")
				harness.MustExec(t, other, fmt.Sprintf("INSERT INTO s VALUES (%d, -2)", id+1+int64(i)))
			}
			harness.MustExec(t, db, "INSERT INTO s (client) VALUES (-1), (-1), (-1)")
		}
		harness.MustExec(t, each[1], "ALTER TABLE s AUTO_INCREMENT = 10000")
		for _, db := range each {
			res, err := db.Exec("INSERT INTO s (client) VALUES (-1)")
			if err != nil {
				t.Fatal(err)
			}
			if id, _ := res.LastInsertId(); id < 10000 {
				t.Errorf("%d after ALTER TABLE … AUTO_INCREMENT = 10000 on another server", id)
			}
		}
		var mu sync.Mutex
		told := map[int64]int{} // by value: the client that got it
		var stop atomic.Bool
		var clients sync.WaitGroup
		seed := testseed.Of(t, "", 0)
		for client := range 6 {
			clients.Go(func() {
				random := rand.New(rand.NewPCG(seed, uint64(client)))
				for !stop.Load() {
					if random.IntN(6) == 0 {
						mu.Lock()
						var newest int64
						for id := range told {
							newest = max(newest, id)
						}
						mu.Unlock()
						// Refused where somebody has got it already.
						_, _ = all.Exec("INSERT INTO s VALUES (?, ?)", newest+random.Int64N(150)-20, client)
						continue
					}
					res, err := all.Exec("INSERT INTO s (client) VALUES (?), (?)", client, client)
					var refused *mysql.MySQLError
					if errors.As(err, &refused) && refused.Number == 1062 {
						t.Errorf("a value that was handed out is there: %v", err)
					}
					if err != nil {
						continue // the server is gone, or others were faster many times
					}
					first, _ := res.LastInsertId()
					mu.Lock()
					if by, twice := told[first]; twice {
						t.Errorf("%d was handed out to client %d and to client %d", first, by, client)
					}
					told[first] = client
					mu.Unlock()
				}
			})
		}
		for range 3 {
			time.Sleep(150 * time.Millisecond)
			if err := f.KillNext(); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(150 * time.Millisecond)
		harness.Eventually(t, func() string { return "nothing is inserted" }, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(told) > 0
		})
		stop.Store(true)
		clients.Wait()
		each[2] = all
	})
}

// TestServersKeypaths: keypaths that several servers meet first at the same time have one number each: every server
// finds every document by them.
func TestServersKeypaths(t *testing.T) {
	onEngines(t, 3, func(t *testing.T, _ *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		harness.MustExec(t, each[0], "CREATE TABLE t (_id VARCHAR(99) PRIMARY KEY, _doc JSON)")
		const rounds = 30
		var running sync.WaitGroup
		for s, db := range each {
			running.Go(func() {
				for i := range rounds {
					if _, err := db.Exec(
						fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "%d-%d", "k%d": %d, "own%d": {"a%d": [%d]}}')`, s, i, i, s, s,
							i, i)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		running.Wait()
		for i := range rounds {
			for s, db := range each {
				for v := range each {
					if got, want := harness.Answered(db, fmt.Sprintf("SELECT _id FROM t WHERE k%d = %d", i, v)),
						fmt.Sprintf("%d-%d", v, i); got != want {
						t.Errorf("server %d: k%d = %d leads to %s", s, i, v, got)
					}
				}
			}
		}
		const paths = "SELECT keypath, documents FROM sqlfdb.keypaths WHERE `table` = 't' ORDER BY keypath, type"
		first := harness.Answered(each[0], paths)
		for s, db := range each[1:] {
			if got := harness.Answered(db, paths); got != first {
				t.Errorf("server %d has other keypaths: %s, the first one %s", s+1, got, first)
			}
		}
	})
}

// TestServersUnique: while one server builds a UNIQUE index another one writes documents twice: either there are none
// twice and the index is there, or it is not.
func TestServersUnique(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, _ *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		a, b := each[0], each[1]
		harness.MustExec(t, a, "CREATE TABLE t (id INT PRIMARY KEY, n INT)")
		for from := 0; from < 200; from += 100 {
			var rows []string
			for i := range 100 {
				rows = append(rows, fmt.Sprintf("(%d, %d)", from+i, from+i))
			}
			harness.MustExec(t, a, "INSERT INTO t VALUES "+strings.Join(rows, ","))
		}
		// However long a build takes, one transaction can delete what was written meanwhile.
		const most = 2000
		for round := range 3 {
			done := make(chan error, 1)
			go func() {
				_, err := a.Exec("CREATE UNIQUE INDEX u ON t (n)")
				done <- err
			}()
			var built error
			refused := 0
			for i, building := 0, true; building; i++ {
				id, n := 10_000*(round+1)+i%most, (i*37+i/most+round*200)%400
				write := fmt.Sprintf("INSERT INTO t VALUES (%d, %d)", id, n)
				if i >= most {
					write = fmt.Sprintf("UPDATE t SET n = %d WHERE id = %d", n, id)
				}
				_, err := b.Exec(write)
				switch n := harness.ErrorNumber(err); {
				case n == 1062:
					refused++
				case err != nil:
					t.Errorf("the writer: %v", err)
				}
				select {
				case built = <-done:
					building = false
				default:
				}
			}
			twice := harness.Answered(b, "SELECT n FROM t GROUP BY n HAVING COUNT(*) > 1 LIMIT 1")
			t.Logf("round %d: CREATE UNIQUE INDEX: %v; %d rows were refused", round, built, refused)
			switch {
			case built == nil && twice != "":
				t.Errorf("there is a unique index, and %s twice", twice)
			case built != nil && harness.ErrorNumber(built) != 1062:
				t.Errorf("CREATE UNIQUE INDEX: %v", built)
			}
			if built == nil {
				harness.MustExec(t, b, "DROP INDEX u ON t")
			}
			harness.MustExec(t, b, "DELETE FROM t WHERE id >= 10000")
		}
		harness.MustExec(t, a, "CREATE UNIQUE INDEX u ON t (n)")
		if got := harness.Answered(b, "INSERT INTO t VALUES (9999, 5)"); got != "error 1062" {
			t.Errorf("on the other server: %s", got)
		}
	})
}

// TestServersWaitChanges: a statement that waits on one server is woken by a commit on another one.
func TestServersWaitChanges(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, _ *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		a, b := each[0], each[1]
		harness.MustExec(t, a, "CREATE TABLE t (_id VARCHAR(99) PRIMARY KEY, _doc JSON)")
		for i := range 5 {
			last := harness.Answered(b, "SELECT sqlfdb_last_seq('t')")
			done := make(chan string, 1)
			go func() {
				done <- harness.Answered(b, fmt.Sprintf("SELECT sqlfdb_wait_changes('t', '%s', 600000)", last))
			}()
			select {
			case got := <-done:
				t.Fatalf("before there is a change: %s", got)
			case <-time.After(30 * time.Millisecond):
			}
			harness.MustExec(t, a, fmt.Sprintf("INSERT INTO t (_id) VALUES ('%d')", i))
			select {
			case got := <-done:
				if got != "1" {
					t.Errorf("the waiting statement answers %s", got)
				}
			case <-time.After(harness.Patience):
				t.Fatal("a commit on another server does not wake")
			}
			if got := harness.Answered(b, fmt.Sprintf("SELECT _id FROM t__changes WHERE seq > '%s'",
				last)); got != fmt.Sprint(i) {
				t.Errorf("then there is %s", got)
			}
		}
	})
}

// TestServersJobs: a job is worked off by one server, and by another one when that is killed.
func TestServersJobs(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, f *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		a, b := each[0], each[1]
		harness.MustExec(t, a, "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)")
		var rows []string
		for i := range 400 {
			rows = append(rows, fmt.Sprintf(`(%d, '{"n": %d, "s": "%s"}')`, i, i%7, strings.Repeat("x", 1000+i)))
		}
		harness.MustExec(t, a, "INSERT INTO t (_id, _doc) VALUES "+strings.Join(rows, ","))
		harness.MustExec(t, b, "SET GLOBAL sqlfdb_jobs = hold")
		progress := func() (done, total int64, state string) {
			t.Helper()
			err := b.QueryRow("SELECT done, COALESCE(total, 0), state FROM sqlfdb.jobs ORDER BY id DESC LIMIT 1").Scan(&done,
				&total, &state)
			if err != nil {
				t.Fatal(err)
			}
			return done, total, state
		}
		first := f.Member(0)
		first.Store.Left.Store(12) // the job has more steps
		go a.Exec(`ALTER TABLE t ENGINE_ATTRIBUTE '{"string_limit": 8}'`)
		harness.Eventually(t, func() string {
			return fmt.Sprintf("the first server does not get so far: %d commits are left: %s", first.Store.Left.Load(),
				harness.Answered(b, "SELECT * FROM sqlfdb.jobs"))
		}, first.Store.Severed.Load)
		f.Kill(first)
		before, _, state := progress()
		if before == 0 || state == "done" {
			t.Fatalf("the first server was killed when the job was %s, %d documents", state, before)
		}
		if got := harness.Answered(b, "SELECT COUNT(*) FROM t WHERE n = 3"); got != "57" {
			t.Errorf("while the index is rebuilt n = 3 leads to %s documents", got)
		}
		harness.MustExec(t, b, "SET GLOBAL sqlfdb_jobs = run")
		harness.WaitForJobs(t, b)
		done, total, state := progress()
		if state != "done" || done != total || total != 400 || before > done {
			t.Errorf("the job that was taken over: %s, %d of %d, %d when the first server was killed", state, done, total,
				before)
		}
		if n := single(t, b, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'rebuild'"); n != 1 {
			t.Errorf("%d jobs", n)
		}
		if got := harness.Answered(b, "SELECT COUNT(*) FROM t WHERE n = 3"); got != "57" {
			t.Errorf("n = 3 leads to %s documents", got)
		}
	})
}

// TestServersProcessList: each server lists its own connections, and ends those alone.
func TestServersProcessList(t *testing.T) {
	onEngines(t, 2, func(t *testing.T, _ *harness.Fleet, each []*sql.DB, _ *sql.DB) {
		a, b := harness.NewSession(t, each[0]), harness.NewSession(t, each[1])
		slept := b.Begin(context.Background(), "SELECT SLEEP(60)")
		harness.Running(t, each[1], b.ID, "SELECT SLEEP(60)")
		if got := harness.Texts(t, a, "SELECT INFO FROM information_schema.PROCESSLIST"); slices.ContainsFunc(got,
			func(s string) bool { return strings.Contains(s, "SLEEP") }) {
			t.Errorf("the first server lists %v", got)
		}
		harness.MustExec(t, each[1], fmt.Sprintf("KILL QUERY %d", b.ID))
		select {
		case err := <-slept:
			if harness.ErrorNumber(err) != 1317 {
				t.Errorf("the killed statement: %v", err)
			}
		case <-time.After(harness.Patience):
			t.Error("the statement is not killed")
		}
	})
}

// TestServerProcesses: processes that serve one store, each killed in turn while clients go on, lose nothing that they
// have acknowledged.
func TestServerProcesses(t *testing.T) {
	for _, e := range harness.Engines {
		t.Run(e.Name, func(t *testing.T) {
			if !e.Shared {
				t.Skip("one process at a time opens a store of this engine; the tests above have several servers in one process")
			}
			f := harness.SpawnFleet(t, e.Place(t), 3)
			harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d",
				"CREATE TABLE d.t (id BIGINT PRIMARY KEY AUTO_INCREMENT, client INT, n INT)")
			all := f.Connect("d", "?interpolateParams=true")
			var stop atomic.Bool
			var clients sync.WaitGroup
			acknowledged := make([]int64, 6)
			for client := range acknowledged {
				clients.Go(func() {
					for !stop.Load() {
						if _, err := all.Exec("INSERT INTO t (client, n) VALUES (?, ?)", client, acknowledged[client]); err == nil {
							acknowledged[client]++
						}
					}
				})
			}
			for range 3 {
				time.Sleep(300 * time.Millisecond)
				if err := f.KillNext(); err != nil {
					t.Error(err)
				}
			}
			stop.Store(true)
			clients.Wait()
			for client, n := range acknowledged {
				if there := single(t, all, fmt.Sprintf("SELECT COUNT(DISTINCT n) FROM t WHERE client = %d", client)); there < n {
					t.Errorf("client %d was told of %d rows, there are %d", client, n, there)
				}
			}
			harness.CheckAll(t, all)
		})
	}
}
