package sqltests

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// rowWaits is a status variable of the waits for rows.
func rowWaits(t *testing.T, db harness.Querier, name string) (n int64) {
	t.Helper()
	if _, err := fmt.Sscanf(harness.Texts(t, db, "SHOW STATUS LIKE 'Innodb_row_lock_"+name+"'")[0],
		"Innodb_row_lock_"+name+" | %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestWritersOfOneRow: statements that write one row by themselves follow one another. Each counts once, and they meet
// next to no conflicts: two may begin before the first of them has the row.
func TestWritersOfOneRow(t *testing.T) {
	_, db := harness.Database(t)
	const clients, times = 8, 40
	statements := map[string]string{
		"by key":         "UPDATE d.r SET n = n + 1 WHERE _id = 'x'",
		"along a path":   "UPDATE d.r SET n = n + 1 WHERE name = 'x'",
		"of a scan":      "UPDATE d.r SET n = n + 1 WHERE CONCAT(name, 'y') = 'xy'",
		"duplicate key":  "INSERT INTO d.r (_id, name, n) VALUES ('x', 'x', 1) ON DUPLICATE KEY UPDATE n = n + 1",
		"delete and add": "REPLACE INTO d.r (_id, name, n) SELECT _id, name, n + 1 FROM d.r WHERE _id = 'x'",
	}
	for name, stmt := range statements {
		for _, programs := range []string{"ON", "OFF"} {
			harness.MustExec(t, db, "DROP TABLE IF EXISTS d.r",
				"CREATE TABLE d.r (_id VARCHAR(20) PRIMARY KEY, name VARCHAR(20), n INT)",
				"INSERT INTO d.r VALUES ('x', 'x', 0)")
			var conflicts atomic.Int64
			done := make(chan error, clients)
			waits := rowWaits(t, db, "waits")
			for range clients {
				s := harness.NewSession(t, db)
				harness.MustExec(t, s, "SET sqlfdb_programs = "+programs)
				go func() {
					for range times {
						if _, err := s.ExecContext(context.Background(), stmt); err != nil {
							done <- err
							return
						}
						var variable string
						var met int64
						if err := s.QueryRowContext(context.Background(), "SHOW STATUS LIKE 'sqlfdb_last_conflicts'").
							Scan(&variable, &met); err != nil {
							done <- err
							return
						}
						conflicts.Add(met)
					}
					done <- nil
				}()
			}
			for range clients {
				if err := <-done; err != nil {
					t.Errorf("%s, programs %s: %v", name, programs, err)
				}
			}
			if n := harness.Number(t, db, "SELECT n FROM d.r"); n != clients*times {
				t.Errorf("%s, programs %s: %d, want %d", name, programs, n, clients*times)
			}
			if met := conflicts.Load(); met > clients*times/5 {
				t.Errorf("%s, programs %s: %d conflicts in %d statements", name, programs, met, clients*times)
			}
			if rowWaits(t, db, "waits") == waits {
				t.Errorf("%s, programs %s: nobody has waited", name, programs)
			}
		}
	}
	if now := rowWaits(t, db, "current_waits"); now != 0 {
		t.Errorf("%d wait at the end", now)
	}
	harness.CheckAll(t, db)
}

// TestRowWaitEnds: the wait for a row ends by KILL, with its client, after innodb_lock_wait_timeout, and when the row
// is free; who has gone is in nobody's way.
func TestRowWaitEnds(t *testing.T) {
	srv, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d.r (id INT PRIMARY KEY, n INT)", "INSERT INTO d.r VALUES (1, 0), (2, 0)")
	const update = "UPDATE d.r SET n = n + 1 WHERE id = 1"
	hold := func() (holder harness.Session, ended <-chan error) {
		t.Helper()
		const stmt = "INSERT INTO d.r VALUES (1, 0) ON DUPLICATE KEY UPDATE n = n + GET_LOCK('has', 0) + SLEEP(1000)"
		holder = harness.NewSession(t, db)
		ended = holder.Begin(context.Background(), stmt)
		harness.Eventually(t, func() string { return "it has the row" },
			func() bool { return harness.Texts(t, db, "SELECT IS_USED_LOCK('has')")[0] == fmt.Sprint(holder.ID) })
		return holder, ended
	}
	free := func(holder harness.Session, ended <-chan error) {
		t.Helper()
		harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", holder.ID))
		if err := <-ended; harness.ErrorNumber(err) != 1317 {
			t.Errorf("the holder: %v", err)
		}
		harness.MustExec(t, holder, "SELECT RELEASE_LOCK('has')")
	}
	waiting := func(want int64) {
		t.Helper()
		harness.Eventually(t, func() string { return fmt.Sprintf("%d wait", rowWaits(t, db, "current_waits")) },
			func() bool { return rowWaits(t, db, "current_waits") == want })
	}
	await := func(what string, ended <-chan error, number uint16) {
		t.Helper()
		began := time.Now()
		select {
		case err := <-ended:
			if harness.ErrorNumber(err) != number {
				t.Errorf("%s: %v, want error %d", what, err, number)
			}
		case <-time.After(harness.Patience):
			t.Fatalf("%s: it waits on", what)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: it waited for %v", what, took)
		}
	}
	for range 3 { // the second run, and later ones, go by a program, which knows the key before it reads
		holder, held := hold()
		killed, next := harness.NewSession(t, db), harness.NewSession(t, db)
		gone := harness.NewSession(t, harness.Connect(t, srv.Addr(), "d", ""))
		ended := killed.Begin(context.Background(), update)
		waiting(1)
		ctx, leave := context.WithCancel(context.Background())
		left := gone.Begin(ctx, update)
		waiting(2)
		behind := next.Begin(context.Background(), update)
		waiting(3)
		harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", killed.ID))
		await("killed", ended, 1317)
		leave()
		<-left
		waiting(1)
		harness.MustExec(t, killed, "UPDATE d.r SET n = n + 1 WHERE id = 2") // of another row
		free(holder, held)
		await("the next one", behind, 0)
		waiting(0)
		harness.MustExec(t, killed, update)
	}
	if n := harness.Number(t, db, "SELECT n FROM d.r WHERE id = 1"); n != 6 {
		t.Errorf("%d, want 6", n)
	}

	holder, held := hold()
	hasty := harness.NewSession(t, db)
	harness.MustExec(t, hasty, "SET innodb_lock_wait_timeout = 1")
	began := time.Now()
	harness.MustExec(t, hasty, update)
	if took := time.Since(began); took < time.Second {
		t.Errorf("it ran after %v, before its patience was over", took)
	}
	free(holder, held)
	harness.MustExec(t, db, update)
	// Who is in a transaction waits for nobody, and nobody for it.
	open := harness.NewSession(t, db)
	holder, held = hold()
	harness.MustExec(t, open, "BEGIN", update, "COMMIT", "BEGIN", update)
	free(holder, held)
	harness.MustExec(t, db, update)
	if _, err := open.ExecContext(context.Background(), "COMMIT"); harness.ErrorNumber(err) != 1213 {
		t.Errorf("COMMIT of what another one has changed: %v", err)
	}
	if n := harness.Number(t, db, "SELECT n FROM d.r WHERE id = 1"); n != 10 {
		t.Errorf("%d, want 10", n)
	}
	harness.CheckAll(t, db)
}
