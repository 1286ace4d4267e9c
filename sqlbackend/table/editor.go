package table

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Editor writes the rows of one statement to one table. It is the engine's RowInserter, RowUpdater, RowDeleter and
// RowReplacer.
type Editor struct {
	Table  *Table
	Tx     *session.Transaction
	fenced bool  // this editor has raised the statement's fence
	Err    error // StatementBegin's error, which it can't return
	// replaces: the statement is a REPLACE. deleted counts the rows that the next inserted row replaces.
	replaces bool
	deleted  int64
	refs     *foreignKeys // the table's foreign keys, and the ones that refer to it; nil: not looked up yet
}

var _ sql.TableEditor = (*Editor)(nil)

// Inserter implements sql.InsertableTable.
func (t *Table) Inserter(*sql.Context) sql.RowInserter { return &Editor{Table: t} }

// Updater implements sql.UpdatableTable.
func (t *Table) Updater(*sql.Context) sql.RowUpdater { return &Editor{Table: t} }

// Deleter implements sql.DeletableTable.
func (t *Table) Deleter(*sql.Context) sql.RowDeleter { return &Editor{Table: t} }

// Replacer implements sql.ReplaceableTable.
func (t *Table) Replacer(*sql.Context) sql.RowReplacer { return &Editor{Table: t, replaces: true} }

// StatementBegin implements sql.EditOpenerCloser. With INSERT IGNORE the engine calls it for every row; the fence
// covers the whole statement.
func (e *Editor) StatementBegin(ctx *sql.Context) {
	e.Table.Session.Backend.Moves.Wait(ctx, e.Table.Def.ID)
	if e.Tx, e.Err = session.CurrentTransaction(ctx); e.Err != nil {
		return
	}
	if e.Err = e.Tx.BeginStatement(); e.Err == nil && !e.fenced {
		e.Tx.RaiseFence()
		e.fenced = true
		e.Err = mysqlerr.Of(ctx, e.Table.Session.Backend.Hooks.LookForMarker(e.Tx, e.Table.Def))
	}
}

// DiscardChanges implements sql.EditOpenerCloser.
func (e *Editor) DiscardChanges(*sql.Context, error) error {
	if e.Tx != nil {
		e.Tx.DiscardStatement()
	}
	return nil
}

// StatementComplete implements sql.EditOpenerCloser.
func (e *Editor) StatementComplete(*sql.Context) error {
	if e.Tx != nil {
		e.Tx.CompleteStatement()
	}
	return nil
}

// Close implements sql.Closer.
func (e *Editor) Close(*sql.Context) error {
	if e.fenced {
		e.Tx.LowerFence()
		e.fenced = false
	}
	return nil
}

// Writes returns the transaction to write to. ALTER TABLE writes without StatementBegin and StatementComplete.
func (e *Editor) Writes(ctx *sql.Context) (*tables.Tx, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	if e.Tx == nil {
		if e.Tx, e.Err = session.CurrentTransaction(ctx); e.Err != nil {
			return nil, e.Err
		}
	}
	if e.Tx.ReadOnly && !e.Table.Def.Temporary() {
		return nil, sql.ErrReadOnlyTransaction.New()
	}
	e.Tx.Keys = e.Table.Def.Collection.Keys()
	e.Tx.Checks()
	return e.Tx.Begin()
}

// Insert implements sql.RowInserter.
func (e *Editor) Insert(ctx *sql.Context, row sql.Row) error {
	w, err := e.Writes(ctx)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	d, err := e.Table.compose(ctx, row)
	if err == nil {
		d, err = e.Table.finish(ctx, d)
	}
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	pk, d, values, err := Identify(e.Table.Def, ctx, d)
	if err == nil {
		err = e.Table.holds(ctx, d)
	}
	if err == nil {
		err = e.await(ctx, pk)
	}
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if err := e.insert(ctx, w, pk, values, d); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if err := e.checkParents(ctx, w, document.Document{}, d); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	// The engine counts one deleted row for each inserted row.
	e.Table.Session.Replaced += max(0, e.deleted-1)
	e.Table.Session.Insertion.Inserted++
	e.deleted = 0
	return nil
}

