package jobs_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation/collationtest"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
)

// faulty is a store whose commits fail in turn: unknown though it happened,
// unknown and lost, a conflict, unavailable, and none.
type faulty struct {
	kv.Store
	count atomic.Int64
}

func (s *faulty) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil || !opts.NoReadYourWrites {
		return tx, err // only steps have faults
	}
	return &faultyTx{tx, s}, nil
}

type faultyTx struct {
	kv.Transaction
	store *faulty
}

func (t *faultyTx) Commit() error {
	fail := func(err error) error {
		t.Transaction.Cancel()
		return err
	}
	switch t.store.count.Add(1) % 5 {
	case 0:
		if err := t.Transaction.Commit(); err != nil {
			return err
		}
		return kv.ErrUnknownCommit
	case 1:
		return fail(kv.ErrUnknownCommit)
	case 2:
		return fail(kv.ErrConflict)
	case 3:
		return fail(kv.ErrUnavailable)
	}
	return t.Transaction.Commit()
}

// TestFaultyCommits: whatever becomes of commits, each unit of a job's work is done
// once, and no such fault is shown as the job's error.
func TestFaultyCommits(t *testing.T) {
	cat := open(t)
	faults, err := catalog.Open(context.Background(), &faulty{Store: cat.Store()})
	if err != nil {
		t.Fatal(err)
	}
	id := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 40}})
	if err := jobs.NewRunner(faults, countingKinds, jobs.Options{}).Drain(ctxOf(t)); err != nil {
		t.Fatal(err)
	}
	checkTally(t, cat, id, 40)
	if job := find(t, cat, id); job.State != jobs.StateDone || job.Progress.Done != 40 {
		t.Errorf("%+v", job)
	}
}

// lost is a store whose next commits are lost, with an unknown outcome.
type lost struct {
	kv.Store
	left atomic.Int64
}

func (s *lost) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	return &lostTx{tx, s, false}, err
}

type lostTx struct {
	kv.Transaction
	store *lost
	wrote bool
}

func (t *lostTx) Add(key, operand []byte) {
	t.wrote = true
	t.Transaction.Add(key, operand)
}

func (t *lostTx) Commit() error {
	if t.store.left.Load() > 0 && t.wrote {
		t.store.left.Add(-1)
		t.Transaction.Cancel()
		return kv.ErrUnknownCommit
	}
	return t.Transaction.Commit()
}

// TestReconcileUnknown: a sweep or a rebuild whose beginning was lost is begun all the
// same, once; without the rebuild the table could not be used.
func TestReconcileUnknown(t *testing.T) {
	ctx := context.Background()
	cat := open(t)
	table(t, cat, "t")
	t.Cleanup(collationtest.Pretend("UCA 7"))
	store := &lost{Store: cat.Store()}
	faults, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	store.left.Store(2)
	if err := jobs.EnsureSweep(ctx, faults); err != nil {
		t.Fatal(err)
	}
	store.left.Store(2)
	if refused, err := jobs.Reconcile(ctx, faults); err != nil || len(refused) > 0 {
		t.Fatalf("%v, %v", refused, err)
	}
	if all := jobsOf(t, cat); store.left.Load() != 0 || len(all) != 2 || all[0].Kind != jobs.KindSweep {
		t.Errorf("%d commits were not lost, jobs: %+v", store.left.Load(), all)
	}
}
