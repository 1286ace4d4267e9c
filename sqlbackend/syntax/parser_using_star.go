package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// usingAsOn writes the USING of a SELECT of t.* as ON. The plan builder gives the joined columns before a table's
// others, where MySQL gives the columns of t.* in the table's order. USING stays beside a * of all tables, a NATURAL
// JOIN, and names of results that are columns of USING. It also stays beside subqueries, which might read such a
// column by its bare name.
func usingAsOn(stmt ast.Statement) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			selectUsingAsOn(s)
		}
		return true, nil
	}, stmt)
}

func selectUsingAsOn(s *ast.Select) {
	of, aliases := false, map[string]bool{}
	for _, e := range s.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			if e.TableName.IsEmpty() {
				return
			}
			of = true
		case *ast.AliasedExpr:
			aliases[e.As.Lowered()] = true
		}
	}
	if !of {
		return
	}
	known := map[string]bool{}
	for _, e := range s.From {
		if !writableAsOn(e, aliases, known) {
			return
		}
	}
	if len(known) == 0 || hasSubquery(s.SelectExprs, s.Where, s.GroupBy, s.Having, s.OrderBy, s.Window) {
		return
	}
	columns := map[string]string{}
	for _, e := range s.From {
		joinOn(e, columns)
	}
	qualify := qualifying(columns)
	_ = statement.Walk(qualify, s.SelectExprs, s.Where, s.GroupBy, s.Having, s.OrderBy)
}

// writableAsOn reports whether joinOn can write the joins of a table expression as ON. No result column may have the
// name of one of their columns, which it adds to known.
func writableAsOn(e ast.TableExpr, aliases, known map[string]bool) bool {
	j, ok := e.(*ast.JoinTableExpr)
	if !ok {
		_, parentheses := e.(*ast.ParenTableExpr)
		return !parentheses
	}
	switch j.Join {
	case ast.NaturalJoinStr, ast.NaturalLeftJoinStr, ast.NaturalRightJoinStr:
		return false
	}
	if !writableAsOn(j.LeftExpr, aliases, known) || !writableAsOn(j.RightExpr, aliases, known) {
		return false
	}
	for _, c := range j.Condition.Using {
		name := c.Lowered()
		if aliases[name] || joinedName(j.RightExpr) == "" || joinedName(j.LeftExpr) == "" && !known[name] {
			return false
		}
		known[name] = true
	}
	return true
}
