package table

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// reference is a foreign key with the definitions of both of its tables.
type reference struct {
	key           *catalog.ForeignKey
	child, parent *session.Definition // parent is nil if there is no such table, or it lacks the columns
	columns       []*session.Column   // of the child
	parentColumns []*session.Column
	primary       bool           // the parent's columns are its primary key
	index         *catalog.Index // on the child's columns; nil: the first column's entries are walked
	parentIndex   *catalog.Index // likewise, on the parent's
}

// foreignKeys are the foreign keys that the writer of a table enforces.
type foreignKeys struct {
	parents  []*reference      // the table's own foreign keys
	children []*reference      // foreign keys that refer to it
	editors  map[int64]*Editor // by collection, for the tables that they change
}

// maxCascade is how many tables deep the change of a row may change other rows, as in MySQL.
const maxCascade = 14

// Cascade is the path from the row that a statement changes to a row that foreign keys change.
type Cascade struct {
	depth   int
	updated []int64 // IDs of the collections with rows updated on the path
}

// keeps finds the foreign keys that the editor enforces, once for each statement.
func (e *Editor) keeps(ctx *sql.Context) (*foreignKeys, error) {
	if e.refs != nil {
		return e.refs, nil
	}
	refs := &foreignKeys{}
	s := e.Table.Session
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, err
	}
	view = view.Of(e.Table.Def.Table)
	referring := view.References(e.Table.Def.Database, e.Table.Def.Name)
	if len(e.Table.Def.ForeignKeys)+len(referring) > 0 && ChecksForeignKeys(ctx) {
		for i := range e.Table.Def.ForeignKeys {
			ref, err := FindReference(s, view, e.Table.Def, &e.Table.Def.ForeignKeys[i])
			if err != nil {
				return nil, err
			}
			if !slices.Contains(ref.columns, nil) { // a later clause of ALTER TABLE drops the key of a dropped column
				refs.parents = append(refs.parents, ref)
			}
		}
		for _, r := range referring {
			child, err := s.Backend.Definitions.Of(r.Child)
			if err != nil {
				return nil, err
			}
			ref, err := FindReference(s, view, child, r.Key)
			if err != nil {
				return nil, err
			}
			if ref.parent != nil {
				refs.children = append(refs.children, ref)
			}
		}
		refs.editors = map[int64]*Editor{e.Table.Def.ID: e}
	}
	e.refs = refs
	return refs, nil
}

// FindReference finds the tables and columns of a foreign key. The parent stays nil if its columns have other types,
// as it may have if it was created while foreign keys were not checked.
func FindReference(s *session.Session, view *catalog.View, child *session.Definition,
	f *catalog.ForeignKey) (*reference, error) {
	ref := &reference{key: f, child: child}
	for _, name := range f.Columns {
		ref.columns = append(ref.columns, child.ColumnNamed(name))
	}
	ref.index = indexOn(child.Table, f.Columns)
	def, ok := view.Table(f.ParentDatabase, f.ParentTable)
	if !ok || !FitsParent(child.Table, def, f) {
		return ref, nil
	}
	parent := child
	if def != child.Table {
		var err error
		if parent, err = s.Backend.Definitions.Of(def); err != nil {
			return nil, err
		}
	}
	for _, name := range f.ParentColumns {
		ref.parentColumns = append(ref.parentColumns, parent.ColumnNamed(name))
	}
	ref.primary = len(def.PrimaryKey) == len(f.ParentColumns)
	for _, i := range def.PrimaryKey {
		ref.primary = ref.primary && slices.Contains(ref.parentColumns, &parent.SQLColumns[i])
	}
	ref.parent, ref.parentIndex = parent, indexOn(def, f.ParentColumns)
	return ref, nil
}

// indexOn returns a readable index of a table on some columns; nil if there is none.
func indexOn(def *catalog.Table, columns []string) *catalog.Index {
	for i := range def.Indexes {
		if x := &def.Indexes[i]; x.Building == 0 && x.Covers(columns) {
			return x
		}
	}
	return nil
}

// keyValues returns a document's values in some columns; ok is false if one of them is NULL.
func keyValues(ctx *sql.Context, columns []*session.Column, d document.Document) (values []any, ok bool, err error) {
	for _, c := range columns {
		v, there := d.Lookup(c.Keypath)
		if !there || v.IsNull() {
			return nil, false, nil
		}
		value, err := session.ReadColumn(ctx, c, v)
		if err != nil || value == nil {
			return nil, false, err
		}
		values = append(values, value)
	}
	return values, true, nil
}

