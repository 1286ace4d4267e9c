package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// lossy is a store that leaves the outcome of some commits unknown: every
// second one of them has happened, the others have not.
type lossy struct {
	kv.Store
	on    atomic.Bool
	count atomic.Int64
}

func (s *lossy) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil || !opts.NoReadYourWrites {
		return tx, err
	}
	return &lossyTx{tx, s}, nil
}

type lossyTx struct {
	kv.Transaction
	store *lossy
}

func (t *lossyTx) Commit() error {
	if !t.store.on.Load() {
		return t.Transaction.Commit()
	}
	if t.store.count.Add(1)%2 == 0 {
		t.Transaction.Cancel()
		return kv.ErrUnknownCommit
	}
	if err := t.Transaction.Commit(); err != nil {
		return err
	}
	return kv.ErrUnknownCommit
}

// TestUnknownCommit: a commit without an answer is looked up, never guessed:
// nothing is lost and nothing happens twice.
func TestUnknownCommit(t *testing.T) {
	ctx := context.Background()
	inner := harness.NewStore(t)
	defer inner.Close()
	store := &lossy{Store: inner}
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(ctx)
	db, err := sql.Open("mysql", "root@tcp("+s.Addr().String()+")/")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		`INSERT INTO d.t (_doc) VALUES ('{"_id":"n","n":0}')`)
	store.on.Store(true)
	const rounds = 20
	for i := range rounds {
		harness.MustExec(t, db, "UPDATE d.t SET n = n + 1 WHERE _id = 'n'",
			fmt.Sprintf(`INSERT INTO d.t (_doc) VALUES ('{"_id":"%d"}')`, i))
	}
	store.on.Store(false)
	if n := harness.Number(t, db, "SELECT n FROM d.t WHERE _id = 'n'"); n != rounds {
		t.Errorf("n is %d after %d increments", n, rounds)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM d.t"); n != rounds+1 {
		t.Errorf("%d rows", n)
	}
	harness.CheckAll(t, db)
}