// insert stores a document with its key, unless a unique key forbids it.
func (e *Editor) insert(ctx *sql.Context, w *tables.Tx, pk []byte, values []any, d document.Document) error {
	c := e.Table.Def.Collection
	if e.Table.unique() {
		c.Start(ahead.Of(w), pk)
		if err := e.checkUnique(ctx, w, pk, d); err != nil {
			if !sql.ErrUniqueKeyViolation.Is(err) {
				return err
			}
			// ON DUPLICATE KEY UPDATE uses the row of the primary key, even if other unique keys are in use, too.
			if existing, there, failed := c.Resolve(w, pk); there || failed != nil {
				return e.duplicateKey(ctx, w, existing, values, failed)
			}
			return err
		}
	}
	err := c.Insert(ctx, w, pk, d)
	if errors.Is(err, tables.ErrDuplicate) {
		existing, _, err := c.Resolve(w, pk)
		return e.duplicateKey(ctx, w, existing, values, err)
	}
	if err != nil {
		return err
	}
	return CheckSize(e.Tx)
}

// duplicateKey is the error for a primary key that is in use.
func (e *Editor) duplicateKey(ctx *sql.Context, w *tables.Tx, pk []byte, values []any, err error) error {
	if err != nil {
		return err
	}
	return e.duplicate(ctx, w, pk, e.Table.Def.KeyText(ctx, values), "PRIMARY", true)
}

// duplicate is the error for a unique key that is in use. REPLACE and ON DUPLICATE KEY UPDATE use the row in it.
func (e *Editor) duplicate(ctx *sql.Context, w *tables.Tx, pk []byte, value, key string, primary bool) error {
	there, ok, err := e.Table.Def.Collection.Get(w, pk).Get()
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("sqlbackend: %s: %w", e.Table.Def, tables.ErrMissing)
	}
	row, err := e.Table.row(ctx, pk, there)
	if err != nil {
		return err
	}
	if e.Table.Def.Hidden() && (e.Table.Writes.Inserts || e.replaces) {
		e.Table.Session.Taken = pk // no column of row has it
	}
	text := fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", value, e.Table.Def.Name, key)
	return sql.NewUniqueKeyErr(text, primary, row)
}

// Delete implements sql.RowDeleter.
func (e *Editor) Delete(ctx *sql.Context, row sql.Row) error {
	w, err := e.Writes(ctx)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if e.Table.Absent(row) {
		return nil
	}
	pk, err := e.keyOf(ctx, row)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	err = e.Remove(ctx, w, pk, Cascade{})
	if errors.Is(err, tables.ErrMissing) {
		return nil // a DELETE with a join may meet a row more than once
	}
	if err == nil {
		if e.replaces {
			e.deleted++
		}
		err = CheckSize(e.Tx)
	}
	return mysqlerr.Of(ctx, err)
}

// Update implements sql.RowUpdater. The columns that the statement sets are written into the transaction's newest
// version of the document; other values stay.
func (e *Editor) Update(ctx *sql.Context, old, new sql.Row) error {
	w, err := e.Writes(ctx)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	pk, err := e.keyOf(ctx, old)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	before, ok, err := e.Table.Def.Collection.Get(w, pk).Get()
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if !ok {
		return mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: update %s: %w", e.Table.Def, tables.ErrMissing))
	}
	after, err := e.Table.change(ctx, before, old, new)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if after.Text() == before.Text() {
		return nil
	}
	if e.Table.Writes.Inserts { // ON DUPLICATE KEY UPDATE
		after, err = e.Table.duplicated(ctx, before, old, new)
	} else {
		after, err = e.Table.finish(ctx, after)
	}
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if err := e.Table.holds(ctx, after); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	err = e.rewrite(ctx, w, pk, before, after, Cascade{})
	if err == nil {
		if e.Table.Writes.Inserts {
			e.Tx.Changed++ // a row of ON DUPLICATE KEY UPDATE counts as two
		}
		err = CheckSize(e.Tx)
	}
	return mysqlerr.Of(ctx, err)
}

// KeyOf returns the primary key of a row that was read.
func (t *Table) KeyOf(ctx *sql.Context, row sql.Row) ([]byte, error) {
	if t.Def.Hidden() {
		for i := range t.Columns {
			if t.Columns[i].Key {
				if pk, ok := row[i].([]byte); ok {
					return pk, nil
				}
			}
		}
		return nil, mysqlerr.Unsupported("table %s has no primary key, so this statement can't change its rows", t.Def)
	}
	var pk []byte
	for _, i := range t.Def.PrimaryKey {
		var err error
		if pk, err = t.Def.AppendKey(ctx, pk, &t.Columns[i], row[i]); err != nil {
			return nil, err
		}
	}
	return pk, nil
}

