package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// outsideBatches is a rule for statements that don't run in batches.
func outsideBatches(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if batch.Running(ctx) != nil {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// ofDelete applies a rule that leaves DELETE alone to the source of a DELETE that names the tables to delete from, as
// it must with a join.
func ofDelete(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		d, ok := n.(*plan.DeleteFrom)
		if !ok || !d.HasExplicitTargets() {
			return rule(ctx, a, n, scope, sel, flags)
		}
		child, same, err := rule(ctx, a, d.Child, scope, sel, flags)
		if err != nil || bool(same) {
			return n, transform.SameTree, err
		}
		next, err := d.WithChildren(child)
		return next, transform.NewTree, err
	}
}

// ofInsertSource runs a rule for the source of an INSERT only. The engine plans that in a pass of its own, which
// leaves out exactly the two rules named here.
func ofInsertSource(rule analyzer.RuleFunc) analyzer.RuleFunc {
	var without []analyzer.RuleId
	for _, name := range []string{"unnestInSubqueries", "pushdownSubqueryAliasFilters"} {
		if r, err := tree.RuleNamed(analyzer.DefaultRules, name); err == nil {
			without = append(without, r.Id)
		}
	}
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if slices.ContainsFunc(without, sel) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
