package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Numbers of our analyzer rules, beyond the engine's own.
const (
	ruleBefore analyzer.RuleId = 7000 + iota
	ruleAlways
	ruleAfter
	ruleGroup
	ruleOrder
)

// installRules gives an analyzer under construction that has the rules of this package.
//
// The engine plans simple INSERT, UPDATE and DELETE statements with a short
// fixed list of rules, which leaves out a builder's own except for a list that
// is one variable of its package. So those rules are set there, once per
// process.
func installRules(p sql.DatabaseProvider) *analyzer.Builder {
	rewrite.KeepVolatile() // before the list is copied
	sparePlain()
	rewrite.AssignPlacesAgain()
	simpleStatementRules()
	placeUnnested()
	spareUnnesting()
	keepSubqueries()
	rewrite.InlineSelectAliases()
	rewrite.JoinCrossJoins()
	ownUpdateJoins()
	value.CommonLayoutsFirst()
	rewrite.KeepCorrelated()
	b := analyzer.NewBuilder(p)
	if id, ok := engineGroupRule(); ok {
		b = b.RemoveValidationRule(id).AddPostValidationRule(ruleGroup, rewrite.GroupRule)
	}
	if id, ok := tree.RuleNamed(analyzer.OnceAfterDefault, "assignRoutines"); ok {
		b = b.RemoveOnceAfterRule(id) // there are none, and to look for them it lists all databases
	}
	// What the engine tells of its progress is of partitions, which tables of ours have not.
	return b.RemoveAfterAllRule(analyzer.TrackProcessId).
		AddPreAnalyzeRule(ruleBefore, leaving(tree.InTurn(
			viewsBoundRule, syntax.LimitParameterRule, rewrite.SelectedTypesRule, dropConstraintRule,
			rewrite.UnnestedOuterRule, rewrite.FullGroupRule, rewrite.GroupedRule,
			tree.OfSubqueries(rewrite.DerivedNamesRule), rewrite.SidesRule, updateNullsRule, subquery.ScalarRule,
			rewrite.ViewTableRule, rewrite.MergeRule, tree.OfSubqueries(syntax.ShapesRule), subquery.BoundRule,
			commitRule, placeRule, mapKeyRule, compare.MixedRule, assignRule, compare.ResultTypeRule,
			rewrite.ViewConditionRule, unionRule, rewrite.OuterConditionRule, rewrite.ExistsAggregateRule, rewrite.InExistsRule,
			compare.CompareRule, compare.ReferenceRule))).
		AddPostAnalyzeRule(ruleAfter, tree.InTurn(
			makeRule, compare.CompareRule, tree.OfSubqueries(compare.InLeftRule), aggregateRule, orderRule, topRule, joinRule,
			coveredRule, decimalsRule))
}

var simpleStatementRules = sync.OnceFunc(func() {
	// The engine's column of EXPLAIN's formats is VARCHAR, which JSON may exceed.
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
	analyzer.OnceAfterAll = slices.DeleteFunc(slices.Clone(analyzer.OnceAfterAll), func(r analyzer.Rule) bool {
		return r.Id == analyzer.TrackProcessId
	})
	analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault,
		// They also stand among those that a builder's analyzer runs before its own.
		analyzer.Rule{Id: ruleAlways, Apply: unlessLeft(tree.InTurn(syntax.LimitParameterRule, rewrite.SelectedTypesRule,
			rewrite.SidesRule,
			commitRule, placeRule, mapKeyRule, compare.MixedRule, assignRule, compare.ResultTypeRule, compare.CompareRule))},
	)
	// Behind the engine's rules that find access paths.
	analyzer.OnceAfterAll = append([]analyzer.Rule{{Id: ruleOrder, Apply: tree.InTurn(makeWriteRule, orderWritesRule)}},
		analyzer.OnceAfterAll...)
})

// placeUnnested tells tables their places again once the engine has merged
// subqueries into the statement, where it gives them other names, shows what the subqueries of
// its joins' conditions read, and keeps the access paths that are chosen. No builder takes a rule there; so the
// engine's rule that merges, and those that look for lookups, get ours behind and before them, once per process.
var placeUnnested = sync.OnceFunc(func() {
	for i, r := range analyzer.OnceAfterDefault {
		switch r.Id.String() {
		case "unnestExistsSubqueries":
			analyzer.OnceAfterDefault[i].Apply = tree.InTurn(r.Apply, tree.OfSubqueries(rewrite.ShowUnnestedRule))
		case "finalizeSubqueries":
			analyzer.OnceAfterDefault[i].Apply = tree.InTurn(r.Apply, tree.OfSubqueries(operator.HeldSubqueriesRule))
		case "pushFilters":
			analyzer.OnceAfterDefault[i].Apply = tree.InTurn(tree.OfSubqueries(placeRule), r.Apply)
		case "optimizeJoins":
			analyzer.OnceAfterDefault[i].Apply = tree.InTurn(plannedAccessRule, rewrite.ManyRule,
				rewrite.WithoutOuterOperands(r.Apply))
		}
	}
})

// spareUnnesting keeps IN of nothing from becoming a join, once per process. What compares tables of FROM is asked by
// their joins before the rest of WHERE becomes one: below that it would be out of reach.
var spareUnnesting = sync.OnceFunc(func() {
	for i, r := range analyzer.DefaultRules {
		if r.Id.String() == "unnestInSubqueries" {
			analyzer.DefaultRules[i].Apply = tree.InTurn(tree.OfSubqueries(rewrite.InNothingRule),
				tree.OfSubqueries(rewrite.CrossJoinRule), r.Apply)
		}
	}
})
