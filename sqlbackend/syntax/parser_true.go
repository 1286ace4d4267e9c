package syntax

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// keepOuterJoins puts parentheses around TRUE as the condition of an outer join. The plan builder would turn it into
// a cross join, which has no rows if one side has none.
func keepOuterJoins(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "join") || !statement.Holds(query, "true") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if join, ok := n.(*ast.JoinTableExpr); ok && join.Condition.On == ast.BoolVal(true) &&
			!strings.EqualFold(join.Join, ast.JoinStr) {
			join.Condition.On = &ast.ParenExpr{Expr: join.Condition.On}
		}
		return true, nil
	}, stmt)
}
