package operator

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Aggregates reports whether one of the expressions makes one row of many. ANY_VALUE does not in MySQL.
func Aggregates(selected []sql.Expression) bool {
	for _, e := range selected {
		if _, ok := e.(sql.Aggregation); ok {
			if _, ok := e.(*aggregation.AnyValue); !ok {
				return true
			}
		}
	}
	return false
}

// NewBuffers makes the buffers of one group, one for each expression.
func NewBuffers(selected []sql.Expression) ([]sql.AggregationBuffer, error) {
	out := make([]sql.AggregationBuffer, len(selected))
	for i, e := range selected {
		var err error
		switch e := e.(type) {
		case *aggregation.Count:
			c := &rowCount{}
			c.expr, err = transform.Clone(e.Child)
			out[i] = c
		case *aggregation.CountDistinct, *compare.NumberedCount:
			out[i] = &distinctCount{exprs: e.Children()}
		case *aggregation.GroupConcat:
			out[i], err = functions.NewConcatBuffer(e)
		case *compare.NumberedConcat:
			out[i], err = functions.NewConcatBuffer(e.GroupConcat)
		case *aggregation.JsonArray:
			out[i] = &heldArray{expr: e.Child}
		case *aggregation.JSONObjectAgg, *compare.NumberedObject:
			out[i] = &heldObject{key: e.Children()[0], value: e.Children()[1]}
		case *aggregation.Max, *aggregation.Min, *aggregation.AnyValue:
			out[i], err = newHeldOne(e.(sql.Aggregation))
		case *aggregation.BitXor:
			var b sql.AggregationBuffer
			b, err = e.NewBuffer()
			out[i] = repeatedXor{b}
		case sql.Aggregation:
			if d, ok := functions.DeviationOf(e); ok {
				out[i], err = d.NewBuffer()
			} else {
				out[i], err = e.NewBuffer()
			}
		default: // a column that has one value in the group
			out[i] = &firstValue{expr: e}
		}
		if err != nil {
			DisposeBuffers(out[:i])
			return nil, err
		}
	}
	return out, nil
}

// UpdateBuffers adds a row to the buffers of its group.
func UpdateBuffers(ctx *sql.Context, group []sql.AggregationBuffer, row sql.Row) error {
	for _, b := range group {
		if err := b.Update(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// repeatable is a buffer to which it matters how often a row is added.
type repeatable interface {
	// UpdateTimes adds a row n times.
	UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error
}

// UpdateTimes adds a row that stands for n equal rows.
func UpdateTimes(ctx *sql.Context, group []sql.AggregationBuffer, row sql.Row, n int64) error {
	for _, b := range group {
		var err error
		if r, ok := b.(repeatable); ok {
			err = r.UpdateTimes(ctx, row, n)
		} else {
			err = b.Update(ctx, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EvalBuffers returns the row of a group.
func EvalBuffers(ctx *sql.Context, group []sql.AggregationBuffer) (sql.Row, error) {
	row := make(sql.Row, len(group))
	for i, b := range group {
		v, err := b.Eval(ctx)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	return row, nil
}

// DisposeBuffers releases the memory that the buffers of a group hold.
func DisposeBuffers(group []sql.AggregationBuffer) {
	for _, b := range group {
		b.Dispose()
	}
}

// firstValue is the value in the first row of a group, perhaps NULL.
type firstValue struct {
	expr    sql.Expression
	value   interface{}
	taken   bool
	holding hold.Memory
}

// Update implements sql.AggregationBuffer.
func (f *firstValue) Update(ctx *sql.Context, row sql.Row) error {
	if f.taken {
		return nil
	}
	v, err := f.expr.Eval(ctx, row)
	if err != nil {
		return err
	}
	if owned := hold.OwnedValue(v); owned != nil {
		v = owned
	}
	f.value, f.taken = v, true
	return f.holding.Hold(ctx, hold.ValueBytes(v))
}

// Eval implements sql.AggregationBuffer.
func (f *firstValue) Eval(*sql.Context) (interface{}, error) { return f.value, nil }

// Dispose implements sql.Disposable.
func (f *firstValue) Dispose() { f.holding.ReleaseAll() }

// rowCount is the buffer of COUNT.
type rowCount struct {
	expr  sql.Expression
	count int64
}

// Update implements sql.AggregationBuffer.
func (c *rowCount) Update(ctx *sql.Context, row sql.Row) error { return c.UpdateTimes(ctx, row, 1) }

// UpdateTimes implements repeatable.
func (c *rowCount) UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error {
	if _, all := c.expr.(*expression.Star); !all {
		v, err := c.expr.Eval(ctx, row)
		if err != nil || v == nil {
			return err
		}
	}
	c.count += n
	return nil
}

// Eval implements sql.AggregationBuffer.
func (c *rowCount) Eval(*sql.Context) (interface{}, error) { return c.count, nil }

// Dispose implements sql.Disposable.
func (c *rowCount) Dispose() { expression.Dispose(c.expr) }

// distinctCount is the buffer of COUNT(DISTINCT …), with MySQL's equality of values.
type distinctCount struct {
	exprs []sql.Expression
	seen  hold.SeenKeys
	count int64
}

// Update implements sql.AggregationBuffer. A row with a NULL does not count.
func (d *distinctCount) Update(ctx *sql.Context, row sql.Row) error {
	var key []byte
	for _, e := range d.exprs {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return err
		}
		if key, err = value.AppendRowKey(ctx, key, v, e.Type()); err != nil {
			return err
		}
	}
	again, err := d.seen.Again(ctx, key)
	if !again {
		d.count++
	}
	return err
}

// Eval implements sql.AggregationBuffer.
func (d *distinctCount) Eval(*sql.Context) (interface{}, error) { return d.count, nil }

// Dispose implements sql.Disposable.
func (d *distinctCount) Dispose() { d.seen.Release() }

// distinctIter is DISTINCT: it returns the first of equal rows.
type distinctIter struct {
	Child  sql.RowIter
	Schema sql.Schema
	seen   hold.SeenKeys
}

var _ sql.RowIter = (*distinctIter)(nil)

// Next implements sql.RowIter.
func (i *distinctIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.Child.Next(ctx)
		if err != nil {
			return nil, err
		}
		key, err := value.RowKey(ctx, row, i.Schema)
		if err != nil {
			return nil, err
		}
		if again, err := i.seen.Again(ctx, key); err != nil || !again {
			return row, err
		}
	}
}

// Close implements sql.RowIter.
func (i *distinctIter) Close(ctx *sql.Context) error {
	i.seen.Release()
	return i.Child.Close(ctx)
}

// repeatedXor is the buffer of BIT_XOR, to which it matters whether a value comes an odd number of times.
type repeatedXor struct {
	sql.AggregationBuffer
}

// UpdateTimes implements repeatable.
func (b repeatedXor) UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error {
	for range 2 - n%2 {
		if err := b.Update(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// Distinct builds DISTINCT.
func Distinct(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Distinct, row sql.Row) (sql.RowIter, error) {
	return distinctRows(ctx, engine, n.Child, row)
}

// OrderedDistinct builds DISTINCT of sorted rows.
func OrderedDistinct(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.OrderedDistinct, row sql.Row) (sql.RowIter,
	error) {
	return distinctRows(ctx, engine, n.Child, row)
}

func distinctRows(ctx *sql.Context, engine sql.NodeExecBuilder, of sql.Node, row sql.Row) (sql.RowIter, error) {
	child, err := engine.Build(ctx, of, row)
	if err != nil {
		return nil, err
	}
	return &distinctIter{Child: child, Schema: of.Schema()}, nil
}
