package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Every keypath is indexed anyway. A declared index on one column is a name for that; one
// on several has entries of its own; a unique one is a rule for writers as well.

var _ sql.IndexAlterableTable = (*Table)(nil)

// spelledColumn is a column's name as its declaration spells it, which may be otherwise in a key's.
func spelledColumn(of *catalog.Table, name string) string {
	for _, c := range of.Columns {
		if strings.EqualFold(c.Name, name) {
			return c.Name
		}
	}
	return name
}

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, def sql.IndexDef) error {
	switch {
	case def.IsFullText(), def.IsSpatial(), def.IsVector():
		return mysqlerr.Unsupported("FULLTEXT, SPATIAL and VECTOR indexes are not supported")
	case def.IsPrimary():
		return mysqlerr.Unsupported("a primary key can only be declared with the table")
	}
	idx := catalog.Index{Name: def.Name, Unique: def.IsUnique(), Comment: def.Comment, Bytes: true}
	if _, unnamed := syntax.MarkedExpression(idx.Name); unnamed || idx.Name == "" {
		idx.Name = freePartName(t.def.Table)
	}
	if findIndex(t.def.Table, idx.Name) >= 0 && t.session.conditionalIndex() {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERDupKeyName,
			Message: "Duplicate key name '" + idx.Name + "'"})
		return nil
	}
	def.Name = idx.Name
	parts, err := t.keyParts(ctx, def)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	lengths, hidden := make([]int64, len(parts)), false
	for i, p := range parts {
		if strings.EqualFold(p.name, documentColumn) {
			return mysqlerr.Unsupported("column %s can't be part of an index: its keypaths are indexed", documentColumn)
		}
		hidden = hidden || p.hidden != nil
		if lengths[i] = p.length; p.length > 0 && p.hidden == nil {
			idx.Lengths = lengths
		}
		idx.Columns = append(idx.Columns, spelledColumn(t.def.Table, p.name))
	}
	if hidden {
		return t.createPartIndex(ctx, idx, parts)
	}
	for _, name := range idx.Columns {
		if _, err := columnKeypath(name); err != nil {
			return mysqlerr.Of(ctx, err)
		}
	}
	if idx.Unique && !t.session.definesMore() {
		if err := t.finishUpgrade(ctx, idx.Columns); err != nil {
			return err
		}
	}
	build, err := t.alterIndexed(ctx, "byte strings have an index", func(def *catalog.Table) error {
		if findIndex(def, idx.Name) >= 0 || strings.EqualFold(idx.Name, "PRIMARY") {
			return sql.ErrDuplicateKey.New(idx.Name)
		}
		addIndex(def, idx)
		if last := len(def.Indexes) - 1; t.session.declaredInline(idx) {
			// The engine adds those of the columns behind those of the list. They come first, as they are written.
			place := 0
			for place < last && t.session.declaredInline(def.Indexes[place]) {
				place++
			}
			def.Indexes = slices.Insert(def.Indexes[:last], place, def.Indexes[last])
		}
		return nil
	})
	if err != nil || build == 0 {
		return err
	}
	// It may take longer than a transaction lives.
	afterCommit(ctx, func(ctx *sql.Context) error { return t.awaitIndex(ctx, idx.Name, build) })
	return nil
}

// declaredInline reports whether an index is that of a column which the running CREATE TABLE declares UNIQUE.
func (s *Session) declaredInline(idx catalog.Index) bool {
	ddl, ok := s.statement().(*ast.DDL)
	if !ok || ddl.TableSpec == nil || !idx.Unique || len(idx.Columns) != 1 ||
		!strings.EqualFold(idx.Name, idx.Columns[0]) {
		return false
	}
	return slices.ContainsFunc(ddl.TableSpec.Columns, func(c *ast.ColumnDefinition) bool {
		return strings.EqualFold(c.Name.String(), idx.Name) && c.Type.KeyOpt != 0
	})
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	if findIndex(t.def.Table, name) < 0 && t.session.conditionalIndex() {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: mysql.ERCantDropFieldOrKey,
			Message: "Can't DROP '" + name + "'; check that column/key exists"})
		return nil
	}
	view, err := t.session.definitions()
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	edit := func(def *catalog.Table) error {
		i := findIndex(def, name)
		if i < 0 {
			return sql.ErrCantDropFieldOrKey.New(name)
		}
		def.Indexes = slices.Delete(def.Indexes, i, i+1)
		if err := hasCountedKey(t.session.withKeyClauses(def)); err != nil {
			return err
		}
		return t.session.refuseReferencedIndex(view.Of(def), def, name)
	}
	if i := findIndex(t.def.Table, name); i >= 0 {
		if hidden := hiddenOf(t.def.Table, &t.def.Indexes[i]); len(hidden) > 0 {
			return t.dropPartIndex(ctx, hidden, edit)
		}
	}
	_, err = t.alterIndexed(ctx, "byte strings have no index any more", edit)
	return err
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
	if t.session == nil || t.session.commandNames().Uses(strings.ToLower(t.def.Name)) {
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
	modifies, likens := t.session.modifiesColumn(), t.session.likened() != nil
	for _, x := range t.def.Table.Indexes {
		if likens && t.def.partial(&x) {
			continue // CreateTable makes it: the engine knows but columns
		}
		if modifies {
			// The engine looks at the columns of indexes, and panics at those that no column declares.
			x.Columns = slices.DeleteFunc(slices.Clone(x.Columns), func(name string) bool {
				i, ok := t.def.Table.Column(name)
				return !ok || t.def.Columns[i].Hidden
			})
		}
		out = append(out, &declaredIndex{t.def, x})
	}
	if name := t.session.droppedIfThere(); name != "" && findIndex(t.def.Table, name) < 0 {
		out = append(out, &declaredIndex{t.def, catalog.Index{Name: name}}) // for DropIndex, which tells that it is not
	}
	return out
}

// modifiesColumn reports whether the running command is an ALTER TABLE … MODIFY or CHANGE of a column.
func (s *Session) modifiesColumn() bool {
	for _, stmt := range s.parsed {
		var all []*ast.DDL
		switch stmt := stmt.(type) {
		case *ast.DDL:
			all = []*ast.DDL{stmt}
		case *ast.AlterTable:
			all = stmt.Statements
		}
		if slices.ContainsFunc(all, func(d *ast.DDL) bool {
			return d.ColumnAction == ast.ModifyStr ||
				d.ColumnAction == ast.ChangeStr
		}) {
			return true
		}
	}
	return false
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
			out[i].Type = value.NewTextType(x.def.collation)
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
