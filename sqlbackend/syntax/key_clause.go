package syntax

import (
	"slices"
	"sync"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// KeyClauses moves the keys of columns that ALTER TABLE adds or modifies into clauses of their own. The UNIQUE of a
// column that is modified under its name becomes ADD UNIQUE: the engine would name the key after the column, even if
// that name is in use. PRIMARY KEY becomes ADD PRIMARY KEY: the engine takes it for a column of the present key. KEY
// alone is short for it.
func KeyClauses(stmt ast.Statement) {
	primary, unique := primaryOptions(), uniqueOptions()
	if ddl, ok := stmt.(*ast.DDL); ok && ddl.TableSpec != nil {
		for _, c := range ddl.TableSpec.Columns {
			if slices.Contains(primary, c.Type.KeyOpt) {
				c.Type.KeyOpt = primary[0]
			}
		}
	}
	alter, ok := stmt.(*ast.AlterTable)
	if !ok {
		return
	}
	for i := len(alter.Statements) - 1; i >= 0; i-- {
		d := alter.Statements[i]
		if d.ColumnAction == "" || d.TableSpec == nil || len(d.TableSpec.Columns) != 1 {
			continue
		}
		column := d.TableSpec.Columns[0]
		name, adds := column.Name, d.ColumnAction == ast.AddStr
		// A clause is built before a column has its new name.
		renames := d.ColumnAction == ast.ChangeStr && !d.Column.Equal(name)
		kind, place := ast.UniqueStr, i+1
		switch {
		case slices.Contains(primary, column.Type.KeyOpt) && !bool(column.Type.Null):
			column.Type.NotNull = true
			kind = ast.PrimaryStr
			if !adds { // AUTO_INCREMENT needs the key first
				name, place = d.Column, i
			}
		case adds, renames, !slices.Contains(unique, column.Type.KeyOpt):
			continue
		}
		column.Type.KeyOpt = 0
		key := *d
		key.ColumnAction, key.Column, key.ToColumn = "", ast.ColIdent{}, ast.ColIdent{}
		key.TableSpec, key.ColumnOrder = nil, nil
		columns := []*ast.IndexColumn{{Column: name}}
		key.IndexSpec = &ast.IndexSpec{Action: ast.CreateStr, Type: kind, Columns: columns}
		alter.Statements = slices.Insert(alter.Statements, place, &key)
	}
}

// IsPrimary reports whether an option of a column makes it the primary key.
func IsPrimary(option ast.ColumnKeyOption) bool { return slices.Contains(primaryOptions(), option) }

// primaryOptions returns the parser's values for a column's PRIMARY KEY and KEY, which it does not export;
// uniqueOptions those for UNIQUE and UNIQUE KEY.
var (
	primaryOptions = keyOptions("CREATE TABLE t (a INT PRIMARY KEY, b INT KEY)")
	uniqueOptions  = keyOptions("CREATE TABLE t (a INT UNIQUE, b INT UNIQUE KEY)")
)

func keyOptions(columns string) func() []ast.ColumnKeyOption {
	return sync.OnceValue(func() []ast.ColumnKeyOption {
		var out []ast.ColumnKeyOption
		stmt, err := ast.Parse(columns)
		if ddl, ok := stmt.(*ast.DDL); err == nil && ok {
			for _, c := range ddl.TableSpec.Columns {
				out = append(out, c.Type.KeyOpt)
			}
		}
		return out
	})
}

// WholeKey refuses a primary key on the beginning of a column: the engine would use the whole column.
func WholeKey(stmt ast.Statement) error {
	whole := func(columns []*ast.IndexColumn) error {
		for _, c := range columns {
			if c.Length != nil {
				return mysqlerr.Unsupported("the primary key can't be on the beginning of column %s", c.Column)
			}
		}
		return nil
	}
	switch stmt := stmt.(type) {
	case *ast.DDL:
		if stmt.TableSpec == nil {
			return nil
		}
		for _, x := range stmt.TableSpec.Indexes {
			if x.Info.Primary {
				if err := whole(x.Columns); err != nil {
					return err
				}
			}
		}
	case *ast.AlterTable:
		for _, d := range stmt.Statements {
			if d.IndexSpec != nil && d.IndexSpec.Type == ast.PrimaryStr {
				if err := whole(d.IndexSpec.Columns); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
