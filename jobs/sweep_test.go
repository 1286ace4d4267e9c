package jobs_test

import (
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestSweep: a marker that two walks meet goes, one that only the second meets
// stays; what is left of a dropped table goes, what belongs to a table stays.
func TestSweep(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	gone, there := table(t, cat, "gone"), table(t, cat, "there")
	if err := cat.DropTable(ctx, "d", "gone"); err != nil {
		t.Fatal(err)
	}
	left := [][]byte{gone.Keys().Document([]byte("\x01x\x00"), 0), keyspace.KeypathByName(gone.ID, "a"), keyspace.AutoIncrement(gone.ID)}
	kept := [][]byte{there.Keys().InfoDocuments(), keyspace.KeypathByName(there.ID, "a"), keyspace.AutoIncrement(there.ID)}
	old, young := there.Keys().Marker([]byte("old")), there.Keys().Marker([]byte("young"))
	defined := keyspace.DefinitionMarker([]byte("old"))
	transact(t, cat, func(tx kv.Transaction) error {
		for _, k := range append(append([][]byte{old, defined}, left...), kept...) {
			tx.Set(k, nil)
		}
		return nil
	})
	has := func(k []byte) (there bool) {
		transact(t, cat, func(tx kv.Transaction) error {
			v, err := tx.Get(k).Get()
			there = v != nil
			return err
		})
		return there
	}
	job := jobs.Job{Kind: jobs.KindSweep}
	walk := func() {
		t.Helper()
		err := kv.Transact(ctx, cat.Store(), kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}}, func(base kv.Transaction) error {
			tx := tables.Within(base)
			job.Rest = 0
			if done, err := jobs.Sweep(cat).Step(ctx, tx, &job); done || err != nil {
				t.Fatal(done, err)
			}
			return tx.Commit()
		})
		if err != nil || job.Rest == 0 {
			t.Fatal(err, job.Rest)
		}
	}
	walk()
	for _, k := range left {
		if has(k) {
			t.Errorf("%x is left of a dropped table", k)
		}
	}
	if !has(old) || !has(defined) {
		t.Error("a marker was cleared by the first walk that met it")
	}
	transact(t, cat, func(tx kv.Transaction) error { tx.Set(young, nil); return nil })
	walk()
	if has(old) || has(defined) || !has(young) {
		t.Errorf("old markers there: %t, %t, young marker there: %t", has(old), has(defined), has(young))
	}
	for _, k := range kept {
		if !has(k) {
			t.Errorf("%x of a table is gone", k)
		}
	}
}

// TestOneSweep: a store has one sweep, which rests between its walks.
func TestOneSweep(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	for range 2 {
		other, err := catalog.Open(ctx, cat.Store())
		if err != nil {
			t.Fatal(err)
		}
		if err := jobs.EnsureSweep(ctx, other); err != nil {
			t.Fatal(err)
		}
	}
	r := jobs.NewRunner(cat, map[string]jobs.Kind{jobs.KindSweep: jobs.Sweep(cat)}, jobs.Options{Lease: time.Nanosecond})
	if err := r.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	all := jobsOf(t, cat)
	if len(all) != 1 || all[0].State != jobs.StateQueued || all[0].Rest == 0 || all[0].Beat != 1 {
		t.Errorf("%+v", all)
	}
}
