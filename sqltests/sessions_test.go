package sqltests

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	osexec "os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// fillSlow makes tables with as many documents as it takes for statements over them to run
// until they are killed.
func fillSlow(t testing.TB, db *sql.DB) {
	t.Helper()
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE c (id INT PRIMARY KEY, n INT, s VARCHAR(20))", "CREATE TABLE kept (id INT PRIMARY KEY)")
	for from := 0; from < 6_000; from += 1_000 {
		var documents, rows []string
		for i := from; i < from+1_000; i++ {
			documents = append(documents, fmt.Sprintf(`('{"_id":"%d","n":%d,"s":"text %d","g":%d}')`, i, i, i*7919%6_000, i%97))
			rows = append(rows, fmt.Sprintf("(%d, %d, 'text %d')", i, i, i*7919%6_000))
		}
		harness.MustExec(t, db, "INSERT INTO t (_doc) VALUES "+strings.Join(documents, ","),
			"INSERT INTO c VALUES "+strings.Join(rows, ","))
	}
}

// TestKill: KILL QUERY ends whatever runs, and the session's transaction goes on.
func TestKill(t *testing.T) {
	_, db := harness.Database(t)
	fillSlow(t, db)
	harness.MustExec(t, db, "CREATE TABLE hot (id INT PRIMARY KEY, n INT)", "INSERT INTO hot VALUES (1, 0)")
	slow := "SLEEP(0.01 + n * 0) = 0"
	for i, c := range []struct {
		name, stmt string
		definition bool // ends the transaction before it begins
	}{
		{name: "wait", stmt: "SELECT sqlfdb_wait_changes('t', 'ffffffffffffffffffffffffff', 60000)"},
		{name: "sleep", stmt: "SELECT SLEEP(60)"},
		{name: "scan", stmt: "SELECT COUNT(*) FROM t WHERE s LIKE '%9%' AND " + slow},
		{name: "join", stmt: "SELECT COUNT(*) FROM t a JOIN t b ON a.g < b.g AND a.n <> b.n AND a.s > b.s"},
		{name: "batched join",
			stmt: "SELECT a.n FROM t a JOIN t b ON a.g = b.g JOIN t c ON c.g = b.g WHERE a.n > c.n + b.n + 20000"},
		{name: "sort", stmt: "SELECT n FROM t WHERE n < 4000 ORDER BY SHA2(CONCAT(REPEAT(s, 2000), SHA2(REPEAT(s, " +
			"2000), 512)), 512)"},
		{name: "top", stmt: "SELECT n FROM t ORDER BY SHA2(REPEAT(s, 10000), 512) LIMIT 3000"},
		{name: "concat", stmt: "SELECT GROUP_CONCAT(n ORDER BY SHA2(CONCAT(REPEAT(s, 2000), SHA2(REPEAT(s, 2000), " +
			"512)), 512)) FROM t WHERE n < 4000"},
		{name: "window", stmt: "SELECT SUM(r) FROM (SELECT ROW_NUMBER() OVER (ORDER BY SHA2(CONCAT(REPEAT(s, 2000), " +
			"SHA2(REPEAT(s, 2000), 512)), 512)) AS r FROM t WHERE n < 4000) w"},
		{name: "partitions", stmt: "SELECT SUM(n) OVER (PARTITION BY SHA2(CONCAT(REPEAT(s, 2000), SHA2(REPEAT(s, " +
			"2000), 512)), 512)) FROM t WHERE n < 4000"},
		{name: "aggregate", stmt: "SELECT a.g, COUNT(DISTINCT b.s), SUM(a.n * b.n) FROM t a JOIN t b ON a.n + 0 <> " +
			"b.n GROUP BY a.g"},
		{name: "correlated", stmt: "SELECT COUNT(*) FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b.s < a.s AND b.n " +
			"+ a.n = -1)"},
		{name: "union", stmt: "SELECT n FROM t WHERE " + slow + " UNION SELECT n + 1 FROM t WHERE " + slow},
		{name: "update", stmt: "UPDATE t SET n = n + 1 WHERE " + slow},
		{name: "delete", stmt: "DELETE FROM t WHERE " + slow},
		{name: "insert", stmt: "INSERT INTO kept SELECT id + 1000 FROM c WHERE " + slow},
		{name: "explain", stmt: "EXPLAIN ANALYZE SELECT COUNT(*) FROM t WHERE " + slow},
		{name: "column", stmt: "ALTER TABLE c ADD COLUMN x INT DEFAULT (SLEEP(0.01)) NOT NULL", definition: true},
		{name: "retries", stmt: "INSERT INTO kept SELECT 100000 + n + SLEEP(0.05) FROM hot", definition: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := harness.NewSession(t, db)
			harness.MustExec(t, s, "BEGIN", fmt.Sprintf("INSERT INTO kept VALUES (%d)", i))
			if c.definition {
				harness.MustExec(t, s, "COMMIT")
			}
			busy := make(chan struct{})
			if c.name == "retries" {
				go func() {
					defer close(busy)
					for range 60 {
						if _, err := db.Exec("UPDATE hot SET n = n + 1"); err != nil {
							t.Error(err)
						}
						time.Sleep(10 * time.Millisecond)
					}
				}()
			} else {
				close(busy)
			}
			done := s.Begin(context.Background(), c.stmt)
			harness.Running(t, db, s.ID, c.stmt[:6])
			time.Sleep(200 * time.Millisecond)
			killed := harness.EndsSoon()
			harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", s.ID))
			select {
			case err := <-done:
				if harness.ErrorNumber(err) != 1317 {
					t.Errorf("%v after it was killed: %v", killed, err)
				}
			case <-time.After(harness.Patience):
				t.Fatal("it goes on")
			}
			killed.Check(t, "killed")
			<-busy
			harness.MustExec(t, s, "COMMIT")
			if n := harness.Number(t, db, fmt.Sprintf("SELECT COUNT(*) FROM kept WHERE id = %d", i)); n != 1 {
				t.Error("what came before in the transaction is lost")
			}
		})
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t WHERE n = CAST(_id AS SIGNED)"); n != 6_000 {
		t.Errorf("%d documents as they were", n)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM kept WHERE id >= 1000"); n != 0 {
		t.Errorf("%d rows of an INSERT that was killed", n)
	}
	harness.CheckAll(t, db)
}

