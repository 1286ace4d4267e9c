package rewrite

import (
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// ViewConditionRule moves conditions on views, derived tables and common table expressions into their queries, in
// terms of the expressions that these select. WHERE amount > 5 on a view of total AS amount becomes WHERE total > 5
// within it, where it finds ranges. The engine moves conditions as well, but not below a renamed or computed column.
// It gets the conditions that the rule leaves.
//
// It works on queries as the plan builder has made them, from the uppermost down, and is idempotent. With the index
// off nothing is moved, so that law 2 sees whether both plans give the same rows.
func ViewConditionRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	return ViewConditions{compare.Comparer{Ctx: ctx}}.node(n)
}

// ViewConditions is one run of the rule.
type ViewConditions struct{ compare.Comparer }

func (v ViewConditions) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	same := transform.SameTree
	switch at := n.(type) {
	case *plan.CreateView:
		return n, transform.SameTree, nil
	case *plan.Filter:
		given := expression.SplitConjunction(at.Expression)
		conditions, below := given, at.Child
		if join, ok := below.(*plan.JoinNode); ok {
			conditions = v.alsoOfTables(join, conditions)
			below = v.inferred(join, conditions)
		}
		child, stay := v.lower(below, conditions)
		if child != at.Child || len(stay) != len(given) {
			n, same = filtered(stay, child), transform.NewTree
		}
	case *plan.JoinNode:
		if at.Filter != nil {
			n, same = v.joined(at)
		}
		if join, ok := n.(*plan.JoinNode); ok {
			if n = v.inferred(join, nil); n != sql.Node(join) {
				same = transform.NewTree
			}
		}
	}
	next, unchanged, err := tree.EachSubquery(n, v.node)
	if err != nil {
		return n, transform.SameTree, err
	}
	next, below, err := tree.EachChild(next, v.node)
	return next, same && unchanged && below, err
}

// joined returns a join whose conditions on one derived table are checked within that table. In an outer join those
// are conditions on the side that it fills with NULLs.
func (v ViewConditions) joined(join *plan.JoinNode) (sql.Node, transform.TreeIdentity) {
	inner := tree.IsInnerJoin(join)
	left, right, stay := join.Left(), join.Right(), expression.SplitConjunction(join.Filter)
	if inner || join.Op == plan.JoinTypeRightOuter {
		left, stay = v.lower(left, stay)
	}
	if inner || join.Op == plan.JoinTypeLeftOuter {
		right, stay = v.lower(right, stay)
	}
	switch {
	case left == join.Left() && right == join.Right():
		return join, transform.SameTree
	case len(stay) == 0 && inner:
		return plan.NewCrossJoin(left, right).WithComment(join.Comment()), transform.NewTree
	case len(stay) == 0:
		stay = []sql.Expression{expression.NewLiteral(true, types.Boolean)}
	}
	return plan.NewJoin(left, right, join.Op, expression.JoinAnd(stay...)).WithComment(join.Comment()), transform.NewTree
}

// lower moves conditions that read one derived table of a node into it, and returns the node and the other
// conditions.
func (v ViewConditions) lower(n sql.Node, conditions []sql.Expression) (below sql.Node, stay []sql.Expression) {
	for _, c := range conditions {
		next, ok := v.into(n, c)
		if n = next; !ok {
			stay = append(stay, c)
		}
	}
	return n, stay
}

// into adds a condition to a derived table that a node is or joins. It reports whether all rows of that table then
// satisfy the condition.
func (v ViewConditions) into(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		if n.IsLateral || !n.Correlated.Empty() || n.Volatile || len(n.ScopeMapping) == 0 {
			return n, false
		}
		if set, ok := n.Child.(*plan.SetOp); ok {
			return v.ofUnion(n, set, condition)
		}
		inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) {
			source, ok := n.ScopeMapping[f.Id()].(*expression.GetField)
			return source, ok && n.Columns().Contains(f.Id())
		})
		if !ok {
			return n, false
		}
		child, ok := v.under(n.Child, inner)
		if !ok || child == n.Child {
			return n, ok
		}
		return n.WithChild(child), true
	case *plan.JoinNode:
		inner := tree.IsInnerJoin(n)
		for i, keeps := range []bool{inner || n.Op == plan.JoinTypeLeftOuter, inner || n.Op == plan.JoinTypeRightOuter} {
			if !keeps {
				continue
			}
			sides := []sql.Node{n.Left(), n.Right()}
			side, ok := v.into(sides[i], condition)
			if side == sides[i] {
				continue
			}
			sides[i] = side
			next, err := n.WithChildren(sides...)
			if err != nil {
				return n, false
			}
			return next, ok
		}
	}
	return n, false
}

