package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// existsAggregateRule makes TRUE of EXISTS where the subquery aggregates without GROUP BY: it gives one row, whatever there
// is. The engine makes a join of it, to the rows that would be aggregated.
func existsAggregateRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return transform.NodeExprsWithOpaque(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if exists, ok := e.(*plan.ExistsSubquery); ok && givesOneRow(exists.Query.Query) {
			return expression.NewLiteral(true, types.Boolean), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
}

// givesOneRow reports whether a query gives one row, whatever there is.
func givesOneRow(n sql.Node) bool {
	for {
		switch at := n.(type) {
		case *plan.Project:
			n = at.Child
		case *plan.Sort:
			n = at.Child
		case *plan.Distinct:
			n = at.Child
		case *plan.GroupBy:
			return len(at.GroupByExprs) == 0
		default:
			return false
		}
	}
}
