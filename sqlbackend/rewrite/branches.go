package rewrite

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// mostBranches bounds the branches of an OR that are compared for common conditions; a longer OR stays as it is.
const mostBranches = 64

// BranchesRule moves conditions that all branches of an OR in WHERE share out of that OR, where tables are joined.
// From the branches it also derives one condition for each table that every branch restricts. For example, (a.id =
// b.id AND a.x = 1 AND b.y = 2) OR (a.id = b.id AND a.x = 3 AND b.y = 4) gives a.id = b.id for the join, (a.x = 1 OR
// a.x = 3) for a and (b.y = 2 OR b.y = 4) for b.
//
// It is idempotent. With the index off it does nothing, so that law 2 sees whether both plans give the same rows.
func BranchesRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) || !flags.JoinIsSet() || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok || !joinsInnerOnly(f.Child) {
			return n, transform.SameTree, nil
		}
		given := expression.SplitConjunction(f.Expression)
		b := branches{tables: tree.TablesOf(f.Child), asked: map[string]bool{}}
		for _, e := range given {
			b.asked[sql.DebugString(e)] = true
		}
		for _, e := range given {
			b.condition(e)
		}
		if !b.changed {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(expression.JoinAnd(b.conditions...), f.Child), transform.NewTree, nil
	})
}

// joinsInnerOnly reports whether a node is a join that consists of inner and cross joins alone.
func joinsInnerOnly(n sql.Node) bool {
	join, ok := n.(*plan.JoinNode)
	if !ok || !tree.IsInnerJoin(join) && join.Op != plan.JoinTypeCross {
		return false
	}
	for _, side := range join.Children() {
		if _, joined := side.(*plan.JoinNode); joined && !joinsInnerOnly(side) {
			return false
		}
	}
	return true
}

// branches collects the new conditions of a WHERE.
type branches struct {
	tables     sql.FastIntSet  // the joined tables
	asked      map[string]bool // the texts of the conditions so far
	conditions []sql.Expression
	changed    bool
}

// add adds a condition, unless one with the same text is there.
func (b *branches) add(e sql.Expression) {
	if text := sql.DebugString(e); !b.asked[text] {
		b.asked[text], b.changed = true, true
		b.conditions = append(b.conditions, e)
	}
}

// condition adds a condition, or the rest of it, and the conditions that follow from it.
func (b *branches) condition(e sql.Expression) {
	_, isOr := e.(*expression.Or)
	var of [][]sql.Expression
	if isOr {
		for _, branch := range expression.SplitDisjunction(e) {
			of = append(of, expression.SplitConjunction(branch))
		}
	}
	tables := tablesRead(e)
	if len(of) == 0 || len(of) > mostBranches || tables.Len() < 2 {
		b.conditions = append(b.conditions, e)
		return
	}
	tables.ForEach(func(id int) {
		if !b.tables.Contains(id) {
			return
		}
		if follows := followsOf(of, id); follows != nil {
			b.add(follows)
		}
	})
	if common := commonOf(of); len(common) > 0 {
		b.changed = true
		for _, c := range common {
			b.add(c)
		}
		if e = without(of, common); e == nil {
			return
		}
	}
	b.conditions = append(b.conditions, e)
}

// tablesRead returns the tables of the fields in an expression.
func tablesRead(e sql.Expression) (out sql.FastIntSet) {
	sql.Inspect(e, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			out.Add(int(f.TableId()))
		}
		return true
	})
	return out
}

// followsOf returns the condition on one table alone that follows from all branches; nil if a branch has none on it.
func followsOf(of [][]sql.Expression, table int) sql.Expression {
	var out []sql.Expression
	for _, branch := range of {
		var own []sql.Expression
		for _, c := range branch {
			if Reads(c, sql.NewFastIntSet(table)) && isPlain(c) {
				own = append(own, c)
			}
		}
		if own == nil {
			return nil
		}
		out = append(out, expression.JoinAnd(own...))
	}
	return expression.JoinOr(out...)
}

// isPlain reports whether a condition compares fields and constants, and does nothing else.
func isPlain(e sql.Expression) bool {
	plain := true
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case nil, *expression.GetField, *expression.Literal, *expression.BindVar, *expression.Equals,
			*expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan,
			*expression.GreaterThanOrEqual, *expression.And, *expression.Or, *expression.Not, *expression.Between,
			*expression.InTuple, expression.Tuple, *expression.IsNull, *expression.Arithmetic, *tree.Retype:
		default:
			_, like := e.(pushdown.Like)
			plain = plain && like
		}
		return plain
	})
	return plain
}

// commonOf returns the plain conditions that stand in every branch.
func commonOf(of [][]sql.Expression) (out []sql.Expression) {
	for _, c := range of[0] {
		if isPlain(c) && !slices.ContainsFunc(of[1:], func(branch []sql.Expression) bool { return !contains(branch, c) }) &&
			!contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func contains(conditions []sql.Expression, e sql.Expression) bool {
	text := sql.DebugString(e)
	return slices.ContainsFunc(conditions, func(c sql.Expression) bool { return sql.DebugString(c) == text })
}

// without returns the OR of the branches without their common conditions; nil if a branch has no others.
func without(of [][]sql.Expression, common []sql.Expression) sql.Expression {
	var out []sql.Expression
	for _, branch := range of {
		rest := slices.DeleteFunc(slices.Clone(branch), func(c sql.Expression) bool { return contains(common, c) })
		if len(rest) == 0 {
			return nil
		}
		out = append(out, expression.JoinAnd(rest...))
	}
	return expression.JoinOr(out...)
}
