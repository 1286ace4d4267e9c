package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// explains reports whether the running command is an EXPLAIN.
func (s *Session) explains() bool {
	for _, stmt := range s.parsed {
		if _, ok := stmt.(*ast.Explain); ok {
			return true
		}
	}
	return false
}

// noteScan keeps what there is to say of a table that an EXPLAIN found no better
// way for than to read it as a whole.
func (s *Session) noteScan(at place, p *accessPath) {
	if s.scans == nil {
		s.scans = map[place]*accessPath{}
	}
	s.scans[at] = p
}

// explain answers EXPLAIN, in the format that was asked for.
func (x *executor) explain(ctx *sql.Context, n *plan.DescribeQuery) (sql.RowIter, error) {
	root, err := explainPlan(ctx, n.Child)
	if err != nil {
		return nil, sqlError(ctx, err)
	}
	if !n.Format.Plan {
		return sql.RowsToRowIter(root.tableRows()...), nil
	}
	var rows []sql.Row
	for _, line := range root.treeLines() {
		rows = append(rows, sql.Row{line})
	}
	return sql.RowsToRowIter(rows...), nil
}
