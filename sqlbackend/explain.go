package sqlbackend

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// explainNote is the number of MySQL's note that goes with an EXPLAIN.
const explainNote = 1003

// Explains reports whether the running command is an EXPLAIN.
func (s *Session) Explains() bool {
	for _, stmt := range s.parsed {
		if _, ok := stmt.(*ast.Explain); ok {
			return true
		}
	}
	return false
}

// noteScan keeps what there is to say of a table that an EXPLAIN found no better
// way for than to read it as a whole.
func (s *Session) noteScan(at tree.Place, p *accessPath) {
	if s.scans == nil {
		s.scans = map[tree.Place]*accessPath{}
	}
	s.scans[at] = p
}

// explain answers EXPLAIN, in the format that was asked for.
func (x *executor) explain(ctx *sql.Context, n *plan.DescribeQuery) (sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	var a *analysis
	if n.Format.Analyze {
		began := time.Now()
		if a, err = x.analyze(ctx, s, n.Child); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		s.work.running.time = a.before + time.Since(began)
	}
	root, err := explainPlan(ctx, n.Child, s.evaluated)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if a != nil {
		root.observe(s, a)
	}
	if s.programText != "" { // as MySQL's EXPLAIN tells of the statement, whatever the format
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: explainNote, Message: "program: " + s.programText})
	}
	switch {
	case syntax.IsJSONFormat(n.Format):
		var whole *jsonStatement
		if a != nil {
			whole = statementJSON(&s.work.running)
		}
		text, err := root.jsonText(s.programText, whole)
		return sql.RowsToRowIter(sql.Row{text}), err
	case n.Format.Plan:
		lines := root.treeLines(a != nil)
		if a != nil {
			lines = append(lines, statementText(&s.work.running))
		}
		rows := make([]sql.Row, len(lines))
		for i, l := range lines {
			rows[i] = sql.Row{l}
		}
		return sql.RowsToRowIter(rows...), nil
	}
	return sql.RowsToRowIter(root.tableRows()...), nil
}
