package table

import "github.com/dolthub/go-mysql-server/sql"

// Definer changes the definitions of tables, and truncates tables.
type Definer interface {
	AddColumn(ctx *sql.Context, t *Table, c *sql.Column, order *sql.ColumnOrder) error
	CreateCheck(ctx *sql.Context, t *Table, check *sql.CheckDefinition) error
	CreatePrimaryKey(ctx *sql.Context, t *Table, columns []sql.IndexColumn) error
	DropCheck(ctx *sql.Context, t *Table, name string) error
	DropColumn(ctx *sql.Context, t *Table, name string) error
	DropIndex(ctx *sql.Context, t *Table, name string) error
	DropPrimaryKey(ctx *sql.Context, t *Table) error
	ModifyColumn(ctx *sql.Context, t *Table, name string, c *sql.Column, order *sql.ColumnOrder) error
	ModifyDefaultCollation(ctx *sql.Context, t *Table, collation sql.CollationID) error
	ModifyStoredCollation(ctx *sql.Context, t *Table, collation sql.CollationID) error
	RenameIndex(ctx *sql.Context, t *Table, from, to string) error
	Truncate(ctx *sql.Context, t *Table) (int, error)
	CreateIndex(ctx *sql.Context, t *Table, def sql.IndexDef) error
}

func (t *Table) definer() Definer { return t.Session.Backend.Hooks.Definer.(Definer) }

// AddColumn implements sql.AlterableTable. Documents of an open table may have the keypath already. They get the
// column's type later where retyping allows it and the column needs no default. Otherwise they get it at once, and a
// document that doesn't fit makes it fail.
func (t *Table) AddColumn(ctx *sql.Context, c *sql.Column, order *sql.ColumnOrder) error {
	return t.definer().AddColumn(ctx, t, c, order)
}

// CreateCheck implements sql.CheckAlterableTable. The engine has already tested the check on every row.
func (t *Table) CreateCheck(ctx *sql.Context, check *sql.CheckDefinition) error {
	return t.definer().CreateCheck(ctx, t, check)
}

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) CreatePrimaryKey(ctx *sql.Context, columns []sql.IndexColumn) error {
	return t.definer().CreatePrimaryKey(ctx, t, columns)
}

// DropCheck implements sql.CheckAlterableTable. With a column the engine also drops its checks, which an earlier
// clause may have dropped. ddl.DropConstraintRule has refused names that the table does not have.
func (t *Table) DropCheck(ctx *sql.Context, name string) error {
	return t.definer().DropCheck(ctx, t, name)
}

// DropColumn implements sql.AlterableTable. The values are removed, too, in the same transaction. If the counts
// prove that there are none, no document is read.
func (t *Table) DropColumn(ctx *sql.Context, name string) error {
	return t.definer().DropColumn(ctx, t, name)
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	return t.definer().DropIndex(ctx, t, name)
}

// DropPrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) DropPrimaryKey(ctx *sql.Context) error {
	return t.definer().DropPrimaryKey(ctx, t)
}

// ModifyColumn implements sql.AlterableTable: it changes a column's type, name, place or attributes. Where retyping
// allows the type, only the definition changes, and documents are upgraded later. Otherwise all documents are
// rewritten at once, and a value that doesn't fit the new type makes it fail.
func (t *Table) ModifyColumn(ctx *sql.Context, name string, c *sql.Column, order *sql.ColumnOrder) error {
	return t.definer().ModifyColumn(ctx, t, name, c, order)
}

// ModifyDefaultCollation implements sql.CollationAlterableTable.
func (t *Table) ModifyDefaultCollation(ctx *sql.Context, collation sql.CollationID) error {
	return t.definer().ModifyDefaultCollation(ctx, t, collation)
}

// ModifyStoredCollation implements sql.CollationAlterableTable.
func (t *Table) ModifyStoredCollation(ctx *sql.Context, collation sql.CollationID) error {
	return t.definer().ModifyStoredCollation(ctx, t, collation)
}

// RenameIndex implements sql.IndexAlterableTable.
func (t *Table) RenameIndex(ctx *sql.Context, from, to string) error {
	return t.definer().RenameIndex(ctx, t, from, to)
}

// Truncate implements sql.TruncateableTable. The engine calls it for TRUNCATE TABLE, and for a DELETE without a
// condition. That is part of its transaction, and leaves tombstones as any DELETE does.
func (t *Table) Truncate(ctx *sql.Context) (int, error) {
	return t.definer().Truncate(ctx, t)
}

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, def sql.IndexDef) error {
	return t.definer().CreateIndex(ctx, t, def)
}
