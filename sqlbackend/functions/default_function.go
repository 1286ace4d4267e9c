package functions

import (
	"errors"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// RefuseDefaults refuses DEFAULT(column), but where it is assigned to that column: the engine takes it for DEFAULT.
func RefuseDefaults(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "default") {
		return nil
	}
	same := map[*ast.Default]bool{}
	of := func(column string, e ast.Expr) {
		if d, ok := e.(*ast.Default); ok && strings.EqualFold(strings.Trim(d.ColName, "`"), column) {
			same[d] = true
		}
	}
	return statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Update:
			for _, a := range n.Exprs {
				of(a.Name.Name.String(), a.Expr)
			}
		case *ast.Insert:
			if rows, ok := n.Rows.(*ast.AliasedValues); ok {
				for _, row := range rows.Values {
					for i := range min(len(row), len(n.Columns)) {
						of(n.Columns[i].String(), row[i])
					}
				}
			}
		case *ast.Default:
			if n.ColName != "" && !same[n] {
				return false, errors.New("DEFAULT(column) is not supported, but where it is assigned to that column")
			}
		}
		return true, nil
	}, stmt)
}
