package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// splitContains splits JSON_CONTAINS of several elements in a condition on the rows of a node into one call for each,
// so that an index range may answer each. With the index off the condition is unchanged.
func (c Comparer) splitContains(condition sql.Expression, rows sql.Node) sql.Expression {
	if !asksContains(condition) || !setting.UsesIndex(c.Ctx) {
		return condition
	}
	object := func(e sql.Expression) bool { return isDocumentOf(rows, e) }
	var apart []sql.Expression
	any := false
	for _, part := range expression.SplitConjunction(condition) {
		if several := pushdown.SplitContains(c.Ctx, part, object); several != nil {
			apart, any = append(apart, several...), true
		} else {
			apart = append(apart, part)
		}
	}
	if !any {
		return condition
	}
	return expression.JoinAnd(apart...)
}

// asksContains reports whether JSON_CONTAINS is a part of a conjunction.
func asksContains(e sql.Expression) bool {
	switch e := e.(type) {
	case *expression.And:
		return asksContains(e.LeftChild) || asksContains(e.RightChild)
	case *functions.JSONFunction:
		return e.Name == "json_contains"
	}
	return false
}

// isDocumentOf reports whether an operand is the whole document of a collection, the only table of a node.
func isDocumentOf(rows sql.Node, e sql.Expression) bool {
	field, ok := e.(*expression.GetField)
	if !ok {
		return false
	}
	table, ok := rows.(*plan.TableAlias)
	if ok {
		rows = table.Child
	}
	resolved, is := rows.(*plan.ResolvedTable)
	if !is {
		return false
	}
	name := resolved.Name()
	if ok {
		name = table.Name()
	}
	of, ours := resolved.UnderlyingTable().(documents)
	return ours && field.Name() == of.DocumentColumn() && field.Table() == name
}

// documents is a table whose rows are documents.
type documents interface {
	// DocumentColumn is the name of the column that has the whole document.
	DocumentColumn() string
}
