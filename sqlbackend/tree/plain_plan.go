package tree

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// IsPlain reports whether a plan reads one table through filters and projections alone,
// without any subquery. Rules that look for joins, derived tables, groups, orders or
// subqueries need not walk through such a plan. Most statements have one.
func IsPlain(n sql.Node, flags *sql.QueryFlags) bool {
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

// PlainHasCase reports whether a plan that is plain computes a CASE.
func PlainHasCase(n sql.Node) bool {
	isCase := func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.Case, *Case:
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

// NotOfPlain are the engine's rules that do nothing to a plain plan: they look for other nodes. Each of them would
// walk through the plan.
var NotOfPlain = []string{
	// before the default rules
	"replaceCountStar", "validateOffsetAndLimit", "validateAlterTable", "resolveDropConstraint",
	"pushdownSubqueryAliasFilters", "pruneTables", // the latter only ever changes tables that are sql.ProjectedTable
	"moveJoinConditionsToFilter", "loadTriggers", "replaceIdxSort", "insertTopNNodes", "replaceIdxOrderByDistance",
	"validateUnionSchemasMatch",
	"resolveInsertRows", "applyProcedures", "cacheSubqueryAliasesInJoins",
}

// EngineRules are the lists of the engine's rules, in their order.
func EngineRules() [][]analyzer.Rule {
	return [][]analyzer.Rule{
		analyzer.OnceBeforeDefault, analyzer.DefaultRules, analyzer.OnceAfterDefault, analyzer.DefaultValidationRules,
		analyzer.OnceAfterAll,
	}
}
