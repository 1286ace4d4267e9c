package sqlbackend

import (
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
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
)

// installRules adds the rules of this package to an analyzer under
// construction and returns it.
//
// The engine plans simple INSERT, UPDATE and DELETE statements with a short
// fixed list of rules, which leaves out a builder's own except for a list that
// is one variable of its package. So those rules are set there, once per
// process.
func installRules(b *analyzer.Builder) *analyzer.Builder {
	simpleStatementRules()
	if id, ok := engineGroupRule(); ok {
		b = b.RemoveValidationRule(id).AddPostValidationRule(ruleGroup, groupRule)
	}
	return b.
		AddPreAnalyzeRule(ruleCommit, commitRule).
		AddPreAnalyzeRule(rulePlace, placeRule).
		AddPreAnalyzeRule(ruleAssign, assignRule).
		AddPreAnalyzeRule(ruleResultType, resultTypeRule).
		AddPreAnalyzeRule(ruleOuter, outerConditionRule).
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
