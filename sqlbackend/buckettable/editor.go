package buckettable

import (
	"context"
	"errors"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// changes are a statement's changes that are not written yet.
type changes struct {
	byID  map[string]*collection.Change
	order []string
	bytes int
	wrote bool // some are written
}

const (
	// batchChanges and batchBytes are how much is written at once where a statement may be written in pieces.
	batchChanges = 500
	batchBytes   = 8 << 20
)

// editor collects a statement's changes, and writes them when the statement ends: all or none.
type editor struct {
	table    *Table
	replaces bool
	looks    bool // whether a document is there must be known before the statement ends
	byRows   bool // the engine ends the statement for each row
	deleted  int64
	failed   bool
}

var _ sql.TableEditor = (*editor)(nil)

// Inserter implements sql.InsertableTable.
func (t *Table) Inserter(*sql.Context) sql.RowInserter {
	e := &editor{table: t}
	if stmt, ok := t.rows.Session.Parsed.Statement().(*ast.Insert); ok {
		e.byRows = stmt.Ignore != ""
		e.looks = e.byRows || len(stmt.OnDup) > 0
	}
	if load, ok := t.rows.Session.Parsed.Statement().(*ast.Load); ok {
		e.byRows = load.IgnoreOrReplace != ""
		e.looks = e.byRows
	}
	return e
}

// Updater implements sql.UpdatableTable.
func (t *Table) Updater(*sql.Context) sql.RowUpdater { return &editor{table: t} }

// Deleter implements sql.DeletableTable.
func (t *Table) Deleter(*sql.Context) sql.RowDeleter { return &editor{table: t} }

// Replacer implements sql.ReplaceableTable.
func (t *Table) Replacer(*sql.Context) sql.RowReplacer {
	return &editor{table: t, replaces: true, looks: true}
}

// StatementBegin implements sql.EditOpenerCloser.
func (e *editor) StatementBegin(*sql.Context) {}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *editor) DiscardChanges(*sql.Context, error) error {
	if !e.byRows {
		e.failed = true
		e.table.of.changes = changes{wrote: e.table.of.changes.wrote}
	}
	return nil
}

// StatementComplete implements sql.EditOpenerCloser.
func (e *editor) StatementComplete(ctx *sql.Context) error {
	if e.byRows {
		return nil
	}
	return e.flush(ctx)
}

// Close implements sql.Closer.
func (e *editor) Close(ctx *sql.Context) error {
	if !e.byRows || e.failed {
		return nil
	}
	return e.flush(ctx)
}

// mayWrite refuses changes that can't be undone.
func (e *editor) mayWrite(ctx *sql.Context) error {
	s := e.table.rows.Session
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return err
	}
	switch {
	case tx.ReadOnly:
		return sql.ErrReadOnlyTransaction.New()
	case !s.CommitsItself():
		return mysqlerr.Unsupported("%s is in a bucket: a statement that writes to it is a transaction by itself, "+
			"and can't be part of another one: COMMIT before it, or set autocommit", e.table.rows.Def)
	case e.table.rows.Writes.Joined:
		return mysqlerr.Unsupported("%s is in a bucket: an UPDATE of several tables can't write to it", e.table.rows.Def)
	}
	return nil
}

// idOf is the _id of a document, which it is given if it has none.
func (e *editor) idOf(ctx *sql.Context, d document.Document) (string, document.Document, error) {
	_, d, _, err := table.Identify(e.table.rows.Def, ctx, d)
	if err != nil {
		return "", d, err
	}
	v, _ := d.Member(layout.ID)
	if v.Type() != document.TypeString {
		return "", d, fmt.Errorf("%w: the _id of a document in a bucket is a string, not %.100s", mysqlerr.ErrKeyValue, v)
	}
	return v.Str(), d, layout.CheckID(v.Str())
}

// Insert implements sql.RowInserter.
func (e *editor) Insert(ctx *sql.Context, row sql.Row) error {
	if err := e.mayWrite(ctx); err != nil {
		return Error(ctx, err)
	}
	d, err := e.table.rows.Composed(ctx, row)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	id, d, err := e.idOf(ctx, d)
	if err != nil {
		return Error(ctx, err)
	}
	if err := e.insert(ctx, id, d); err != nil {
		return err
	}
	// The engine counts one row that is deleted for one that is inserted.
	s := e.table.rows.Session
	s.Replaced += max(0, e.deleted-1)
	s.Insertion.Inserted++
	e.deleted = 0
	return nil
}

