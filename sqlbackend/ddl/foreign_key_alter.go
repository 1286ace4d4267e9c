package ddl

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Checks that an ALTER TABLE keeps the columns and indexes that foreign keys need, of the table and of others that
// refer to it.

// dropsConstraint reports whether any clause of the running ALTER TABLE drops a constraint: its clauses run one after
// the other.
func dropsConstraint(s *session.Session, name string) bool {
	alter, ok := s.Parsed.Statement().(*ast.AlterTable)
	if !ok {
		return false
	}
	return slices.ContainsFunc(alter.Statements, func(x *ast.DDL) bool {
		return x.ConstraintAction == ast.DropStr && x.TableSpec != nil &&
			slices.ContainsFunc(x.TableSpec.Constraints, func(c *ast.ConstraintDefinition) bool {
				return strings.EqualFold(c.Name, name)
			})
	})
}

// eachReference calls own for the foreign keys that have a column of a table, and others for those of other tables
// that refer to it.
func eachReference(s *session.Session, view *catalog.View, t *catalog.Table, column string,
	own func(f *catalog.ForeignKey, i int) error,
	others func(ref catalog.Reference, i int) error) error {
	for n := range t.ForeignKeys {
		f := &t.ForeignKeys[n]
		for i, name := range f.Columns {
			if strings.EqualFold(name, column) && !dropsConstraint(s, f.Name) {
				if err := own(f, i); err != nil {
					return err
				}
			}
		}
	}
	for _, ref := range view.References(t.Database, t.Name) {
		for i, name := range ref.Key.ParentColumns {
			if strings.EqualFold(name, column) {
				if err := others(ref, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// refuseReferencedColumn refuses to drop a column that a foreign key needs.
func refuseReferencedColumn(t *table.Table, column string) error {
	view, err := t.Session.Readers.Definitions()
	if err != nil {
		return err
	}
	view = view.Of(t.Def.Table)
	return eachReference(t.Session, view, t.Def.Table, column, func(f *catalog.ForeignKey, _ int) error {
		return table.ForeignKeyError(errForeignKeyDrop, "Cannot drop column '%s': needed in a foreign key "+
			"constraint '%s'",
			column, f.Name)
	}, func(ref catalog.Reference, _ int) error {
		return table.ForeignKeyError(errForeignKeyDropParent,
			"Cannot drop column '%s': needed in a foreign key constraint '%s' of table '%s'",
			column, ref.Key.Name, ref.Child.Name)
	})
}

// refuseReferencedType refuses a change of a column after which a foreign key could have other values than its
// parent, or could not hold the NULL that it sets.
func refuseReferencedType(t *table.Table, ctx *sql.Context, column string, to catalog.Column) error {
	view, err := t.Session.Readers.Definitions()
	if err != nil || !table.ChecksForeignKeys(ctx) {
		return err
	}
	view = view.Of(t.Def.Table)
	after := t.Def.Table.Clone()
	place, _ := after.Column(column)
	shorter := to.Length > 0 && (to.Length < after.Columns[place].Length || after.Columns[place].Length == 0)
	after.Columns[place] = to
	reimaged, err := table.ReimagesColumn(t.Def.Table, after, place)
	if err != nil {
		return err
	}
	self := catalog.Name{Database: t.Def.Database, Name: t.Def.Name}
	same := func(n catalog.Name) bool {
		return strings.EqualFold(n.Database, self.Database) && strings.EqualFold(n.Name, self.Name)
	}
	return eachReference(t.Session, view, t.Def.Table, column, func(f *catalog.ForeignKey, i int) error {
		if !to.Nullable && (f.OnDelete == catalog.ActionSetNull || f.OnUpdate == catalog.ActionSetNull) {
			return table.ForeignKeyError(errForeignKeySetNull,
				"Column '%s' cannot be NOT NULL: needed in a foreign key constraint '%s' SET NULL", column, f.Name)
		}
		parent, ok := view.Table(f.ParentDatabase, f.ParentTable)
		if ok && same(f.Parent()) {
			parent = after
		}
		if !ok {
			return nil
		}
		its, ok := parent.Column(f.ParentColumns[i])
		if shorter || reimaged || ok && table.SimilarColumns(after, place, parent, its, f.Name) != nil {
			return table.ForeignKeyError(errForeignKeyChange,
				"Cannot change column '%s': used in a foreign key constraint '%s'",
				column, f.Name)
		}
		return nil
	}, func(ref catalog.Reference, i int) error {
		child := ref.Child
		if child.ID == t.Def.ID {
			child = after
		}
		its, ok := child.Column(ref.Key.Columns[i])
		if shorter || reimaged || ok && table.SimilarColumns(child, its, after, place, ref.Key.Name) != nil {
			return table.ForeignKeyError(errForeignKeyChangeIts,
				"Cannot change column '%s': used in a foreign key constraint '%s' of table '%s.%s'",
				column, ref.Key.Name, ref.Child.Database, ref.Child.Name)
		}
		return nil
	})
}

// refuseReferencedCollation refuses to give a table another collation if the columns of a foreign key would differ in
// theirs.
func refuseReferencedCollation(view *catalog.View, after *catalog.Table) error {
	for i := range after.ForeignKeys {
		f := &after.ForeignKeys[i]
		parent, ok := view.Table(f.ParentDatabase, f.ParentTable)
		if ok && parent.ID != after.ID && !table.FitsParent(after, parent, f) {
			return table.ForeignKeyError(errForeignKeyChange,
				"Cannot change column '%s': used in a foreign key constraint '%s'",
				f.Columns[0], f.Name)
		}
	}
	for _, ref := range view.References(after.Database, after.Name) {
		if ref.Child.ID != after.ID && !table.FitsParent(ref.Child, after, ref.Key) {
			return table.ForeignKeyError(errForeignKeyChangeIts,
				"Cannot change column '%s': used in a foreign key constraint '%s' of table '%s.%s'",
				ref.Key.ParentColumns[0], ref.Key.Name, ref.Child.Database, ref.Child.Name)
		}
	}
	return nil
}

// refuseReferencedIndex refuses to drop the last index that a foreign key needs.
func refuseReferencedIndex(s *session.Session, view *catalog.View, after *catalog.Table, index string) error {
	refused := func() error {
		return table.ForeignKeyError(errForeignKeyNeedsIndex, "Cannot drop index '%s': needed in a foreign key "+
			"constraint",
			index)
	}
	for i := range after.ForeignKeys {
		if f := &after.ForeignKeys[i]; !after.HasKey(f.Columns) && !dropsConstraint(s, f.Name) {
			return refused()
		}
	}
	for _, ref := range view.References(after.Database, after.Name) {
		if !after.HasKey(ref.Key.ParentColumns) {
			return refused()
		}
	}
	return nil
}