// equals reports whether a document has some values in columns; they are compared by the types of compared.
func equals(ctx *sql.Context, compared, columns []*session.Column, values []any, d document.Document) (bool, error) {
	own, ok, err := keyValues(ctx, columns, d)
	if err != nil || !ok {
		return false, err
	}
	for i, c := range compared {
		if order, err := c.Typ.Compare(ctx, values[i], own[i]); err != nil || order != 0 {
			return false, err
		}
	}
	return true, nil
}

// CheckParent fails if a document of the child has no parent. It reads with conflicts: a transaction that removes
// the parent conflicts.
func (r *reference) CheckParent(ctx *sql.Context, w *tables.Tx, d document.Document) error {
	values, ok, err := keyValues(ctx, r.columns, d)
	if err != nil || !ok {
		return err
	}
	there := false
	if r.parent != nil {
		if there, err = r.hasParent(ctx, w, values); err != nil {
			return err
		}
	}
	if !there {
		return sql.ErrForeignKeyChildViolation.New(r.key.Name, r.child.Name, r.key.ParentTable, childViolation+r.text())
	}
	return nil
}

// The first words of MySQL's errors for foreign keys.
const (
	childViolation  = "Cannot add or update a child row: a foreign key constraint fails "
	parentViolation = "Cannot delete or update a parent row: a foreign key constraint fails "
)

func (r *reference) text() string {
	return "(" + sql.QuoteIdentifier(r.child.Database) + "." + sql.QuoteIdentifier(r.child.Name) + ", " +
		ForeignKeyClause(r.child.Table, r.key) + ")"
}

func (r *reference) hasParent(ctx *sql.Context, w *tables.Tx, values []any) (bool, error) {
	values, ok := translated(r.columns, r.parentColumns, values)
	if !ok {
		return false, nil
	}
	if r.primary {
		var pk []byte
		for _, i := range r.parent.PrimaryKey {
			c := &r.parent.SQLColumns[i]
			var err error
			if pk, err = r.parent.AppendKey(ctx, pk, c, values[slices.Index(r.parentColumns, c)]); err != nil {
				return false, err
			}
		}
		_, ok, err := r.parent.Collection.Resolve(w, pk)
		return ok, err
	}
	rows, err := equalRows(r.parent, ctx, w, r.parentIndex, r.parentColumns, values)
	if err != nil || rows == nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		if same, err := equals(ctx, r.parentColumns, r.parentColumns, values, rows.Document()); err != nil || same {
			return same, err
		}
	}
	return false, rows.Err()
}

// equalRows walks the documents that have about these values in some columns. idx is on these columns, in any order;
// nil: the entries of the first column are walked.
func equalRows(d *session.Definition, ctx *sql.Context, r kv.Reader, idx *catalog.Index, columns []*session.Column,
	values []any) (tables.Rows, error) {
	members := make([]uniqueMember, len(columns))
	for i, c := range columns {
		v, err := session.ToJSON(ctx, c, values[i])
		if err != nil {
			return nil, err
		}
		place := i
		if idx != nil {
			place = slices.IndexFunc(idx.Columns, func(name string) bool { return strings.EqualFold(name, c.Name) })
		}
		members[place] = uniqueMember{keypath: c.Keypath, column: c, value: values[i], json: v}
	}
	return equalMembers(d, ctx, r, idx, members)
}

// childrenOf returns the keys of up to most documents of the child that refer to a document of the parent by its
// values.
func (r *reference) childrenOf(ctx *sql.Context, w *tables.Tx, values []any, most int) (keys [][]byte, err error) {
	values, ok := translated(r.parentColumns, r.columns, values)
	if !ok {
		return nil, nil
	}
	compared := r.compared()
	rows, err := equalRows(r.child, ctx, w, r.index, r.columns, values)
	if err != nil || rows == nil {
		return nil, err
	}
	defer rows.Close()
	for len(keys) < most && rows.Next() {
		if len(keys)%RowsPerCheck == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		same, err := equals(ctx, compared, r.columns, values, rows.Document())
		if err != nil {
			return nil, err
		}
		if same {
			keys = append(keys, bytes.Clone(rows.PK()))
		}
	}
	return keys, rows.Err()
}

