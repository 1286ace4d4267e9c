package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/document"
)

// stampedSource is what an UPDATE reads of tables that have columns with ON UPDATE, built once for stampedIter.
type stampedSource struct{ sql.Node }

// Children implements sql.Node.
func (n *stampedSource) Children() []sql.Node { return []sql.Node{n.Node} }

// stamps are the places of the columns of one table in the rows of an UPDATE; those with ON UPDATE that the statement
// doesn't set are stamped.
type stamps struct {
	table      *Table
	start, end int
	stamped    []int
}

// updateStamps finds the columns that the engine stamps in the rows of an UPDATE, whether they change or not.
func updateStamps(n *plan.UpdateSource) (found []stamps) {
	schema, joined := n.Child.Schema(), map[string]sql.UpdatableTable{}
	joinedTables(n.Child, joined)
	for start := 0; start < len(schema); {
		source, end := schema[start].Source, start
		t := documentsOf(joined[strings.ToLower(source)])
		s := stamps{table: t, start: start}
		for ; end < len(schema) && schema[end].Source == source; end++ {
			if t != nil && t.onUpdate(schema[end].Name) != "" && !t.writes.Sets(schema[end].Name) {
				s.stamped = append(s.stamped, end)
			}
		}
		if start, s.end = end, end; len(s.stamped) > 0 {
			found = append(found, s)
		}
	}
	return found
}

// stampedIter gives the pairs of rows that an UPDATE reads and writes. A row of which nothing else changes keeps its
// stamps; the engine leaves out those whose names columns of other tables have that it stamps.
type stampedIter struct {
	sql.RowIter
	schema sql.Schema
	found  []stamps
}

// Next implements sql.RowIter.
func (i *stampedIter) Next(ctx *sql.Context) (sql.Row, error) {
	pair, err := i.RowIter.Next(ctx)
	if err != nil {
		return pair, err
	}
	width := len(pair) / 2
	for _, s := range i.found {
		kept := pair[width+s.start : width+s.end].Copy()
		for _, at := range s.stamped {
			kept[at-s.start] = pair[at]
		}
		same, err := pair[s.start:s.end].Equals(ctx, kept, i.schema[s.start:s.end])
		if err != nil {
			return nil, err
		}
		if !same {
			for _, at := range s.stamped {
				if kept[at-s.start], err = s.table.stamp(ctx, i.schema[at].Name); err != nil {
					return nil, err
				}
			}
		}
		copy(pair[width+s.start:], kept)
	}
	return pair, nil
}

// duplicated is the document of a row that ON DUPLICATE KEY UPDATE changes. The engine stamps and computes the columns
// of UPDATE alone.
func (t *Table) duplicated(ctx *sql.Context, before document.Document, old, new sql.Row) (document.Document, error) {
	new = new.Copy()
	for i := range t.columns {
		c := &t.columns[i]
		if t.onUpdate(c.name) == "" || t.writes.Updates(c.name) {
			continue
		}
		var err error
		if new[i], err = t.stamp(ctx, c.name); err != nil {
			return before, err
		}
	}
	after, err := t.change(ctx, before, old, new)
	if err != nil {
		return before, err
	}
	if t.def.Open {
		return t.finish(ctx, after)
	}
	return t.compute(ctx, after)
}

// stamp is what ON UPDATE gives a column.
func (t *Table) stamp(ctx *sql.Context, name string) (any, error) {
	e, err := t.bind(ctx, t.onUpdate(name))
	if err != nil {
		return nil, err
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	return convertValue(ctx, t.def.column(name), v)
}

// onUpdate is what the ON UPDATE of a column says; the schema of a join has lost it.
func (t *Table) onUpdate(name string) string {
	c := t.def.column(name)
	if c == nil || c.declared < 0 {
		return ""
	}
	return t.def.Columns[c.declared].OnUpdate
}
