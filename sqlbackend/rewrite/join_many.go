package rewrite

import (
	"maps"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// The engine finds the best order of an inner join's tables by trying all orders, and keeps each in memory. If one
// value joins all tables, any two can be neighbours: each further table takes over three times the time and memory.
// Other joins have fewer orders.
const (
	maxOrdered = 10 // tables of an inner join whose order the engine chooses
	maxOneKey  = 8  // as many where one value joins them, unless the last may be the best first table
)

// ManyRule leaves the last tables of an inner join of many tables in the order of the statement. It joins them by
// left joins, whose order is fixed, below a filter on a column that their condition compares with =. That column is
// NULL exactly where the left join found no row. It runs before the engine orders joins, and is idempotent.
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
		next, changed, err := keptOrders(ctx, join, maxOneKey)
		return next, transform.TreeIdentity(!changed), err
	})
}

// keptOrders applies inWrittenOrder to each inner join in a tree of joins. At most most of n's tables that one value
// joins may change places.
func keptOrders(ctx *sql.Context, n sql.Node, most int) (next sql.Node, changed bool, err error) {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return n, false, nil
	}
	if next := inWrittenOrder(ctx, join, most); next != nil {
		return next, true, nil
	}
	below := maxOneKey
	if join.Op.IsInner() || join.Op.IsCross() {
		below = maxOrdered // a part of the same inner join
	}
	left, leftChanged, err := keptOrders(ctx, join.Left(), below)
	if err != nil {
		return nil, false, err
	}
	right, rightChanged, err := keptOrders(ctx, join.Right(), below)
	if err != nil || !leftChanged && !rightChanged {
		return join, false, err
	}
	next, err = join.WithChildren(left, right)
	return next, true, err
}

// inWrittenOrder returns an inner join in which at most maxOrdered tables may change places, and at most most if one
// value joins them. Tables whose condition has no = stay free. It returns nil if the join need not change.
func inWrittenOrder(ctx *sql.Context, join *plan.JoinNode, most int) sql.Node {
	var kept []*plan.JoinNode // from the last
	var conditions []sql.Expression
	rest := sql.Node(join)
	for {
		last, ok := rest.(*plan.JoinNode)
		if !ok || last.Op != plan.JoinTypeInner ||
			innerTables(rest) <= maxOrdered && (oneKey(rest) <= most || mayComeFirst(ctx, last)) {
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

// innerTables returns the number of tables, or other nodes in a table's place, that an inner join has.
func innerTables(n sql.Node) int {
	join, ok := n.(*plan.JoinNode)
	if !ok || !join.Op.IsInner() && !join.Op.IsCross() {
		return 1
	}
	return innerTables(join.Left()) + innerTables(join.Right())
}

// mayComeFirst reports whether the last table of an inner join may be the best first one: no other one is known to
// give as few rows or fewer.
func mayComeFirst(ctx *sql.Context, last *plan.JoinNode) bool {
	rows, ok := rowCount(ctx, last.Right())
	return !ok || !transform.InspectUp(last.Left(), func(n sql.Node) bool {
		other, ok := rowCount(ctx, n)
		return ok && other <= rows
	})
}

// rowCount returns the number of rows of a table, or the estimated entries of the path chosen for its conditions. ok
// is false for any other node.
func rowCount(ctx *sql.Context, n sql.Node) (rows int64, ok bool) {
	switch n := n.(type) {
	case *plan.Filter:
		return rowCount(ctx, n.Child)
	case *plan.TableAlias:
		return rowCount(ctx, n.Child)
	case *plan.IndexedTableAccess:
		if path, is := plan.GetIndexLookup(n).Ranges.(interface{ ChosenEstimate() *costing.Estimate }); is {
			if e := path.ChosenEstimate(); e != nil {
				return e.Keys, true
			}
		}
	case *plan.ResolvedTable:
		if counted, is := n.UnderlyingTable().(sql.StatisticsTable); is {
			rows, _, err := counted.RowCount(ctx)
			return int64(rows), err == nil
		}
	}
	return 0, false
}

// oneKey returns the largest number of an inner join's tables that one value joins, through columns that conditions
// make equal.
func oneKey(n sql.Node) int {
	if innerTables(n) <= maxOneKey {
		return 0 // within the bound in any case
	}
	var classes []map[sql.ColumnId]sql.TableId // columns that are equal, with their tables
	for _, e := range innerConditions(n) {
		equal, ok := e.(*expression.Equals)
		if !ok {
			continue
		}
		a, left := tree.Unwrapped(equal.Left()).(*expression.GetField)
		b, right := tree.Unwrapped(equal.Right()).(*expression.GetField)
		if !left || !right {
			continue
		}
		class := map[sql.ColumnId]sql.TableId{a.Id(): a.TableId(), b.Id(): b.TableId()}
		classes = slices.DeleteFunc(classes, func(c map[sql.ColumnId]sql.TableId) bool {
			_, one := c[a.Id()]
			_, other := c[b.Id()]
			if one || other {
				maps.Copy(class, c)
			}
			return one || other
		})
		classes = append(classes, class)
	}
	most := 0
	for _, c := range classes {
		tables := slices.Sorted(maps.Values(c))
		most = max(most, len(slices.Compact(tables)))
	}
	return most
}

// innerConditions returns the conditions of an inner join and of the inner joins within it.
func innerConditions(n sql.Node) []sql.Expression {
	join, ok := n.(*plan.JoinNode)
	if !ok || !join.Op.IsInner() && !join.Op.IsCross() {
		return nil
	}
	out := append(innerConditions(join.Left()), innerConditions(join.Right())...)
	if join.Filter == nil {
		return out
	}
	return append(out, expression.SplitConjunction(join.Filter)...)
}

// equalledOf returns a column of a table that a condition compares with =, so that it is not NULL; nil if there is
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
