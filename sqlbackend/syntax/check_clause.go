package syntax

import (
	"fmt"
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// checkClauses moves the CHECK of a column that ALTER TABLE modifies into a clause ADD CHECK: the engine leaves it
// out. The error is a plain one, like those of statement.TooComplex.
func checkClauses(stmt ast.Statement) error {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok {
		return nil
	}
	for i := len(alter.Statements) - 1; i >= 0; i-- {
		d := alter.Statements[i]
		if d.ColumnAction != ast.ModifyStr && d.ColumnAction != ast.ChangeStr || d.TableSpec == nil ||
			len(d.TableSpec.Constraints) == 0 {
			continue
		}
		name := d.TableSpec.Columns[0].Name
		if d.ColumnAction == ast.ChangeStr &&
			!d.Column.Equal(name) { // a clause is built before a column has its new name
			return fmt.Errorf("CHECK in CHANGE of column %s to %s is not supported", d.Column, name)
		}
		check := *d
		check.ColumnAction, check.Column, check.ToColumn, check.ColumnOrder = "", ast.ColIdent{},
			ast.ColIdent{}, nil
		check.ConstraintAction = ast.AddStr
		check.TableSpec = &ast.TableSpec{Constraints: d.TableSpec.Constraints}
		d.TableSpec.Constraints = nil
		alter.Statements = slices.Insert(alter.Statements, i+1, &check)
	}
	return nil
}
