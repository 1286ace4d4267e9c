package feeds

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	osexec "os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	feedSeed   = flag.Uint64("feed-seed", 0, "the seed of the tests that follow changes; 0 picks one")
	feedRounds = flag.Int("feed-rounds", 3, "how often the server is killed while changes are followed")
)

// TestWaitChanges: a waiting statement is woken by a commit, ends after its time, and can
// be killed.
func TestWaitChanges(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	harness.MustExec(t, db, "CREATE TABLE other (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var id int64
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	wait := func(ms int) <-chan error {
		done := make(chan error, 1)
		last := harness.Texts(t, db, "SELECT sqlfdb_last_seq('t')")[0]
		go func() {
			var newer int
			err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT sqlfdb_wait_changes('t', '%s', %d)", last, ms)).Scan(&newer)
			if err == nil && newer != 1 {
				err = errors.New("nothing newer")
			}
			done <- err
		}()
		return done
	}
	for i, change := range []string{"INSERT INTO t (_id) VALUES ('a')", "UPDATE t SET n = 1 WHERE _id = 'a'",
		"DELETE FROM t WHERE _id = 'a'"} {
		done := wait(600_000)
		harness.Running(t, db, id, "SELECT sqlfdb_wait")
		harness.MustExec(t, db, fmt.Sprintf("INSERT INTO other (_id) VALUES ('%d')", i))
		select {
		case err := <-done:
			t.Fatalf("before the change: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		harness.MustExec(t, db, change)
		select {
		case err := <-done:
			if err != nil {
				t.Fatalf("%s: %v", change, err)
			}
		case <-time.After(harness.Patience):
			t.Fatalf("%s does not wake", change)
		}
	}
	if err := <-wait(30); err == nil || err.Error() != "nothing newer" {
		t.Errorf("without a change: %v", err)
	}
	done := wait(600_000)
	harness.Running(t, db, id, "SELECT sqlfdb_wait")
	harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", id))
	select {
	case err := <-done:
		if err == nil {
			t.Error("a killed wait tells of a change")
		}
	case <-time.After(harness.Patience):
		t.Error("a wait can't be killed")
	}
}

// TestWaitChangesEnds: a wait is over when the table's name stands for another feed or for none, also before the first
// change; another definition of the table does not end it.
func TestWaitChangesEnds(t *testing.T) {
	_, db := harness.Database(t)
	ctx := context.Background()
	for i, statement := range []string{"TRUNCATE TABLE %s", "RENAME TABLE %s TO away%d", "DROP TABLE %s"} {
		for k, before := range []string{"SELECT 1", "INSERT INTO %s (_id) VALUES ('a')"} {
			table := fmt.Sprintf("t%d%d", i, k)
			about := func(statement string) string {
				statement = strings.Replace(statement, "%s", table, 1)
				return strings.Replace(statement, "%d", fmt.Sprint(k), 1)
			}
			harness.MustExec(t, db, about("CREATE TABLE %s (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"), about(before))
			tx, err := db.BeginTx(ctx, nil) // it keeps the definition that it began with
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			var last string
			if err := tx.QueryRow("SELECT sqlfdb_last_seq(?)", table).Scan(&last); err != nil {
				t.Fatal(err)
			}
			done := make(chan string, 1)
			go func() {
				done <- harness.Answered(tx, fmt.Sprintf("SELECT sqlfdb_wait_changes('%s', '%s', 3600000)", table,
					last))
			}()
			harness.MustExec(t, db, about("ALTER TABLE %s COMMENT 'another'"))
			select {
			case got := <-done:
				t.Errorf("ALTER TABLE %s ends a wait with %s", table, got)
			case <-time.After(20 * time.Millisecond):
			}
			harness.MustExec(t, db, about(statement))
			select {
			case got := <-done:
				if got != "0" {
					t.Errorf("%s: the wait ends with %s", about(statement), got)
				}
			case <-time.After(harness.Patience):
				t.Fatalf("%s does not end the wait", about(statement))
			}
		}
	}
	harness.CheckAll(t, db)
}

// feedWriters change random documents of d.t until stop is closed. Whatever becomes of a
// statement, the feed tells.
func feedWriters(seed uint64, addr harness.Address, stop <-chan struct{}) *sync.WaitGroup {
	var running sync.WaitGroup
	for id := range 8 {
		running.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(id)))
			db, err := sql.Open("mysql", "root@tcp("+string(addr)+")/d")
			if err != nil {
				return
			}
			defer db.Close()
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprintf("k%02d", random.IntN(60))
				switch random.IntN(4) {
				case 0, 1:
					if n%25 == 24 { // several chunks; of few documents, so that a consumer's batch stays below a transaction
						_, err = db.Exec(fmt.Sprintf(`REPLACE INTO t (_doc) VALUES ('{"_id": "k%02d", "w": %d, "text": "%s"}')`,
							random.IntN(6), id, strings.Repeat("x", 120_000)))
						break
					}
					_, err = db.Exec(fmt.Sprintf(`REPLACE INTO t (_doc) VALUES ('{"_id": "%s", "w": %d, "n": %d}')`, key, id, n))
				case 2:
					_, err = db.Exec(fmt.Sprintf("UPDATE t SET n = n + 1, u = %d WHERE _id >= '%s' LIMIT 3", n, key))
				case 3:
					_, err = db.Exec(fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", key))
				}
				if err != nil {
					time.Sleep(5 * time.Millisecond) // the server is gone, or the document is hot
				}
			}
		})
	}
	return &running
}

