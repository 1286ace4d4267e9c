package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// starsApart writes the USING of a SELECT of t.* as ON: the plan builder gives the joined columns before a table's
// others, where MySQL gives the columns of t.* as the table has them. Beside a * of all tables, a NATURAL JOIN, names
// of results that are columns of USING, and subqueries, which might read such a column by its bare name, USING stays.
func starsApart(stmt ast.Statement) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			selectStarsApart(s)
		}
		return true, nil
	}, stmt)
}

func selectStarsApart(s *ast.Select) {
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
		if !usingAlone(e, aliases, known) {
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

// usingAlone reports whether a table expression has joins that joinOn writes as ON, whose columns, which become known,
// are no names of results.
func usingAlone(e ast.TableExpr, aliases, known map[string]bool) bool {
	j, ok := e.(*ast.JoinTableExpr)
	if !ok {
		_, parentheses := e.(*ast.ParenTableExpr)
		return !parentheses
	}
	switch j.Join {
	case ast.NaturalJoinStr, ast.NaturalLeftJoinStr, ast.NaturalRightJoinStr:
		return false
	}
	if !usingAlone(j.LeftExpr, aliases, known) || !usingAlone(j.RightExpr, aliases, known) {
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
