package explain

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// explainNote is the number of MySQL's note that goes with an EXPLAIN.
const explainNote = 1003

// Query answers EXPLAIN of a query, in the requested format.
func Query(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.DescribeQuery, _ sql.Row) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	var a *session.Analysis
	if n.Format.Analyze {
		began := time.Now()
		if a, err = analyze(ctx, engine, s, n.Child); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		s.Work.Running.Time = a.Before + time.Since(began)
	}
	root, err := explainPlan(ctx, n.Child, s.Planning.Evaluated)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if a != nil {
		root.observe(s, a)
	}
	if s.ProgramText != "" { // as MySQL's EXPLAIN reports it, in all formats
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: explainNote, Message: "program: " + s.ProgramText})
	}
	switch {
	case syntax.IsJSONFormat(n.Format):
		var whole *jsonStatement
		if a != nil {
			whole = statementJSON(&s.Work.Running)
		}
		text, err := root.jsonText(s.ProgramText, whole)
		return sql.RowsToRowIter(sql.Row{text}), err
	case n.Format.Plan:
		lines := root.treeLines(a != nil)
		if a != nil {
			lines = append(lines, statementText(&s.Work.Running))
		}
		rows := make([]sql.Row, len(lines))
		for i, l := range lines {
			rows[i] = sql.Row{l}
		}
		return sql.RowsToRowIter(rows...), nil
	}
	return sql.RowsToRowIter(root.tableRows()...), nil
}
