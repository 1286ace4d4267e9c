package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// resultExpressions are what the columns of a query's result are made of; none where that is not seen.
func resultExpressions(n sql.Node) []sql.Expression {
	switch n := n.(type) {
	case *plan.Project:
		return n.Projections
	case *plan.GroupBy:
		return n.SelectedExprs
	case *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Distinct, *plan.Having:
		return resultExpressions(n.Children()[0])
	}
	return nil
}

// lostCollation is the collation of a string that an expression makes of columns, if its type doesn't tell: CONCAT and
// COALESCE of a column have the engine's own. It is nil if the type tells, or if it is the default.
func (c comparer) lostCollation(e sql.Expression) *collation.Collation {
	if c.class(e) != classText {
		return nil
	}
	coll := c.textCollation(e)
	if t, ours := e.Type().(value.TextType); coll == collation.Default || ours && t.Coll == coll {
		return nil
	}
	return coll
}

// lostCollations is the collation in which two columns of the sides of a set operation are compared, if the type of
// one of them doesn't tell its own.
func (c comparer) lostCollations(left, right []sql.Expression, at int) *collation.Collation {
	if at >= len(left) || at >= len(right) || c.lostCollation(left[at]) == nil && c.lostCollation(right[at]) == nil {
		return nil
	}
	return c.textCollation(left[at], right[at])
}
