package compare

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Keyed returns rows with their computed sort keys appended.
type Keyed struct {
	sql.RowIter
	Keys []sql.Expression
}

// Next implements sql.RowIter.
func (k Keyed) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := k.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	width := len(row)
	out := append(make(sql.Row, 0, width+len(k.Keys)+1), row...)
	for _, e := range k.Keys {
		v, err := e.Eval(ctx, row[:width:width])
		if err != nil {
			return nil, err
		}
		if text, ok := v.(string); ok && types.IsTime(e.Type()) {
			// The engine's DATE() returns a text, which its type would read again for each comparison.
			if moment, in, err := e.Type().Convert(ctx, text); err == nil && in == sql.InRange {
				v = moment
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// Unkeyed returns the sorted rows of Keyed without their keys.
type Unkeyed struct {
	sql.RowIter
	Keys int
}

// Next implements sql.RowIter.
func (u Unkeyed) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := u.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	width := len(row) - u.Keys
	return row[:width:width], nil
}

// AppendedKey is a sort key in a row, FromEnd values before its end.
type AppendedKey struct {
	sql.Expression
	FromEnd int
}

// Eval implements sql.Expression.
func (k *AppendedKey) Eval(_ *sql.Context, row sql.Row) (any, error) {
	return row[len(row)-k.FromEnd], nil
}

// KeyedFields returns the fields to sort keyed rows by, with a number of further values after their keys; none if no
// field is computed.
func KeyedFields(fields sql.SortFields, further int) (out sql.SortFields, keys []sql.Expression) {
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
			out[i].Column, out[i].Column2 = &AppendedKey{f.Column, behind}, nil
			behind--
		}
	}
	if stoppable, ok := hold.StoppableFields(out); ok {
		out = stoppable
	}
	return out, keys
}

// isComputed reports whether a sort key takes more than reading a value of the row.
func isComputed(e sql.Expression) bool {
	if s, ok := e.(*hold.StoppableKey); ok {
		e = s.Expression
	}
	switch tree.Unwrapped(e).(type) {
	case *expression.GetField, *expression.Literal, *AppendedKey:
		return false
	}
	return true
}
