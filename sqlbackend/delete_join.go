package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// joinedTargets gives the rows that a DELETE from a join reads. Each comes once for every target's document in it
// that no row before it had: the engine counts the rows that it reads as deleted.
type joinedTargets struct {
	sql.Node
	targets []joinedTarget
}

// joinedTarget is a table that is deleted from, and where the first of its columns stands in the rows.
type joinedTarget struct {
	table *table.Table
	start int
}

// deleteFromJoin builds a DELETE from a join; nil for any other.
func deleteFromJoin(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.DeleteFrom, row sql.Row) (sql.RowIter,
	error) {
	counted, err := countedDelete(n)
	if counted == nil || err != nil {
		return nil, err
	}
	return engine.Build(ctx, counted, row)
}

// Build implements operator.Node.
func (t *joinedTargets) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := engine.Build(ctx, t.Node, row)
	if err != nil {
		return nil, err
	}
	return &joinedTargetsIter{RowIter: rows, of: t, width: len(t.Schema())}, nil
}

// countedDelete is a DELETE from a join over joinedTargets; nil if it is none, or is so already.
func countedDelete(n *plan.DeleteFrom) (sql.Node, error) {
	if _, done := n.Child.(*joinedTargets); done || !readsJoin(n.Child) {
		return nil, nil
	}
	out, schema := &joinedTargets{Node: n.Child}, n.Child.Schema()
	for _, target := range n.GetDeleteTargets() {
		deletable, err := plan.GetDeletable(target)
		if err != nil {
			return nil, err
		}
		table, ok := sql.GetUnderlyingTable(deletable).(*table.Table)
		named, alias := target.(sql.NameableNode)
		if !ok || !alias {
			return nil, nil
		}
		start := slices.IndexFunc(schema, func(c *sql.Column) bool { return strings.EqualFold(c.Source, named.Name()) })
		if start < 0 || start+len(table.Layout) > len(schema) {
			return nil, nil
		}
		out.targets = append(out.targets, joinedTarget{table, start})
	}
	next := *n
	next.Child = out
	return &next, nil
}

func readsJoin(n sql.Node) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		_, join := n.(*plan.JoinNode)
		found = found || join
		return !found
	})
	return found
}

// joinedTargetsIter gives the rows of joinedTargets.
type joinedTargetsIter struct {
	sql.RowIter
	of    *joinedTargets
	width int           // of the rows without columns of an outer query
	met   hold.SeenKeys // tables and the primary keys of their documents
	row   sql.Row
	again int // how often the row is still to be given
}

// Next implements sql.RowIter.
func (i *joinedTargetsIter) Next(ctx *sql.Context) (sql.Row, error) {
	for i.again == 0 {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		if i.again, err = i.first(ctx, row); err != nil {
			return nil, err
		}
		i.row = row
	}
	i.again--
	return i.row, nil
}

// first counts the targets of which a row is the first to hold a document.
func (i *joinedTargetsIter) first(ctx *sql.Context, row sql.Row) (count int, err error) {
	before := len(row) - i.width // columns of an outer query
	for _, target := range i.of.targets {
		own := row[before+target.start:][:len(target.table.Layout)]
		if target.table.Absent(own) {
			continue
		}
		key, err := target.table.KeyOf(ctx, own)
		if err != nil {
			return 0, mysqlerr.Of(ctx, err)
		}
		// A table may be a target under two names.
		again, err := i.met.Again(ctx, append([]byte(target.table.Def.String()+" "), key...))
		if err != nil {
			return 0, err
		}
		if !again {
			count++
		}
	}
	return count, nil
}

// Close implements sql.RowIter.
func (i *joinedTargetsIter) Close(ctx *sql.Context) error {
	i.met.Release()
	return i.RowIter.Close(ctx)
}
