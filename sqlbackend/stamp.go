package sqlbackend

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// stampedUpdate builds an UPDATE of tables with columns that are stamped; nil for any other.
func stampedUpdate(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.UpdateSource, row sql.Row) (sql.RowIter,
	error) {
	if _, stamped := n.Child.(*table.StampedSource); stamped {
		return nil, nil
	}
	found := updateStamps(n)
	if found == nil {
		return nil, nil
	}
	next := *n
	next.Child = &table.StampedSource{Node: cmp.Or(table.ChangeAhead(n.Child), n.Child)}
	rows, err := engine.Build(ctx, &next, row)
	return &table.StampedIter{RowIter: rows, Schema: n.Child.Schema(), Found: found}, err
}

// updateStamps finds the columns that the engine stamps in the rows of an UPDATE, whether they change or not.
func updateStamps(n *plan.UpdateSource) (found []table.Stamps) {
	schema, joined := n.Child.Schema(), map[string]sql.UpdatableTable{}
	joinedTables(n.Child, joined)
	for start := 0; start < len(schema); {
		source, end := schema[start].Source, start
		t := table.DocumentsOf(joined[strings.ToLower(source)])
		s := table.Stamps{Table: t, Start: start}
		for ; end < len(schema) && schema[end].Source == source; end++ {
			if t != nil && t.OnUpdate(schema[end].Name) != "" && !t.Writes.Sets(schema[end].Name) {
				s.Stamped = append(s.Stamped, end)
			}
		}
		if start, s.End = end, end; len(s.Stamped) > 0 {
			found = append(found, s)
		}
	}
	return found
}
