package sqlbackend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Every keypath is indexed anyway. A declared index is a name for that, and a
// unique one a rule for writers; what statements read is never chosen by it.

var _ sql.IndexAlterableTable = (*Table)(nil)

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, def sql.IndexDef) error {
	switch {
	case def.IsFullText(), def.IsSpatial(), def.IsVector():
		return notSupported("FULLTEXT, SPATIAL and VECTOR indexes are not supported")
	case def.IsPrimary():
		return notSupported("a primary key can only be declared with the table")
	}
	idx := catalog.Index{Name: def.Name, Unique: def.IsUnique(), Comment: def.Comment, Bytes: true}
	for _, c := range def.Columns {
		if strings.EqualFold(c.Name, documentColumn) {
			return notSupported("column %s can't be part of an index: its keypaths are indexed", documentColumn)
		}
		if c.Length > 0 && idx.Unique {
			return notSupported("a unique index can't be on the beginning of a column")
		}
		idx.Columns = append(idx.Columns, c.Name)
	}
	if idx.Unique {
		if err := t.finishUpgrade(ctx, idx.Columns); err != nil {
			return sqlError(ctx, err)
		}
	}
	err := t.alterIndexed(ctx, "byte strings have an index", func(def *catalog.Table) error {
		if findIndex(def, idx.Name) >= 0 || strings.EqualFold(idx.Name, "PRIMARY") {
			return sql.ErrDuplicateKey.New(idx.Name)
		}
		def.Indexes = append(def.Indexes, idx)
		return nil
	})
	if err != nil || !idx.Unique {
		return err
	}
	if t.def.Rebuilding() {
		if err := t.session.finish(ctx, t.def.Database, t.def.Name); err != nil {
			return sqlError(ctx, err)
		}
	}
	// From here on writers keep to it. What was there before must as well.
	if err := t.proveUnique(ctx, &idx); err != nil {
		if dropErr := t.DropIndex(ctx, idx.Name); dropErr != nil {
			return dropErr
		}
		t.session.defined = false // all is as before
		return sqlError(ctx, err)
	}
	return nil
}

// proveUnique fails when two documents are equal in the index's columns.
func (t *Table) proveUnique(ctx *sql.Context, idx *catalog.Index) error {
	tx, err := currentTransaction(ctx)
	if err != nil {
		return err
	}
	w, err := tx.begin()
	if err != nil {
		return err
	}
	r := w.Snapshot()
	rows := t.def.collection.Scan(r, indexes.Everything(), tables.ScanOptions{})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%rowsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		taken, text, err := t.def.taken(ctx, r, idx, bytes.Clone(rows.PK()), rows.Document())
		if err != nil {
			return err
		}
		if taken != nil {
			return sql.NewUniqueKeyErr(fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", text, t.def.Name, idx.Name), false, nil)
		}
	}
	return rows.Err()
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	return t.alterIndexed(ctx, "byte strings have no index any more", func(def *catalog.Table) error {
		i := findIndex(def, name)
		if i < 0 {
			return sql.ErrCantDropFieldOrKey.New(name)
		}
		def.Indexes = slices.Delete(def.Indexes, i, i+1)
		return nil
	})
}

// RenameIndex implements sql.IndexAlterableTable.
func (t *Table) RenameIndex(ctx *sql.Context, from, to string) error {
	return t.alter(ctx, alteration{edit: func(def *catalog.Table) error {
		i := findIndex(def, from)
		if i < 0 {
			return sql.ErrCantDropFieldOrKey.New(from)
		}
		if j := findIndex(def, to); j >= 0 && j != i {
			return sql.ErrDuplicateKey.New(to)
		}
		def.Indexes[i].Name = to
		return nil
	}})
}

func findIndex(def *catalog.Table, name string) int {
	return slices.IndexFunc(def.Indexes, func(x catalog.Index) bool { return strings.EqualFold(x.Name, name) })
}

// shownIndexes are the declared indexes, for statements that show or change
// them. The planner of a statement that reads the table gets none: it would
// take them for access paths of its own, and splits their names at dots.
func (t *Table) shownIndexes() []sql.Index {
	if t.session == nil || t.session.commandNames().uses(strings.ToLower(t.def.Name)) {
		return nil
	}
	var out []sql.Index
	if !t.def.hidden() {
		primary := catalog.Index{Name: "PRIMARY", Unique: true}
		for _, k := range t.def.PrimaryKey {
			primary.Columns = append(primary.Columns, t.def.Columns[k].Name)
		}
		out = append(out, &declaredIndex{t.def, primary})
	}
	for _, x := range t.def.Table.Indexes {
		out = append(out, &declaredIndex{t.def, x})
	}
	return out
}

// declaredIndex is a declared index as the engine shows it.
type declaredIndex struct {
	def *definition
	idx catalog.Index
}

var _ sql.Index = (*declaredIndex)(nil)

// ID implements sql.Index.
func (x *declaredIndex) ID() string { return x.idx.Name }

// Database implements sql.Index.
func (x *declaredIndex) Database() string { return x.def.Database }

// Table implements sql.Index.
func (x *declaredIndex) Table() string { return x.def.Name }

// Expressions implements sql.Index.
func (x *declaredIndex) Expressions() []string {
	out := make([]string, len(x.idx.Columns))
	for i, c := range x.idx.Columns {
		out[i] = x.def.Name + "." + c
	}
	return out
}

// IsUnique implements sql.Index.
func (x *declaredIndex) IsUnique() bool { return x.idx.Unique }

// IsSpatial implements sql.Index.
func (x *declaredIndex) IsSpatial() bool { return false }

// IsFullText implements sql.Index.
func (x *declaredIndex) IsFullText() bool { return false }

// IsVector implements sql.Index.
func (x *declaredIndex) IsVector() bool { return false }

// Comment implements sql.Index.
func (x *declaredIndex) Comment() string { return x.idx.Comment }

// IndexType implements sql.Index.
func (x *declaredIndex) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (x *declaredIndex) IsGenerated() bool { return false }

// ColumnExpressionTypes implements sql.Index.
func (x *declaredIndex) ColumnExpressionTypes() []sql.ColumnExpressionType {
	out := make([]sql.ColumnExpressionType, len(x.idx.Columns))
	for i, e := range x.Expressions() {
		out[i].Expression = e
		if c := x.def.column(x.idx.Columns[i]); c != nil {
			out[i].Type = c.typ
		} else {
			out[i].Type = newTextType(x.def.collation)
		}
	}
	return out
}

// CanSupport implements sql.Index.
func (x *declaredIndex) CanSupport(*sql.Context, ...sql.Range) bool { return false }

// CanSupportOrderBy implements sql.Index.
func (x *declaredIndex) CanSupportOrderBy(sql.Expression) bool { return false }

// PrefixLengths implements sql.Index.
func (x *declaredIndex) PrefixLengths() []uint16 { return nil }
