package ddl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// jobPatience is how long an ALTER TABLE waits for its background job, so that a small table is finished when the
// statement returns.
const jobPatience = 2 * time.Second

// alterIndexed changes the table's definition. Where the index then holds other keypaths or other bytes, a new
// version of it is begun, which a job completes; meanwhile statements read all documents. The text why is shown with
// the job. The result is the job of an added index, 0 where it needs none.
func alterIndexed(t *table.Table, ctx *sql.Context, why string, edit func(*catalog.Table) error) (build int64,
	err error) {
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		build, err = alterIndexedWithin(t, ctx, c, why, edit)
		return err
	})
	if err != nil {
		return 0, err
	}
	return build, mysqlerr.Of(ctx, reload(t, ctx))
}

func alterIndexedWithin(t *table.Table, ctx *sql.Context, c *catalog.Change, why string,
	edit func(*catalog.Table) error) (build int64, err error) {
	cat := t.Session.Backend.Catalog
	w, err := session.WritesOf(ctx)
	if err != nil {
		return 0, err
	}
	before, ok := c.View().Table(t.Def.Database, t.Def.Name)
	if !ok {
		return 0, fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	after := before.Clone()
	if err := edit(after); err != nil {
		return 0, err
	}
	opened, err := session.NewDefinition(cat, before)
	if err != nil {
		return 0, err
	}
	next, err := session.NewDefinition(cat, after)
	if err != nil {
		return 0, err
	}
	if after.Collation != before.Collation || after.UndeclaredCollation() != before.UndeclaredCollation() {
		if err := refuseReferencedCollation(c.View().Of(after), after); err != nil {
			return 0, err
		}
		// With conflicts: a document that is written meanwhile counts too.
		if err := proveStaysUnique(ctx, w, opened, next); err != nil {
			return 0, err
		}
	}
	documents, err := documentsIfAny(w, opened)
	if err != nil {
		return 0, err
	}
	if documents > 0 && before.Temporary() {
		return 0, rewriteTemporary(t, ctx, c, w, before, after)
	}
	proved := documents > 0 && session.DefinesMore(t.Session)
	if proved {
		if err := proveAdded(ctx, w, opened, next); err != nil {
			return 0, err
		}
		settleProved(after)
	}
	if build, err = beginBuild(w, after, documents); err != nil {
		return 0, err
	}
	final := func(def *catalog.Table) error {
		if err := edit(def); err != nil {
			return err
		}
		if proved {
			settleProved(def)
		}
		begunBuild(def, build)
		return nil
	}
	if documents > 0 && encodesDifferently(before, after) {
		_, err = jobs.Reindex(w, c, t.Def.Database, t.Def.Name, jobs.Progress{Message: why, Of: documents}, final)
		table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitRebuild(t, ctx) })
	} else {
		_, err = c.AlterTable(t.Def.Database, t.Def.Name, final)
	}
	if err != nil {
		return 0, err
	}
	clearDropped(w, before, after)
	return build, nil
}

// rewriteTemporary gives a temporary table with documents the definition after, and rewrites its documents at once:
// no job would.
func rewriteTemporary(t *table.Table, ctx *sql.Context, c *catalog.Change, w *tables.Tx, before,
	after *catalog.Table) error {
	for i := range after.Indexes {
		after.Indexes[i].Building = 0
	}
	same := func(_ *sql.Context, _, _ *session.Definition, d document.Document) (document.Document, error) {
		return d, nil
	}
	if _, err := rewriteAll(t, ctx, w, before, after, alteration{rewrite: same}); err != nil {
		return err
	}
	clearDropped(w, before, after)
	_, err := c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) error {
		*def = *after
		return nil
	})
	return err
}

// documentsIfAny returns about how many documents a collection has. Zero is exact when the transaction commits. If it
// relied on the exact number, a change of definitions would conflict with every writer.
func documentsIfAny(w *tables.Tx, d *session.Definition) (int64, error) {
	documents, _, err := d.Collection.Statistics(w.Snapshot()).Documents()
	if documents == 0 && err == nil {
		documents, _, err = d.Collection.Statistics(w).Documents()
	}
	return documents, err
}

// awaitRebuild waits a little for the index to be complete, and warns the client when it takes longer.
func awaitRebuild(t *table.Table, ctx *sql.Context) error {
	left, err := await(t, ctx, (*catalog.Table).Rebuilding)
	if left {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105,
			Message: fmt.Sprintf("The index of %s is rebuilt in the background; statements read all documents until "+
				"then. See %s.jobs", t.Def, session.SystemDatabase)})
	}
	return mysqlerr.Of(ctx, err)
}

// awaitUpgrade waits a little for the documents of earlier generations to be converted. The upgrade ends with a
// change of the definition. A transaction that uses the table and is open at that time would conflict with it.
func awaitUpgrade(t *table.Table, ctx *sql.Context) error {
	_, err := await(t, ctx, (*catalog.Table).Upgrading)
	return mysqlerr.Of(ctx, err)
}

// await waits until a job has finished the work that an ALTER TABLE has begun, at most for jobPatience. It reports
// whether work is left.
func await(t *table.Table, ctx *sql.Context, left func(*catalog.Table) bool) (bool, error) {
	b := t.Session.Backend
	b.Awaiting.Add(1)
	defer b.Awaiting.Add(-1)
	for began := time.Now(); b.Jobs.Running() && !b.Jobs.Held() && time.Since(began) < jobPatience; {
		goesOn, err := isLeft(b, ctx, t.Def.ID, left)
		if err != nil || !goesOn {
			return false, err
		}
		timer := time.NewTimer(5 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return true, ctx.Err()
		}
	}
	return isLeft(b, ctx, t.Def.ID, left)
}

// drops reports whether the running command is a DROP TABLE.
func drops(s *session.Session) bool {
	if len(s.Parsed.All) == 0 {
		return false
	}
	ddl, ok := s.Parsed.All[0].(*ast.DDL)
	return ok && ddl.Action == ast.DropStr
}

// isLeft checks a table's current definition for unfinished work; a table that is gone has none.
func isLeft(b *session.Instance, ctx context.Context, collection int64, left func(*catalog.Table) bool) (bool, error) {
	tx, err := b.Store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return false, err
	}
	defer tx.Cancel()
	view, err := b.Catalog.View(tx.Snapshot())
	if err != nil {
		return false, err
	}
	def, ok := view.TableByID(collection)
	return ok && left(def), nil
}

// dropFromIndexes removes a column from the declared indexes. An index on it alone goes; an index on others too gets
// new entries.
func dropFromIndexes(def *catalog.Table, name string) error {
	for i := len(def.Indexes) - 1; i >= 0; i-- {
		idx := &def.Indexes[i]
		at := placeIn(idx, name)
		if at < 0 {
			continue
		}
		if idx.Building != 0 {
			return mysqlerr.Unsupported("column %s is part of the index %s, which is being built, and can't be "+
				"dropped", name,
				idx.Name)
		}
		if idx.Columns = slices.Delete(idx.Columns, at, at+1); len(idx.Columns) == 0 {
			def.Indexes = slices.Delete(def.Indexes, i, i+1)
			continue
		}
		if idx.Number = 0; len(idx.Columns) > 1 {
			def.LastIndex++
			idx.Number = def.LastIndex
		}
	}
	return nil
}

// placeIn returns the place of a column in an index, or -1.
func placeIn(idx *catalog.Index, name string) int {
	return slices.IndexFunc(idx.Columns, func(c string) bool { return strings.EqualFold(c, name) })
}
