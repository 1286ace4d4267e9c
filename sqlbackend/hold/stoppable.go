package hold

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// keysPerCheck is how many keys are walked between looks at whether the statement has
// been killed.
const keysPerCheck = 1024

// StoppableReader ends walks whose statement has been killed: some meet many keys
// before they have a row to give, as one that collects the keys of an intersection does.
// Documents are fetched by several goroutines.
type StoppableReader struct {
	kv.Reader
	Ctx context.Context
	// Walked gets about how many keys its statement has walked so far, unless it is nil.
	Walked *atomic.Int64
	keys   atomic.Int64 // walked by all iterators
}

// Unwrap is the reader below.
func (r *StoppableReader) Unwrap() kv.Reader { return r.Reader }

// Range implements kv.Reader.
func (r *StoppableReader) Range(keys kv.Range, opts kv.RangeOptions) kv.Iterator {
	return &stoppableIterator{Iterator: r.Reader.Range(keys, opts), r: r}
}

type stoppableIterator struct {
	kv.Iterator
	r   *StoppableReader
	err error
}

// Next implements kv.Iterator.
func (i *stoppableIterator) Next() bool {
	if i.r.keys.Add(1)%keysPerCheck == 0 && i.err == nil {
		if i.r.Walked != nil {
			i.r.Walked.Add(keysPerCheck)
		}
		if err := i.r.Ctx.Err(); err != nil {
			i.err = fmt.Errorf("sqlbackend: walk keys: %w", err)
		}
	}
	return i.err == nil && i.Iterator.Next()
}

// Err implements kv.Iterator.
func (i *stoppableIterator) Err() error {
	if i.err != nil {
		return i.err
	}
	return i.Iterator.Err()
}

// StoppableRows ends rows that come from memory when their statement has been killed. The nodes above that change or
// count them do not check that themselves.
type StoppableRows struct {
	sql.RowIter
	given int
}

// rowsPerLook is how many rows from memory are given between looks.
const rowsPerLook = 64

// Next implements sql.RowIter.
func (i *StoppableRows) Next(ctx *sql.Context) (sql.Row, error) {
	if i.given++; i.given%rowsPerLook == 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return i.RowIter.Next(ctx)
}

// Pace stops a long work on one row when its statement has been killed. Examples are comparing a text of millions of
// characters with a pattern, or all elements of two arrays.
type Pace struct {
	Ctx   context.Context
	steps int
	Err   error // set once it is to stop
}

// stepsPerPace is the number of steps between two checks of the context.
const stepsPerPace = 256

// Step notes a step; it is false once the work is to stop.
func (p *Pace) Step() bool {
	if p.steps++; p.steps%stepsPerPace == 0 && p.Err == nil {
		p.Err = p.Ctx.Err()
	}
	return p.Err == nil
}

// StoppableKey is a first sort key that ends the sort of a statement that has been killed.
// The engine's sort does not check that, and evaluates its keys for each comparison.
type StoppableKey struct {
	sql.Expression
	evaluated int
}

// comparisonsPerCheck is how many keys are evaluated between looks.
const comparisonsPerCheck = 256

// Eval implements sql.Expression.
func (k *StoppableKey) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if k.evaluated++; k.evaluated%comparisonsPerCheck == 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return k.Expression.Eval(ctx, row)
}

// StoppableFields makes the first of the fields stoppable; ok is false if it is, or
// there is none.
func StoppableFields(fields sql.SortFields) (out sql.SortFields, ok bool) {
	if len(fields) == 0 {
		return fields, false
	}
	if _, done := fields[0].Column.(*StoppableKey); done {
		return fields, false
	}
	out = append(out, fields...)
	out[0].Column = &StoppableKey{Expression: fields[0].Column}
	return out, true
}

// StoppableWindow makes the sorts of window functions end when their statement is killed; ok
// is false where there is none to be made so.
func StoppableWindow(n *plan.Window) (out *plan.Window, ok bool) {
	exprs, ok := WindowsBy(n.SelectExprs, func(w sql.WindowDefinition) (sql.WindowDefinition, bool) {
		if len(w.PartitionBy) == 0 {
			fields, sorts := StoppableFields(w.OrderBy)
			w.OrderBy = fields
			return w, sorts
		}
		if _, done := w.PartitionBy[0].(*StoppableKey); done {
			return w, false
		}
		w.PartitionBy = slices.Clone(w.PartitionBy)
		w.PartitionBy[0] = &StoppableKey{Expression: w.PartitionBy[0]}
		return w, true
	})
	if !ok {
		return n, false
	}
	return plan.NewWindow(exprs, n.Child), true
}

// WindowsBy are expressions with a change made to the windows of the window functions among them; changed is false if
// there was none to make.
func WindowsBy(exprs []sql.Expression, change func(sql.WindowDefinition) (sql.WindowDefinition,
	bool)) (out []sql.Expression, changed bool) {
	out = slices.Clone(exprs)
	for i, e := range exprs {
		alias, named := e.(*expression.Alias)
		if named {
			e = alias.Child
		}
		f, adaptable := e.(sql.WindowAdaptableExpression)
		if !adaptable || f.Window() == nil {
			continue
		}
		window, made := change(*f.Window())
		if !made {
			continue
		}
		changed = true
		out[i] = f.WithWindow(&window)
		if named {
			next := *alias
			next.Child = out[i]
			out[i] = &next
		}
	}
	return out, changed
}

// StoppableIter gives no row of a statement that has been killed: the computation of the
// row may have ended early, without an error.
type StoppableIter struct{ sql.RowIter }

// Next implements sql.RowIter.
func (i StoppableIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if killed := ctx.Err(); killed != nil {
		return nil, mysqlerr.Of(ctx, killed)
	}
	return row, err
}
