package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// keepSubqueries makes the engine leave subqueries where they are in batches: as joins
// they would decide in which order the driving table is read. Outside of batches it makes joins of IN in DELETE, and in
// what INSERT reads, too, where the engine would ask it of every row. No builder takes a rule in the place of the
// engine's; so these change, once per process.
var keepSubqueries = sync.OnceFunc(func() {
	in := ruleCalled(analyzer.DefaultRules, "unnestInSubqueries")
	exists := ruleCalled(analyzer.OnceAfterDefault, "unnestExistsSubqueries")
	below := ruleCalled(analyzer.DefaultRules, "pushdownSubqueryAliasFilters")
	if in == nil || exists == nil || below == nil {
		return
	}
	unnestIn := in.Apply
	in.Apply = outsideBatches(ofDelete(unnestIn))
	exists.Apply = outsideBatches(tree.InTurn(ofInsertSource(unnestIn, in.Id, below.Id), exists.Apply))
})

// ruleCalled is one of the engine's rules in a list of them, nil if it isn't there.
func ruleCalled(rules []analyzer.Rule, name string) *analyzer.Rule {
	i := slices.IndexFunc(rules, func(r analyzer.Rule) bool { return r.Id.String() == name })
	if i < 0 {
		return nil
	}
	return &rules[i]
}

// outsideBatches is a rule for statements that don't run in batches.
func outsideBatches(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if runningBatch(ctx) != nil {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// ofDelete is a rule that leaves DELETE alone, for what that reads as well: if it names the tables to delete from, as
// it must where it joins.
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

// ofInsertSource is a rule for what INSERT reads: the engine plans that by itself, without the rules of these numbers
// and no others.
func ofInsertSource(rule analyzer.RuleFunc, without ...analyzer.RuleId) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if slices.ContainsFunc(without, sel) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
