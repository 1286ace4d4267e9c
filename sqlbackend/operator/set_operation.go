package operator

import (
	"errors"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// ColumnSort sorts by the columns of the result that the fields name: the fields
// themselves are what the left side computes its columns from.
func ColumnSort(fields sql.SortFields, schema sql.Schema) sql.SortFields {
	out := make(sql.SortFields, len(fields))
	for i, f := range fields {
		out[i] = f
		name := f.Column.String()
		if field, ok := tree.Unwrapped(f.Column).(*expression.GetField); ok {
			name = field.Name()
		}
		for at, c := range schema {
			if strings.EqualFold(c.Name, name) {
				out[i].Column, out[i].Column2 = &compare.ResultColumn{FromEnd: len(schema) - at, Column: c}, nil
				break
			}
		}
	}
	return out
}

var _ sql.Expression = (*compare.ResultColumn)(nil)

// UnionIter gives the rows of one iterator, then those of another.
type UnionIter struct {
	Current   sql.RowIter
	Following func(*sql.Context) (sql.RowIter, error) // nil once it has been called
}

// Next implements sql.RowIter.
func (i *UnionIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.Current.Next(ctx)
		if !errors.Is(err, io.EOF) || i.Following == nil {
			return row, err
		}
		if err := i.Current.Close(ctx); err != nil {
			return nil, err
		}
		next, err := i.Following(ctx)
		i.Following = nil
		if err != nil {
			i.Current = sql.RowsToRowIter()
			return nil, err
		}
		i.Current = next
	}
}

// Close implements sql.RowIter.
func (i *UnionIter) Close(ctx *sql.Context) error {
	i.Following = nil
	return i.Current.Close(ctx)
}

// MatchIter is INTERSECT, which keeps the rows that the other side has too, or
// EXCEPT, which keeps those that it has not. With ALL a row of the other side
// stands for one of this.
type MatchIter struct {
	Child  sql.RowIter
	Other  func(*sql.Context) (sql.RowIter, error)
	Schema sql.Schema
	All    bool
	Keep   bool
	counts map[string]int

	holding hold.Memory
}

// Next implements sql.RowIter.
func (i *MatchIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.counts == nil {
		if err := i.count(ctx); err != nil {
			return nil, err
		}
	}
	for {
		row, err := i.Child.Next(ctx)
		if err != nil {
			return nil, err
		}
		key, err := value.RowKey(ctx, row, i.Schema)
		if err != nil {
			return nil, err
		}
		there := i.counts[string(key)] > 0
		if there && i.All {
			i.counts[string(key)]--
		}
		if there == i.Keep {
			return row, nil
		}
	}
}

func (i *MatchIter) count(ctx *sql.Context) error {
	other, err := i.Other(ctx)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for {
		row, err := other.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return mysqlerr.Joined(err, other.Close(ctx))
		}
		key, err := value.RowKey(ctx, row, i.Schema)
		if err != nil {
			return mysqlerr.Joined(err, other.Close(ctx))
		}
		if counts[string(key)]++; counts[string(key)] == 1 {
			if err := i.holding.Hold(ctx, hold.KeyBytes+len(key)); err != nil {
				return mysqlerr.Joined(err, other.Close(ctx))
			}
		}
	}
	i.counts = counts
	return other.Close(ctx)
}

// Close implements sql.RowIter.
func (i *MatchIter) Close(ctx *sql.Context) error {
	i.counts = nil
	i.holding.ReleaseAll()
	return i.Child.Close(ctx)
}
