package pushdown

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// Readable returns an expression in one line, for people. A subquery in it appears only by name.
func Readable(e sql.Expression) string {
	return oneLine(withoutQueries(e, math.MaxInt))
}

func oneLine(e sql.Expression) string { return strings.Join(strings.Fields(e.String()), " ") }

// withoutQueries returns an expression with marks for its subqueries, and for what is deeper in it than levels.
func withoutQueries(e sql.Expression, levels int) sql.Expression {
	if levels == 0 {
		return queryMark{e, "…"}
	}
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
		short[i] = withoutQueries(child, levels-1)
	}
	if out, err := e.WithChildren(short...); err == nil {
		return out
	}
	return e
}

// queryMark stands for a subquery, or another part, where an expression is shown.
type queryMark struct {
	sql.Expression
	text string
}

// String implements sql.Expression.
func (m queryMark) String() string { return m.text }
