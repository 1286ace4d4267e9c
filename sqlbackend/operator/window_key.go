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

// windowKey is what a window partitions or sorts by, computed once for each row: the engine evaluates it for each
// comparison, of rows that it has put a number behind meanwhile, by which a subquery would take its own columns for
// others. It is made when a window is run, and keeps what it has computed as long as the rows are kept.
type windowKey struct {
	sql.Expression
	input *WindowInput
	known map[*any]any // by the first value of a row
}

// WindowInput is the child of a window node, and what is known of it once its rows are read.
type WindowInput struct {
	sql.Node
	any   bool // there are rows
	width int  // how many values these have

	// as they are read; nil once they are closed, which the engine's iterator of windows leaves to its caller
	Rows sql.RowIter

	Beside int         // bytes that a row takes beside its own
	values hold.Memory // what is computed of the rows
	failed error       // what has ended that
}

// Close closes the rows. It does nothing where they are closed, or are not read yet.
func (i *WindowInput) Close(ctx *sql.Context) error {
	rows := i.Rows
	if rows == nil {
		return nil
	}
	i.Rows = nil
	i.values.ReleaseAll()
	return rows.Close(ctx)
}

// keyOnce is a key of a window over the input, a windowKey where computing it again is dear or wrong.
func (i *WindowInput) keyOnce(e sql.Expression) (key sql.Expression, made bool) {
	if _, peers := e.(*compare.PeerKey); !peers && !HoldsSubquery(e) {
		return e, false
	}
	return &windowKey{Expression: e, input: i, known: map[*any]any{}}, true
}

// keysOnce is a window with its keys by keyOnce.
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

// windowInputIter notes that there are rows in a window's input, and how many values they have.
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

// windowRows gives the rows of a window node, none if its input has none: the engine gives one of NULLs where nothing
// partitions them.
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
	if err == nil && !i.Input.any { // the engine has read all of the input by then
		return nil, io.EOF
	}
	return row, err
}

// Close implements sql.RowIter.
func (i windowRows) Close(ctx *sql.Context) error {
	return mysqlerr.Joined(i.RowIter.Close(ctx), i.Input.Close(ctx))
}

// windowWithInput is a window node over a WindowInput, with keys by keyOnce, that ends when its statement is killed or
// holds too much; nil if it is one.
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

// Window builds window functions. nil leaves it to the engine: its input is a WindowInput.
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
