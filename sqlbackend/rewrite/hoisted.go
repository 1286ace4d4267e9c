package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// KeepCorrelated wraps the engine's rule that takes conditions on outer queries alone out of subqueries. Once it has
// taken one, it recomputes the outer columns of that subquery and its neighbours from the other conditions of WHERE
// alone. Outer columns that ON, the select list or a derived table reads then count as the subquery's own.
func KeepCorrelated(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		next, same, err := rule(ctx, a, n, scope, sel, flags)
		if err != nil || bool(same) || !flags.SubqueryIsSet() {
			return next, same, err
		}
		var outer sql.ColSet
		tree.InspectPlan(n, func(n sql.Node) {
			if d, ok := n.(*plan.SubqueryAlias); ok {
				outer = outer.Union(d.Correlated)
			}
		}, func(e sql.Expression) {
			if q, ok := e.(*plan.Subquery); ok {
				outer = outer.Union(q.Correlated())
			}
		})
		whole, _, err := recorrelated(next, outer)
		return whole, transform.NewTree, err
	}
}

// recorrelated returns a plan whose subqueries and derived tables list the columns out of outer that they read and do
// not make.
func recorrelated(n sql.Node, outer sql.ColSet) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		n, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			q, ok := e.(*plan.Subquery)
			if !ok {
				return e, transform.SameTree, nil
			}
			query, same, err := recorrelated(q.Query, outer)
			if err != nil {
				return e, transform.SameTree, err
			}
			read := q.Correlated().Union(readOutside(query, outer))
			if bool(same) && read.Len() == q.Correlated().Len() {
				return e, transform.SameTree, nil
			}
			return q.WithQuery(query).WithCorrelated(read), transform.NewTree, nil
		})
		d, ok := n.(*plan.SubqueryAlias)
		if err != nil || !ok {
			return n, same, err
		}
		if read := d.Correlated.Union(readOutside(d.Child, outer)); read.Len() > d.Correlated.Len() {
			return d.WithCorrelated(read), transform.NewTree, nil
		}
		return n, same, nil
	})
}

// readOutside returns the columns, out of columns, that a query reads and does not make.
func readOutside(n sql.Node, columns sql.ColSet) sql.ColSet {
	var own, read sql.ColSet
	tree.InspectPlan(n, func(n sql.Node) {
		if t, ok := n.(plan.TableIdNode); ok {
			own = own.Union(t.Columns())
		}
	}, func(e sql.Expression) {
		switch e := e.(type) {
		case *expression.GetField:
			if columns.Contains(e.Id()) {
				read.Add(e.Id())
			}
		case sql.IdExpression:
			own.Add(e.Id())
		}
	})
	return read.Difference(own)
}
