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

// placedPlain is placeRule for a plan that is plain.
func placedPlain(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	var child sql.Node
	switch at := n.(type) {
	case *plan.Project:
		child = at.Child
	case *plan.Filter:
		child = at.Child
	default:
		return placeNode(n)
	}
	placed, same, err := placedPlain(child)
	if err != nil || same {
		return n, transform.SameTree, err
	}
	next, err := n.WithChildren(placed)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// leaving makes the session remember the plan that a rule leaves, if that is plain.
func leaving(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		next, same, err := rule(ctx, a, n, scope, sel, flags)
		if s, ok := ctx.Session.(*Session); ok {
			s.planned = nil
			if err == nil && tree.IsPlain(next, flags) {
				s.planned = next
			}
		}
		return next, same, err
	}
}

// unlessLeft is an idempotent rule that leaves the plan alone which leaving remembers: nothing has changed it since.
func unlessLeft(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if s, ok := ctx.Session.(*Session); ok && s.planned != nil && s.planned == n {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// sparePlain keeps those rules from plans that are plain, in the lists that builders copy, once per process.
var sparePlain = sync.OnceFunc(func() {
	for _, rules := range tree.EngineRules() {
		for i := range rules {
			if slices.Contains(tree.NotOfPlain, rules[i].Id.String()) {
				rules[i].Apply = unlessPlain(rules[i].Apply)
			}
		}
	}
})

// unlessPlain is a rule that leaves plain plans of our sessions alone.
func unlessPlain(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if _, ours := ctx.Session.(*Session); ours && tree.IsPlain(n, flags) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
