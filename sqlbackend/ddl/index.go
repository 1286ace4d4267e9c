package ddl

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Every keypath is indexed anyway. A declared index on one column is a name for that; one on several columns has
// entries of its own; a unique one is also a rule for writers.

// CreateIndex implements sql.IndexAlterableTable.
func (Definer) CreateIndex(ctx *sql.Context, t *table.Table, def sql.IndexDef) error {
	switch {
	case def.IsFullText(), def.IsSpatial(), def.IsVector():
		return mysqlerr.Unsupported("FULLTEXT, SPATIAL and VECTOR indexes are not supported")
	case def.IsPrimary():
		return mysqlerr.Unsupported("a primary key can only be declared with the table")
	}
	idx := catalog.Index{Name: def.Name, Unique: def.IsUnique(), Comment: def.Comment, Bytes: true}
	if _, unnamed := syntax.MarkedExpression(idx.Name); unnamed || idx.Name == "" {
		idx.Name = table.FreePartName(t.Def.Table)
	}
	if table.FindIndex(t.Def.Table, idx.Name) >= 0 && conditionalIndex(t.Session) {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDupKeyName,
			Message: "Duplicate key name '" + idx.Name + "'"})
		return nil
	}
	def.Name = idx.Name
	parts, err := t.KeyParts(ctx, def)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	lengths, hidden := make([]int64, len(parts)), false
	for i, p := range parts {
		if strings.EqualFold(p.Name, session.DocumentColumn) {
			return mysqlerr.Unsupported("column %s can't be part of an index: its keypaths are indexed",
				session.DocumentColumn)
		}
		hidden = hidden || p.Hidden != nil
		if lengths[i] = p.Length; p.Length > 0 && p.Hidden == nil {
			idx.Lengths = lengths
		}
		idx.Columns = append(idx.Columns, table.SpelledColumn(t.Def.Table, p.Name))
	}
	if hidden {
		return createPartIndex(t, ctx, idx, parts)
	}
	for _, name := range idx.Columns {
		if _, err := session.ColumnKeypath(name); err != nil {
			return mysqlerr.Of(ctx, err)
		}
	}
	if idx.Unique && !session.DefinesMore(t.Session) {
		if err := finishUpgrade(t, ctx, idx.Columns); err != nil {
			return err
		}
	}
	build, err := alterIndexed(t, ctx, "byte strings have an index", func(def *catalog.Table) error {
		if table.FindIndex(def, idx.Name) >= 0 || strings.EqualFold(idx.Name, "PRIMARY") {
			return sql.ErrDuplicateKey.New(idx.Name)
		}
		addIndex(def, idx)
		if last := len(def.Indexes) - 1; table.DeclaredInline(t.Session, idx) {
			// The engine adds the columns' own indexes after those of the list. They come first, as written.
			place := 0
			for place < last && table.DeclaredInline(t.Session, def.Indexes[place]) {
				place++
			}
			def.Indexes = slices.Insert(def.Indexes[:last], place, def.Indexes[last])
		}
		return nil
	})
	if err != nil || build == 0 {
		return err
	}
	// It may take longer than the longest transaction.
	table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitIndex(t, ctx, idx.Name, build) })
	return nil
}

// DropIndex implements sql.IndexAlterableTable.
func (Definer) DropIndex(ctx *sql.Context, t *table.Table, name string) error {
	if table.FindIndex(t.Def.Table, name) < 0 && conditionalIndex(t.Session) {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERCantDropFieldOrKey,
			Message: "Can't DROP '" + name + "'; check that column/key exists"})
		return nil
	}
	view, err := t.Session.Readers.Definitions()
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	edit := func(def *catalog.Table) error {
		i := table.FindIndex(def, name)
		if i < 0 {
			return sql.ErrCantDropFieldOrKey.New(name)
		}
		def.Indexes = slices.Delete(def.Indexes, i, i+1)
		if err := hasCountedKey(withKeyClauses(t.Session, def)); err != nil {
			return err
		}
		return refuseReferencedIndex(t.Session, view.Of(def), def, name)
	}
	if i := table.FindIndex(t.Def.Table, name); i >= 0 {
		if hidden := table.HiddenOf(t.Def.Table, &t.Def.Indexes[i]); len(hidden) > 0 {
			return dropPartIndex(t, ctx, hidden, edit)
		}
	}
	_, err = alterIndexed(t, ctx, "byte strings have no index any more", edit)
	return err
}

// RenameIndex implements sql.IndexAlterableTable.
func (Definer) RenameIndex(ctx *sql.Context, t *table.Table, from, to string) error {
	return alter(t, ctx, alteration{edit: func(def *catalog.Table) error {
		i := table.FindIndex(def, from)
		if i < 0 {
			return sql.ErrCantDropFieldOrKey.New(from)
		}
		if j := table.FindIndex(def, to); j >= 0 && j != i {
			return sql.ErrDuplicateKey.New(to)
		}
		def.Indexes[i].Name = to
		return nil
	}})
}
