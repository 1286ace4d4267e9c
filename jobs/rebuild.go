package jobs

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// KindRebuild puts all documents of a collection into the present version of its
// index, and then makes the index readable.
const KindRebuild = "rebuild"

// OpenCollection opens the collection of a definition; tables.Open does where no
// SQL types are needed.
type OpenCollection func(def *catalog.Table) (*tables.Collection, error)

// stepSize bounds the writes of a step in bytes, far below a transaction's limit.
const stepSize = 2_000_000

type rebuildCheckpoint struct {
	From int64  // the generation from which on documents are in the index
	Next []byte // the primary key to go on from
}

// Rebuild is the kind of KindRebuild.
func Rebuild(cat *catalog.Catalog, open OpenCollection) Kind {
	return Kind{Step: func(ctx context.Context, tx *tables.Tx, job *Job) (bool, error) {
		def := job.Definition
		if !def.Rebuilding() {
			job.Progress = Progress{Message: "another job has completed the index"}
			return true, nil
		}
		c, err := open(def)
		if err != nil {
			return false, err
		}
		var at rebuildCheckpoint
		if len(job.Checkpoint) > 0 {
			if err := json.Unmarshal(job.Checkpoint, &at); err != nil {
				return false, fmt.Errorf("jobs: checkpoint of job %d: %w", job.ID, err)
			}
		}
		if at.From != def.CurrentFrom() {
			// Another change has begun another version meanwhile.
			at = rebuildCheckpoint{From: def.CurrentFrom()}
			job.Progress = Progress{Message: job.Progress.Message}
			if job.Progress.Of, _, err = c.Statistics(tx.Snapshot()).Documents(); err != nil {
				return false, err
			}
		}
		out, err := c.Upgrade(ctx, tx, at.Next, tables.UpgradeBudget{Bytes: job.Budget, Size: stepSize})
		if err != nil {
			return false, err
		}
		job.Progress.Done += out.Documents
		job.Progress.Of = max(job.Progress.Of, job.Progress.Done)
		job.Progress.Converted += out.Converted
		if out.Next == nil {
			_, err := cat.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
				t.Reindexed(tx)
				return nil
			})
			job.Progress.Of = job.Progress.Done
			return err == nil, err
		}
		at.Next = out.Next
		job.Checkpoint, err = json.Marshal(at)
		return false, err
	}}
}

// Reindex changes a definition within tx, the transaction of change, such that the index holds something else, and
// enqueues its rebuild. why, and the number of documents if it is known, are shown with
// the job.
func Reindex(tx Transaction, change *catalog.Change, database, name string, why Progress,
	edit func(*catalog.Table) error) (*catalog.Table, error) {
	out, err := change.AlterTable(database, name, func(t *catalog.Table) error {
		before := t.Clone()
		if err := edit(t); err != nil {
			return err
		}
		t.Reindex(before)
		return restartMaps(tx, before, t)
	})
	if err != nil {
		return nil, err
	}
	_, err = Enqueue(tx, Job{Kind: KindRebuild, Collection: out.ID, Database: out.Database, Table: out.Name,
		Progress: why})
	return out, err
}

// restartMaps has the rows of all map indexes made again where their strings are in the order of another collator.
func restartMaps(tx Transaction, before, t *catalog.Table) error {
	if before.CollatorVersion() == t.CollatorVersion() {
		return nil
	}
	for i := range t.MapGroups {
		g := &t.MapGroups[i]
		g.Long = true
		g.SetBuilders(nil)
		tx.ClearRange(t.Keys().Maps(g.Number).All())
		if !g.Interactive {
			continue
		}
		jobs, err := EnqueueMap(tx, t, g.Number, nil, Progress{Message: "map indexes in the order of another collator"})
		if err != nil {
			return err
		}
		g.SetBuilders(jobs)
	}
	return nil
}

// Reconcile begins the rebuild of every table whose index was written with an older
// collator than this program's: nothing may be read or written through such an index. Call
// it before a store is used. refused are the errors of the tables that can't be used,
// because of their primary keys or of older programs; the others can.
func Reconcile(ctx context.Context, cat *catalog.Catalog) (refused []error, err error) {
	var all []*catalog.Table
	err = kv.Transact(ctx, cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
		all = nil
		view, err := cat.View(tx)
		if err != nil {
			return err
		}
		for _, database := range view.Databases() {
			all = append(all, view.Tables(database)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if t.CollatorVersion() == collation.Version() && t.Understood() == nil {
			continue
		}
		if _, collated := tables.CollatedKey(t); collated || t.Understood() != nil {
			_, err := tables.Open(cat, t)
			refused = append(refused, err)
			continue
		}
		if err := reconcile(ctx, cat, t.ID); err != nil {
			return refused, fmt.Errorf("jobs: begin the rebuild of %s: %w", t, err)
		}
	}
	return refused, nil
}

// reconcile begins the rebuild of one collection.
func reconcile(ctx context.Context, cat *catalog.Catalog, collection int64) error {
	return kv.Transact(ctx, cat.Store(), kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		view, err := cat.View(tx)
		if err != nil {
			return err
		}
		// Another process may have been faster.
		now, ok := view.TableByID(collection)
		if !ok || now.CollatorVersion() == collation.Version() || now.Understood() != nil {
			return nil
		}
		change, err := cat.Change(ctx, tx)
		if err != nil {
			return err
		}
		why := fmt.Sprintf("collator %q instead of %q", collation.Version(), now.CollatorVersion())
		_, err = Reindex(tx, change, now.Database, now.Name, Progress{Message: why},
			func(*catalog.Table) error { return nil })
		return err
	})
}
