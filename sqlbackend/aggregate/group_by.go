package aggregate

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// GroupBy builds GROUP BY.
func GroupBy(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.GroupBy, row sql.Row) (sql.RowIter, error) {
	child, values, err := groupedValues(ctx, n.Child)
	if values == nil && err == nil {
		child, err = engine.Build(ctx, n.Child, row)
	}
	if err != nil {
		return nil, err
	}
	return &groupIter{child: child, values: values, selected: n.SelectedExprs, grouped: operator.Kernels(n.GroupByExprs)},
		nil
}

// Grouped is a GROUP BY of rows.
func Grouped(n *plan.GroupBy, of sql.RowIter) sql.RowIter {
	return &groupIter{child: of, selected: n.SelectedExprs, grouped: operator.Kernels(n.GroupByExprs)}
}

// groupIter is GROUP BY. The engine's own iterator treats 1 and 1.0 as two groups, and fails when it is closed
// before its first row is read.
type groupIter struct {
	child    sql.RowIter
	values   *Rows // of the child, whose rows then stand for several documents; nil: each row stands for one
	selected []sql.Expression
	grouped  []sql.Expression

	computed bool
	groups   [][]sql.AggregationBuffer // in the order of their first rows
	next     int
	key      string // of the current group in order, the last of groups
	holding  hold.Memory
}

var _ sql.RowIter = (*groupIter)(nil)

// Next implements sql.RowIter.
func (i *groupIter) Next(ctx *sql.Context) (sql.Row, error) {
	if len(i.grouped) == 0 && !operator.Aggregates(i.selected) {
		return i.rowByRow(ctx)
	}
	if i.values != nil && i.values.Path.Ordered {
		return i.inOrder(ctx)
	}
	if !i.computed {
		if err := i.compute(ctx); err != nil {
			return nil, err
		}
		i.computed = true
	}
	if i.next >= len(i.groups) {
		return nil, io.EOF
	}
	group := i.groups[i.next]
	i.groups[i.next] = nil
	i.next++
	defer operator.DisposeBuffers(group)
	return operator.EvalBuffers(ctx, group)
}

func (i *groupIter) rowByRow(ctx *sql.Context) (sql.Row, error) {
	row, err := i.child.Next(ctx)
	if err != nil {
		return nil, err
	}
	group, err := operator.NewBuffers(i.selected)
	if err != nil {
		return nil, err
	}
	defer operator.DisposeBuffers(group)
	if err := operator.UpdateBuffers(ctx, group, row); err != nil {
		return nil, err
	}
	return operator.EvalBuffers(ctx, group)
}

// inOrder gives the next group of rows that come in the order of their groups. It reads up to the first row of
// another group.
func (i *groupIter) inOrder(ctx *sql.Context) (sql.Row, error) {
	for !i.computed {
		row, err := i.child.Next(ctx)
		if errors.Is(err, io.EOF) {
			i.computed = true
			break
		}
		if err != nil {
			return nil, err
		}
		key, err := value.ExpressionKey(ctx, i.grouped, row)
		if err != nil {
			return nil, err
		}
		begins := len(i.groups) == 0 || key != i.key
		if begins {
			group, err := operator.NewBuffers(i.selected)
			if err != nil {
				return nil, err
			}
			i.groups, i.key = append(i.groups, group), key
		}
		if err := operator.UpdateTimes(ctx, i.groups[len(i.groups)-1], row, i.values.Count); err != nil {
			return nil, err
		}
		if begins && len(i.groups) > 1 {
			break
		}
	}
	if len(i.groups) == 0 {
		return nil, io.EOF
	}
	group := i.groups[0]
	i.groups = i.groups[1:]
	defer operator.DisposeBuffers(group)
	return operator.EvalBuffers(ctx, group)
}

func (i *groupIter) compute(ctx *sql.Context) error {
	byKey := map[string][]sql.AggregationBuffer{}
	if len(i.grouped) == 0 { // one group, even without rows
		group, err := operator.NewBuffers(i.selected)
		if err != nil {
			return err
		}
		byKey[""], i.groups = group, append(i.groups, group)
	}
	var key []byte
	for {
		row, err := i.child.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if key, err = value.AppendExpressionKey(ctx, key[:0], i.grouped, row); err != nil {
			return err
		}
		group, ok := byKey[string(key)]
		if !ok {
			if group, err = operator.NewBuffers(i.selected); err != nil {
				return err
			}
			byKey[string(key)], i.groups = group, append(i.groups, group)
			if err := i.holding.Hold(ctx, hold.KeyBytes+len(key)+hold.GroupBytes*len(group)); err != nil {
				return err
			}
		}
		if i.values != nil {
			err = operator.UpdateTimes(ctx, group, row, i.values.Count)
		} else {
			err = operator.UpdateBuffers(ctx, group, row)
		}
		if err != nil {
			return err
		}
	}
}

// Close implements sql.RowIter.
func (i *groupIter) Close(ctx *sql.Context) error {
	for _, group := range i.groups {
		operator.DisposeBuffers(group)
	}
	i.groups, i.next = nil, 0
	i.holding.ReleaseAll()
	return i.child.Close(ctx)
}
