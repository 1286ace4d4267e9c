package operator

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// windowKey is a partition or sort key of a window, computed once for each row. The engine would compute it for each
// comparison, on rows to which it has appended a number, which a subquery would read as its own column. It is made
// when a window runs, and keeps its values as long as the rows are held.
type windowKey struct {
	sql.Expression
	input *WindowInput
	known map[*any]any // keyed by the address of a row's first value
}

// WindowInput is the child of a window node, with what is known of its rows once they are read.
type WindowInput struct {
	sql.Node
	any   bool // it has rows
	width int  // number of values of a row

	// Rows are being read; nil after Close. The engine's iterator of windows leaves it to its caller to close them.
	Rows sql.RowIter

	Beside int         // bytes that a row takes besides its values
	values hold.Memory // memory of the computed values
	failed error       // the error that ended the computation
}

// Close closes the rows. It does nothing if they are closed, or not read yet.
func (i *WindowInput) Close(ctx *sql.Context) error {
	rows := i.Rows
	if rows == nil {
		return nil
	}
	i.Rows = nil
	i.values.ReleaseAll()
	return rows.Close(ctx)
}

// keyOnce returns a key of a window over the input, as a windowKey where computing it again is dear or wrong.
func (i *WindowInput) keyOnce(e sql.Expression) (key sql.Expression, made bool) {
	if _, peers := e.(*compare.PeerKey); !peers && !HoldsSubquery(e) {
		return e, false
	}
	return &windowKey{Expression: e, input: i, known: map[*any]any{}}, true
}

// keysOnce applies keyOnce to the keys of a window.
func (i *WindowInput) keysOnce(w sql.WindowDefinition) (sql.WindowDefinition, bool) {
	any := false
	partition := slices.Clone(w.PartitionBy)
	for at, e := range partition {
		var made bool
		partition[at], made = i.keyOnce(e)
		any = any || made
	}
	order := slices.Clone(w.OrderBy)
	for at, f := range order {
		key, made := i.keyOnce(f.Column)
		if made {
			order[at].Column, order[at].Column2, any = key, nil, true
		}
	}
	w.PartitionBy, w.OrderBy = partition, order
	return w, any
}

// Eval implements sql.Expression.
func (k *windowKey) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if width := k.input.width; width < len(row) {
		row = row[:width:width]
	}
	if len(row) == 0 {
		return k.Expression.Eval(ctx, row)
	}
	if v, ok := k.known[&row[0]]; ok {
		return v, nil
	}
	v, err := k.Expression.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	k.known[&row[0]] = v
	return v, k.input.values.Hold(ctx, hold.KeyBytes+hold.ValueBytes(v))
}

// windowInputIter notes whether a window's input has rows, and their number of values.
type windowInputIter struct {
	sql.RowIter
	Input *WindowInput
}

// Next implements sql.RowIter.
func (i windowInputIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err == nil {
		i.Input.width, i.Input.any = len(row), true
	}
	return row, err
}

// windowRows returns the rows of a window node, none if its input has none. The engine would return one row of NULLs
// if no window has PARTITION BY.
type windowRows struct {
	sql.RowIter
	Input *WindowInput
}

// Next implements sql.RowIter.
func (i windowRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if i.Input.failed != nil {
		return nil, mysqlerr.Of(ctx, i.Input.failed)
	}
	if err == nil && !i.Input.any { // the engine has read all of the input by now
		return nil, io.EOF
	}
	return row, err
}

// Close implements sql.RowIter.
func (i windowRows) Close(ctx *sql.Context) error {
	return mysqlerr.Joined(i.RowIter.Close(ctx), i.Input.Close(ctx))
}

// windowWithInput returns a window node over a WindowInput, with keys by keyOnce. It ends when its statement is
// killed or holds too much. It is nil if the node's input is a WindowInput already.
func windowWithInput(n *plan.Window) (*WindowInput, *plan.Window, error) {
	if _, done := n.Child.(*WindowInput); done {
		return nil, nil, nil
	}
	input := &WindowInput{Node: n.Child}
	exprs, _ := hold.WindowsBy(n.SelectExprs, input.keysOnce)
	stoppable, _ := hold.StoppableWindow(plan.NewWindow(exprs, input))
	held, err := heldWindows(stoppable.SelectExprs, input)
	return input, plan.NewWindow(held, input), err
}

// Window builds window functions. nil leaves the node to the engine, as its input is a WindowInput.
func Window(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Window, row sql.Row) (sql.RowIter, error) {
	input, of, err := windowWithInput(n)
	if of == nil || err != nil {
		return nil, err
	}
	rows, err := engine.Build(ctx, of, row)
	if err != nil {
		return nil, mysqlerr.Joined(err, input.Close(ctx))
	}
	return windowRows{RowIter: hold.StoppableIter{RowIter: rows}, Input: input}, nil
}

// Build implements Node.
func (i *WindowInput) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := engine.Build(ctx, i.Node, row)
	if err != nil {
		return nil, err
	}
	i.Rows = windowInputIter{RowIter: &hold.HeldIter{RowIter: rows, Extra: i.Beside, Trailing: 1}, Input: i}
	return i.Rows, nil
}
