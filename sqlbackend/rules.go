package sqlbackend

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/plancache"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
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

// installRules gives an analyzer under construction that has the rules of this package. It fails if the engine lacks a
// rule that it changes.
//
// The engine plans simple INSERT, UPDATE and DELETE statements with a short fixed list of rules. It leaves out a
// builder's own rules, except a list that is one variable of the engine's package. So those rules are set there, once
// per process.
func installRules(p sql.DatabaseProvider) (*analyzer.Builder, error) {
	if err := changeEngine(); err != nil {
		return nil, err
	}
	b := analyzer.NewBuilder(p)
	group, err := tree.RuleNamed(analyzer.DefaultValidationRules, "validateGroupBy")
	if err != nil {
		return nil, err
	}
	// The engine's rule does not see that a primary key in GROUP BY determines the other columns.
	b = b.RemoveValidationRule(group.Id).AddPostValidationRule(ruleGroup, rewrite.GroupRule)
	routines, err := tree.RuleNamed(analyzer.OnceAfterDefault, "assignRoutines")
	if err != nil {
		return nil, err
	}
	b = b.RemoveOnceAfterRule(routines.Id) // there are none, and to look for them it lists all databases
	// The engine reports progress by partitions, which our tables lack.
	return b.RemoveAfterAllRule(analyzer.TrackProcessId).
		AddPreAnalyzeRule(ruleBefore, session.Leaving(tree.InTurn(
			viewsBoundRule, rewrite.NestingRule, syntax.LimitParameterRule, rewrite.SelectedTypesRule, ddl.DropConstraintRule,
			rewrite.UnnestedOuterRule, rewrite.GroupedAliasRule, rewrite.FullGroupRule, rewrite.GroupedRule,
			tree.OfSubqueries(rewrite.DerivedNamesRule), rewrite.SidesRule, updateNullsRule, subquery.ScalarRule,
			rewrite.ViewTableRule, rewrite.MergeRule, rewrite.UnstoppedRule,
			tree.OfSubqueries(syntax.ShapesRule), subquery.BoundRule,
			commitRule, table.PlaceRule, companion.MapKeyRule, compare.MixedRule, assignRule, compare.ResultTypeRule,
			rewrite.BranchesRule, rewrite.ViewConditionRule, order.UnionRule, rewrite.OuterConditionRule,
			rewrite.ExistsAggregateRule,
			rewrite.InExistsRule, outsideBatches(tree.OfSubqueries(join.InBucketRule)),
			compare.CompareRule, compare.ReferenceRule))).
		AddPostAnalyzeRule(ruleAfter, tree.InTurn(
			plancache.MakeRule, compare.CompareRule, tree.OfSubqueries(compare.InLeftRule), aggregate.Rule,
			order.Rule(aggregate.SortedGroups),
			order.TopRule, join.Rule,
			order.CoveredRule, ddl.BucketRule, session.DecimalsRule)), nil
}

// changeEngine changes variables of the engine's packages, once per process: the lists that builders copy, and the
// rules of simple statements.
var changeEngine = sync.OnceValue(func() error {
	value.CommonLayoutsFirst()
	// The engine's column of EXPLAIN's formats is VARCHAR, which JSON may exceed.
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
	if err := errors.Join(sparePlain(tree.NotOfPlain), changeRules(ruleChanges())); err != nil {
		return err
	}
	analyzer.OnceAfterAll = slices.DeleteFunc(slices.Clone(analyzer.OnceAfterAll), func(r analyzer.Rule) bool {
		return r.Id == analyzer.TrackProcessId
	})
	analyzer.AlwaysBeforeDefault = append(analyzer.AlwaysBeforeDefault,
		// They are also among the rules that a builder's analyzer runs before its own.
		analyzer.Rule{Id: ruleAlways, Apply: session.UnlessLeft(tree.InTurn(syntax.LimitParameterRule,
			rewrite.SelectedTypesRule, rewrite.SidesRule, commitRule, table.PlaceRule, companion.MapKeyRule,
			compare.MixedRule, assignRule, compare.ResultTypeRule, compare.CompareRule))},
	)
	// Behind the engine's rules that find access paths.
	analyzer.OnceAfterAll = append([]analyzer.Rule{{Id: ruleOrder,
		Apply: tree.InTurn(plancache.MakeWriteRule, order.WritesRule(aggregate.SortedGroups),
			ddl.BucketWritesRule)}},
		analyzer.OnceAfterAll...)
	return nil
})