// refuse fails if a document of the parent still has children. A document that is its own child can't be removed
// either, as in MySQL.
func (r *reference) refuse(ctx *sql.Context, w *tables.Tx, values []any) error {
	keys, err := r.childrenOf(ctx, w, values, 1)
	if err != nil || len(keys) == 0 {
		return err
	}
	return sql.ErrForeignKeyParentViolation.New(r.key.Name, r.child.Name, r.key.ParentTable, parentViolation+r.text())
}

// checkParents fails if a written document has no parent, unless its foreign key has not changed.
func (e *Editor) checkParents(ctx *sql.Context, w *tables.Tx, before, after document.Document) error {
	refs, err := e.keeps(ctx)
	if err != nil {
		return err
	}
	for _, r := range refs.parents {
		if !before.IsZero() {
			same, err := sameValues(r.columns, before, after)
			if err != nil {
				return err
			}
			if same {
				continue
			}
		}
		if r.parent != nil && r.parent.ID == e.Table.Def.ID {
			// The document may be its own parent.
			values, ok, err := keyValues(ctx, r.columns, after)
			if err != nil {
				return err
			}
			if ok {
				values, ok = translated(r.columns, r.parentColumns, values)
			}
			if ok {
				if own, err := equals(ctx, r.parentColumns, r.parentColumns, values, after); err != nil || own {
					if err != nil {
						return err
					}
					continue
				}
			}
		}
		if err := r.CheckParent(ctx, w, after); err != nil {
			return err
		}
	}
	return nil
}

// sameValues reports whether two documents have exactly the same values in some columns.
func sameValues(columns []*session.Column, a, b document.Document) (bool, error) {
	for _, c := range columns {
		x, there := a.Lookup(c.Keypath)
		y, is := b.Lookup(c.Keypath)
		if there != is || there && x.Text() != y.Text() {
			return false, nil
		}
	}
	return true, nil
}

