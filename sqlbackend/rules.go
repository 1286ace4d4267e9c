package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
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
	keepVolatile() // before the list is copied
	sparePlain()
	assignPlacesAgain()
	simpleStatementRules()
	placeUnnested()
	spareUnnesting()
	keepSubqueries()
	inlineSelectAliases()
	joinCrossJoins()
	ownUpdateJoins()
	value.CommonLayoutsFirst()
	keepCorrelated()
	b := analyzer.NewBuilder(p)
	if id, ok := engineGroupRule(); ok {
		b = b.RemoveValidationRule(id).AddPostValidationRule(ruleGroup, groupRule)
	}
	if id, ok := ruleNamed(analyzer.OnceAfterDefault, "assignRoutines"); ok {
		b = b.RemoveOnceAfterRule(id) // there are none, and to look for them it lists all databases
	}
	// What the engine tells of its progress is of partitions, which tables of ours have not.
	return b.RemoveAfterAllRule(analyzer.TrackProcessId).
		AddPreAnalyzeRule(ruleBefore, leaving(inTurn(viewsBoundRule, syntax.LimitParameterRule, selectedTypesRule,
			dropConstraintRule, unnestedOuterRule, fullGroupRule, groupedRule, ofSubqueries(derivedNamesRule), sidesRule,
			updateNullsRule, scalarRule, viewTableRule, mergeRule, ofSubqueries(syntax.ShapesRule), boundRule, commitRule,
			placeRule, mapKeyRule, compare.MixedRule, assignRule, compare.ResultTypeRule,
			viewConditionRule, unionRule, outerConditionRule, existsAggregateRule, inExistsRule, compare.CompareRule,
			compare.ReferenceRule))).
		AddPostAnalyzeRule(ruleAfter, inTurn(makeRule, compare.CompareRule, ofSubqueries(compare.InLeftRule), aggregateRule,
			orderRule, topRule, joinRule, coveredRule, decimalsRule))
}

// inTurn is several rules as one, each of which gets what the one before it leaves: the engine makes a text of
// the number of each rule that it runs.
func inTurn(rules ...analyzer.RuleFunc) analyzer.RuleFunc {
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

var simpleStatementRules = sync.OnceFunc(func() {
	// The engine's column of EXPLAIN's formats is VARCHAR, which JSON may exceed.
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
	analyzer.OnceAfterAll = slices.DeleteFunc(slices.Clone(analyzer.OnceAfterAll), func(r analyzer.Rule) bool {
		return r.Id == analyzer.TrackProcessId
	})
	analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault,
		// They also stand among those that a builder's analyzer runs before its own.
		analyzer.Rule{Id: ruleAlways, Apply: unlessLeft(inTurn(syntax.LimitParameterRule, selectedTypesRule, sidesRule,
			commitRule, placeRule, mapKeyRule, compare.MixedRule, assignRule, compare.ResultTypeRule, compare.CompareRule))},
	)
	// Behind the engine's rules that find access paths.
	analyzer.OnceAfterAll = append([]analyzer.Rule{{Id: ruleOrder, Apply: inTurn(makeWriteRule, orderWritesRule)}},
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
			analyzer.OnceAfterDefault[i].Apply = inTurn(r.Apply, ofSubqueries(showUnnestedRule))
		case "finalizeSubqueries":
			analyzer.OnceAfterDefault[i].Apply = inTurn(r.Apply, ofSubqueries(operator.HeldSubqueriesRule))
		case "pushFilters":
			analyzer.OnceAfterDefault[i].Apply = inTurn(ofSubqueries(placeRule), r.Apply)
		case "optimizeJoins":
			analyzer.OnceAfterDefault[i].Apply = inTurn(plannedAccessRule, manyRule, withoutOuterOperands(r.Apply))
		}
	}
})

// spareUnnesting keeps IN of nothing from becoming a join, once per process. What compares tables of FROM is asked by
// their joins before the rest of WHERE becomes one: below that it would be out of reach.
var spareUnnesting = sync.OnceFunc(func() {
	for i, r := range analyzer.DefaultRules {
		if r.Id.String() == "unnestInSubqueries" {
			analyzer.DefaultRules[i].Apply = inTurn(ofSubqueries(inNothingRule), ofSubqueries(crossJoinRule), r.Apply)
		}
	}
})

// ruleNamed is the number of an engine's rule, of which few are exported.
func ruleNamed(rules []analyzer.Rule, name string) (analyzer.RuleId, bool) {
	for _, r := range rules {
		if r.Id.String() == name {
			return r.Id, true
		}
	}
	return 0, false
}

// finalizing is the number of the engine's rule that plans the subqueries of a statement.
var finalizing = sync.OnceValues(func() (analyzer.RuleId, bool) {
	return ruleNamed(analyzer.OnceAfterDefault, "finalizeSubqueries")
})

// plansSubqueries reports whether the derived tables and subqueries within what a rule gets are planned by then. Those
// within a derived table or a subquery are planned after it, and what is planned already is not to be planned
// again; the whole statement comes last.
func plansSubqueries(sel analyzer.RuleSelector) bool {
	id, ok := finalizing()
	return !ok || sel(id)
}

// eachNode is transform.NodeWithOpaque for the nodes of a plan that are planned by then.
func eachNode(n sql.Node, sel analyzer.RuleSelector, f transform.NodeFunc) (sql.Node, transform.TreeIdentity, error) {
	if plansSubqueries(sel) {
		return transform.NodeWithOpaque(n, f)
	}
	return transform.Node(n, f)
}

// ofSubqueries is a rule for statements with subqueries only.
func ofSubqueries(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !flags.SubqueryIsSet() {
			return n, transform.SameTree, nil
		}
		return rule(ctx, a, n, scope, sel, flags)
	}
}
