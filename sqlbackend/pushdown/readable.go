package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// Readable returns an expression in one line, for people. A subquery in it appears only by name.
func Readable(e sql.Expression) string {
	return strings.Join(strings.Fields(withoutQueries(e).String()), " ")
}

// withoutQueries returns an expression with marks for its subqueries.
func withoutQueries(e sql.Expression) sql.Expression {
	switch e := e.(type) {
	case *plan.Subquery:
		return queryMark{e, "(subquery)"}
	case *plan.ExistsSubquery:
		return queryMark{e, "EXISTS (subquery)"}
	}
	children := e.Children()
	if len(children) == 0 {
		return e
	}
	short := make([]sql.Expression, len(children))
	for i, child := range children {
		short[i] = withoutQueries(child)
	}
	if out, err := e.WithChildren(short...); err == nil {
		return out
	}
	return e
}

// queryMark stands for a subquery where an expression is shown.
type queryMark struct {
	sql.Expression
	text string
}

// String implements sql.Expression.
func (m queryMark) String() string { return m.text }
