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

// InExistsRule makes EXISTS of IN, as a condition of WHERE by itself, where the subquery names columns
// of the outer query or gives rows of several columns: the engine makes a join of IN only where
// the subquery gives the same values each time, one in a row, and evaluates others
// for each row. Of EXISTS it makes a join whatever is compared. WHERE takes NULL for
// false, so that both keep the same rows. NOT IN of a subquery that names columns of the outer query becomes NOT EXISTS
// of what is equal or may be. With the index off, and where they can't become that, both are evaluated for each row:
// the engine makes a join of NOT IN, and takes conditions on the outer query out of the subquery, where a condition
// that is NULL is one that may hold, out of aggregates too, and forgets what else the subquery names of the outer
// query.
//
// So become comparisons with ANY and ALL of it: x > ALL (…) is NOT x <= ANY (…).
//
// It runs before comparisons get our types, so that what IN compares is compared as = does.
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

// node handles a node and all below it, those within subqueries first.
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
