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

// The engine's iterator of windows holds the input's rows in a list for each way in which windows partition and sort
// them. It also computes the values of all functions before it returns its first row. A function can't return an
// error, and the engine ignores its frames' errors. So each function here counts its values' memory and notes
// errors. After an error, or when the statement is killed, there are no more frames.

const (
	windowRowBytes = 32 // of a row in a list
	windowOutBytes = 64 // of a row of results of a partitioning's functions, with its number and its place
)

// heldWindow is an expression of a window node as it runs. An expression that is no function becomes LAST over each
// row's frame, which ends at that row.
type heldWindow struct {
	sql.WindowAdaptableExpression
	input *WindowInput
}

var _ sql.WindowAggregation = (*heldWindow)(nil)

// heldWindows returns the expressions of a window node, each as a heldWindow.
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

// arrayFunction is JSON_ARRAYAGG over windows, with the same arrays as over groups.
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

// heldFunction is a window function whose values' memory is counted.
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

// heldFramer returns a window function's frames until an error is noted.
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

// Next implements sql.WindowFramer. The engine knows no error but the end of the partition; after it, it starts the
// next partition or is done.
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