// TestKillConnection: the other session ends, in a statement or idle, and what it had not
// committed is gone.
func TestKillConnection(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)")
	busy, idle := harness.NewSession(t, db), harness.NewSession(t, db)
	harness.MustExec(t, busy, "BEGIN", "INSERT INTO t VALUES (1)")
	harness.MustExec(t, idle, "BEGIN", "INSERT INTO t VALUES (2)")
	done := busy.Begin(context.Background(), "SELECT SLEEP(60)")
	harness.Running(t, db, busy.ID, "SELECT SLEEP")
	harness.MustExec(t, db, fmt.Sprintf("KILL %d", busy.ID), fmt.Sprintf("KILL CONNECTION %d", idle.ID))
	select {
	case err := <-done:
		if err == nil {
			t.Error("the statement ended well")
		}
	case <-time.After(harness.Patience):
		t.Error("the statement goes on")
	}
	harness.Gone(t, db, busy.ID)
	harness.Gone(t, db, idle.ID)
	if _, err := idle.ExecContext(context.Background(), "COMMIT"); err == nil {
		t.Error("a killed connection commits")
	}
	if _, err := db.Exec(fmt.Sprintf("KILL %d", busy.ID)); harness.ErrorNumber(err) != 1094 {
		t.Errorf("KILL of a connection that is gone: %v", err)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// TestProcessList: it tells of every connection where it comes from, in which database it is,
// and what it does for how long.
func TestProcessList(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1)", "CREATE DATABASE e")
	idle, busy := harness.NewSession(t, db), harness.NewSession(t, db)
	harness.MustExec(t, idle, "USE e")
	done := busy.Begin(context.Background(), "SELECT id FROM t WHERE SLEEP(60 + id * 0) = 0")
	harness.Running(t, db, busy.ID, "SELECT id")
	time.Sleep(1100 * time.Millisecond)
	for _, list := range []string{"SHOW FULL PROCESSLIST", "SELECT * FROM information_schema.PROCESSLIST"} {
		rows, err := db.Query(list)
		if err != nil {
			t.Fatal(err)
		}
		type process struct {
			user, host, database, command, state, info string
			seconds                                    int
		}
		found := map[int64]process{}
		var order []int64
		for rows.Next() {
			var id int64
			var p process
			var in sql.NullString
			if err := rows.Scan(&id, &p.user, &p.host, &in, &p.command, &p.seconds, &p.state, &p.info); err != nil {
				t.Fatal(err)
			}
			if host, port, err := net.SplitHostPort(p.host); err != nil || host != "127.0.0.1" || port == s.Addr().String() {
				t.Errorf("host %s", p.host)
			}
			p.host, p.database = "", in.String
			found[id] = p
			order = append(order, id)
		}
		if err := rows.Err(); err != nil || !slices.IsSorted(order) {
			t.Errorf("%v, in the order %v", err, order)
		}
		if p := found[busy.ID]; p.seconds < 1 || p.seconds > 60 {
			t.Errorf("%s: it runs for %d s", list, p.seconds)
		} else if p.seconds = 0; p != (process{user: "root", database: "d", command: "Query", state: "running",
			info: "SELECT id FROM t WHERE SLEEP(60 + id * 0) = 0"}) {
			t.Errorf("%s: busy: %+v", list, p)
		}
		if p := found[idle.ID]; p.seconds < 1 || p.seconds > 60 {
			t.Errorf("%s: it sleeps for %d s", list, p.seconds)
		} else if p.seconds = 0; p != (process{user: "root", database: "e", command: "Sleep"}) {
			t.Errorf("%s: idle: %+v", list, p)
		}
	}
	harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", busy.ID))
	<-done
	var user string
	var in sql.NullString
	if err := harness.Connect(t, s.Addr(), "", "").QueryRow(
		"SELECT USER, DB FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()").Scan(&user, &in); err != nil ||
		user != "root" || in.Valid {
		t.Errorf("a connection without a database: user %q, database %v: %v", user, in, err)
	}
	// A list while another connection changes its database, for the race detector.
	uses := make(chan error, 1)
	go func() {
		for range 20 {
			for _, database := range []string{"d", "e"} {
				if _, err := idle.ExecContext(context.Background(), "USE "+database); err != nil {
					uses <- err
					return
				}
			}
		}
		uses <- nil
	}()
	for range 20 {
		harness.MustExec(t, db, "SHOW PROCESSLIST")
	}
	if err := <-uses; err != nil {
		t.Error(err)
	}
}

