package tree

import (
	"fmt"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// RuleNamed is one of the engine's rules in a list of them, by its name: few have a number that is exported. It fails
// if it is not there.
func RuleNamed(rules []analyzer.Rule, name string) (*analyzer.Rule, error) {
	for i := range rules {
		if rules[i].Id.String() == name {
			return &rules[i], nil
		}
	}
	return nil, fmt.Errorf("the engine has no rule %s", name)
}

// finalizing is the engine's rule that plans the subqueries of a statement.
var finalizing = sync.OnceValues(func() (*analyzer.Rule, error) {
	return RuleNamed(analyzer.OnceAfterDefault, "finalizeSubqueries")
})

// PlansSubqueries reports whether the derived tables and subqueries in a rule's node are planned when sel selects the
// rules. A subquery within another is planned after it, and the whole statement comes last. A planned node is not to
// be planned again.
func PlansSubqueries(sel analyzer.RuleSelector) bool {
	rule, err := finalizing()
	return err != nil || sel(rule.Id)
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

// InTurn is several rules as one, each of which gets the result of the one before it. The engine makes a text of the
// number of each rule that it runs.
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
