package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// GroupedAliasRule refuses a GROUP BY in a subquery by an outer column, where the subquery has an alias of that name.
// MySQL means the alias, and the plan builder looks for the column first. The error makes the session plan the
// command again.
func GroupedAliasRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s := plannerOf(ctx)
	if s == nil || !analyzer.FlagIsSet(flags, sql.QFlagAggregation) || !scope.IsEmpty() {
		return n, transform.SameTree, nil
	}
	var err error
	asked := map[string]bool{} // each name once: IsAlias walks over the whole statement
	tree.InspectPlan(n, func(n sql.Node) {
		g, ok := n.(*plan.GroupBy)
		if !ok || err != nil || len(g.GroupByExprs) == 0 {
			return
		}
		rows := columnsOf(g.Child)
		for _, e := range g.GroupByExprs {
			f, ok := tree.Unaliased(e).(*expression.GetField)
			if !ok || f.Id() == 0 || rows.Contains(f.Id()) || asked[f.Name()] {
				continue
			}
			if asked[f.Name()] = true; s.IsAlias(f.Name()) {
				err = sql.ErrColumnNotFound.New(f.Name())
			}
		}
	}, func(sql.Expression) {})
	return n, transform.SameTree, err
}