// TestFollowShutdown: who follows the changes of a server that is stopped does not keep it, and
// goes on with the next one.
func TestFollowShutdown(t *testing.T) {
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	follower := osexec.Command(harness.Command(t), "changes", "--table", "d.t", "--follow", "--dsn",
		"root@tcp("+string(p.Addr)+")/")
	stdout, stderr := &harness.Output{}, &harness.Output{}
	follower.Stdout, follower.Stderr = stdout, stderr
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = follower.Wait() }()
	defer follower.Process.Kill()
	quickest := time.Hour
	for round := range 3 {
		id := fmt.Sprintf("document %d", round)
		harness.MustExec(t, harness.Connect(t, p.Addr, "d", ""), "INSERT INTO t (_id) VALUES ('"+id+"')")
		harness.Eventually(t, func() string { return fmt.Sprintf("%s does not come: %s", id, stderr.String()) },
			func() bool { return strings.Contains(stdout.String(), id) })
		db := harness.Connect(t, p.Addr, "", "")
		harness.Eventually(t, func() string { return "it does not wait for more" }, func() bool {
			return harness.Number(t, db,
				"SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT sqlfdb_wait_changes%'") > 0
		})
		_ = db.Close()
		began := time.Now()
		p.Stop()
		quickest = min(quickest, time.Since(began))
		p = harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", harness.StoreIn(t, dir), "--listen",
			string(p.Addr)}})
	}
	if quickest > 10*time.Second { // a busy machine makes one take longer, not all
		t.Errorf("SIGTERM took %v at best", quickest)
	}
	if text := stderr.String(); !strings.Contains(text, "lost the server") {
		t.Errorf("standard error says %s", text)
	}
}

// TestLostConnection: a statement whose client is gone ends soon, and its transaction
// with it.
func TestLostConnection(t *testing.T) {
	_, db := harness.Database(t)
	fillSlow(t, db)
	for _, stmt := range []string{
		"SELECT SLEEP(60)",
		"SELECT sqlfdb_wait_changes('t', 'ffffffffffffffffffffffffff', 60000)",
		"SELECT COUNT(*) FROM t a JOIN t b ON a.g < b.g AND a.n <> b.n AND a.s > b.s",
		"UPDATE t SET n = n + 1 WHERE SLEEP(0.01 + n * 0) = 0",
	} {
		s := harness.NewSession(t, db)
		harness.MustExec(t, s, "BEGIN", "INSERT INTO kept VALUES (1)")
		ctx, leave := context.WithCancel(context.Background())
		done := s.Begin(ctx, stmt)
		harness.Running(t, db, s.ID, stmt[:6])
		left := harness.EndsSoon()
		leave() // the driver closes its connection
		<-done
		harness.Gone(t, db, s.ID)
		left.Check(t, stmt)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM kept"); n != 0 {
		t.Errorf("%d rows", n)
	}
	harness.CheckAll(t, db)
}

// TestWaitTimeout: a client that sends nothing for its wait_timeout is disconnected, and a
// ping is something.
func TestWaitTimeout(t *testing.T) {
	t.Parallel()
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)")
	const timeout = 2 * time.Second
	ctx := context.Background()
	// talk says for how long nothing was said at most, and what has failed.
	talk := func() (silence time.Duration, failed error) {
		harness.MustExec(t, db, "DELETE FROM t")
		idle, pinging, busy := harness.NewSession(t, db), harness.NewSession(t, db), harness.NewSession(t, db)
		heard := time.Now()
		for _, s := range []harness.Session{idle, pinging, busy} {
			harness.MustExec(t, s, fmt.Sprintf("SET wait_timeout = %d", timeout/time.Second))
		}
		said := func(what string, err error) {
			if failed == nil && err != nil {
				failed = fmt.Errorf("%s: %w", what, err)
			}
			silence, heard = max(silence, time.Since(heard)), time.Now()
		}
		for _, s := range []harness.Session{idle, pinging, busy} {
			said("at first", harness.ExecOn(s.Conn, "BEGIN", fmt.Sprintf("INSERT INTO t VALUES (%d)", s.ID)))
		}
		done := busy.Begin(ctx, "SELECT SLEEP(3)") // a transaction lives 5 s on FoundationDB
		for ended := false; !ended; {
			select {
			case err := <-done:
				said("a statement that runs", err)
				ended = true
			case <-time.After(timeout / 4):
				said("ping", pinging.PingContext(ctx))
			}
		}
		said("busy", harness.ExecOn(busy.Conn, "COMMIT"))
		said("pinging", harness.ExecOn(pinging.Conn, "COMMIT"))
		harness.Gone(t, db, idle.ID)
		if _, err := idle.ExecContext(ctx, "COMMIT"); err == nil {
			t.Error("it is still there")
		}
		if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); failed == nil && n != 2 {
			t.Errorf("%d rows", n)
		}
		for _, s := range []harness.Session{idle, pinging, busy} {
			_ = s.Close()
		}
		return silence, failed
	}
	for range harness.Standstills {
		silence, failed := talk()
		if failed == nil {
			return
		}
		if silence < timeout/2 {
			t.Fatalf("%v, though nobody was silent for more than %v", failed, silence)
		}
		t.Logf("the machine stood still for %v: %v", silence, failed)
	}
	t.Error("the machine stands still all the time")
}

