package tree

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// RuleNamed is the number of an engine's rule, of which few are exported.
func RuleNamed(rules []analyzer.Rule, name string) (analyzer.RuleId, bool) {
	for _, r := range rules {
		if r.Id.String() == name {
			return r.Id, true
		}
	}
	return 0, false
}

// finalizing is the number of the engine's rule that plans the subqueries of a statement.
var finalizing = sync.OnceValues(func() (analyzer.RuleId, bool) {
	return RuleNamed(analyzer.OnceAfterDefault, "finalizeSubqueries")
})

// PlansSubqueries reports whether the derived tables and subqueries within what a rule gets are planned by then. Those
// within a derived table or a subquery are planned after it, and what is planned already is not to be planned
// again; the whole statement comes last.
func PlansSubqueries(sel analyzer.RuleSelector) bool {
	id, ok := finalizing()
	return !ok || sel(id)
}

// EachNode is transform.NodeWithOpaque for the nodes of a plan that are planned by then.
func EachNode(n sql.Node, sel analyzer.RuleSelector, f transform.NodeFunc) (sql.Node, transform.TreeIdentity, error) {
	if PlansSubqueries(sel) {
		return transform.NodeWithOpaque(n, f)
	}
	return transform.Node(n, f)
}

// OfSubqueries is a rule for statements with subqueries only.
func OfSubqueries(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !flags.SubqueryIsSet() {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// InTurn is several rules as one, each of which gets what the one before it leaves: the engine makes a text of
// the number of each rule that it runs.
func InTurn(rules ...analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		all := transform.SameTree
		if err := ctx.Err(); err != nil {
			return n, all, err // a statement that is killed while it is planned: subqueries have their turns too
		}
		for _, rule := range rules {
			next, same, err := rule(ctx, a, n, scope, sel, flags)
			if err != nil {
				return n, all, err
			}
			n, all = next, all && same
		}
		return n, all, nil
	}
}
