package sqlbackend

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// jobUpgrade is the kind of the jobs that write documents in the types that
// their columns have now.
const jobUpgrade = "upgrade"

// Bounds of one step of an upgrade, beside the job's budget of bytes.
const (
	upgradeDocuments = 512
	upgradeSize      = 2 << 20 // of the transaction
)

// upgradeCheckpoint is where an upgrade goes on.
type upgradeCheckpoint struct {
	// Generation is the table's when the walk began: another one begins it anew.
	Generation int64
	Next       []byte           `json:",omitempty"` // primary key
	Misfits    map[string]int64 `json:",omitempty"` // by column
}

// enqueueUpgrade makes a job, unless the collection has one, as a part of the
// transaction that changes the definition.
func enqueueUpgrade(w *tables.Tx, def *catalog.Table) error {
	// A job that is about to end settles the definition, and conflicts with this change.
	active, err := jobs.Active(w.Snapshot(), def.ID)
	if err != nil {
		return err
	}
	for _, job := range active {
		if job.Kind == jobUpgrade {
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
	_, err = jobs.Enqueue(w, jobs.Job{Kind: jobUpgrade, Collection: def.ID, Database: def.Database, Table: def.Name,
		Progress: jobs.Progress{Of: documents}})
	return err
}

// upgradeStep is the step of an upgrade: some documents, in the order of their
// primary keys. The last one makes the definition forget the former encodings.
func (b *Backend) upgradeStep(ctx context.Context, tx *tables.Tx, job *jobs.Job) (done bool, err error) {
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
	full, err := b.definitions.of(def)
	if err != nil {
		return false, err
	}
	did, err := full.collection.Upgrade(ctx, tx, at.Next,
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
		p.AddSample(full.describeMisfit(m))
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
		_, err := b.catalog.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
			t.Settle(func(column string) bool { return at.Misfits[column] > 0 })
			return nil
		})
		return err == nil, err
	}
	job.Checkpoint, err = json.Marshal(at)
	return false, err
}

// describeMisfit is a value that does not fit its column, for people.
func (d *definition) describeMisfit(m tables.MisfitIn) string {
	return fmt.Sprintf("primary key '%s', column '%s': '%.100s'", d.keyName(d.typing.ctx, m.PK), m.Column,
		misfitValue(m.Misfit))
}

// misfitText tells of such a value as CHECK TABLE does.
func (d *definition) misfitText(pk []byte, m tables.Misfit) string {
	return fmt.Sprintf("the value '%.100s' of column '%s' does not fit %s and reads as NULL, primary key '%s'",
		misfitValue(m), m.Column, typeName(d.column(m.Column).typ), d.keyName(d.typing.ctx, pk))
}

// misfitValue is a value as messages show it.
func misfitValue(m tables.Misfit) string {
	if m.Value.Type() == document.TypeString {
		return m.Value.Str()
	}
	return m.Value.Text()
}

// finish implements tableFinder.
func (s *Session) finish(ctx *sql.Context, database, table string) error {
	const pause = 20 * time.Millisecond // while another process is at it
	for {
		collection, left, err := s.backend.unfinished(ctx, database, table)
		if err != nil {
			return err
		}
		if !left {
			if left, err = s.finishMaps(ctx, database, table); err != nil || !left {
				return err
			}
		}
		worked, err := s.backend.jobs.Advance(ctx, collection)
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

// finishUpgrade works off the upgrade of a table if one of the columns is concerned:
// to find equal values, each former field version would be read as a whole.
func (t *Table) finishUpgrade(ctx *sql.Context, columns []string) error {
	if t.def.Rebuilding() {
		// Each look for an equal document would read all of them.
		return t.finishFirst(ctx)
	}
	for _, name := range columns {
		if c := t.def.column(name); c != nil && len(t.def.Columns[c.declared].Earlier) > 0 {
			return t.finishFirst(ctx)
		}
	}
	return nil
}

// finishFirst works off the jobs of a table that are under way. If there were any the statement runs again from
// its text, on what they have left.
func (t *Table) finishFirst(ctx *sql.Context) error {
	_, left, err := t.session.backend.unfinished(ctx, t.def.Database, t.def.Name)
	if err == nil && left {
		err = t.session.finish(ctx, t.def.Database, t.def.Name)
	}
	if err == nil && left {
		err = fmt.Errorf("sqlbackend: %s: its documents have been upgraded: %w", t.def, kv.ErrConflict)
	}
	return mysqlerr.Of(ctx, err)
}

// unfinished reports whether a table has jobs now, and which collection they work on.
func (b *Backend) unfinished(ctx context.Context, database, table string) (collection int64, left bool, err error) {
	tx, err := b.store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return 0, false, err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := b.catalog.View(r)
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