// TestShutdownEndsWaits: a server that is told to stop does not wait for those who wait, nor for
// clients that do nothing.
func TestShutdownEndsWaits(t *testing.T) {
	quickest := time.Hour
	for n := 0; n < 5 && quickest > 5*time.Second; n++ { // a busy machine makes one take longer, not all
		quickest = min(quickest, shutDown(t))
	}
	if quickest > 5*time.Second {
		t.Errorf("closing took %v at best", quickest)
	}
}

// shutDown closes a server whose clients wait, work and do nothing. It returns how long that took.
func shutDown(t *testing.T) time.Duration {
	ctx := context.Background()
	store := harness.NewStore(t)
	defer store.Close()
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.u (id INT PRIMARY KEY)")
	waiting, works, idle := harness.NewSession(t, db), harness.NewSession(t, db), harness.NewSession(t, db)
	harness.MustExec(t, idle, "BEGIN", "INSERT INTO d.u VALUES (1)")
	harness.MustExec(t, works, "BEGIN", "INSERT INTO d.u VALUES (2)")
	waits := waiting.Begin(ctx, "SELECT sqlfdb_wait_changes('d.t', sqlfdb_last_seq('d.t'), 3600000)")
	finishes := works.Begin(ctx, "SELECT SLEEP(1)")
	harness.Running(t, db, waiting.ID, "SELECT sqlfdb")
	harness.Running(t, db, works.ID, "SELECT SLEEP")
	began := time.Now()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	took := time.Since(began)
	if err := <-waits; harness.ErrorNumber(err) != 1053 {
		t.Errorf("the wait: %v", err)
	}
	if err := <-finishes; err != nil {
		t.Errorf("the running statement: %v", err)
	}
	for _, c := range []harness.Session{works, idle} {
		if _, err := c.ExecContext(ctx, "COMMIT"); err == nil {
			t.Error("a transaction went on")
		}
	}
	if s, err = server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"}); err != nil {
		t.Fatal(err)
	}
	defer s.Close(ctx)
	db = harness.Connect(t, s.Addr(), "", "")
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM d.u"); n != 0 {
		t.Errorf("%d rows of transactions that did not commit", n)
	}
	return took
}

