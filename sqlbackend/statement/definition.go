package statement

import ast "github.com/dolthub/vitess/go/vt/sqlparser"

// EachDefinition visits the places of expressions in the definitions of columns and in CHECKs, which walks don't
// visit.
func EachDefinition(stmt ast.SQLNode, visit func(place *ast.Expr)) {
	of := func(place *ast.Expr) {
		if *place != nil {
			visit(place)
		}
	}
	ddl := func(d *ast.DDL) {
		if d.DefaultSpec != nil {
			of(&d.DefaultSpec.Value)
		}
		if d.TableSpec == nil {
			return
		}
		for _, c := range d.TableSpec.Columns {
			of(&c.Type.Default)
			of(&c.Type.GeneratedExpr)
		}
		for _, c := range d.TableSpec.Constraints {
			if check, ok := c.Details.(*ast.CheckConstraintDefinition); ok {
				of(&check.Expr)
			}
		}
	}
	switch s := stmt.(type) {
	case *ast.DDL:
		ddl(s)
	case *ast.AlterTable:
		for _, d := range s.Statements {
			ddl(d)
		}
	}
}
