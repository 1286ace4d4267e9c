package ddl

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// JobUpgrade is the kind of the jobs that rewrite documents in the current types of their columns.
const JobUpgrade = "upgrade"

// Bounds of one step of an upgrade, beside the job's budget of bytes.
const (
	upgradeDocuments = 512
	upgradeSize      = 2 << 20 // bytes of the transaction
)

// upgradeCheckpoint is the progress of an upgrade.
type upgradeCheckpoint struct {
	// Generation is the table's generation when the walk began: with another one the walk begins again.
	Generation int64
	Next       []byte           `json:",omitempty"` // primary key
	Misfits    map[string]int64 `json:",omitempty"` // by column
}

// enqueueUpgrade makes a job, unless the collection has one, in the transaction that changes the definition.
func enqueueUpgrade(w *tables.Tx, def *catalog.Table) error {
	// A job that is about to end settles the definition, and conflicts with this change.
	active, err := jobs.Active(w.Snapshot(), def.ID)
	if err != nil {
		return err
	}
	for _, job := range active {
		if job.Kind == JobUpgrade {
			return nil
		}
	}
	counts := costing.Statistics{Keys: def.Keys(), From: w.Snapshot()}
	for i := range def.Formers {
		counts.Formers = append(counts.Formers, def.FormerKeys(i))
	}
	documents, _, err := counts.Documents()
	if err != nil {
		return err
	}
	_, err = jobs.Enqueue(w, jobs.Job{Kind: JobUpgrade, Collection: def.ID, Database: def.Database, Table: def.Name,
		Progress: jobs.Progress{Of: documents}})
	return err
}

// UpgradeStep is one step of an upgrade: some documents, in the order of their primary keys. The last step removes
// the former encodings from the definition.
func UpgradeStep(b *session.Instance, ctx context.Context, tx *tables.Tx, job *jobs.Job) (done bool, err error) {
	def := job.Definition
	if !def.Upgrading() {
		job.Progress.Message = "nothing is left to upgrade"
		return true, nil
	}
	var at upgradeCheckpoint
	if len(job.Checkpoint) > 0 {
		if err := json.Unmarshal(job.Checkpoint, &at); err != nil {
			return false, fmt.Errorf("sqlbackend: checkpoint of an upgrade: %w: %w", jobs.ErrPermanent, err)
		}
	}
	if at.Generation != def.Generation {
		at = upgradeCheckpoint{Generation: def.Generation}
		job.Progress = jobs.Progress{Of: job.Progress.Of}
	}
	full, err := b.Definitions.Of(def)
	if err != nil {
		return false, err
	}
	did, err := full.Collection.Upgrade(ctx, tx, at.Next,
		tables.UpgradeBudget{Documents: upgradeDocuments, Bytes: job.Budget, Size: upgradeSize})
	if err != nil {
		return false, err
	}
	p := &job.Progress
	p.Done += did.Documents
	p.Of = max(p.Of, p.Done)
	p.Converted += did.Converted
	for _, m := range did.Misfits {
		p.Failed++
		p.AddSample(describeMisfit(full, m))
		if at.Misfits == nil {
			at.Misfits = map[string]int64{}
		}
		at.Misfits[m.Column]++
	}
	if p.Failed > 0 {
		p.Message = fmt.Sprintf("%d values do not fit their columns; CHECK TABLE names them", p.Failed)
	}
	if at.Next = did.Next; at.Next == nil {
		p.Of = p.Done
		_, err := b.Catalog.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
			t.Settle(func(column string) bool { return at.Misfits[column] > 0 })
			return nil
		})
		return err == nil, err
	}
	job.Checkpoint, err = json.Marshal(at)
	return false, err
}

// describeMisfit describes a value that does not fit its column, for people.
func describeMisfit(d *session.Definition, m tables.MisfitIn) string {
	return fmt.Sprintf("primary key '%s', column '%s': '%.100s'", d.KeyName(d.Typing.Ctx, m.PK), m.Column,
		information.MisfitValue(m.Misfit))
}

// FinishBackground completes the background jobs of a table.
func FinishBackground(ctx *sql.Context, s *session.Session, database, table string) error {
	const pause = 20 * time.Millisecond // while another process works on it
	for {
		collection, left, err := unfinished(s.Backend, ctx, database, table)
		if err != nil {
			return err
		}
		if !left {
			if left, err = companion.FinishMaps(s, ctx, database, table); err != nil || !left {
				return err
			}
		}
		worked, err := s.Backend.Jobs.Advance(ctx, collection)
		if err != nil {
			return err
		}
		if worked {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// finishUpgrade completes the upgrade of a table if it concerns one of the columns: a search for equal values would
// read all documents of each former generation.
func finishUpgrade(t *table.Table, ctx *sql.Context, columns []string) error {
	if t.Def.Rebuilding() {
		// Each search for an equal document would read all of them.
		return finishFirst(t, ctx)
	}
	for _, name := range columns {
		if c := t.Def.ColumnNamed(name); c != nil && len(t.Def.Columns[c.Declared].Earlier) > 0 {
			return finishFirst(t, ctx)
		}
	}
	return nil
}

// finishFirst completes the running jobs of a table. If there were any, the statement runs again from its text, on
// their result.
func finishFirst(t *table.Table, ctx *sql.Context) error {
	_, left, err := unfinished(t.Session.Backend, ctx, t.Def.Database, t.Def.Name)
	if err == nil && left {
		err = FinishBackground(ctx, t.Session, t.Def.Database, t.Def.Name)
	}
	if err == nil && left {
		err = fmt.Errorf("sqlbackend: %s: its documents have been upgraded: %w", t.Def, kv.ErrConflict)
	}
	return mysqlerr.Of(ctx, err)
}

// unfinished reports whether a table has jobs now, and which collection they work on.
func unfinished(b *session.Instance, ctx context.Context, database, table string) (collection int64, left bool,
	err error) {
	tx, err := b.Store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return 0, false, err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := b.Catalog.View(r)
	if err != nil {
		return 0, false, err
	}
	def, ok := view.Table(database, table)
	if !ok {
		return 0, false, nil
	}
	active, err := jobs.Active(r, def.ID)
	return def.ID, len(active) > 0, err
}