// TestIsolationLevels: of two transactions that each write what the other has read, one commits at SERIALIZABLE, the
// default. Below it both do, if they have read by plain SELECTs alone.
func TestIsolationLevels(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE duty (id INT PRIMARY KEY, present BOOL, n INT)",
		"CREATE TABLE copies (id INT AUTO_INCREMENT PRIMARY KEY, present INT)")
	ctx := context.Background()
	const update = "UPDATE duty SET present = FALSE WHERE id = %d"
	for _, read := range []struct {
		text   string // of what the other one writes
		write  string
		always bool // it is checked at every level
	}{
		{"SELECT COUNT(*) FROM duty WHERE present", update, false},
		{"SELECT COUNT(*), MIN(present), SUM(present) FROM duty", update, false},
		{"(SELECT id FROM duty WHERE present) UNION SELECT id FROM duty WHERE NOT present", update, false},
		{"SELECT a.id FROM duty a JOIN duty b ON a.present = b.present", update, false},
		{"SELECT COUNT(*) FROM duty", "INSERT INTO duty (id) VALUES (%d + 10)", false},
		{"SELECT nothing FROM open WHERE nothing = 1", "INSERT INTO open (_id, nothing) VALUES (%d, 1)", false},
		{"SELECT id FROM duty WHERE present FOR UPDATE", update, true},
		{"SELECT id FROM duty WHERE present FOR SHARE", update, true},
		{"(SELECT id FROM duty WHERE present FOR UPDATE)", update, true},
		{"SELECT * FROM (SELECT id FROM duty WHERE present FOR UPDATE) d", update, true},
		{"INSERT INTO copies (present) SELECT COUNT(*) FROM duty WHERE present", update, true},
		{"UPDATE copies SET present = (SELECT COUNT(*) FROM duty WHERE present) WHERE id = %d", update, true},
		{"UPDATE duty SET n = n + 1", update, true},
		{"DELETE FROM copies WHERE id = %d AND EXISTS (SELECT 1 FROM duty WHERE present)", update, true},
		{"SET @n = (SELECT COUNT(*) FROM duty WHERE present)", update, true},
	} {
		for _, level := range []string{"", "READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"} {
			sets := []string{"SET SESSION TRANSACTION ISOLATION LEVEL " + level, "SET TRANSACTION ISOLATION LEVEL " + level,
				"SET transaction_isolation = '" + strings.ReplaceAll(level, " ", "-") + "'"}
			if level == "" {
				sets = []string{"SET TRANSACTION READ WRITE"}
			}
			for i, set := range sets {
				harness.MustExec(t, db, "DROP TABLE IF EXISTS open", "CREATE TABLE open (_id VARCHAR(9) PRIMARY KEY, _doc JSON)",
					"DELETE FROM duty", "INSERT INTO duty VALUES (1, TRUE, 1), (2, TRUE, 1)",
					"REPLACE INTO copies VALUES (1, 0), (2, 0)")
				a, b := harness.NewSession(t, db), harness.NewSession(t, db)
				begin := []string{"BEGIN", "SET autocommit = 0"}[i%2]
				for id, s := range []harness.Session{a, b} {
					harness.MustExec(t, s, set, begin)
					text := strings.Replace(read.text, "%d", fmt.Sprint(id+1), 1)
					rows, err := s.QueryContext(ctx, text)
					if err != nil {
						t.Fatal(read.text, err)
					}
					for rows.Next() {
					}
					if err := errors.Join(rows.Err(), rows.Close()); err != nil {
						t.Fatal(read.text, err)
					}
					harness.MustExec(t, s, fmt.Sprintf(read.write, id+1))
				}
				commits, want := 0, 2
				for _, s := range []harness.Session{a, b} {
					if _, err := s.ExecContext(ctx, "COMMIT"); err == nil {
						commits++
					} else if harness.ErrorNumber(err) != 1213 {
						t.Errorf("%s: %v", set, err)
					}
					harness.MustExec(t, s, "ROLLBACK", "SET autocommit = 1, transaction_isolation = DEFAULT") // others go on with it
					_ = s.Close()
				}
				if read.always || level == "" || level == "SERIALIZABLE" {
					want = 1
				}
				if commits != want {
					t.Errorf("%s, %s, %s: %d commits, want %d", set, begin, read.text, commits, want)
				}
			}
		}
	}
	harness.CheckAll(t, db)
}

