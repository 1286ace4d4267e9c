package rewrite

import (
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// ReplaceAlike replaces the parts of an expression that have the type of like and the given text.
func ReplaceAlike(e, like sql.Expression, text string, by sql.Expression) (sql.Expression, error) {
	if reflect.TypeOf(e) == reflect.TypeOf(like) && e.String() == text {
		return by, nil
	}
	children := e.Children()
	next, any := make([]sql.Expression, len(children)), false
	for i, child := range children {
		var err error
		if next[i], err = ReplaceAlike(child, like, text, by); err != nil {
			return nil, err
		}
		any = any || !functions.SameExpression(next[i], child)
	}
	if !any {
		return e, nil
	}
	return e.WithChildren(next...)
}

// Reads reports whether an expression reads fields of the given tables, and of no others, and has no subquery.
func Reads(e sql.Expression, tables sql.FastIntSet) bool {
	any, others := false, false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			any, others = true, others || !tables.Contains(int(e.TableId()))
		case *plan.Subquery:
			others = true
		}
		return !others
	})
	return any && !others
}

// Projected returns the expression behind a field of a projection, false if it has none. An alias loses its number
// where a rule changes its expression; then it is found by its name.
func Projected(n *plan.Project, f *expression.GetField) (sql.Expression, bool) {
	for _, e := range n.Projections {
		switch e := e.(type) {
		case *expression.Alias:
			if e.Id() == f.Id() && f.Id() != 0 {
				return e.Child, true
			}
		case *expression.GetField:
			if e.Id() == f.Id() && f.Id() != 0 {
				return e, true
			}
		}
	}
	if f.Table() != "" {
		return nil, false
	}
	var named *expression.Alias
	for _, e := range n.Projections {
		if a, ok := e.(*expression.Alias); ok && a.Id() == 0 && strings.EqualFold(a.Name(), f.Name()) {
			if named != nil {
				return nil, false
			}
			named = a
		}
	}
	if named == nil {
		return nil, false
	}
	return named.Child, true
}

// Over returns another node below a chain of nodes, which begins at the top.
func Over(nodes []sql.Node, n sql.Node) (sql.Node, error) {
	for i := len(nodes) - 1; i >= 0; i-- {
		next, err := nodes[i].WithChildren(n)
		if err != nil {
			return nil, err
		}
		n = next
	}
	return n, nil
}
