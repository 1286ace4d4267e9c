package operator

import (
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// The engine's iterator of windows has the input's rows in a list for each way in which windows partition and sort
// them, and the values of all functions before it gives its first row. A function has no place for an error, and one of
// its frames is not looked at. So each function is one that counts its values and notes what goes wrong, after which,
// or when the statement is killed, there are no more frames.

const (
	windowRowBytes = 32 // a row in a list
	windowOutBytes = 64 // a row of what a partitioning's functions give, its number and its place
)

// heldWindow is an expression of a window node as it is run: one that is no function is the last one of each row's
// frame that ends there.
type heldWindow struct {
	sql.WindowAdaptableExpression
	input *WindowInput
}

var _ sql.WindowAggregation = (*heldWindow)(nil)

// heldWindows are the expressions of a window node, each a heldWindow.
func heldWindows(exprs []sql.Expression, input *WindowInput) ([]sql.Expression, error) {
	out, partitions := make([]sql.Expression, len(exprs)), map[uint64]bool{}
	for i, e := range exprs {
		e = tree.Unaliased(e)
		f, is := e.(sql.WindowAdaptableExpression)
		if !is {
			f = aggregation.NewLast(e).WithWindow(sql.NewWindowDefinition(nil, nil, nil, "", ""))
		}
		id, err := f.Window().PartitionId()
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: a window: %w", err)
		}
		partitions[id] = true
		out[i] = &heldWindow{f, input}
	}
	input.Beside = windowRowBytes + len(partitions)*(windowRowBytes+windowOutBytes)
	return out, nil
}

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (h *heldWindow) NewWindowFunction() (sql.WindowFunction, error) {
	f, err := h.WindowAdaptableExpression.NewWindowFunction()
	if err != nil {
		return nil, err
	}
	if a, is := h.WindowAdaptableExpression.(*aggregation.JsonArray); is {
		f = arrayFunction{f, a.Child}
	}
	return &heldFunction{f, h.input}, nil
}

// arrayFunction is JSON_ARRAYAGG over windows, whose arrays are those of groups.
type arrayFunction struct {
	sql.WindowFunction
	expr sql.Expression
}

// Compute implements sql.WindowFunction.
func (f arrayFunction) Compute(ctx *sql.Context, interval sql.WindowInterval, rows sql.WindowBuffer) any {
	a := heldArray{expr: f.expr}
	defer a.holding.ReleaseAll()
	for _, row := range rows[interval.Start:interval.End] {
		if err := a.Update(ctx, row); err != nil {
			return err
		}
	}
	v, err := a.Eval(ctx)
	if err != nil {
		return err
	}
	return v
}

// heldFunction is a window function whose values are held.
type heldFunction struct {
	sql.WindowFunction
	input *WindowInput
}

// DefaultFramer implements sql.WindowFunction.
func (f *heldFunction) DefaultFramer() sql.WindowFramer {
	return heldFramer{f.WindowFunction.DefaultFramer(), f.input}
}

// Compute implements sql.WindowFunction.
func (f *heldFunction) Compute(ctx *sql.Context, interval sql.WindowInterval, rows sql.WindowBuffer) any {
	v := f.WindowFunction.Compute(ctx, interval, rows)
	err, is := v.(error) // the engine's way to report errors
	if !is {
		err = f.input.values.Hold(ctx, hold.ValueBytes(v))
	}
	if f.input.failed == nil {
		f.input.failed = err
	}
	return v
}

// heldFramer gives a window function's frames until something has gone wrong.
type heldFramer struct {
	sql.WindowFramer
	input *WindowInput
}

// NewFramer implements sql.WindowFramer.
func (f heldFramer) NewFramer(partition sql.WindowInterval) (sql.WindowFramer, error) {
	if f.input.failed != nil {
		return nil, f.input.failed
	}
	of, err := f.WindowFramer.NewFramer(partition)
	return heldFramer{of, f.input}, err
}

// Next implements sql.WindowFramer. The engine knows no error but the end of the partition, after which it asks for the
// next one, or has all rows.
func (f heldFramer) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	if f.input.failed == nil {
		f.input.failed = ctx.Err()
	}
	if f.input.failed != nil {
		return sql.WindowInterval{}, io.EOF
	}
	interval, err := f.WindowFramer.Next(ctx, rows)
	if err != nil && !errors.Is(err, io.EOF) {
		f.input.failed, err = err, io.EOF
	}
	return interval, err
}
