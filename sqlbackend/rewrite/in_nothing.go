package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// InNothingRule replaces IN by FALSE where a condition of the subquery has been found to be always false. The engine
// would join an empty side that lacks the table that the join's condition names.
func InNothingRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return tree.EveryExpression(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		in, ok := e.(*plan.InSubquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		if query, ok := in.RightChild.(*plan.Subquery); !ok || !readsNothing(query.Query) {
			return e, transform.SameTree, nil
		}
		return expression.NewLiteral(false, types.Boolean), transform.NewTree, nil
	})
}

// readsNothing reports whether a query gives no rows because its source has none.
func readsNothing(n sql.Node) bool {
	for {
		switch at := n.(type) {
		case *plan.Project:
			n = at.Child
		case *plan.Sort:
			n = at.Child
		case *plan.Distinct:
			n = at.Child
		case *plan.EmptyTable:
			return true
		default:
			return false
		}
	}
}
