package sqlbackend

import (
	"slices"
	"sync"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// uniqueClauses makes a clause of its own, ADD UNIQUE, of the UNIQUE of a column that ALTER TABLE modifies under its name. The
// engine would name the key by the column whether or not that name is free.
func uniqueClauses(stmt ast.Statement) {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok {
		return
	}
	for i := len(alter.Statements) - 1; i >= 0; i-- {
		d := alter.Statements[i]
		if d.ColumnAction != ast.ModifyStr && d.ColumnAction != ast.ChangeStr || d.TableSpec == nil || len(d.TableSpec.Columns) != 1 {
			continue
		}
		column := d.TableSpec.Columns[0]
		// A clause is built before a column has its new name.
		renames := d.ColumnAction == ast.ChangeStr && !d.Column.Equal(column.Name)
		if renames || !slices.Contains(uniqueOptions(), column.Type.KeyOpt) {
			continue
		}
		column.Type.KeyOpt = 0
		key := *d
		key.ColumnAction, key.Column, key.ToColumn, key.TableSpec, key.ColumnOrder = "", ast.ColIdent{}, ast.ColIdent{}, nil, nil
		key.IndexSpec = &ast.IndexSpec{Action: ast.CreateStr, Type: ast.UniqueStr, Columns: []*ast.IndexColumn{{Column: column.Name}}}
		alter.Statements = slices.Insert(alter.Statements, i+1, &key)
	}
}

// uniqueOptions are how the parser tells a column's UNIQUE and UNIQUE KEY, of which it exports no names.
var uniqueOptions = sync.OnceValue(func() []ast.ColumnKeyOption {
	var out []ast.ColumnKeyOption
	stmt, err := ast.Parse("CREATE TABLE t (a INT UNIQUE, b INT UNIQUE KEY)")
	if ddl, ok := stmt.(*ast.DDL); err == nil && ok {
		for _, c := range ddl.TableSpec.Columns {
			out = append(out, c.Type.KeyOpt)
		}
	}
	return out
})

// wholeKey refuses a primary key on the beginning of a column: it would be on all of it.
func wholeKey(stmt ast.Statement) error {
	ddl, ok := stmt.(*ast.DDL)
	if !ok || ddl.TableSpec == nil {
		return nil
	}
	for _, x := range ddl.TableSpec.Indexes {
		for _, c := range x.Columns {
			if x.Info.Primary && c.Length != nil {
				return mysqlerr.Unsupported("the primary key can't be on the beginning of column %s", c.Column)
			}
		}
	}
	return nil
}
