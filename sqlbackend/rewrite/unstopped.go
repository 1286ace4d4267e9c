package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// UnstoppedRule takes the HAVING TRUE of statement.StopDefaults out of queries that MergeRule has left where they are:
// other rules look through Sort, Limit and Distinct for the table below. It stays where the statement is still so deep
// that its columns take the engine long. It is idempotent.
func UnstoppedRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !scope.IsEmpty() || tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	next, same, err := transform.NodeWithOpaque(n, unstopped)
	if err != nil || bool(same) || derivedLevels(next) > statement.PlainLevels {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// derivedLevels returns on how many levels derived tables stand in a plan.
func derivedLevels(n sql.Node) (levels int) {
	for _, child := range n.Children() {
		levels = max(levels, derivedLevels(child))
	}
	if x, ok := n.(sql.Expressioner); ok {
		for _, e := range x.Expressions() {
			sql.Inspect(e, func(e sql.Expression) bool {
				if q, ok := e.(*plan.Subquery); ok {
					levels = max(levels, 1+derivedLevels(q.Query))
				}
				return true
			})
		}
	}
	if _, derived := n.(*plan.SubqueryAlias); derived {
		levels++
	}
	return levels
}

func unstopped(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := inSubqueries(n, unstopped)
	if err != nil {
		return n, transform.SameTree, err
	}
	upper, ok := n.(*plan.Project)
	if !ok {
		return n, same, nil
	}
	at := upper.Child
	sort, sorted := at.(*plan.Sort)
	if sorted {
		at = sort.Child
	}
	having, ok := at.(*plan.Having)
	if !ok || !isTrue(having.Cond) {
		return n, same, nil
	}
	lower, ok := having.Child.(*plan.Project)
	if !ok {
		below := having.Child
		if sorted {
			below = plan.NewSort(sort.SortFields, below)
		}
		return plan.NewProject(upper.Projections, below), transform.NewTree, nil
	}
	next, ok := composed(upper, lower)
	if !ok {
		return n, same, nil
	}
	if sorted {
		order, ok := underProject(sort.SortFields, lower)
		if !ok {
			return n, same, nil
		}
		return plan.NewProject(next.Projections, plan.NewSort(order, lower.Child)), transform.NewTree, nil
	}
	return next, transform.NewTree, nil
}