// contents are the documents of a query of keys and documents.
func contents(t testing.TB, db *sql.DB, query string) map[string]string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var key, doc string
		if err := rows.Scan(&key, &doc); err != nil {
			t.Fatal(err)
		}
		out[key] = doc
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func seedOf(t *testing.T) uint64 {
	t.Helper()
	return testseed.Of(t, "feed-seed", *feedSeed)
}

// TestFollow: `sqlfdb changes --follow` outlives its server, and misses, repeats and
// reorders nothing.
func TestFollow(t *testing.T) {
	seed := seedOf(t)
	random := rand.New(rand.NewPCG(seed, 78))
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	serve := harness.Call{Args: []string{"serve", "--store", harness.StoreIn(t, dir), "--listen", string(p.Addr)}}
	follower := osexec.Command(harness.Command(t), "changes", "--table", "d.t", "--follow", "--dsn",
		"root@tcp("+string(p.Addr)+")/")
	stdout, stderr := &harness.Output{}, &harness.Output{}
	follower.Stdout, follower.Stderr = stdout, stderr
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	defer follower.Process.Kill()
	harness.MustExec(t, harness.Connect(t, p.Addr, "d", ""), "INSERT INTO t (_id) VALUES ('first')")
	awaitOutput(t, stdout, "the first change", `"first"`) // from now on it can lose the server
	for range *feedRounds {
		stop := make(chan struct{})
		writers := feedWriters(seed, p.Addr, stop)
		time.Sleep(time.Duration(200+random.IntN(500)) * time.Millisecond)
		p.Kill()
		close(stop)
		writers.Wait()
		p = harness.Spawn(t, serve)
	}
	db := harness.Connect(t, p.Addr, "d", "")
	harness.MustExec(t, db, `REPLACE INTO t (_doc) VALUES ('{"_id": "last", "n": 1.50}')`)
	var last string
	if err := db.QueryRow("SELECT sqlfdb_last_seq('t')").Scan(&last); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func() string { return "the last change does not come: " + stderr.String() },
		func() bool { return strings.Contains(stdout.String(), last) })
	if err := follower.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := follower.Wait(); err != nil {
		t.Errorf("an interrupted follower: %v: %s", err, stderr.String())
	}
	if text := stderr.String(); !strings.Contains(text, "lost the server") || !strings.Contains(text, "--since "+last) {
		t.Errorf("standard error says %s", text)
	}
	replica, _ := followed(t, stdout.String())
	if source := contents(t, db, "SELECT _id, _doc FROM t"); !maps.Equal(source, replica) {
		t.Errorf("the lines give %v, the source is %v", replica, source)
	}
	o := harness.Run(t, harness.Call{Args: []string{"changes", "--table", "d.t", "--since", last, "--dsn",
		"root@tcp(" + string(p.Addr) + ")/"}})
	if o.Exit != 0 || o.Stdout != "" {
		t.Errorf("after the last change: %+v", o)
	}
	o = harness.Run(t, harness.Call{Args: []string{"changes", "--table", "d.nothing", "--dsn",
		"root@tcp(" + string(p.Addr) + ")/"}})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "nothing__changes") {
		t.Errorf("of a table that is not there: %+v", o)
	}
	harness.CheckAll(t, db)
}
