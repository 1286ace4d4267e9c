package functions

import (
	"errors"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// RefuseDefaults refuses DEFAULT(column) in statements that are kept as text, such as views: the engine takes it for
// DEFAULT.
func RefuseDefaults(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "default") {
		return nil
	}
	return statement.Walk(func(n ast.SQLNode) (bool, error) {
		if d, ok := n.(*ast.Default); ok && d.ColName != "" {
			return false, errors.New("DEFAULT(column) is not supported in views")
		}
		return true, nil
	}, stmt)
}
