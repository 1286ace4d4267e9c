package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestLostMap: a group one of whose jobs ends for ever says why, and is not taken for built.
func TestLostMap(t *testing.T) {
	cat, ctx := open(t), context.Background()
	def := table(t, cat, "t")
	id := enqueue(t, cat, jobs.Job{Kind: jobs.KindMap, Collection: def.ID, Database: "d", Table: "t",
		Checkpoint: []byte("1")})
	if _, err := cat.AlterTable(ctx, "d", "t", func(t *catalog.Table) error {
		g, _, err := t.PutMap(catalog.Map{Name: "m", Views: []catalog.MapView{{Name: "m", Function: "function () {}"}}})
		if err == nil {
			g.SetBuilders([]int64{id})
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	r := jobs.NewRunner(cat, map[string]jobs.Kind{jobs.KindMap: jobs.BuildMaps(cat, nil)}, jobs.Options{})
	if _, err := r.RunOnce(ctx); err == nil {
		t.Fatal("the job has a checkpoint that is none")
	}
	transact(t, cat, func(tx kv.Transaction) error {
		view, err := cat.View(tx.Snapshot())
		if err != nil {
			return err
		}
		now, _ := view.TableByID(def.ID)
		if g := now.MapGroups[0]; g.Error == "" || g.Building != id {
			t.Errorf("%+v", g)
		}
		return nil
	})
	if job := find(t, cat, id); job.State != jobs.StateFailed {
		t.Errorf("%+v", job)
	}
}

// TestSweptMaps: the sweep removes rows of map indexes that no definition has, and no others.
func TestSweptMaps(t *testing.T) {
	cat, ctx := open(t), context.Background()
	def := table(t, cat, "t")
	if _, err := cat.AlterTable(ctx, "d", "t", func(t *catalog.Table) error {
		_, _, err := t.PutMap(catalog.Map{Name: "m", Views: []catalog.MapView{{Name: "m", Function: "function () {}"}}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	keys := map[int64][]byte{}
	transact(t, cat, func(tx kv.Transaction) error {
		for group := range int64(5) {
			keys[group] = def.Keys().Maps(group).UpTo()
			tx.Set(keys[group], []byte("x"))
			tx.Set(def.Keys().Maps(group).Info(0), []byte("x"))
		}
		return nil
	})
	job := jobs.Job{Kind: jobs.KindSweep}
	if err := kv.Transact(ctx, cat.Store(), kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}},
		func(base kv.Transaction) error {
			tx := tables.Within(base)
			if _, err := jobs.Sweep(cat, time.Now).Step(ctx, tx, &job); err != nil {
				return err
			}
			return tx.Commit()
		}); err != nil {
		t.Fatal(err)
	}
	transact(t, cat, func(tx kv.Transaction) error {
		for group, key := range keys {
			raw, err := tx.Get(key).Get()
			if err != nil {
				return err
			}
			if (raw != nil) != (group == 1) {
				t.Errorf("of group %d there is %q", group, raw)
			}
		}
		return nil
	})
}

// TestTurn: who waits for its turn is not deaf.
func TestTurn(t *testing.T) {
	cat, in, out := open(t), make(chan struct{}), make(chan struct{})
	r := jobs.NewRunner(cat, map[string]jobs.Kind{"slow": {Step: func(context.Context, *tables.Tx, *jobs.Job) (bool,
		error) {
		close(in)
		<-out
		return true, nil
	}}}, jobs.Options{})
	enqueue(t, cat, jobs.Job{Kind: "slow"})
	done := make(chan error, 1)
	go func() {
		_, err := r.RunOnce(context.Background())
		done <- err
	}()
	<-in
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	waited := make(chan error, 1)
	go func() {
		_, err := r.Advance(ctx, 7)
		waited <- err
	}()
	select {
	case err := <-waited:
		if err == nil {
			t.Error("it had its turn")
		}
	case <-time.After(5 * time.Second):
		t.Error("it waits on")
	}
	close(out)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