// TestIsolationOfNext: SET TRANSACTION is about the next transaction and those chained to it, and a level that is set
// during a transaction about those after it.
func TestIsolationOfNext(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 1), (2, 1)")
	ctx := context.Background()
	s := harness.NewSession(t, db)
	defer s.Close()
	// free runs a transaction, but for its end, and reports whether what it has read by a plain SELECT may change.
	free := func(before ...string) bool {
		t.Helper()
		harness.MustExec(t, s, before...)
		harness.MustExec(t, s, "DO (SELECT 1)")
		var n int
		if err := s.QueryRowContext(ctx, "SELECT n FROM t WHERE id = 1").Scan(&n); err != nil {
			t.Fatal(err)
		}
		harness.MustExec(t, s, "UPDATE t SET n = n + 1 WHERE id = 2")
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		_, err := s.ExecContext(ctx, "COMMIT AND CHAIN")
		if err != nil && harness.ErrorNumber(err) != 1213 {
			t.Fatal(err)
		}
		return err == nil
	}
	for _, step := range []struct {
		before []string
		free   bool
	}{
		{[]string{"BEGIN"}, false},
		{[]string{"ROLLBACK", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "BEGIN"}, true},
		{nil, true}, // chained
		{[]string{"COMMIT", "BEGIN"}, false},
		{[]string{"BEGIN", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"}, false},
		{[]string{"BEGIN"}, true},
		{[]string{"COMMIT", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "BEGIN"}, false},
		{[]string{"BEGIN", "CREATE TABLE IF NOT EXISTS u (id INT PRIMARY KEY)", "SET autocommit = 0"}, true},
	} {
		if got := free(step.before...); got != step.free {
			t.Errorf("%q: what was read may change: %v", step.before, got)
		}
	}
	harness.CheckAll(t, db)
}

// TestReadCommitted: at READ COMMITTED a statement reads what others have committed before it, until its transaction
// has written or locked; savepoints stay.
func TestReadCommitted(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0), (2, 0)",
		"CREATE TABLE open (_id VARCHAR(9) PRIMARY KEY, _doc JSON)")
	ctx := context.Background()
	s := harness.NewSession(t, db)
	defer s.Close()
	for level, renews := range map[string]bool{"READ UNCOMMITTED": true, "READ COMMITTED": true, "REPEATABLE READ": false,
		"SERIALIZABLE": false} {
		for _, begin := range []string{"BEGIN", "START TRANSACTION READ ONLY", "SET autocommit = 0"} {
			harness.MustExec(t, s, "SET SESSION TRANSACTION ISOLATION LEVEL "+level, begin)
			first := single(t, s, "SELECT n FROM t WHERE id = 1")
			harness.MustExec(t, s, "SAVEPOINT a")
			harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1", "CREATE TABLE IF NOT EXISTS later (id INT)")
			if again := single(t, s, "SELECT n FROM t WHERE id = 1"); (again != first) != renews {
				t.Errorf("%s, %s: %v, then %v", level, begin, first, again)
			}
			_, err := s.ExecContext(ctx, "SELECT * FROM later")
			if (err == nil) != renews {
				t.Errorf("%s, %s: a table that was made meanwhile: %v", level, begin, err)
			}
			harness.MustExec(t, s, "ROLLBACK TO a", "RELEASE SAVEPOINT a", "COMMIT", "SET autocommit = 1")
			harness.MustExec(t, db, "DROP TABLE later")
		}
	}
	// What has been written, locked or checked keeps the version, and conflicts with what others change.
	harness.MustExec(t, s, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
	for _, keeps := range []string{"UPDATE t SET n = n + 1 WHERE id = 2", "INSERT INTO open (_id, a) VALUES ('a', 1)",
		"SELECT n FROM t WHERE id = 2 FOR UPDATE", "SET @n = (SELECT n FROM t WHERE id = 2)",
		"UPDATE t SET n = 0 WHERE id = 3", "INSERT IGNORE INTO t VALUES (2, 7)",
		"INSERT INTO t VALUES (2, 0) ON DUPLICATE KEY UPDATE n = n"} {
		harness.MustExec(t, s, "BEGIN")
		before := single(t, s, "SELECT n FROM t WHERE id = 1")
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		first := single(t, s, "SELECT n FROM t WHERE id = 1")
		harness.MustExec(t, s, keeps)
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		if again := single(t, s, "SELECT n FROM t WHERE id = 1"); first == before || again != first {
			t.Errorf("%s: read %v, %v, then %v", keeps, before, first, again)
		}
		harness.MustExec(t, s, "ROLLBACK")
	}
	// Without BEGIN, too, the level is the transaction's, whatever statements that read nothing come between.
	harness.MustExec(t, s, "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SET autocommit = 0",
		"SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
	for range 3 {
		before := single(t, s, "SELECT n FROM t WHERE id = 1")
		harness.MustExec(t, s, "SET @x = 1")
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		if n := single(t, s, "SELECT n FROM t WHERE id = 1"); n != before+1 {
			t.Errorf("read %d behind %d", n, before)
		}
	}
	harness.MustExec(t, s, "COMMIT", "SET autocommit = 1", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
		"START TRANSACTION WITH CONSISTENT SNAPSHOT")
	harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
	before := single(t, s, "SELECT n FROM t WHERE id = 1")
	harness.MustExec(t, s, "COMMIT")
	if n := single(t, s, "SELECT n FROM t WHERE id = 1"); n != before+1 {
		t.Errorf("a consistent snapshot gave %d, then %d", before, n)
	}
	// Two that add to one row lose nothing, whatever they read before.
	harness.MustExec(t, s, "BEGIN")
	single(t, s, "SELECT n FROM t WHERE id = 2")
	harness.MustExec(t, db, "UPDATE t SET n = 10 WHERE id = 2")
	harness.MustExec(t, s, "UPDATE t SET n = n + 1 WHERE id = 2", "COMMIT")
	if n := single(t, db, "SELECT n FROM t WHERE id = 2"); n != int64(11) {
		t.Errorf("%v, want 11", n)
	}
	harness.CheckAll(t, db)
}

// TestIsolationWithoutBegin: without autocommit, a transaction begins with the first command that reads a table.
func TestIsolationWithoutBegin(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0), (2, 0)")
	s := harness.NewSession(t, db)
	defer s.Close()
	harness.MustExec(t, s, "SET transaction_isolation = 'READ-COMMITTED', autocommit = 0")
	for i, before := range []string{"SHOW TABLES", "SHOW VARIABLES LIKE 'autocommit'", "SHOW COLUMNS FROM t",
		"SHOW CREATE TABLE t",
		"PREPARE p FROM 'SELECT n FROM t'", "PREPARE p FROM 'SELECT 1'", "DEALLOCATE PREPARE p", "FLUSH TABLES",
		"SET TRANSACTION READ WRITE"} {
		harness.MustExec(t, s, "COMMIT", before)
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		if n := single(t, s, "SELECT n FROM t WHERE id = 1"); n != int64(i+1) {
			t.Errorf("%s: read %d, want %d", before, n, i+1)
		}
	}
	for _, before := range []string{"COMMIT", "FLUSH TABLES", "SELECT 1"} {
		harness.MustExec(t, s, before, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
		single(t, s, "SELECT n FROM t WHERE id = 1")
		harness.MustExec(t, s, "UPDATE t SET n = n + 1 WHERE id = 2")
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		if _, err := s.ExecContext(context.Background(), "COMMIT"); harness.ErrorNumber(err) != 1213 {
			t.Errorf("%s: %v", before, err)
		}
	}
	harness.CheckAll(t, db)
}

// TestIsolationOfLocking: what is read FOR UPDATE is checked when nothing is written, too, whatever has read it.
func TestIsolationOfLocking(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0)")
	s := harness.NewSession(t, db)
	defer s.Close()
	harness.MustExec(t, s, "PREPARE p FROM 'SELECT n FROM t WHERE id = 1 FOR UPDATE'")
	for _, read := range []string{"SELECT n FROM t WHERE id = 1 FOR UPDATE", "EXECUTE p",
		"SET @n = (SELECT n FROM t WHERE id = 1 FOR UPDATE)"} {
		harness.MustExec(t, s, "BEGIN", read)
		harness.MustExec(t, db, "UPDATE t SET n = n + 1")
		if _, err := s.ExecContext(context.Background(), "COMMIT"); harness.ErrorNumber(err) != 1213 {
			t.Errorf("%s: %v", read, err)
		}
	}
	harness.CheckAll(t, db)
}

