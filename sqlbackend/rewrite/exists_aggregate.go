package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ExistsAggregateRule replaces EXISTS by TRUE where the subquery aggregates without GROUP BY, and so always gives one
// row. It replaces EXISTS by FALSE where the subquery has LIMIT 0. The engine would join both with the rows before
// the aggregation or LIMIT. EXISTS of a set operation that the engine can't join stays where it is.
func ExistsAggregateRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return existsSettled(n)
}

// existsSettled handles a node and all nodes below it, nodes within subqueries first.
func existsSettled(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return tree.EveryExpression(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *plan.Subquery:
			query, same, err := existsSettled(e.Query)
			if err != nil || bool(same) {
				return e, transform.SameTree, err
			}
			return e.WithQuery(query), transform.NewTree, nil
		case *plan.ExistsSubquery:
			switch {
			case givesOneRow(e.Query.Query):
				return expression.NewLiteral(true, types.Boolean), transform.NewTree, nil
			case givesNoRow(e.Query.Query):
				return expression.NewLiteral(false, types.Boolean), transform.NewTree, nil
			case keepsExists(e):
				return &keptExists{expression.UnaryExpression{Child: e}}, transform.NewTree, nil
			}
		}
		return e, transform.SameTree, nil
	})
}

// givesOneRow reports whether a query always gives one row, however many its tables have.
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

// givesNoRow reports whether a query has LIMIT 0.
func givesNoRow(n sql.Node) bool {
	limit, ok := n.(*plan.Limit)
	if !ok {
		return false
	}
	most, ok := limit.Limit.(*expression.Literal)
	if !ok {
		return false
	}
	count, ok := compare.SmallInteger(most.Val)
	return ok && count == 0
}
