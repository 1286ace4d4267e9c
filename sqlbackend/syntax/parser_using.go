package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// joinsOn writes the USING of a DELETE as ON: the plan builder forgets the aliases of tables that USING joins, and
// with them what the
// statement deletes from. NATURAL joins stay, and USING whose left column could be of several tables.
func joinsOn(stmt ast.Statement) {
	d, ok := stmt.(*ast.Delete)
	if !ok {
		return
	}
	columns := map[string]string{} // what a column's bare name stands for
	for _, e := range d.TableExprs {
		joinOn(e, columns)
	}
	if len(columns) == 0 {
		return
	}
	_ = statement.Walk(qualifying(columns), d.Where, d.OrderBy)
}

// qualifying gives bare names of columns, outside of subqueries, the tables that they stand for.
func qualifying(columns map[string]string) func(ast.SQLNode) (bool, error) {
	return func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() {
			if table, joined := columns[c.Name.Lowered()]; joined {
				c.Qualifier = ast.TableName{Name: ast.NewTableIdent(table)}
			}
		}
		_, inner := n.(*ast.Subquery)
		return !inner, nil
	}
}

// joinOn writes the USING of a table expression as ON, and notes the columns.
func joinOn(e ast.TableExpr, columns map[string]string) {
	j, ok := e.(*ast.JoinTableExpr)
	if !ok {
		return
	}
	joinOn(j.LeftExpr, columns)
	joinOn(j.RightExpr, columns)
	left, right := joinedName(j.LeftExpr), joinedName(j.RightExpr)
	var on ast.Expr
	for _, c := range j.Condition.Using {
		of := left
		if known, joined := columns[c.Lowered()]; joined && of == "" {
			of = known
		}
		if of == "" || right == "" {
			return
		}
		equal := ast.Expr(&ast.ComparisonExpr{Operator: ast.EqualStr, Left: columnNamed(of, c), Right: columnNamed(right, c)})
		if on != nil {
			equal = &ast.AndExpr{Left: on, Right: equal}
		}
		on = equal
	}
	for _, c := range j.Condition.Using {
		switch {
		case j.Join == ast.RightJoinStr:
			columns[c.Lowered()] = right
		case columns[c.Lowered()] == "":
			columns[c.Lowered()] = left
		}
	}
	if on != nil {
		j.Condition = ast.JoinCondition{On: on}
	}
}

func columnNamed(table string, name ast.ColIdent) *ast.ColName {
	return &ast.ColName{Name: name, Qualifier: ast.TableName{Name: ast.NewTableIdent(table)}}
}

// joinedName is the name of a single table of a join; "" for anything else.
func joinedName(e ast.TableExpr) string {
	t, ok := e.(*ast.AliasedTableExpr)
	if !ok {
		return ""
	}
	if name, ok := t.Expr.(ast.TableName); ok && t.As.IsEmpty() {
		return name.Name.String()
	}
	return t.As.String()
}
