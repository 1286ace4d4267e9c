package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// outerConditionRule asks some conditions of inner joins once more above all
// joins that have an outer join below: those on a table that it may fill with NULLs, and
// those by <=>. Where the engine puts the inner join below the outer one, it keeps what joins the tables
// there and loses the rest of the condition.
func outerConditionRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.JoinIsSet() {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, aboveJoins)
}

// aboveJoins puts the conditions above the joins that are children of a node.
func aboveJoins(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if _, ok := n.(*plan.JoinNode); ok {
		return n, transform.SameTree, nil
	}
	given := map[string]bool{}
	if f, ok := n.(*plan.Filter); ok {
		for _, c := range expression.SplitConjunction(f.Expression) {
			given[c.String()] = true
		}
	}
	children, any := n.Children(), false
	next := append([]sql.Node(nil), children...)
	for i, child := range children {
		join, ok := child.(*plan.JoinNode)
		if !ok {
			continue
		}
		var lost []sql.Expression
		for _, c := range outerConditions(join) {
			if !given[c.String()] {
				lost = append(lost, c)
			}
		}
		if len(lost) > 0 {
			next[i], any = plan.NewFilter(expression.JoinAnd(lost...), join), true
		}
	}
	if !any {
		return n, transform.SameTree, nil
	}
	out, err := n.WithChildren(next...)
	return out, transform.NewTree, err
}

// outerConditions are the conditions of inner joins that every row of a join fulfils and
// that the engine may lose.
func outerConditions(n sql.Node) []sql.Expression {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return nil
	}
	switch {
	case join.Op.IsLeftOuter():
		return outerConditions(join.Left())
	case join.Op.IsRightOuter():
		return outerConditions(join.Right())
	case join.Op != plan.JoinTypeInner && join.Op != plan.JoinTypeCross:
		return nil
	}
	out := append(outerConditions(join.Left()), outerConditions(join.Right())...)
	filled := filledTables(join)
	if filled.Empty() || join.Filter == nil {
		return out
	}
	for _, c := range expression.SplitConjunction(join.Filter) {
		if mentions, nullSafe := mentionsTables(c, filled); mentions || nullSafe {
			out = append(out, c)
		}
	}
	return out
}

// filledTables are the tables of a join that an outer join may fill with NULLs.
func filledTables(n sql.Node) sql.FastIntSet {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return sql.FastIntSet{}
	}
	left, right := filledTables(join.Left()), filledTables(join.Right())
	if join.Op.IsLeftOuter() {
		right = tablesOf(join.Right())
	}
	if join.Op.IsRightOuter() {
		left = tablesOf(join.Left())
	}
	return left.Union(right)
}

// mentionsTables reports whether an expression reads one of the tables, and whether it
// compares by <=>, which the engine never moves to the table that it reads; neither if it has a subquery.
func mentionsTables(e sql.Expression, tables sql.FastIntSet) (mentions, nullSafe bool) {
	subquery := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			mentions = mentions || tables.Contains(int(e.TableId()))
		case *expression.NullSafeEquals:
			nullSafe = true
		case *plan.Subquery:
			subquery = true
		}
		return !subquery
	})
	return mentions && !subquery, nullSafe && !subquery
}
