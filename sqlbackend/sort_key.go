package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// What rows are sorted by the engine evaluates for each comparison, of rows that it has put values of its own behind: a number where the first ones
// are kept, the text that GROUP_CONCAT adds. What a subquery reads stands behind the row that it is evaluated for, so that it would take
// its own columns for others; a random value would be another one each time; and all that is computed is computed some thirty times. So keys are computed once
// for each row, before it is sorted.

// keyed are rows with the keys by which they are sorted behind them, as far as these are computed.
type keyed struct {
	sql.RowIter
	keys []sql.Expression
}

// Next implements sql.RowIter.
func (k keyed) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := k.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	width := len(row)
	out := append(make(sql.Row, 0, width+len(k.keys)+1), row...)
	for _, e := range k.keys {
		v, err := e.Eval(ctx, row[:width:width])
		if err != nil {
			return nil, err
		}
		if text, ok := v.(string); ok && types.IsTime(e.Type()) {
			// The engine's DATE() gives a text, which its type would read again for each comparison.
			if moment, in, err := e.Type().Convert(ctx, text); err == nil && in == sql.InRange {
				v = moment
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// unkeyed are the rows of keyed, sorted, without their keys.
type unkeyed struct {
	sql.RowIter
	keys int
}

// Next implements sql.RowIter.
func (u unkeyed) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := u.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	width := len(row) - u.keys
	return row[:width:width], nil
}

// keyBehind is a key that stands in the row, so many values from its end.
type keyBehind struct {
	sql.Expression
	behind int
}

// Eval implements sql.Expression.
func (k *keyBehind) Eval(_ *sql.Context, row sql.Row) (any, error) {
	return row[len(row)-k.behind], nil
}

// keyedFields are fields to sort keyed rows by, with as many further values behind their keys; none if no field is computed.
func keyedFields(fields sql.SortFields, further int) (out sql.SortFields, keys []sql.Expression) {
	for _, f := range fields {
		if isComputed(f.Column) {
			keys = append(keys, f.Column)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	out = slices.Clone(fields)
	behind := len(keys) + further
	for i, f := range out {
		if isComputed(f.Column) {
			out[i].Column, out[i].Column2 = &keyBehind{f.Column, behind}, nil
			behind--
		}
	}
	if stoppable, ok := hold.StoppableFields(out); ok {
		out = stoppable
	}
	return out, keys
}

// isComputed tells that what rows are sorted by takes more than to look at a row.
func isComputed(e sql.Expression) bool {
	if s, ok := e.(*hold.StoppableKey); ok {
		e = s.Expression
	}
	switch tree.Unwrapped(e).(type) {
	case *expression.GetField, *expression.Literal, *keyBehind:
		return false
	}
	return true
}

// sortKeyed is a sort by keys of which some are computed; nil for others.
func (x *executor) sortKeyed(ctx *sql.Context, n *plan.Sort, row sql.Row) (sql.RowIter, error) {
	fields, keys := keyedFields(n.SortFields, 0)
	if keys == nil {
		return nil, nil
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	held := &hold.HeldIter{RowIter: keyed{rows, keys}}
	return unkeyed{iters.NewSortIter(fields, held), len(keys)}, nil
}

// first is the rows that come first, by keys of which some may be computed.
func (x *executor) first(ctx *sql.Context, n *plan.TopN, row sql.Row) (sql.RowIter, error) {
	taken, err := rowsTaken(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil || plan.IsEmptyIter(rows) {
		return rows, err
	}
	fields, keys := keyedFields(n.Fields, 1)
	if keys == nil {
		fields, _ = hold.StoppableFields(n.Fields)
		return newTopRows(rows, n, fields, taken, 0), nil
	}
	return newTopRows(keyed{rows, keys}, n, fields, taken, len(keys)), nil
}
