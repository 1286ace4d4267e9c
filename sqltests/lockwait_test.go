package sqltests

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestLockWait: the wait of GET_LOCK ends by KILL, by max_execution_time, with its client, by its own time, and when
// the lock is free.
func TestLockWait(t *testing.T) {
	srv, db := harness.Database(t)
	holder, waiter := harness.NewSession(t, db), harness.NewSession(t, db)
	ends := func(s harness.Session, stmt string, number uint16, act func()) {
		t.Helper()
		ended := s.Begin(context.Background(), stmt)
		if act != nil {
			harness.Running(t, db, s.ID, stmt)
			act()
		}
		select {
		case err := <-ended:
			if harness.ErrorNumber(err) != number {
				t.Errorf("%s: %v, want error %d", stmt, err, number)
			}
		case <-time.After(harness.Patience):
			t.Fatalf("%s waits on", stmt)
		}
	}
	harness.WantText(t, holder.Conn, "SELECT GET_LOCK('a', 0)", "1|")
	wait := "SELECT GET_LOCK('a', 1000)"
	ends(waiter, wait, 1317, func() { harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", waiter.ID)) })
	ends(waiter, "SELECT /*+ MAX_EXECUTION_TIME(100) */ GET_LOCK('a', -1)", 3024, nil)
	harness.MustExec(t, waiter, "SET max_execution_time = 100")
	ends(waiter, wait, 3024, nil)
	harness.MustExec(t, waiter, "SET max_execution_time = 0")

	for _, killed := range []bool{true, false} {
		gone := harness.NewSession(t, harness.Connect(t, srv.Addr(), "d", ""))
		ctx, leave := context.WithCancel(context.Background())
		defer leave()
		ended := gone.Begin(ctx, "DO GET_LOCK('a', 1000)")
		harness.Running(t, db, gone.ID, "DO GET_LOCK('a', 1000)")
		if killed {
			harness.MustExec(t, db, fmt.Sprintf("KILL %d", gone.ID))
		} else {
			leave()
		}
		if err := <-ended; err == nil {
			t.Error("a client that is gone has the lock")
		}
		harness.Gone(t, db, gone.ID)
	}

	began := time.Now()
	harness.WantText(t, waiter.Conn, "SELECT GET_LOCK('a', 1)", "0|")
	if took := time.Since(began); took < time.Second {
		t.Errorf("a wait of a second took %v", took)
	}
	ends(waiter, wait, 0, func() { harness.WantText(t, holder.Conn, "SELECT RELEASE_LOCK('a')", "1|") })
	harness.WantText(t, holder.Conn, "SELECT IS_USED_LOCK('a')", fmt.Sprint(waiter.ID, "|"))
	harness.WantText(t, waiter.Conn, "SELECT GET_LOCK('a', 1), GET_LOCK(NULL, 1), GET_LOCK('a', NULL)", "1|false:|false:|")
	harness.WantText(t, waiter.Conn, "SELECT RELEASE_ALL_LOCKS(), IS_FREE_LOCK('a')", "1|1|")
}