// Identify returns a document's primary key, and fills in a missing one with a UUID where the table allows it. A key
// column of a type that JSON does not have is written into the document as that type is stored.
func Identify(d *session.Definition, ctx *sql.Context, doc document.Document) (pk []byte, out document.Document,
	values []any,
	err error) {
	for _, i := range d.PrimaryKey {
		c := &d.SQLColumns[i]
		v, there := doc.Lookup(c.Keypath)
		if !there {
			if def := &d.Columns[i]; len(d.PrimaryKey) == 1 && def.Class == "" && d.Open {
				continue
			}
			return nil, doc, nil, sql.ErrInsertIntoNonNullableDefaultNullColumn.New(c.Name)
		}
		switch v.Type() {
		case document.TypeNull:
			return nil, doc, nil, sql.ErrInsertIntoNonNullableProvidedNull.New(c.Name)
		case document.TypeArray, document.TypeObject:
			return nil, doc, nil, fmt.Errorf("sqlbackend: column %s: %w: an %s", c.Name, mysqlerr.ErrKeyValue, v.Type())
		}
		value, err := session.FromJSON(ctx, c, v)
		if err != nil {
			return nil, doc, nil, err
		}
		values = append(values, value)
		if d.Columns[i].Class == "" {
			continue
		}
		stored, err := session.ToJSON(ctx, c, value)
		if err != nil {
			return nil, doc, nil, err
		}
		if document.Equal(stored, v) {
			continue
		}
		if stored.Type() == document.TypeNumber {
			return nil, doc, nil, fmt.Errorf("sqlbackend: column %s: %w: %s", c.Name, mysqlerr.ErrKeyValue, v)
		}
		if doc, err = doc.With(c.Keypath, stored); err != nil {
			return nil, doc, nil, err
		}
	}
	pk, out, err = tables.PrimaryKeyOf(d.Table, doc)
	return pk, out, values, err
}

// compose makes the document of an INSERT's row: `_doc` first, then the columns that the statement named. A declared
// column that it did not name gets its default, unless `_doc` has it.
func (t *Table) compose(ctx *sql.Context, row sql.Row) (document.Document, error) {
	var d document.Document
	for i := range t.Columns {
		if t.Columns[i].Document && row[i] != nil {
			var err error
			if d, err = documentOf(row[i]); err != nil {
				return d, err
			}
		}
	}
	if d.IsZero() {
		if built, ok, err := t.build(ctx, row); ok || err != nil {
			return built, err
		}
		var err error
		if d, err = document.NewObject().Document(); err != nil {
			return d, err
		}
	}
	var set []document.Keypath
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Document || c.Key {
			continue
		}
		if !t.gives(i, row[i]) {
			if c.Declared < 0 {
				continue
			}
			if v, there := d.Lookup(c.Keypath); there {
				if err := t.fits(ctx, c, v); err != nil {
					return d, err
				}
				continue
			}
			if row[i] == nil {
				continue
			}
		}
		v, err := session.ToJSON(ctx, c, row[i])
		if err != nil {
			return d, err
		}
		for _, p := range set {
			if len(p) > len(c.Keypath) && p[:len(c.Keypath)].Equal(c.Keypath) {
				// The value below c's keypath, which the statement also sets, would be lost.
				err = &document.PathError{Path: p, Above: c.Keypath, Type: v.Type()}
				return d, fmt.Errorf("sqlbackend: column %s: %w", c.Name, err)
			}
		}
		set = append(set, c.Keypath)
		if c.Declared >= 0 && t.Def.IsKey(c.Declared) {
			d, err = withKey(d, c, v)
		} else {
			d, err = c.Put(d, v)
		}
		if err != nil {
			return d, fmt.Errorf("sqlbackend: column %s: %w", c.Name, err)
		}
	}
	return d, nil
}

// build makes a document from columns only; ok is false if a column is not at the document's top level.
func (t *Table) build(ctx *sql.Context, row sql.Row) (d document.Document, ok bool, err error) {
	b := document.NewObject()
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Document || c.Key || (row[i] == nil && !t.gives(i, nil)) {
			continue
		}
		if len(c.Keypath) != 1 {
			return d, false, nil
		}
		v, err := session.ToJSON(ctx, c, row[i])
		if err != nil {
			return d, false, err
		}
		if !v.IsZero() {
			b.Add(c.Keypath[0].Name, v)
		}
	}
	d, err = b.Document()
	return d, true, err
}

// gives reports whether an INSERT names a column, so that its value counts even if it is NULL.
func (t *Table) gives(i int, v any) bool {
	if t.Named == nil {
		return v != nil && t.Columns[i].Declared < 0
	}
	return t.Named[strings.ToLower(t.Columns[i].Name)]
}

