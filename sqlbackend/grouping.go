package sqlbackend

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// groupIter is GROUP BY. The engine's own takes 1 and 1.0 for two groups, and
// fails when it is closed before the first row was asked for.
type groupIter struct {
	child    sql.RowIter
	values   *aggregateRows // below the child: its rows stand for several; nil: each for itself
	selected []sql.Expression
	grouped  []sql.Expression

	computed bool
	groups   [][]sql.AggregationBuffer // in the order of their first rows
	next     int
	key      string // of the group that is being met in order, which is the last one
	holding  hold.Memory
}

var _ sql.RowIter = (*groupIter)(nil)

// Next implements sql.RowIter.
func (i *groupIter) Next(ctx *sql.Context) (sql.Row, error) {
	if len(i.grouped) == 0 && !aggregates(i.selected) {
		return i.rowByRow(ctx)
	}
	if i.values != nil && i.values.path.ordered {
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
	defer disposeBuffers(group)
	return evalBuffers(ctx, group)
}

// aggregates tells whether an expression makes one row of many. ANY_VALUE is
// no such function in MySQL.
func aggregates(selected []sql.Expression) bool {
	for _, e := range selected {
		if _, ok := e.(sql.Aggregation); ok {
			if _, ok := e.(*aggregation.AnyValue); !ok {
				return true
			}
		}
	}
	return false
}

func (i *groupIter) rowByRow(ctx *sql.Context) (sql.Row, error) {
	row, err := i.child.Next(ctx)
	if err != nil {
		return nil, err
	}
	group, err := newBuffers(i.selected)
	if err != nil {
		return nil, err
	}
	defer disposeBuffers(group)
	if err := updateBuffers(ctx, group, row); err != nil {
		return nil, err
	}
	return evalBuffers(ctx, group)
}

// inOrder gives the next group of rows that come in the order of what they are grouped by:
// once a row of another group is met.
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
			group, err := newBuffers(i.selected)
			if err != nil {
				return nil, err
			}
			i.groups, i.key = append(i.groups, group), key
		}
		if err := updateTimes(ctx, i.groups[len(i.groups)-1], row, i.values.count); err != nil {
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
	defer disposeBuffers(group)
	return evalBuffers(ctx, group)
}

func (i *groupIter) compute(ctx *sql.Context) error {
	byKey := map[string][]sql.AggregationBuffer{}
	if len(i.grouped) == 0 { // one group, with no rows too
		group, err := newBuffers(i.selected)
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
			if group, err = newBuffers(i.selected); err != nil {
				return err
			}
			byKey[string(key)], i.groups = group, append(i.groups, group)
			if err := i.holding.Hold(ctx, hold.KeyBytes+len(key)+hold.GroupBytes*len(group)); err != nil {
				return err
			}
		}
		if i.values != nil {
			err = updateTimes(ctx, group, row, i.values.count)
		} else {
			err = updateBuffers(ctx, group, row)
		}
		if err != nil {
			return err
		}
	}
}

// Close implements sql.RowIter.
func (i *groupIter) Close(ctx *sql.Context) error {
	for _, group := range i.groups {
		disposeBuffers(group)
	}
	i.groups, i.next = nil, 0
	i.holding.ReleaseAll()
	return i.child.Close(ctx)
}

func newBuffers(selected []sql.Expression) ([]sql.AggregationBuffer, error) {
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
		default: // a column that the group determines
			out[i] = &firstValue{expr: e}
		}
		if err != nil {
			disposeBuffers(out[:i])
			return nil, err
		}
	}
	return out, nil
}

func updateBuffers(ctx *sql.Context, group []sql.AggregationBuffer, row sql.Row) error {
	for _, b := range group {
		if err := b.Update(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

// repeatable is a buffer to which it matters how often a row comes.
type repeatable interface {
	// UpdateTimes is Update, so many times.
	UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error
}

func updateTimes(ctx *sql.Context, group []sql.AggregationBuffer, row sql.Row, n int64) error {
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

func evalBuffers(ctx *sql.Context, group []sql.AggregationBuffer) (sql.Row, error) {
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

func disposeBuffers(group []sql.AggregationBuffer) {
	for _, b := range group {
		b.Dispose()
	}
}

// firstValue is the value in the first row of a group, NULL or not.
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

// rowCount is COUNT.
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

// distinctCount is COUNT(DISTINCT …) with our equality.
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

// distinctIter is DISTINCT: of rows that are equal it gives the first.
type distinctIter struct {
	child  sql.RowIter
	schema sql.Schema
	seen   hold.SeenKeys
}

var _ sql.RowIter = (*distinctIter)(nil)

// Next implements sql.RowIter.
func (i *distinctIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.child.Next(ctx)
		if err != nil {
			return nil, err
		}
		key, err := value.RowKey(ctx, row, i.schema)
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
	return i.child.Close(ctx)
}

// repeatedXor is BIT_XOR, to which it matters whether a value comes an odd number of times.
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
