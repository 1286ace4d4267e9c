package operator

import (
	"errors"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// columnSort replaces sort fields by the result's columns of the same names. The fields themselves are the
// expressions that the left side computes its columns from.
func columnSort(fields sql.SortFields, schema sql.Schema) sql.SortFields {
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

// unionIter returns the rows of one iterator, then of another.
type unionIter struct {
	Current   sql.RowIter
	Following func(*sql.Context) (sql.RowIter, error) // nil after its call
}

// Next implements sql.RowIter.
func (i *unionIter) Next(ctx *sql.Context) (sql.Row, error) {
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
func (i *unionIter) Close(ctx *sql.Context) error {
	i.Following = nil
	return i.Current.Close(ctx)
}

// matchIter is INTERSECT, which keeps the rows that the other side has too, or EXCEPT, which keeps the rows that it
// has not. With ALL, each row of the other side matches one row of this side.
type matchIter struct {
	Child  sql.RowIter
	Other  func(*sql.Context) (sql.RowIter, error)
	Schema sql.Schema
	All    bool
	Keep   bool
	counts map[string]int

	holding hold.Memory
}

// Next implements sql.RowIter.
func (i *matchIter) Next(ctx *sql.Context) (sql.Row, error) {
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

func (i *matchIter) count(ctx *sql.Context) error {
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
func (i *matchIter) Close(ctx *sql.Context) error {
	i.counts = nil
	i.holding.ReleaseAll()
	return i.Child.Close(ctx)
}

// SetOperation builds UNION, INTERSECT and EXCEPT. The engine's own iterators compare rows by their Go values, and
// skip the rows of OFFSET before they sort.
func SetOperation(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.SetOp, row sql.Row) (sql.RowIter, error) {
	if n.Limit != nil || n.Offset != nil || len(n.SortFields) > 0 {
		var all sql.Node = plan.NewSetOp(n.SetOpType, n.Left(), n.Right(), n.Distinct, nil, nil,
			nil).WithColumns(n.Columns()).WithId(n.Id())
		if len(n.SortFields) > 0 {
			all = plan.NewSort(columnSort(n.SortFields, n.Left().Schema()), all)
		}
		if n.Offset != nil {
			all = plan.NewOffset(n.Offset, all)
		}
		if n.Limit != nil {
			all = plan.NewLimit(n.Limit, all)
		}
		return engine.Build(ctx, all, row)
	}
	left, err := engine.Build(ctx, n.Left(), row)
	if err != nil {
		return nil, err
	}
	schema := n.Left().Schema()
	right := func(ctx *sql.Context) (sql.RowIter, error) { return engine.Build(ctx, n.Right(), row) }
	if n.SetOpType == plan.UnionType {
		var out sql.RowIter = &unionIter{Current: left, Following: right}
		if n.Distinct {
			out = &distinctIter{Child: out, Schema: schema}
		}
		return out, nil
	}
	if n.Distinct {
		left = &distinctIter{Child: left, Schema: schema}
	}
	return &matchIter{Child: left, Other: right, Schema: schema, All: !n.Distinct,
		Keep: n.SetOpType == plan.IntersectType}, nil
}
