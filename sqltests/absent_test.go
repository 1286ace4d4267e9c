package sqltests

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// absent is a store that does not answer while it is away.
type absent struct {
	kv.Store
	away atomic.Bool
}

func (s *absent) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if s.away.Load() {
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
		}
		return nil, kv.ErrUnavailable
	}
	return s.Store.Begin(ctx, opts)
}

// TestAbsentStore: a statement does not wait for long for a store that does not answer, and waits while it is away
// briefly.
func TestAbsentStore(t *testing.T) {
	t.Parallel()
	store := &absent{Store: harness.NewStore(t)}
	db := harness.Connect(t, harness.ServeStore(t, store, server.Options{HoldJobs: true}).Addr(), "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1)")
	store.away.Store(true)
	time.AfterFunc(3*time.Second, func() { store.away.Store(false) })
	harness.MustExec(t, db, "INSERT INTO d.t VALUES (2)")
	store.away.Store(true)
	began := time.Now()
	_, err := db.Exec("INSERT INTO d.t VALUES (3)")
	if harness.ErrorNumber(err) != 1205 || time.Since(began) > 30*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	store.away.Store(false)
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM d.t"); n != 2 {
		t.Errorf("%d rows", n)
	}
}
