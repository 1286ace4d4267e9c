package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// InExistsRule turns IN into EXISTS where IN is a condition of WHERE by itself. It does so where the subquery names
// columns of the outer query or gives rows of several columns. The engine joins IN only if the subquery gives the
// same values each time, one in a row, and evaluates others for each row. It joins EXISTS for any comparison. WHERE
// takes NULL for false, so both keep the same rows.
//
// NOT IN of a subquery that names columns of the outer query becomes NOT EXISTS with conditions "equal or NULL". With
// the index off, and where that is impossible, IN and NOT IN are evaluated for each row. The engine would join NOT
// IN, and take conditions on the outer query out of the subquery, even out of aggregates. There a condition that is
// NULL counts as one that may hold. It also forgets the subquery's other outer columns.
//
// Comparisons with ANY and ALL become EXISTS in the same way: x > ALL (…) is NOT x <= ANY (…).
//
// It runs before comparisons get our types, so that IN compares as = does.
func InExistsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return inExists{compare.Comparer{Ctx: ctx}, setting.On(ctx, setting.UseIndex)}.node(n)
}

// inExists is one run of the rule.
type inExists struct {
	comparer compare.Comparer
	indexed  bool
}

// node handles a node and all nodes below it, nodes within subqueries first.
func (x inExists) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		n, same, err := tree.EachSubquery(n, x.node)
		if err != nil {
			return n, transform.SameTree, err
		}
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, same, nil
		}
		next, again, err := x.filter(f)
		return next, same && again, err
	})
}

// filter handles the conditions of a filter.
func (x inExists) filter(f *plan.Filter) (sql.Node, transform.TreeIdentity, error) {
	conjuncts, any := expression.SplitConjunction(f.Expression), false
	for i, c := range conjuncts {
		var q *compare.InQuery
		var not bool
		if x.indexed {
			var err error
			if q, not, err = x.comparer.AsksOf(c); err != nil {
				return f, transform.SameTree, err
			}
		}
		if q == nil && isCorrelatedIn(c) {
			conjuncts[i], any = expression.NewIsTrue(c), true // evaluated for each row
			continue
		}
		if q == nil || not && q.Query.Correlated().Empty() {
			continue
		}
		conjuncts[i], any = q.Exists(q.Holds), true
		if not {
			conjuncts[i] = expression.NewNot(q.Exists(expression.NewNot(expression.NewIsFalse(q.Holds))))
		}
	}
	if !any {
		return f, transform.SameTree, nil
	}
	return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
}

// isCorrelatedIn reports whether a condition is IN or NOT IN of a subquery that names columns of outer queries.
func isCorrelatedIn(e sql.Expression) bool {
	if not, ok := e.(*expression.Not); ok {
		e = not.Child
	}
	in, ok := e.(*plan.InSubquery)
	if !ok {
		return false
	}
	query, ok := in.RightChild.(*plan.Subquery)
	return ok && !query.Correlated().Empty()
}
