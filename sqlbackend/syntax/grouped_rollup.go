package syntax

import (
	"slices"
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// expandRollups replaces SELECTs that group WITH ROLLUP in a statement, innermost first.
func expandRollups(stmt ast.SQLNode, query string) error {
	if !statement.Holds(query, rollup.Mark) {
		return nil
	}
	if d, ok := stmt.(*ast.DDL); ok && d.OptSelect != nil { // CREATE TABLE ... SELECT
		stmt = d.OptSelect.Select
	}
	var found []*ast.Select
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			found = append(found, s)
		}
		return true, nil
	}, stmt)
	for _, s := range slices.Backward(found) {
		if err := rollup.Expand(s); err != nil {
			return err
		}
	}
	return nil
}

// groupByConstants replaces the literals in GROUP BY, also those named by position, by NULL: a constant makes no
// groups. With ROLLUP a constant has a total of its own, and stays.
func groupByConstants(s *ast.Select) {
	constant := func(e ast.Expr) bool {
		v, ok := e.(*ast.SQLVal)
		return ok && v.Type != ast.ValArg
	}
	for _, e := range s.GroupBy {
		if f, ok := e.(*ast.FuncExpr); ok && f.Name.EqualString(rollup.Mark) {
			return
		}
	}
	for i, e := range s.GroupBy {
		v, ok := e.(*ast.SQLVal)
		if !ok || v.Type == ast.ValArg {
			continue
		}
		if v.Type == ast.IntVal {
			place, err := strconv.Atoi(string(v.Val))
			if err != nil || place < 1 || place > len(s.SelectExprs) {
				continue
			}
			if item, ok := s.SelectExprs[place-1].(*ast.AliasedExpr); !ok || !constant(item.Expr) {
				continue
			}
		}
		s.GroupBy[i] = &ast.NullVal{}
	}
}
