package syntax

import (
	"errors"
	"fmt"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// refuseMisplacedWindow refuses a window function anywhere but in the list and the ORDER BY of a SELECT, and within an
// aggregate or another window function. There is no plan for it, and rewriting such a statement would not end.
func refuseMisplacedWindow(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "over") {
		return nil
	}
	placed := map[*ast.FuncExpr]bool{}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			for _, e := range s.SelectExprs {
				placeWindows(e, placed)
			}
			for _, o := range s.OrderBy {
				placeWindows(o, placed)
			}
		}
		return true, nil
	}, stmt)
	var check func(n ast.SQLNode) (bool, error)
	check = func(n ast.SQLNode) (bool, error) {
		f, is := isWindow(n)
		if is && f.Name.EqualString("json_objectagg") {
			return false, errors.New("unsupported syntax: JSON_OBJECTAGG over a window")
		}
		if is && !placed[f] {
			return false, fmt.Errorf(mysqlerr.MisplacedWindow+" '%s' in this context.", f.Name.Lowered())
		}
		if s, ok := n.(*ast.Select); ok {
			for _, d := range s.Window { // the parser's walk leaves them out
				for _, e := range windowParts((*ast.Over)(d)) {
					if err := statement.Walk(check, *e); err != nil {
						return false, err
					}
				}
			}
		}
		return true, nil
	}
	return statement.Walk(check, stmt)
}

// placeWindows adds the window functions of a selected expression that no aggregate, window or subquery is around.
func placeWindows(e ast.SQLNode, placed map[*ast.FuncExpr]bool) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.GroupConcatExpr:
			return false, nil
		case *ast.FuncExpr:
			if n.Over != nil {
				placed[n] = true
			}
			return n.Over == nil && !n.IsAggregate(), nil
		}
		return true, nil
	}, e)
}
