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