// under adds a condition on the columns of a query, or of the upper part of one, to its FROM or WHERE. It reports
// whether all rows of the query then satisfy the condition.
func (v ViewConditions) under(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	switch at := n.(type) {
	case *plan.Filter:
		if slices.ContainsFunc(expression.SplitConjunction(at.Expression),
			func(c sql.Expression) bool { return reflect.DeepEqual(c, condition) }) {
			return n, true
		}
		return plan.NewFilter(expression.JoinAnd(at.Expression, condition), at.Child), true
	case *plan.SubqueryAlias, *plan.ResolvedTable, *plan.TableAlias, *plan.JoinNode:
		return plan.NewFilter(condition, n), true
	case *plan.Project:
		inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) { return Projected(at, f) })
		if !ok {
			return n, false
		}
		condition = inner
	case *plan.GroupBy:
		if !v.ofGroups(at, condition) {
			return n, false
		}
	case *plan.Distinct:
		if !v.respectsEquality(condition) {
			return n, false
		}
	case *plan.Sort, *plan.Having:
	default:
		return n, false
	}
	child, ok := v.under(n.Children()[0], condition)
	if !ok || child == n.Children()[0] {
		return n, ok
	}
	next, err := n.WithChildren(child)
	return next, err == nil
}

// viewSource is the expression of a derived table's column, and the number of its parts.
type viewSource struct {
	value sql.Expression
	size  int
}

// inTermsOf returns a condition with all its fields replaced by their sources. It returns false where a field has no
// source, or one that can't be computed again. It also does where a source would compare otherwise than the column,
// or the result has too many parts.
func (v ViewConditions) inTermsOf(condition sql.Expression,
	source func(*expression.GetField) (sql.Expression, bool)) (sql.Expression, bool) {
	if !compare.IsRepeatable(condition) {
		return condition, false
	}
	given, size := partsOf(condition), 0
	sources := map[sql.ColumnId]viewSource{}
	known, texts := true, false
	inner, _, err := transform.Expr(condition, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok || !known {
			return e, transform.SameTree, nil
		}
		from, ok := sources[f.Id()]
		if !ok {
			s, ok := source(f)
			if !ok || !compare.IsRepeatable(s) {
				known = false
				return e, transform.SameTree, nil
			}
			from = viewSource{value: s, size: partsOf(s)}
			sources[f.Id()] = from
			if _, column := s.(*expression.GetField); !column && v.Class(s) == compare.ClassText {
				texts = true
			}
		}
		size += from.size
		known = size <= max(given, movedCondition)
		return from.value, transform.NewTree, nil
	})
	// A column's collation takes precedence over a computed text's; a single text compares in the same collation as
	// both.
	return inner, err == nil && known && len(sources) > 0 && !(texts && len(sources) > 1)
}

// ofGroups reports whether a condition reads nothing but grouped columns, and so holds for all rows of a group or
// none. Without GROUP BY there is a group even of no rows, so it returns false.
func (v ViewConditions) ofGroups(n *plan.GroupBy, condition sql.Expression) bool {
	return len(n.GroupByExprs) > 0 && v.respectsEquality(condition) &&
		!transform.InspectExpr(condition, func(e sql.Expression) bool {
			f, ok := e.(*expression.GetField)
			return ok && !slices.ContainsFunc(n.GroupByExprs, func(by sql.Expression) bool {
				g, ok := tree.Unaliased(by).(*expression.GetField)
				return ok && g.Id() == f.Id()
			})
		})
}

// respectsEquality reports whether a condition has one result for all values that are equal. Where rows are grouped,
// one of several equal texts, JSON values or doubles represents the others. Comparisons with constants see no
// difference between them, but functions see the spelling.
func (v ViewConditions) respectsEquality(condition sql.Expression) bool {
	var ids sql.ColSet
	alike := true
	sql.Inspect(condition, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			ids.Add(f.Id())
			alike = alike && v.isWrittenOneWay(f)
		}
		return true
	})
	return alike || ids.Len() == 1 && v.compares(condition)
}

// compares reports whether a condition only compares columns with constants and each other. It compares texts with
// texts alone: equal texts may spell different numbers and dates.
func (v ViewConditions) compares(condition sql.Expression) bool {
	plain := true
	var seen [compare.ClassJSON + 1]bool
	sql.Inspect(condition, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField, *expression.Literal, *compare.ScalarValue:
			seen[v.Class(e)] = true
		case nil, expression.Tuple, expression.Comparer,
			*expression.And, *expression.Or, *expression.Not, *expression.Between, *expression.IsNull, *expression.InTuple:
		default:
			plain = false
		}
		return true
	})
	return plain && !(seen[compare.ClassText] && (seen[compare.ClassNumber] || seen[compare.ClassJSON] ||
		seen[compare.ClassOther]))
}

// isWrittenOneWay reports whether equal values of a column are identical.
func (v ViewConditions) isWrittenOneWay(f *expression.GetField) bool {
	switch v.Class(f) {
	case compare.ClassText:
		coll, known := value.CollationOfType(f.Type())
		return known && coll.IsIdentity()
	case compare.ClassNumber:
		return !types.IsFloat(f.Type()) && !value.IsMixed(f.Type())
	}
	return types.IsTime(f.Type())
}
