package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Numbers of our analyzer rules, beyond the engine's own.
const (
	ruleCompare analyzer.RuleId = 7000 + iota
	ruleCompareAgain
	ruleAssign
	rulePlace
	ruleResultType
	ruleGroup
	ruleAggregate
	ruleOrder
	ruleJoin
	ruleCovered
	ruleSmall
	ruleCommit
	ruleOuter
	ruleViewTable
	ruleInExists
	ruleNotScalar
	ruleGrouped
)

// installRules gives an analyzer under construction that has the rules of this package.
//
// The engine plans simple INSERT, UPDATE and DELETE statements with a short
// fixed list of rules, which leaves out a builder's own except for a list that
// is one variable of its package. So those rules are set there, once per
// process.
func installRules(p sql.DatabaseProvider) *analyzer.Builder {
	keepVolatile() // before the list is copied
	assignPlacesAgain()
	simpleStatementRules()
	placeUnnested()
	keepSubqueries()
	joinCrossJoins()
	b := analyzer.NewBuilder(p)
	if id, ok := engineGroupRule(); ok {
		b = b.RemoveValidationRule(id).AddPostValidationRule(ruleGroup, groupRule)
	}
	// What the engine tells of its progress is of partitions, which tables of ours have not.
	return b.RemoveAfterAllRule(analyzer.TrackProcessId).
		AddPreAnalyzeRule(ruleGrouped, groupedRule).
		AddPreAnalyzeRule(ruleCommit, commitRule).
		AddPreAnalyzeRule(rulePlace, placeRule).
		AddPreAnalyzeRule(ruleAssign, assignRule).
		AddPreAnalyzeRule(ruleResultType, resultTypeRule).
		AddPreAnalyzeRule(ruleViewTable, viewTableRule).
		AddPreAnalyzeRule(ruleOuter, outerConditionRule).
		AddPreAnalyzeRule(ruleInExists, inExistsRule).
		AddPreAnalyzeRule(ruleNotScalar, notScalarRule).
		AddPreAnalyzeRule(ruleCompare, compareRule).
		AddPostAnalyzeRule(ruleCompareAgain, compareRule).
		AddPostAnalyzeRule(ruleAggregate, aggregateRule).
		AddPostAnalyzeRule(ruleOrder, orderRule).
		AddPostAnalyzeRule(ruleJoin, joinRule).
		AddPostAnalyzeRule(ruleCovered, coveredRule).
		AddPostAnalyzeRule(ruleSmall, smallRule)
}

var simpleStatementRules = sync.OnceFunc(func() {
	// The engine's column of EXPLAIN's formats is VARCHAR, which JSON may exceed.
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
	analyzer.OnceAfterAll = slices.DeleteFunc(slices.Clone(analyzer.OnceAfterAll), func(r analyzer.Rule) bool {
		return r.Id == analyzer.TrackProcessId
	})
	analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault,
		analyzer.Rule{Id: ruleCommit, Apply: commitRule},
		analyzer.Rule{Id: rulePlace, Apply: placeRule},
		analyzer.Rule{Id: ruleAssign, Apply: assignRule},
		analyzer.Rule{Id: ruleResultType, Apply: resultTypeRule},
		analyzer.Rule{Id: ruleCompare, Apply: compareRule},
	)
	// Behind the engine's rules that find access paths.
	analyzer.OnceAfterAll = append([]analyzer.Rule{{Id: ruleOrder, Apply: orderWritesRule}}, analyzer.OnceAfterAll...)
})

// placeUnnested tells tables their places again once the engine has merged
// subqueries into the statement, where it gives them other names, and shows what the subqueries of
// its joins' conditions read. No builder takes a rule there; so the engine's rule that merges, and the first
// that looks for lookups, get ours behind and before them, once per process.
var placeUnnested = sync.OnceFunc(func() {
	for i, r := range analyzer.OnceAfterDefault {
		switch r.Id.String() {
		case "unnestExistsSubqueries":
			analyzer.OnceAfterDefault[i].Apply = inTurn(r.Apply, ofSubqueries(showUnnestedRule))
		case "pushFilters":
			analyzer.OnceAfterDefault[i].Apply = inTurn(ofSubqueries(placeRule), r.Apply)
		}
	}
})

// ofSubqueries is a rule for statements with subqueries only.
func ofSubqueries(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !flags.SubqueryIsSet() {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}

// inTurn is two rules, one after the other.
func inTurn(first, then analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		between, same, err := first(ctx, a, n, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		out, again, err := then(ctx, a, between, scope, sel, flags)
		return out, same && again, err
	}
}