// fits checks the value that `_doc` has for a declared column.
func (t *Table) fits(ctx *sql.Context, c *session.Column, v document.Value) error {
	def := &t.Def.Columns[c.Declared]
	if c.ReadsNull(v) {
		if !def.Nullable {
			return sql.ErrInsertIntoNonNullableProvidedNull.New(c.Name)
		}
		return nil
	}
	if _, err := session.ReadStored(ctx, c, v); err != nil {
		if errors.Is(err, session.ErrNoConversion) {
			return ErrUnfit(c, v)
		}
		return err
	}
	// A conversion may accept values in a document that the column can't read.
	if _, err := session.FromJSON(ctx, c, v); err != nil {
		return ErrUnfit(c, v)
	}
	return nil
}

// documentOf returns the document in a `_doc` value.
func documentOf(v any) (document.Document, error) {
	value, err := value.ValueOf(v)
	if s, ok := v.(string); ok {
		value, err = document.ParseValue([]byte(s), document.Limits{})
	}
	if err != nil {
		return document.Document{}, err
	}
	return value.Document()
}

// change writes the values that an UPDATE sets into a document: `_doc` first, then the other columns.
func (t *Table) change(ctx *sql.Context, before document.Document, old, new sql.Row) (document.Document, error) {
	d := before
	replaced := false
	for i := range t.Columns {
		if !t.Columns[i].Document {
			continue
		}
		if new[i] == nil {
			if old[i] != nil {
				return d, sql.ErrInsertIntoNonNullableProvidedNull.New(session.DocumentColumn)
			}
			continue
		}
		next, err := documentOf(new[i])
		if err != nil {
			return d, err
		}
		was, err := documentOf(old[i])
		if err != nil {
			return d, err
		}
		if next.Text() != was.Text() {
			d, replaced = next, true
		}
	}
	if replaced {
		var err error
		if d, err = t.keepKey(ctx, d, before, old); err != nil {
			return d, err
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Document || c.Key {
			continue
		}
		if t.Filling != "" && old[i] != nil && strings.EqualFold(t.Filling, c.Name) {
			continue
		}
		changed, err := differs(ctx, c, old[i], new[i])
		if err != nil {
			return d, err
		}
		if !changed && !(replaced && t.Writes.Sets(c.Name)) {
			if replaced && c.Declared >= 0 {
				if v, there := d.Lookup(c.Keypath); there && !stands(before, c, v) {
					if err := t.fits(ctx, c, v); err != nil {
						return d, err
					}
				}
			}
			continue
		}
		v, err := session.ToJSON(ctx, c, new[i])
		if err != nil {
			return d, err
		}
		if d, err = c.Put(d, v); err != nil {
			return d, fmt.Errorf("sqlbackend: column %s: %w", c.Name, err)
		}
	}
	return d, nil
}

// stands reports whether a value that a statement wrote as part of `_doc` was there before. A value that could not
// be converted when its column got another type may stay.
func stands(before document.Document, c *session.Column, v document.Value) bool {
	if !c.Unsettled {
		return false
	}
	was, there := before.Lookup(c.Keypath)
	return there && was.Text() == v.Text()
}

// keepKey copies the primary key into a document that replaces another one, if it has none.
func (t *Table) keepKey(ctx *sql.Context, d, before document.Document, old sql.Row) (document.Document, error) {
	if t.Def.Hidden() {
		id, _ := before.Member(tables.HiddenKey)
		if _, there := d.Member(tables.HiddenKey); there || id.IsZero() {
			return d, nil
		}
		return d.Prepend(tables.HiddenKey, id)
	}
	for n := len(t.Def.PrimaryKey) - 1; n >= 0; n-- {
		i := t.Def.PrimaryKey[n]
		c := &t.Columns[i]
		if _, there := d.Lookup(c.Keypath); there {
			continue
		}
		v, err := session.ToJSON(ctx, c, old[i])
		if err != nil {
			return d, err
		}
		if d, err = withKey(d, c, v); err != nil {
			return d, err
		}
	}
	return d, nil
}

// withKey sets a column of the primary key, at the front if the document had none.
func withKey(d document.Document, c *session.Column, v document.Value) (document.Document, error) {
	if _, there := d.Lookup(c.Keypath); !there && len(c.Keypath) == 1 {
		return d.Prepend(c.Keypath[0].Name, v)
	}
	return d.With(c.Keypath, v)
}

// differs reports whether two values of a column are stored differently. A comparison by collation would miss a
// change of case.
func differs(ctx *sql.Context, c *session.Column, a, b any) (bool, error) {
	if a == nil || b == nil {
		return a != nil || b != nil, nil
	}
	av, err := session.ToJSON(ctx, c, a)
	if err != nil {
		return false, err
	}
	bv, err := session.ToJSON(ctx, c, b)
	if err != nil {
		return false, err
	}
	return av.Text() != bv.Text(), nil
}
