package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// isPlain reports whether a plan reads one table through filters and projections alone, without any
// subquery. What looks for joins, derived tables, groups, orders or subqueries need not walk
// through such a plan, which is that of most statements.
func isPlain(n sql.Node, flags *sql.QueryFlags) bool {
	if flags.SubqueryIsSet() {
		return false
	}
	for {
		switch at := n.(type) {
		case *plan.Project:
			n = at.Child
		case *plan.Filter:
			n = at.Child
		case *plan.TableAlias:
			n = at.Child
		case *plan.ResolvedTable, *plan.IndexedTableAccess:
			return true
		default:
			return false
		}
	}
}

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

// plainHasCase reports whether a plan that is plain computes a CASE.
func plainHasCase(n sql.Node) bool {
	isCase := func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.Case, *caseOfOne:
			return true
		}
		return false
	}
	for {
		switch at := n.(type) {
		case *plan.Project:
			for _, e := range at.Projections {
				if transform.InspectExpr(e, isCase) {
					return true
				}
			}
			n = at.Child
		case *plan.Filter:
			if transform.InspectExpr(at.Expression, isCase) {
				return true
			}
			n = at.Child
		default:
			return false
		}
	}
}

// leaving makes the session remember the plan that a rule leaves, if that is plain.
func leaving(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		next, same, err := rule(ctx, a, n, scope, sel, flags)
		if s, ok := ctx.Session.(*Session); ok {
			s.planned = nil
			if err == nil && isPlain(next, flags) {
				s.planned = next
			}
		}
		return next, same, err
	}
}

// unlessLeft is an idempotent rule that leaves the plan alone which leaving remembers: nothing has changed it since.
func unlessLeft(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if s, ok := ctx.Session.(*Session); ok && s.planned != nil && s.planned == n {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// notOfPlain are the engine's rules that do nothing to a plan that is plain: what they look for are other nodes than those. Each of them
// walks through the plan for it.
var notOfPlain = []string{
	"replaceCountStar", "validateOffsetAndLimit", "validateAlterTable", "resolveDropConstraint", // before the default rules
	"pushdownSubqueryAliasFilters", "pruneTables", // the latter only ever changes tables that are sql.ProjectedTable
	"moveJoinConditionsToFilter", "loadTriggers", "replaceIdxSort", "insertTopNNodes", "replaceIdxOrderByDistance",
	"validateUnionSchemasMatch",
	"resolveInsertRows", "applyProcedures", "cacheSubqueryAliasesInJoins",
}

// sparePlain keeps those rules from plans that are plain, in the lists that builders copy, once per process.
var sparePlain = sync.OnceFunc(func() {
	for _, rules := range engineRules() {
		for i := range rules {
			if slices.Contains(notOfPlain, rules[i].Id.String()) {
				rules[i].Apply = unlessPlain(rules[i].Apply)
			}
		}
	}
})

// engineRules are the lists of the engine's rules, in their order.
func engineRules() [][]analyzer.Rule {
	return [][]analyzer.Rule{
		analyzer.OnceBeforeDefault, analyzer.DefaultRules, analyzer.OnceAfterDefault, analyzer.DefaultValidationRules, analyzer.OnceAfterAll,
	}
}

// unlessPlain is a rule that leaves plain plans of our sessions alone.
func unlessPlain(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if _, ours := ctx.Session.(*Session); ours && isPlain(n, flags) {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
