package table

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// StampedSource is the source of an UPDATE of tables with ON UPDATE columns, built once for StampedIter.
type StampedSource struct{ sql.Node }

// Children implements sql.Node.
func (n *StampedSource) Children() []sql.Node { return []sql.Node{n.Node} }

// Build implements operator.Node.
func (n *StampedSource) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	return engine.Build(ctx, n.Node, row)
}

// Stamps are the places of one table's columns in the rows of an UPDATE. Stamped are its ON UPDATE columns that the
// statement doesn't set.
type Stamps struct {
	Table      *Table
	Start, End int
	Stamped    []int
}

// StampedIter returns the pairs of rows that an UPDATE reads and writes. If nothing else in a row changes, its
// stamps stay. The engine does not stamp a column if another table has a stamped column of the same name.
type StampedIter struct {
	sql.RowIter
	Schema sql.Schema
	Found  []Stamps
}

// Next implements sql.RowIter.
func (i *StampedIter) Next(ctx *sql.Context) (sql.Row, error) {
	pair, err := i.RowIter.Next(ctx)
	if err != nil {
		return pair, err
	}
	width := len(pair) / 2
	for _, s := range i.Found {
		kept := pair[width+s.Start : width+s.End].Copy()
		for _, at := range s.Stamped {
			kept[at-s.Start] = pair[at]
		}
		same, err := pair[s.Start:s.End].Equals(ctx, kept, i.Schema[s.Start:s.End])
		if err != nil {
			return nil, err
		}
		if !same {
			for _, at := range s.Stamped {
				if kept[at-s.Start], err = s.Table.stamp(ctx, i.Schema[at].Name); err != nil {
					return nil, err
				}
			}
		}
		copy(pair[width+s.Start:], kept)
	}
	return pair, nil
}

// duplicated returns the document of a row that ON DUPLICATE KEY UPDATE changes. The engine stamps and computes
// columns only for UPDATE.
func (t *Table) duplicated(ctx *sql.Context, before document.Document, old, new sql.Row) (document.Document, error) {
	new = new.Copy()
	for i := range t.Columns {
		c := &t.Columns[i]
		if t.OnUpdate(c.Name) == "" || t.Writes.Updates(c.Name) {
			continue
		}
		var err error
		if new[i], err = t.stamp(ctx, c.Name); err != nil {
			return before, err
		}
	}
	after, err := t.change(ctx, before, old, new)
	if err != nil {
		return before, err
	}
	if t.Def.Open {
		return t.finish(ctx, after)
	}
	return t.Compute(ctx, after)
}

// stamp returns the value that ON UPDATE gives a column.
func (t *Table) stamp(ctx *sql.Context, name string) (any, error) {
	e, err := t.Bind(ctx, t.OnUpdate(name))
	if err != nil {
		return nil, err
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	return session.ConvertValue(ctx, t.Def.ColumnNamed(name), v)
}

// OnUpdate returns the expression of a column's ON UPDATE, which the schema of a join does not have; "" if it has
// none.
func (t *Table) OnUpdate(name string) string {
	c := t.Def.ColumnNamed(name)
	if c == nil || c.Declared < 0 {
		return ""
	}
	return t.Def.Columns[c.Declared].OnUpdate
}