// sparePlain keeps the engine's rules of these names from plain plans.
func sparePlain(names []string) error {
	spared := map[string]bool{}
	for _, rules := range tree.EngineRules() {
		for i := range rules {
			if name := rules[i].Id.String(); slices.Contains(names, name) {
				rules[i].Apply = session.UnlessPlain(rules[i].Apply)
				spared[name] = true
			}
		}
	}
	for _, name := range names {
		if !spared[name] {
			return fmt.Errorf("the engine has no rule %s", name)
		}
	}
	return nil
}

// ruleChange is a rule of the engine that another one takes the place of.
type ruleChange struct {
	rules []analyzer.Rule // the list that it is in
	name  string
	with  func(engines analyzer.RuleFunc) analyzer.RuleFunc
}

// ruleChanges are the changes that a builder has no method for, in turn.
func ruleChanges() []ruleChange {
	before, rules, after := analyzer.OnceBeforeDefault, analyzer.DefaultRules, analyzer.OnceAfterDefault
	var joinsOfIn analyzer.RuleFunc
	only := func(ours analyzer.RuleFunc) func(analyzer.RuleFunc) analyzer.RuleFunc {
		return func(analyzer.RuleFunc) analyzer.RuleFunc { return ours }
	}
	return []ruleChange{
		{before, "simplifyFilters", rewrite.KeepVolatile},
		{before, "hoistOutOfScopeFilters", rewrite.KeepCorrelated},
		{rules, "replaceCrossJoins", only(rewrite.CrossJoinRule)},
		// In batches subqueries stay where they are: as joins they would decide in which order the driving table is read.
		// IN of nothing becomes no join. Conditions between tables of FROM go to their joins before the rest of WHERE
		// becomes a join: below that they would be out of reach.
		{rules, "unnestInSubqueries", func(engines analyzer.RuleFunc) analyzer.RuleFunc {
			joinsOfIn = tree.InTurn(tree.OfSubqueries(rewrite.InNothingRule), tree.OfSubqueries(rewrite.CrossJoinRule), engines)
			return outsideBatches(ofDelete(joinsOfIn))
		}},
		// The source of an INSERT has joins for IN too, which the engine would evaluate for every row.
		{after, "unnestExistsSubqueries", func(engines analyzer.RuleFunc) analyzer.RuleFunc {
			return outsideBatches(tree.InTurn(ofInsertSource(joinsOfIn), engines, tree.OfSubqueries(rewrite.ShowUnnestedRule)))
		}},
		{after, "finalizeSubqueries", func(engines analyzer.RuleFunc) analyzer.RuleFunc {
			return tree.InTurn(engines, tree.OfSubqueries(operator.HeldSubqueriesRule))
		}},
		// The engine has merged subqueries into the statement by then, where it gives tables other names.
		{after, "pushFilters", func(engines analyzer.RuleFunc) analyzer.RuleFunc {
			return tree.InTurn(tree.OfSubqueries(table.PlaceRule), engines)
		}},
		{after, "optimizeJoins", func(engines analyzer.RuleFunc) analyzer.RuleFunc {
			return tree.InTurn(table.PlannedAccessRule, rewrite.ManyRule, rewrite.WithoutOuterOperands(engines))
		}},
		{after, "modifyUpdateExprsForJoin", only(updateJoinRule)},
		{analyzer.OnceAfterAll, "assignExecIndexes", rewrite.AssignPlacesAgain},
		{analyzer.OnceAfterAll, "assignExecIndexes", rewrite.SelectAliases},
		{analyzer.OnceAfterAll, "inlineSubqueryAliasRefs", only(tree.InTurn())}, // SelectAliases does it
	}
}

// changeRules makes changes. It fails if the engine has no rule of a name.
func changeRules(changes []ruleChange) error {
	for _, c := range changes {
		rule, err := tree.RuleNamed(c.rules, c.name)
		if err != nil {
			return err
		}
		rule.Apply = c.with(rule.Apply)
	}
	return nil
}
