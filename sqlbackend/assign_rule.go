package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// assignRule makes INSERT and UPDATE convert the values that they assign to a column, by
// assignedType. It is idempotent.
func assignRule(ctx *sql.Context, an *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !compare.Assigns(n) {
		return n, transform.SameTree, nil
	}
	a := compare.Assignments{Ctx: ctx, Tables: map[string]compare.Assigner{},
		Typed: func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			// no rule reaches the source of an INSERT
			return tree.InTurn(rewrite.SidesRule, compare.ResultTypeRule)(ctx, an, n, scope, sel, flags)
		}}
	a.Collect(n)
	return transform.Node(n, a.Node)
}