// wire is a connection without a driver, for commands that none sends.
type wire struct {
	net.Conn
	in     *bufio.Reader
	status uint16 // of the greeting
}

// Commands of the protocol.
const (
	comQuery           = 0x03
	comChangeUser      = 0x11
	comStmtPrepare     = 0x16
	comStmtExecute     = 0x17
	comResetConnection = 0x1f
)

// dial connects as root, without a password.
func dial(t testing.TB, addr net.Addr) *wire {
	t.Helper()
	c, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(harness.Patience))
	w := &wire{Conn: c, in: bufio.NewReader(c)}
	// Protocol, version, NUL, connection, salt, filler, capabilities, character set, status.
	greeting := w.packet(t)
	version := bytes.IndexByte(greeting, 0)
	w.status = binary.LittleEndian.Uint16(greeting[version+1+4+8+1+2+1:])
	// protocol 4.1, secure connection, plugin, transactions, long flags and passwords
	answer := binary.LittleEndian.AppendUint32(nil, 0x0008a205)
	answer = binary.LittleEndian.AppendUint32(answer, 1<<24)
	answer = append(answer, 45)
	answer = append(answer, make([]byte, 23)...)
	answer = append(answer, "root\x00\x00mysql_native_password\x00"...)
	w.send(t, 1, answer)
	if p := w.packet(t); p[0] == 0xff {
		t.Fatalf("%q", p)
	}
	return w
}

func (w *wire) send(t testing.TB, number byte, b []byte) {
	t.Helper()
	n := len(b)
	if _, err := w.Write(append([]byte{byte(n), byte(n >> 8), byte(n >> 16), number}, b...)); err != nil {
		t.Fatal(err)
	}
}

func (w *wire) packet(t testing.TB) []byte {
	t.Helper()
	head := make([]byte, 4)
	if _, err := io.ReadFull(w.in, head); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	if _, err := io.ReadFull(w.in, b); err != nil {
		t.Fatal(err)
	}
	return b
}

// command sends a command and returns the first packet of its answer.
func (w *wire) command(t testing.TB, kind byte, text string) []byte {
	t.Helper()
	w.send(t, 0, append([]byte{kind}, text...))
	return w.packet(t)
}

// number is the error of a packet; 0 if it is none.
func (w *wire) number(p []byte) int {
	if p[0] != 0xff {
		return 0
	}
	return int(p[1]) | int(p[2])<<8
}

// value runs a query that has one row of one column.
func (w *wire) value(t testing.TB, query string) string {
	t.Helper()
	if p := w.command(t, comQuery, query); p[0] != 1 {
		t.Fatalf("%s: %q", query, p)
	}
	w.packet(t) // the column
	w.packet(t)
	row := w.packet(t)
	w.packet(t)
	if row[0] == 0xfb {
		return "NULL"
	}
	return string(row[1:])
}

// done runs a command that gives no rows and returns the status flags of its OK.
func (w *wire) done(t testing.TB, kind byte, text string) uint16 {
	t.Helper()
	p := w.command(t, kind, text)
	if len(p) < 5 || p[0] != 0 || p[1] > 250 || p[2] > 250 {
		t.Fatalf("%s: %q", text, p)
	}
	return binary.LittleEndian.Uint16(p[3:]) // behind two numbers of one byte
}

// TestStatusFlags: what drivers are told of autocommit and of a transaction is so from the greeting on. Those of Python
// turn autocommit off only where they are told that it is on.
func TestStatusFlags(t *testing.T) {
	const inTransaction, autocommit = 1, 2
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY)")
	w := dial(t, s.Addr())
	if w.status != autocommit {
		t.Errorf("the greeting has status %#x", w.status)
	}
	for _, step := range []struct {
		kind   byte
		text   string
		status uint16
	}{
		{comQuery, "INSERT INTO d.t VALUES (1)", autocommit},
		{comQuery, "BEGIN", autocommit | inTransaction},
		{comQuery, "INSERT INTO d.t VALUES (2)", autocommit | inTransaction},
		{comQuery, "COMMIT", autocommit},
		{comQuery, "SET autocommit = 0", inTransaction}, // of which nothing is seen before it reads or writes
		{comQuery, "INSERT INTO d.t VALUES (3)", inTransaction},
		{comQuery, "ROLLBACK", 0},
		{comResetConnection, "", autocommit},
		{comQuery, "INSERT INTO d.t VALUES (4)", autocommit},
	} {
		if got := w.done(t, step.kind, step.text); got != step.status {
			t.Errorf("after %q: status %#x, want %#x", step.text, got, step.status)
		}
	}
	if n := w.value(t, "SELECT COUNT(*) FROM d.t"); n != "3" {
		t.Errorf("%s rows", n)
	}
	harness.MustExec(t, db, "SET GLOBAL autocommit = 0")
	defer harness.MustExec(t, db, "SET GLOBAL autocommit = 1")
	w = dial(t, s.Addr())
	if w.status != 0 {
		t.Errorf("the greeting has status %#x without autocommit", w.status)
	}
	if v := w.value(t, "SELECT @@autocommit"); v != "0" {
		t.Errorf("@@autocommit is %s", v)
	}
}