// insert notes a document that is to be new, unless it is there as far as is known or must be.
func (e *editor) insert(ctx *sql.Context, id string, d document.Document) error {
	pending := e.table.of.changes.byID[id]
	switch {
	case pending != nil && pending.New != nil:
		return e.duplicate(ctx, &collection.Doc{ID: id, Body: *pending.New})
	case pending != nil: // the statement has deleted it
		pending.New = &d
		return e.grown(ctx, len(d.Text()))
	case e.looks:
		there, err := e.doc(ctx, id)
		if err != nil {
			return Error(ctx, err)
		}
		if there != nil {
			return e.duplicate(ctx, there)
		}
	}
	return e.note(ctx, &collection.Change{ID: id, New: &d})
}

// doc is a document as the statement has read it, or reads it now; nil if it is not there.
func (e *editor) doc(ctx *sql.Context, id string) (*collection.Doc, error) {
	of := e.table.of
	of.mu.Lock()
	d := of.docs[id]
	of.mu.Unlock()
	if d != nil {
		return d, nil
	}
	c, err := e.table.open(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := c.Get(of.tally.Within(ctx), []string{id})
	if err != nil || docs[0] == nil {
		return nil, err
	}
	of.mu.Lock()
	of.docs[id] = docs[0]
	of.mu.Unlock()
	return docs[0], nil
}

// duplicate is the error of a document that is there already; REPLACE and ON DUPLICATE KEY UPDATE go on with its row.
func (e *editor) duplicate(ctx *sql.Context, d *collection.Doc) error {
	row, err := e.table.row(ctx, d)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	return sql.NewUniqueKeyErr(e.table.duplicateText(d.ID), true, row)
}

func (t *Table) duplicateText(id string) string {
	return fmt.Sprintf("Duplicate entry '%s' for key '%s.PRIMARY'", id, t.rows.Def.Name)
}

// note adds a change of a document that the statement has not changed before.
func (e *editor) note(ctx *sql.Context, ch *collection.Change) error {
	of := &e.table.of.changes
	if of.byID == nil {
		of.byID = map[string]*collection.Change{}
	}
	of.byID[ch.ID] = ch
	of.order = append(of.order, ch.ID)
	size := 0
	if ch.Old != nil {
		size += len(ch.Old.Body.Text())
	}
	if ch.New != nil {
		size += len(ch.New.Text())
	}
	return e.grown(ctx, size)
}

// grown writes the collected changes if they are many and may be written in pieces.
func (e *editor) grown(ctx *sql.Context, bytes int) error {
	of := &e.table.of.changes
	of.bytes += bytes
	if len(of.order) <= batchChanges && of.bytes <= batchBytes {
		return nil
	}
	if setting.Of(ctx, setting.BulkWrites) == "batched" {
		return e.flush(ctx)
	}
	if len(of.order) > collection.MaxChanges {
		return mysql.NewSQLError(mysqlerr.TransactionTooLarge, "HY000", "A statement changes at most %d documents in a "+
			"bucket at once; nothing was written. SET %s = batched writes any number in pieces", collection.MaxChanges,
			setting.BulkWrites)
	}
	return nil
}

// Update implements sql.RowUpdater.
func (e *editor) Update(ctx *sql.Context, old, new sql.Row) error {
	if err := e.mayWrite(ctx); err != nil {
		return Error(ctx, err)
	}
	id, _ := old[e.table.keyAt()].(string)
	pending := e.table.of.changes.byID[id]
	var there *collection.Doc
	var before document.Document
	switch {
	case pending != nil && pending.New != nil:
		before = *pending.New
	case pending != nil:
		return nil // it is gone
	default:
		var err error
		if there, err = e.doc(ctx, id); err != nil {
			return Error(ctx, err)
		}
		if there == nil {
			return Error(ctx, fmt.Errorf("%w: %s", collection.ErrChanged, id))
		}
		before = there.Body
	}
	after, err := e.table.rows.Changed(ctx, before, old, new)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if after.Text() == before.Text() {
		return nil
	}
	next, after, err := e.idOf(ctx, after)
	if err != nil {
		return Error(ctx, err)
	}
	if e.table.rows.Writes.Inserts {
		if tx, err := session.CurrentTransaction(ctx); err == nil {
			tx.Changed++ // a row of ON DUPLICATE KEY UPDATE counts as two
		}
	}
	switch {
	case next != id:
		if err := e.remove(ctx, id, there, pending); err != nil {
			return err
		}
		return e.insert(ctx, next, after)
	case pending != nil:
		pending.New = &after
		return e.grown(ctx, len(after.Text()))
	}
	return e.note(ctx, &collection.Change{ID: id, Old: there, New: &after})
}

// Delete implements sql.RowDeleter.
func (e *editor) Delete(ctx *sql.Context, row sql.Row) error {
	if err := e.mayWrite(ctx); err != nil {
		return Error(ctx, err)
	}
	id, _ := row[e.table.keyAt()].(string)
	pending := e.table.of.changes.byID[id]
	if pending != nil && pending.New == nil {
		return nil // a joined DELETE meets a row more than once
	}
	var there *collection.Doc
	if pending == nil {
		var err error
		if there, err = e.doc(ctx, id); err != nil {
			return Error(ctx, err)
		}
		if there == nil {
			return nil
		}
	}
	if e.replaces {
		e.deleted++
	}
	return e.remove(ctx, id, there, pending)
}

// remove notes that a document goes: one that was read, or one that the statement has changed.
func (e *editor) remove(ctx *sql.Context, id string, there *collection.Doc, pending *collection.Change) error {
	if pending != nil {
		pending.New = nil
		return nil
	}
	return e.note(ctx, &collection.Change{ID: id, Old: there})
}

// stillHere fails with a conflict if the table of the name has its documents elsewhere by now: ALTER TABLE has moved it
// while the statement waited.
func (t *Table) stillHere(ctx context.Context) error {
	b := t.rows.Session.Backend
	tx, err := b.Store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	view, err := b.Catalog.View(tx.Snapshot())
	if err != nil {
		return err
	}
	def := t.rows.Def
	now, ok := view.Table(def.Database, def.Name)
	if ok && (now.Bucket == nil || *now.Bucket != *def.Table.Bucket) {
		return fmt.Errorf("%s was moved just now: %w", def, kv.ErrConflict)
	}
	return nil
}

// flush writes the collected changes.
func (e *editor) flush(ctx *sql.Context) error {
	of := &e.table.of.changes
	var list []collection.Change
	for _, id := range of.order {
		if ch := of.byID[id]; ch.Old != nil || ch.New != nil {
			list = append(list, *ch)
		}
	}
	wrote := of.wrote
	*of = changes{wrote: wrote}
	if len(list) == 0 || ctx.Err() != nil {
		return Error(ctx, ctx.Err()) // the engine completes a statement also where it is killed
	}
	c, err := e.table.open(ctx)
	if err != nil {
		return err
	}
	err = c.WriteIf(e.table.of.tally.Within(ctx), list, e.table.stillHere)
	e.table.of.tell(e.table.rows.Session)
	if err == nil {
		of.wrote = true
		// The written documents stay: the statement must not run again.
		e.table.rows.Session.Repeatable = false
		e.table.of.forget(list)
		for _, ch := range list {
			switch {
			case ch.Old == nil:
				e.table.rows.Session.Added.Note(e.table.rows.Def.Bucket, ch.ID)
				e.table.rows.Def.Bucket.Grown(1)
			case ch.New == nil:
				e.table.rows.Def.Bucket.Grown(-1)
			}
		}
		return nil
	}
	if errors.Is(err, collection.ErrExists) {
		return sql.NewUniqueKeyErr(e.table.duplicateText(takenID(err)), true, nil)
	}
	if wrote || errors.Is(err, collection.ErrUnfinished) || errors.Is(err, context.Canceled) {
		e.table.rows.Session.Repeatable = false
	}
	return Error(ctx, err)
}
