package rewrite

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// maxOrdered is how many tables of an inner join the engine is to find the best order of. It tries all of them, and
// keeps each: of tables that are all joined by one value, each further one takes three times as long, and as much
// memory.
const maxOrdered = 10

// ManyRule keeps the last tables of an inner join of very many where the statement has them: they are joined as outer
// ones, whose order stands, below a filter by a column that their condition makes equal to something: it is NULL where
// nothing was found, and nowhere else. It comes before the engine orders joins, and is idempotent.
func ManyRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s := plannerOf(ctx)
	if s == nil || tree.IsPlain(n, flags) || !s.OnlySelects() {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithCtx(n, func(c transform.Context) bool {
		_, within := c.Parent.(*plan.JoinNode)
		return !within
	}, func(c transform.Context) (sql.Node, transform.TreeIdentity, error) {
		join, ok := c.Node.(*plan.JoinNode)
		if !ok {
			return c.Node, transform.SameTree, nil
		}
		next, changed, err := keptOrders(join)
		return next, transform.TreeIdentity(!changed), err
	})
}

// keptOrders does that to each inner join within a tree of joins.
func keptOrders(n sql.Node) (next sql.Node, changed bool, err error) {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return n, false, nil
	}
	if next := inWrittenOrder(join); next != nil {
		return next, true, nil
	}
	left, leftChanged, err := keptOrders(join.Left())
	if err != nil {
		return nil, false, err
	}
	right, rightChanged, err := keptOrders(join.Right())
	if err != nil || !leftChanged && !rightChanged {
		return join, false, err
	}
	next, err = join.WithChildren(left, right)
	return next, true, err
}

// inWrittenOrder is an inner join of which no more tables may change places than maxOrdered, as far as conditions let
// them be kept; nil if it need not be another.
func inWrittenOrder(join *plan.JoinNode) sql.Node {
	var kept []*plan.JoinNode // from the last
	var conditions []sql.Expression
	rest := sql.Node(join)
	for innerTables(rest) > maxOrdered {
		last, ok := rest.(*plan.JoinNode)
		if !ok || last.Op != plan.JoinTypeInner {
			break
		}
		column := equalledOf(last.Filter, last.Right())
		if column == nil {
			break
		}
		kept, rest = append(kept, last), last.Left()
		conditions = append(conditions, expression.NewNot(expression.NewIsNull(column)))
	}
	if len(kept) == 0 {
		return nil
	}
	for _, j := range slices.Backward(kept) {
		rest = plan.NewJoin(rest, j.Right(), plan.JoinTypeLeftOuter,
			j.Filter).WithScopeLen(j.ScopeLen).WithComment(j.Comment())
	}
	return plan.NewFilter(expression.JoinAnd(conditions...), rest)
}

// innerTables is how many tables, or what stands for one, an inner join has.
func innerTables(n sql.Node) int {
	join, ok := n.(*plan.JoinNode)
	if !ok || !join.Op.IsInner() && !join.Op.IsCross() {
		return 1
	}
	return innerTables(join.Left()) + innerTables(join.Right())
}

// equalledOf is a column of a table that a condition makes equal to something, so that it is not NULL; nil if there is
// none.
func equalledOf(condition sql.Expression, n sql.Node) *expression.GetField {
	t, ok := n.(plan.TableIdNode)
	if f, filtered := n.(*plan.Filter); filtered {
		t, ok = f.Child.(plan.TableIdNode)
	}
	if !ok || condition == nil {
		return nil
	}
	for _, e := range expression.SplitConjunction(condition) {
		equal, ok := e.(*expression.Equals)
		if !ok {
			continue
		}
		for _, side := range equal.Children() {
			if f, ok := tree.Unwrapped(side).(*expression.GetField); ok && f.TableId() == t.Id() {
				return f
			}
		}
	}
	return nil
}