// TestSnapshotWithoutAutocommit: without autocommit, a transaction sees what there is when it first reads or writes a
// table, not when the connection was set up.
func TestSnapshotWithoutAutocommit(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY)")
	for i, before := range []string{"SELECT @@version", "SET NAMES utf8mb4", "SELECT 1 + (SELECT 1)", "SET @x = 1"} {
		harness.MustExec(t, db, "DELETE FROM d.t")
		w := dial(t, s.Addr())
		w.done(t, comQuery, "SET autocommit = 0")
		if strings.HasPrefix(before, "SET") {
			w.done(t, comQuery, before)
		} else {
			w.value(t, before)
		}
		harness.MustExec(t, db, "INSERT INTO d.t VALUES (1)")
		first := w.value(t, "SELECT COUNT(*) FROM d.t")
		w.value(t, "SELECT @@version")
		harness.MustExec(t, db, "INSERT INTO d.t VALUES (2)")
		again := w.value(t, "SELECT COUNT(*) FROM d.t")
		w.done(t, comQuery, "INSERT INTO d.t VALUES (3)")
		w.done(t, comQuery, "ROLLBACK")
		if last := w.value(t, "SELECT COUNT(*) FROM d.t"); first != "1" || again != "1" || last != "2" {
			t.Errorf("%d: behind %s: %s, %s, after the rollback %s", i, before, first, again, last)
		}
	}
}

// TestResetConnection: COM_RESET_CONNECTION and COM_CHANGE_USER end the transaction and forget
// what the session has set and prepared; the former stays in its database.
func TestResetConnection(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)", "CREATE DATABASE e")
	for _, reset := range []struct {
		name     string
		kind     byte
		payload  string
		database string
	}{
		{"COM_RESET_CONNECTION", comResetConnection, "", "d"},
		{"COM_CHANGE_USER", comChangeUser, "root\x00\x00e\x00\x2d\x00mysql_native_password\x00", "e"},
		{"COM_CHANGE_USER without a database", comChangeUser, "root\x00\x00\x00", "NULL"},
	} {
		t.Run(reset.name, func(t *testing.T) {
			w := dial(t, s.Addr())
			for _, stmt := range []string{"USE d", "SET autocommit = 0", "SET SESSION TRANSACTION READ WRITE", "SET @x = 5",
				"SET sqlfdb_use_index = OFF",
				"PREPARE p FROM 'SELECT 1'", "INSERT INTO t VALUES (1)", "SAVEPOINT s"} {
				if p := w.command(t, comQuery, stmt); w.number(p) != 0 {
					t.Fatalf("%s: %q", stmt, p)
				}
			}
			p := w.command(t, comStmtPrepare, "DELETE FROM t")
			if p[0] != 0 {
				t.Fatalf("%q", p)
			}
			prepared := string(p[1:5]) + "\x00\x01\x00\x00\x00"
			if p := w.command(t, reset.kind, reset.payload); p[0] != 0 {
				t.Fatalf("%q", p)
			}
			for query, want := range map[string]string{
				"SELECT @@autocommit": "1", "SELECT @x": "NULL", "SELECT @@sqlfdb_use_index": "1",
				"SELECT COUNT(*) FROM d.t": "0", "SELECT DATABASE()": reset.database,
			} {
				if got := w.value(t, query); got != want {
					t.Errorf("%s: %s", query, got)
				}
			}
			if n := w.number(w.command(t, comQuery, "EXECUTE p")); n != 1243 {
				t.Errorf("EXECUTE of what was prepared before: %d", n)
			}
			if n := w.number(w.command(t, comQuery, "ROLLBACK TO s")); n != 1305 {
				t.Errorf("a savepoint of before: %d", n)
			}
			if p := w.command(t, comStmtExecute, prepared); w.number(p) == 0 {
				t.Errorf("what was prepared before runs: %q", p)
			}
			if got := w.value(t, "SELECT 5"); got != "5" {
				t.Error(got)
			}
		})
	}
	w := dial(t, s.Addr())
	if n := w.number(w.command(t, comChangeUser, "somebody\x00\x00\x00")); n != 1045 {
		t.Errorf("another user: %d", n)
	}
	for {
		if _, err := w.in.ReadByte(); err != nil {
			break // the connection is closed
		}
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 0 {
		t.Errorf("%d rows", n)
	}
}