// Remove deletes a document, and applies the ON DELETE actions of foreign keys to the rows that refer to it.
func (e *Editor) Remove(ctx *sql.Context, w *tables.Tx, pk []byte, way Cascade) error {
	refs, err := e.keeps(ctx)
	if err != nil {
		return err
	}
	c := e.Table.Def.Collection
	if len(refs.children) == 0 {
		return c.Delete(ctx, w, pk)
	}
	before, ok, err := c.Get(w, pk).Get()
	if err != nil {
		return err
	}
	if !ok {
		return tables.ErrMissing
	}
	acts := func(r *reference) bool {
		return r.key.OnDelete == catalog.ActionCascade || r.key.OnDelete == catalog.ActionSetNull
	}
	values := make([][]any, len(refs.children))
	for i, r := range refs.children {
		var ok bool
		if values[i], ok, err = keyValues(ctx, r.parentColumns, before); err != nil {
			return err
		}
		if ok && !acts(r) {
			if err := r.refuse(ctx, w, values[i]); err != nil {
				return err
			}
		}
	}
	if err := c.Delete(ctx, w, pk); err != nil {
		return err
	}
	for i, r := range refs.children {
		if values[i] == nil || !acts(r) {
			continue
		}
		err := e.eachChild(ctx, w, r, values[i], way, func(child *Editor, key []byte, next Cascade) error {
			if r.key.OnDelete == catalog.ActionCascade {
				return child.Remove(ctx, w, key, next)
			}
			return child.refer(ctx, w, key, r, nil, next)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachChild calls do for the documents that refer to a parent's values. A document that is gone by then was reached
// on another path.
func (e *Editor) eachChild(ctx *sql.Context, w *tables.Tx, r *reference, values []any, way Cascade,
	do func(child *Editor, key []byte, next Cascade) error) error {
	keys, err := r.childrenOf(ctx, w, values, changes.MaxInTransaction+1) // more than a transaction can change
	if err != nil || len(keys) == 0 {
		return err
	}
	if way.depth++; way.depth > maxCascade {
		return sql.ErrForeignKeyDepthLimit.New()
	}
	child, err := e.editorOf(ctx, r.child)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := do(child, key, way); err != nil && !errors.Is(err, tables.ErrMissing) {
			return err
		}
		if err := CheckSize(e.Tx); err != nil {
			return err
		}
	}
	return nil
}

// editorOf returns the editor of a table that foreign keys change in the same statement.
func (e *Editor) editorOf(ctx *sql.Context, d *session.Definition) (*Editor, error) {
	if found := e.refs.editors[d.ID]; found != nil {
		return found, nil
	}
	s := e.Table.Session
	t, err := s.Backend.Hooks.OpenTable(ctx, s, d)
	if err != nil {
		return nil, err
	}
	child := &Editor{Table: t.(*Table), Tx: e.Tx}
	e.refs.editors[d.ID] = child
	if _, err := child.keeps(ctx); err != nil {
		return nil, err
	}
	if child.refs.editors != nil {
		child.refs.editors = e.refs.editors
	}
	return child, nil
}

// refer makes a document of the child refer to other values of the parent; nil: to none.
func (e *Editor) refer(ctx *sql.Context, w *tables.Tx, pk []byte, r *reference, values []any, way Cascade) error {
	before, ok, err := e.Table.Def.Collection.Get(w, pk).Get()
	if err != nil {
		return err
	}
	if !ok {
		return tables.ErrMissing
	}
	after := before
	if values != nil {
		if values, ok = translated(r.parentColumns, r.columns, values); !ok {
			return sql.ErrForeignKeyParentViolation.New(r.key.Name, r.child.Name, r.key.ParentTable, parentViolation+r.text())
		}
	}
	for i, c := range r.columns {
		var to any
		if values != nil {
			to = values[i]
		}
		v, err := session.ToJSON(ctx, c, to)
		if err != nil {
			return err
		}
		if after, err = after.With(c.Keypath, v); err != nil {
			return err
		}
	}
	if after, err = e.Table.Compute(ctx, after); err != nil {
		return err
	}
	if err := e.Table.KeepsChecks(ctx, after); err != nil {
		return err
	}
	return e.rewrite(ctx, w, pk, before, after, way)
}

// rewrite stores a document that replaces another, and applies the ON UPDATE actions of foreign keys to the rows
// that refer to it.
func (e *Editor) rewrite(ctx *sql.Context, w *tables.Tx, pk []byte, before, after document.Document,
	way Cascade) error {
	moved, after, values, err := Identify(e.Table.Def, ctx, after)
	if err != nil {
		return err
	}
	refs, err := e.keeps(ctx)
	if err != nil {
		return err
	}
	if err := e.checkParents(ctx, w, before, after); err != nil {
		return err
	}
	acts := func(r *reference) bool {
		recurses := slices.Contains(way.updated, r.child.ID) || r.child.ID == e.Table.Def.ID
		return !recurses && (r.key.OnUpdate == catalog.ActionCascade || r.key.OnUpdate == catalog.ActionSetNull)
	}
	was := make([][]any, len(refs.children))
	for i, r := range refs.children {
		old, ok, err := keyValues(ctx, r.parentColumns, before)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if same, err := equals(ctx, r.parentColumns, r.parentColumns, old, after); err != nil || same {
			if err != nil {
				return err
			}
			continue
		}
		if was[i] = old; !acts(r) {
			if err := r.refuse(ctx, w, old); err != nil {
				return err
			}
		}
	}
	c := e.Table.Def.Collection
	if !bytes.Equal(moved, pk) {
		if e.Table.Session.Batch != nil {
			return mysqlerr.Unsupported("a statement in batches can't change primary keys: a row would be met again")
		}
		if err := c.Delete(ctx, w, pk); err != nil {
			return err
		}
		if err := e.insert(ctx, w, moved, values, after); err != nil {
			return err
		}
	} else {
		if err := e.checkUnique(ctx, w, pk, after); err != nil {
			return err
		}
		if err := c.Update(ctx, w, pk, func(document.Document) (document.Document, error) { return after, nil }); err != nil {
			return err
		}
	}
	way.updated = append(slices.Clone(way.updated), e.Table.Def.ID)
	for i, r := range refs.children {
		if was[i] == nil || !acts(r) {
			continue
		}
		now, ok, err := keyValues(ctx, r.parentColumns, after)
		if err != nil {
			return err
		}
		if !ok || r.key.OnUpdate == catalog.ActionSetNull {
			now = nil
		}
		err = e.eachChild(ctx, w, r, was[i], way, func(child *Editor, key []byte, next Cascade) error {
			return child.refer(ctx, w, key, r, now, next)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
