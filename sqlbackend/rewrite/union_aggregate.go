package rewrite

import (
	"fmt"
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// IsUnionAll reports whether a set operation gives the rows of both sides.
func IsUnionAll(n *plan.SetOp) bool {
	return n.SetOpType == plan.UnionType && !n.Distinct
}

// COUNT, MIN and MAX of all rows of a derived table that is a UNION ALL are combined from those of its sides: the
// sum, the least, the greatest. A side may take its own from counters, or from the first entry of an index.

// unionAggregate is an aggregation of a UNION ALL.
type unionAggregate struct {
	conditions ViewConditions
	positions  map[sql.ColumnId]int // by the columns of the derived table
	schema     sql.Schema           // of the UNION ALL
	of         []sql.Expression     // the selected aggregates, over the derived table
}

// AggregateUnion returns an aggregation of a derived table that aggregates each side of its UNION ALL separately, or
// the same node.
func AggregateUnion(v ViewConditions, n *plan.GroupBy) (sql.Node, error) {
	d, ok := n.Child.(*plan.SubqueryAlias)
	if !ok || len(n.GroupByExprs) > 0 || d.IsLateral || !d.Correlated.Empty() || d.Volatile {
		return n, nil
	}
	set, ok := d.Child.(*plan.SetOp)
	if !ok || !addsUp(n.SelectedExprs) {
		return n, nil
	}
	a := unionAggregate{conditions: v, positions: map[sql.ColumnId]int{}, schema: set.Schema(), of: n.SelectedExprs}
	d.Columns().ForEach(func(id sql.ColumnId) { a.positions[id] = len(a.positions) })
	if len(a.positions) != len(a.schema) {
		return n, nil
	}
	sides, ok, err := a.ofSides(set)
	if err != nil || !ok {
		return n, err
	}
	together := make([]sql.Expression, len(n.SelectedExprs))
	columns := sides.Schema()
	for i, e := range n.SelectedExprs {
		column := &compare.ResultColumn{FromEnd: len(columns) - i, Column: columns[i]}
		switch e := e.(type) {
		case *aggregation.Count:
			together[i] = &countOfSides{aggregation.NewCount(column).WithId(e.Id()).(*aggregation.Count)}
		case *aggregation.Min:
			together[i] = aggregation.NewMin(column).WithId(e.Id())
		case *aggregation.Max:
			together[i] = aggregation.NewMax(column).WithId(e.Id())
		}
	}
	return plan.NewGroupBy(together, nil, sides), nil
}

// addsUp reports whether the aggregates of all rows follow from the aggregates of parts.
func addsUp(selected []sql.Expression) bool {
	for _, e := range selected {
		switch e.(type) {
		case *aggregation.Count, *aggregation.Min, *aggregation.Max:
		default:
			return false
		}
	}
	return len(selected) > 0
}

// ofSides returns a UNION ALL of one row of aggregates for each side; false where a side can't be aggregated
// separately.
func (a *unionAggregate) ofSides(n *plan.SetOp) (sql.Node, bool, error) {
	if !IsUnionAll(n) || n.Limit != nil || n.Offset != nil || len(n.SortFields) > 0 {
		return nil, false, nil
	}
	left, ok, err := a.ofSide(n.Left())
	if err != nil || !ok {
		return nil, false, err
	}
	right, ok, err := a.ofSide(n.Right())
	if err != nil || !ok {
		return nil, false, err
	}
	return plan.NewSetOp(plan.UnionType, left, right, false, nil, nil, nil).WithId(n.Id()).(sql.Node), true, nil
}

// ofSide returns the aggregation of a side that selects from tables.
func (a *unionAggregate) ofSide(n sql.Node) (sql.Node, bool, error) {
	columns, converts := make([]sql.Expression, len(a.schema)), false
	for {
		switch at := n.(type) {
		case *plan.SetOp:
			if converts {
				return nil, false, nil
			}
			return a.ofSides(at)
		case *plan.Project:
			if len(at.Projections) != len(columns) {
				return nil, false, nil
			}
			if ConvertsColumns(at) { // the converted columns are not known below
				for i, e := range at.Projections {
					if _, plain := e.(*expression.GetField); !plain {
						columns[i] = e
					}
				}
				n, converts = at.Child, true
				continue
			}
			for i, e := range at.Projections {
				if columns[i] == nil {
					columns[i] = tree.Unaliased(e)
				} else {
					columns[i] = nil
				}
			}
			return a.aggregated(at.Child, columns)
		}
		return nil, false, nil
	}
}

// aggregated returns the aggregation of a side's FROM; columns are the side's selected expressions, nil where
// unknown.
func (a *unionAggregate) aggregated(from sql.Node, columns []sql.Expression) (sql.Node, bool, error) {
	below := from
	if f, ok := below.(*plan.Filter); ok {
		below = f.Child
	}
	switch below.(type) {
	case *plan.ResolvedTable, *plan.TableAlias, *plan.JoinNode, *plan.SubqueryAlias:
	default:
		return nil, false, nil
	}
	out := make([]sql.Expression, len(a.of))
	for i, e := range a.of {
		of := e.Children()[0]
		if _, all := of.(*expression.Literal); !all {
			inner, ok := a.conditions.inTermsOf(of, func(f *expression.GetField) (sql.Expression, bool) {
				at, ok := a.positions[f.Id()]
				if !ok || columns[at] == nil || !reflect.DeepEqual(columns[at].Type(), a.schema[at].Type) ||
					!reflect.DeepEqual(f.Type(), a.schema[at].Type) {
					return nil, false
				}
				return columns[at], true
			})
			if !ok {
				return nil, false, nil
			}
			of = inner
		}
		next, err := e.WithChildren(of)
		if err != nil {
			return nil, false, err
		}
		out[i] = next
	}
	return plan.NewGroupBy(out, nil, from), true, nil
}

// countOfSides is a COUNT that sums the counts of the sides of a UNION ALL.
type countOfSides struct {
	*aggregation.Count
}

var _ sql.Aggregation = (*countOfSides)(nil)

// WithChildren implements sql.Expression.
func (c *countOfSides) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := c.Count.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &countOfSides{next.(*aggregation.Count)}, nil
}

// WithId implements sql.IdExpression.
func (c *countOfSides) WithId(id sql.ColumnId) sql.IdExpression {
	return &countOfSides{c.Count.WithId(id).(*aggregation.Count)}
}

// NewBuffer implements sql.Aggregation.
func (c *countOfSides) NewBuffer() (sql.AggregationBuffer, error) {
	child, err := transform.Clone(c.Child)
	return &sidesCounted{of: child}, err
}

// sidesCounted sums counts.
type sidesCounted struct {
	of  sql.Expression
	sum int64
}

// Update implements sql.AggregationBuffer.
func (b *sidesCounted) Update(ctx *sql.Context, row sql.Row) error {
	v, err := b.of.Eval(ctx, row)
	if err != nil {
		return err
	}
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("sqlbackend: count of a side is %T", v)
	}
	b.sum += n
	return nil
}

// Eval implements sql.AggregationBuffer.
func (b *sidesCounted) Eval(*sql.Context) (interface{}, error) { return b.sum, nil }

// Dispose implements sql.Disposable.
func (b *sidesCounted) Dispose() {}

// String implements fmt.Stringer.
func (c *countOfSides) String() string { return fmt.Sprintf("SUM(%s)", c.Child) }

// DebugString implements sql.DebugStringer.
func (c *countOfSides) DebugString() string { return fmt.Sprintf("SUM(%s)", sql.DebugString(c.Child)) }
